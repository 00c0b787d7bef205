// The commands. Each add_ function declares one on the application, with its options and its examples; running it sets the exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace apod::cli {

void add_climb(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_devices(CLI::App& app, int& exit_code);
void add_transfer(CLI::App& app, int& exit_code);

} // namespace apod::cli
