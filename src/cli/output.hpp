// Results to standard output and files, notes and errors to standard error.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::cli {

// One result in each of its forms; made only when asked for.
struct Forms {
    std::function<std::string()> text;
    std::function<std::string()> json;
    std::function<std::string()> csv;
    std::function<std::string()> markdown;
    std::function<std::string()> svg = {}; // where the command has --svg
};

// Closed standard descriptors are opened on /dev/null, so that no file takes their place; SIGPIPE is ignored, so that a reader that went
// away (`apod climb transpose | head`) ends the output and not the program.
void prepare_streams();

// What can be known before the work is done: two forms for standard output or for one file, a result in the place of one of the files that
// the command reads (usage), a file that cannot be written (bad_input). Of what it reads, names of nothing are left out.
Result<void> check_outputs(const OutputOptions& options, const std::vector<std::string>& reads = {});

// Writes the files, then standard output: the form that was asked for with '-', else the text. Where one of them fails the others are
// written nevertheless; the first error is returned.
Result<void> write_outputs(const OutputOptions& options, const Forms& forms);

// A reader that has gone away is no error.
Result<void> write_stdout(std::string_view text);

// "apod: note: ..." on standard error.
void note(std::string_view text);

// "apod: error: ..." on standard error; returns the exit code of the error's kind.
int report_error(const Diagnostic& diagnostic);

} // namespace apod::cli
