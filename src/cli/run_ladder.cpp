#include "cli/run_ladder.hpp"

#include "base/interruption.hpp"
#include "base/nearest.hpp"
#include "cli/check_output.hpp"
#include "cli/open_device.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/source_text.hpp"
#include "device/emulated/emulated.hpp"
#include "ladder/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace apod::cli {
namespace {

namespace fs = std::filesystem;

std::optional<double> parse_number(std::string_view text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

} // namespace

std::string stopped_text(const ladder::ClimbResult& result) {
    if (!result.stopped) return {};
    const auto stopped = std::find_if(result.rungs.begin(), result.rungs.end(), [](const ladder::RungResult& rung) {
        return rung.error && rung.error->message.find("stopped while") != std::string::npos;
    });
    return stopped != result.rungs.end() ? "in rung " + stopped->name : "between two rungs";
}

int end_ladder(const Diagnostic& error) {
    const int code = report_error(error);
    return stop_requested() ? stop_exit_code() : code;
}

int show_ladder(const LadderRun& run, const DeviceOptions& device_options, const Forms& forms, const OutputOptions& output) {
    if (const Result<void> written = write_outputs(output, forms); !written) return report_error(written.error());
    const int code = run.result.stopped ? stop_exit_code() : run.result.all_right() ? 0 : exit_code(ErrorKind::check_failed);
    if (!device_options.check) return code;
    const int checked =
        add_checks({run.result.ladder, run.result.device, run.checks, {}, stopped_text(run.result)}, source_text(run.ladder), output);
    return code != 0 ? code : checked;
}

namespace {

// matrix=stencil: which of the parameter's choices that is. Nothing: the parameter has none.
Result<std::optional<double>> parse_choice(const ladder::Ladder& ladder, const std::string& name, const std::string& text) {
    const ladder::Parameter* const parameter = ladder.find_parameter(name);
    if (parameter == nullptr || parameter->choices.empty()) return std::optional<double>();
    const auto found = std::find(parameter->choices.begin(), parameter->choices.end(), text);
    if (found != parameter->choices.end()) return std::optional<double>(static_cast<double>(found - parameter->choices.begin()));
    const std::string near = nearest_hint(text, parameter->choices);
    return usage_error(fmt::format("the parameter '{}' of the ladder '{}' cannot be '{}'", name, ladder.name, text),
                       fmt::format("it is one of {}{}", fmt::join(parameter->choices, ", "), near.empty() ? "" : "; " + near));
}

} // namespace

Result<std::map<std::string, double>> parse_parameters(const std::vector<std::string>& assignments, const ladder::Ladder& ladder) {
    std::map<std::string, double> parameters;
    std::map<std::string, std::string> given;
    for (const std::string& assignment : assignments) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos || equals == 0)
            return usage_error("--param takes NAME=VALUE, not '" + assignment + "'", "e.g. -p n=2048");
        const Result<std::optional<double>> choice = parse_choice(ladder, assignment.substr(0, equals), assignment.substr(equals + 1));
        if (!choice) return choice.error();
        const std::optional<double> value = *choice ? *choice : parse_number(std::string_view(assignment).substr(equals + 1));
        if (!value) return usage_error("the value of --param " + assignment + " is not a number", "e.g. -p n=2048");
        const std::string name = assignment.substr(0, equals);
        if (const auto [before, fresh] = given.try_emplace(name, assignment); !fresh)
            return usage_error("--param " + name + " is given twice: " + before->second + " and " + assignment,
                               "give one of them; a sweep over values is one run each");
        parameters[name] = *value;
    }
    return parameters;
}

namespace {

bool is_measured(const ladder::ClimbResult& result) {
    return std::any_of(result.rungs.begin(), result.rungs.end(),
                       [](const ladder::RungResult& rung) { return !rung.launches.empty() && rung.time_ns.source == Source::measured; });
}

// The same ladder on the emulated GPU of the same description. What it cannot run has no prediction; the measurement stands.
void predict_beside(const ladder::Ladder& ladder, const device::Device& measured, const DeviceOptions& device_options,
                    const ladder::ClimbOptions& options, ladder::ClimbResult& result) {
    const std::unique_ptr<device::Device> emulated = device::make_emulated(measured.gpu(), {device_options.threads, false});
    ladder::ClimbOptions same = options; // at the size that was measured, where emulated devices have another by default
    for (const ladder::Parameter& parameter : ladder.parameters) same.parameters[parameter.name] = result.parameters.at(parameter.name);
    // Of data as large as a pipeline's a part of the blocks tells as much, and the emulator would need minutes for all.
    const bool from_host =
        std::any_of(result.rungs.begin(), result.rungs.end(), [](const ladder::RungResult& rung) { return rung.pipeline.has_value(); });
    if (from_host) same.instruction_budget = 500'000;
    const Result<ladder::ClimbResult> predicted = ladder::climb(ladder, *emulated, same);
    if (predicted)
        ladder::put_beside(result, *predicted);
    else
        note("no prediction beside the measurement: " + predicted.error().message);
}

// A program in the ladder's place: its bytes are no TOML, and what would be said of the first of them helps nobody.
Result<void> is_no_program(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    char start[4] = {};
    if (!file.read(start, sizeof start) || std::string_view(start, sizeof start) != "\x7f"
                                                                                    "ELF")
        return {};
    return usage_error("'" + name + "' is a program, and this command takes a ladder",
                       "for a program: apod run -- " + name + ", or apod check -- " + name +
                           "; a ladder's file is described in docs/ladder.md");
}

} // namespace

namespace {

// What a ladder that is not built in names: its sources, data and results.
std::vector<std::string> files_of(const ladder::Ladder& ladder) {
    std::vector<std::string> files;
    if (!ladder.origin.assets.empty()) return files;
    const auto add = [&](const std::string& path) {
        if (!path.empty()) files.push_back((ladder.origin.directory / path).string());
    };
    for (const ladder::SourceFile& source : ladder.sources) {
        add(source.path);
        add(fs::path(source.path).replace_extension(".ptx").string()); // taken where there is no nvcc
    }
    for (const ladder::Matrix& matrix : ladder.matrices)
        for (const auto& [choice, rule] : matrix.rules) add(rule.path);
    for (const ladder::Buffer& buffer : ladder.buffers) add(buffer.initial.path);
    for (const auto& [buffer, path] : ladder.golden.files) add(path);
    return files;
}

// Of the devices behind --device's commas, where one is older than the first.
std::optional<arch::ComputeCapability> oldest_of(const DeviceOptions& options, const arch::Gpu& gpu) {
    std::optional<arch::ComputeCapability> oldest;
    if (!options.several || options.device.find(',') == std::string::npos) return oldest;
    const Result<std::vector<model::Scenario>> others = scenarios_of(options, gpu);
    if (!others) return oldest;
    for (const model::Scenario& other : *others)
        if (other.gpu.cc.number() < oldest.value_or(gpu.cc).number()) oldest = other.gpu.cc;
    return oldest;
}

} // namespace

Result<LadderRun> run_ladder(const LadderOptions& ladder_options, const DeviceOptions& device_options, const OutputOptions& output) {
    std::vector<std::string> reads = files_of_device(device_options.device);
    reads.push_back(ladder_options.ladder);
    if (const Result<void> writable = check_outputs(output, reads); !writable) return writable.error();
    if (const Result<void> right = is_no_program(ladder_options.ladder); !right) return right.error();
    Result<ladder::Ladder> ladder = ladder::load_ladder(ladder_options.ladder);
    if (!ladder) return ladder.error();
    if (const Result<void> spared = check_outputs(output, files_of(*ladder)); !spared) return spared.error();
    Result<std::map<std::string, double>> parameters = parse_parameters(ladder_options.parameters, *ladder);
    if (!parameters) return parameters.error();
    Result<std::unique_ptr<device::Device>> device = open_device(device_options, output.quiet);
    if (!device) return device.error();
    Progress progress(output.quiet);
    ladder::ClimbOptions options;
    options.parameters = *std::move(parameters);
    options.rungs = ladder_options.rungs;
    options.progress = [&progress](const std::string& rung, std::size_t index, std::size_t count) {
        progress.show(rung, index, count);
        what_runs("rung " + rung);
    };
    options.oldest = oldest_of(device_options, (*device)->gpu());
    options.stop = &stop_requested();
    stop_gently_when_interrupted(ladder_options.timeout_s);
    Result<ladder::ClimbResult> result = ladder::climb(*ladder, **device, options);
    if (result && is_measured(*result) && !stop_requested() && !device_options.no_prediction)
        predict_beside(*ladder, **device, device_options, options, *result);
    progress.clear();
    if (!result) return result.error();
    if (result->stopped)
        note(fmt::format("stopped {}, {}; what follows is what had run until then", stopped_text(*result),
                         stop_exit_code() == 124 ? fmt::format("after {} s (--timeout)", ladder_options.timeout_s) : "by a signal"));
    return LadderRun{*std::move(ladder), *std::move(result), (*device)->check_reports()};
}

} // namespace apod::cli
