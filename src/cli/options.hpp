// The options that commands share, declared once so that they mean the same everywhere.
#pragma once

#include "base/text_table.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace apod::cli {

// --json, --csv, --markdown, -q, -v, --color
struct OutputOptions {
    std::string json; // empty: not asked for; "-": standard output
    std::string csv;
    std::string markdown;
    std::string svg; // apod transfer
    bool quiet = false;
    bool verbose = false;
    std::string colour = "auto";
};

// --device, --threads
struct DeviceOptions {
    std::string device = "auto";
    unsigned threads = 0;
    bool check = false;
    bool no_prediction = false;       // a GPU: without what the emulator says beside it
    bool several = false;             // more devices than one may be named, with commas between them
    std::vector<std::string> what_if; // as written
};

// LADDER, -p, --rung, --timeout
struct LadderOptions {
    std::string ladder;
    std::vector<std::string> parameters; // "n=2048", as written
    std::vector<std::string> rungs;
    double timeout_s = 0; // 0: none
};

void add_output_options(CLI::App& command, OutputOptions& options);
void add_device_options(CLI::App& command, DeviceOptions& options);
// --no-prediction
void add_prediction_option(CLI::App& command, DeviceOptions& options);
// --what-if, and several devices in --device
void add_what_if_option(CLI::App& command, DeviceOptions& options);
// For commands that people expect it of: names the one that has it.
void refuse_what_if_option(CLI::App& command);
// --check
void add_check_option(CLI::App& command, DeviceOptions& options);
// -p, --rung
void add_rung_options(CLI::App& command, LadderOptions& options);
void add_timeout_option(CLI::App& command, double& timeout_s, const std::string& description);
void add_ladder_options(CLI::App& command, LadderOptions& options);

// For check(): a number in the range. CLI11's own lets "nan" pass.
[[nodiscard]] std::function<std::string(const std::string&)> number_from(double least, double most);
// For check(): a name of a file, which "" is not.
[[nodiscard]] std::function<std::string(const std::string&)> file_name();
inline constexpr double shortest_time_limit_s = 0.001;
inline constexpr double longest_time_limit_s = 1e9; // 31 years; what is longer does not fit the clock

// The examples that --help ends with.
void add_examples(CLI::App& command, const std::vector<std::string>& examples);

// How standard output is to be written: --color, NO_COLOR (https://no-color.org), TERM; the terminal's width, or that of COLUMNS.
[[nodiscard]] TextStyle text_style(const OutputOptions& options);

} // namespace apod::cli
