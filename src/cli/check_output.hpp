// Showing the reports of checks behind another command's result.
#pragma once

#include "cli/options.hpp"
#include "report/check_view.hpp"

namespace apod::cli {

// Whether standard output is taken by JSON, CSV or Markdown.
[[nodiscard]] bool to_stdout(const OutputOptions& output);

// The reports as text: behind the command's own text, or on standard error where standard output is for programs. Returns the exit code
// that they make: 1, or 0 when there are none.
int add_checks(const report::CheckView& view, const report::SourceText& source, const OutputOptions& output);

// The source lines of a program that was built here: files by the paths that its line information has, or by name in this directory.
[[nodiscard]] report::SourceText program_source_text();

} // namespace apod::cli
