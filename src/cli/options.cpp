#include "cli/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace apod::cli {
namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

bool colour_wanted(const std::string& choice) {
    if (choice != "auto") return choice == "always";
    return ::isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

std::size_t terminal_width() {
    const std::string_view columns = environment("COLUMNS");
    std::size_t width = 0;
    const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
    if (error == std::errc() && end == columns.data() + columns.size() && width > 0) return width;
    winsize size = {};
    if (::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) return size.ws_col;
    return 0;
}

} // namespace

void add_output_options(CLI::App& command, OutputOptions& options) {
    const char* group = "Output";
    command.add_option("--json", options.json, "Write JSON (docs/schema/apod-1.schema.json); '-' is standard output")
        ->type_name("FILE")
        ->check(file_name())
        ->group(group);
    command.add_option("--csv", options.csv, "Write CSV")->type_name("FILE")->check(file_name())->group(group);
    command.add_option("--markdown", options.markdown, "Write Markdown")->type_name("FILE")->check(file_name())->group(group);
    command.add_flag("-q,--quiet", options.quiet, "Only results and errors: no notes, no progress")->group(group);
    command.add_flag("-v,--verbose", options.verbose, "More detail in the result")->group(group);
    command.add_option("--color", options.colour, "Colour: auto, always or never; NO_COLOR turns auto off")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->group(group);
}

void add_device_options(CLI::App& command, DeviceOptions& options) {
    command
        .add_option("-d,--device", options.device,
                    "Where kernels run: auto, cuda:0 for a GPU, emu:NAME for an emulated one (apod devices lists both), emu:FILE.toml, or "
                    "replay:FILE.json for a recorded run")
        ->type_name("DEVICE")
        ->capture_default_str();
    command.add_option("--threads", options.threads, "Worker threads of the emulator; 0 takes all cores")
        ->type_name("COUNT")
        ->check(CLI::Range(0U, 4096U));
}

void add_prediction_option(CLI::App& command, DeviceOptions& options) {
    command.add_flag("--no-prediction", options.no_prediction,
                     "On a GPU: only what it measures, without the emulator's counters, findings and predicted times beside it");
}

void add_what_if_option(CLI::App& command, DeviceOptions& options) {
    options.several = true;
    command.get_option("--device")
        ->description(
            "Where kernels run: auto, cuda:0 for a GPU, emu:NAME for an emulated one (apod devices lists both), emu:FILE.toml, or "
            "replay:FILE.json for a recorded run. Emulated GPUs behind commas are compared with the first: emu:a100,emu:h200,emu:l4");
    command
        .add_option("--what-if", options.what_if,
                    "What the same run would take otherwise: bandwidth=2x, sms=264, clock=1.1x, l2=96MiB, l2-bandwidth=2x or any key of a "
                    "description (docs/devices.md); block=128, registers=32, shared=0; several with commas; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void refuse_what_if_option(CLI::App& command) {
    command.add_option("--what-if")
        ->group("") // not in the help
        ->check([](const std::string&) { return std::string("apod explain answers this: apod explain LADDER --what-if NAME=VALUE"); });
}

void add_check_option(CLI::App& command, DeviceOptions& options) {
    command.add_flag("--check", options.check, "Check the kernels for mistakes too, as apod check does; exit code 1 when there are any");
}

void add_rung_options(CLI::App& command, LadderOptions& options) {
    command.add_option("-p,--param", options.parameters, "Set a parameter of the ladder, e.g. n=2048; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("-r,--rung", options.rungs, "Only this rung; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_timeout_option(CLI::App& command, double& timeout_s, const std::string& description) {
    command.add_option("--timeout", timeout_s, description)
        ->type_name("SECONDS")
        ->check(number_from(shortest_time_limit_s, longest_time_limit_s));
}

void add_ladder_options(CLI::App& command, LadderOptions& options) {
    command.add_option("LADDER", options.ladder, "A built-in ladder (spmv, transfer, transpose), or a .toml file")
        ->required()
        ->type_name("");
    add_rung_options(command, options);
    add_timeout_option(command, options.timeout_s, "Stop after so many seconds, as Ctrl-C does; the rungs that had run are shown");
}

std::function<std::string(const std::string&)> number_from(double least, double most) {
    return [least, most](const std::string& text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc() && end == text.data() + text.size();
        return whole && value >= least && value <= most ? std::string()
                                                        : fmt::format("'{}' is no number from {:.10g} to {:.10g}", text, least, most);
    };
}

std::function<std::string(const std::string&)> file_name() {
    return [](const std::string& text) { return text.empty() ? std::string("the name of the file is empty") : std::string(); };
}

void add_examples(CLI::App& command, const std::vector<std::string>& examples) {
    std::string text = "Examples:";
    for (const std::string& example : examples) text += "\n  " + example;
    command.footer(text);
}

TextStyle text_style(const OutputOptions& options) { return {terminal_width(), colour_wanted(options.colour)}; }

} // namespace apod::cli
