// Results to standard output and files, notes and errors to standard error.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace apod::cli {

// One result in each of its forms; made only when asked for.
struct Forms {
    std::function<std::string()> text;
    std::function<std::string()> json;
    std::function<std::string()> csv;
    std::function<std::string()> markdown;
};

// Closed standard descriptors are opened on /dev/null, so that no file takes their place; SIGPIPE is ignored, so that a reader that went
// away (`apod climb transpose | head`) ends the output and not the program.
void prepare_streams();

// What can be known before the work is done: two forms for standard output (usage), a file that cannot be written (bad_input).
Result<void> check_outputs(const OutputOptions& options);

// Writes the files, then standard output: the form that was asked for with '-', else the text.
Result<void> write_outputs(const OutputOptions& options, const Forms& forms);

// A reader that has gone away is no error.
Result<void> write_stdout(std::string_view text);

// "apod: note: ..." on standard error.
void note(std::string_view text);

// "apod: error: ..." on standard error; returns the exit code of the error's kind.
int report_error(const Diagnostic& diagnostic);

} // namespace apod::cli
