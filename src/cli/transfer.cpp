#include "transfer/transfer.hpp"

#include "base/file.hpp"
#include "base/units.hpp"
#include "cli/commands.hpp"
#include "cli/open_device.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "device/cuda/cuda.hpp"
#include "report/transfer_reader.hpp"
#include "report/transfer_view.hpp"
#include "transfer/host_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace apod::cli {
namespace {

constexpr std::string_view replay_prefix = "replay:";

struct TransferOptions {
    std::string device = "auto";
    std::string smallest = "1K";
    std::string largest = "1G";
    std::uint64_t step = 4;
    double milliseconds = 20;
    std::vector<std::string> parts;
    OutputOptions output;
};

// "4K", "64M", "1G", "1000": binary multiples.
Result<std::uint64_t> parse_size(const std::string& option, const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string unit(end, text.data() + text.size());
    if (unit.ends_with("iB")) unit.erase(unit.size() - 2);
    if (unit.ends_with('B')) unit.pop_back();
    const std::size_t power = std::string("KMG").find(unit.empty() ? '?' : unit.front());
    if (error != std::errc() || value == 0 || (!unit.empty() && (unit.size() != 1 || power == std::string::npos)))
        return usage_error(fmt::format("{} '{}' is not a size", option, text), "give bytes, or a number with K, M or G: 4K, 256M");
    const std::uint64_t size = unit.empty() ? value : value << (10 * (power + 1));
    if (size < 64 || size > (std::uint64_t{16} << 30) || size % 16 != 0)
        return usage_error(fmt::format("{} '{}' must be from 64 bytes to 16G and a multiple of 16", option, text));
    return size;
}

Result<transfer::Options> measure_options(const TransferOptions& options) {
    const Result<std::uint64_t> smallest = parse_size("--min-size", options.smallest);
    if (!smallest) return smallest.error();
    const Result<std::uint64_t> largest = parse_size("--max-size", options.largest);
    if (!largest) return largest.error();
    if (*smallest > *largest) return usage_error("--min-size is larger than --max-size");
    transfer::Options measure;
    measure.smallest = *smallest;
    measure.largest = *largest;
    measure.step = options.step;
    measure.point_s = options.milliseconds / 1000;
    return measure;
}

transfer::Parts parts_of(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    const auto wanted = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    return {wanted("copies"), wanted("pipeline"), wanted("pinning"), wanted("stages"), wanted("versus")};
}

// The ordinal of "auto" and "cuda:N".
Result<int> ordinal_of(const std::string& device) {
    if (device == "auto" || device == "cuda") return 0;
    int ordinal = 0;
    const std::string digits = device.starts_with("cuda:") ? device.substr(5) : "";
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || ordinal < 0) {
        if (device.starts_with("emu:"))
            return unavailable(fmt::format("device {} has no copies to time: it is an emulated one", device), "apod transfer needs a GPU");
        return usage_error(fmt::format("there is no device '{}'", device), "apod transfer takes cuda:0, cuda:1, ...");
    }
    return ordinal;
}

Result<transfer::Findings> measure(const TransferOptions& options) {
    Result<transfer::Options> measure = measure_options(options);
    if (!measure) return measure.error();
    const Result<int> ordinal = ordinal_of(options.device);
    if (!ordinal) return ordinal.error();
    transfer::HostClock clock;
    const Result<std::unique_ptr<device::Device>> device = device::open_cuda(*ordinal); // before anything else asks the driver: it is timed
    if (!device) return device.error();
    const double open_ns = clock.lap_ns();
    const Result<std::vector<device::DeviceFacts>> all = device::cuda_devices();
    if (!all) return all.error();
    Result<std::unique_ptr<device::Device>> other = unavailable("there is one GPU");
    if (all->size() > 1) {
        other = device::open_cuda(*ordinal == 0 ? 1 : 0);
        if (!other) return other.error();
    }
    std::vector<device::Device*> others;
    if (other) others.push_back(other->get());
    Progress progress(options.output.quiet);
    measure->progress = [&](const std::string& what) { progress.show(what); };
    return transfer::measure(**device, open_ns, all->at(static_cast<std::size_t>(*ordinal)), others, *measure, parts_of(options.parts));
}

// What a recording holds, of the parts that are asked for.
Result<transfer::Findings> replay(const TransferOptions& options) {
    const std::string file = options.device.substr(replay_prefix.size());
    const Result<std::string> text = read_file(file, largest_recording_bytes);
    if (!text) return text.error();
    Result<transfer::Findings> findings = report::transfer_from_json(*text, file);
    if (!findings) return findings;
    findings->device_id = std::string(replay_prefix) + findings->device_id;
    const transfer::Parts parts = parts_of(options.parts);
    if (!parts.copies) findings->curves.clear();
    if (!parts.pipeline) findings->pipeline.reset();
    if (!parts.pinning) findings->pinning.clear();
    if (!parts.stages) findings->breakdowns.clear();
    if (!parts.versus) findings->versus.clear();
    return findings;
}

int run_transfer(const TransferOptions& options) {
    if (const Result<void> writable = check_outputs(options.output, files_of_device(options.device)); !writable)
        return report_error(writable.error());
    const Result<transfer::Findings> findings = options.device.starts_with(replay_prefix) ? replay(options) : measure(options);
    if (!findings) return report_error(findings.error());
    Forms forms;
    forms.text = [&] { return report::transfer_text(*findings, text_style(options.output), options.output.verbose); };
    forms.json = [&] { return report::transfer_json(*findings); };
    forms.csv = [&] { return report::transfer_csv(*findings); };
    forms.markdown = [&] { return report::transfer_markdown(*findings); };
    forms.svg = [&] { return report::svg_plots(report::transfer_plots(*findings)); };
    if (const Result<void> written = write_outputs(options.output, forms); !written) return report_error(written.error());
    return 0;
}

} // namespace

void add_transfer(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<TransferOptions>();
    CLI::App& command = *app.add_subcommand(
        "transfer", "Copies between host and GPU: rates, overlap, what pinning costs, and from which size on the GPU wins");
    command.add_option("-d,--device", options->device, "The GPU: auto, or cuda:N; or replay:FILE.json, what --json recorded")
        ->type_name("DEVICE")
        ->capture_default_str();
    command.add_option("--min-size", options->smallest, "Smallest copy")->type_name("SIZE")->capture_default_str();
    command.add_option("--max-size", options->largest, "Largest copy; host and GPU need a few times as much memory")
        ->type_name("SIZE")
        ->capture_default_str();
    command.add_option("--step", options->step, "From one size to the next")
        ->type_name("FACTOR")
        ->check(CLI::Range(2, 1024))
        ->capture_default_str();
    command.add_option("--time", options->milliseconds, "How long each point is sampled, at least")
        ->type_name("MS")
        ->check(number_from(0, 10000))
        ->capture_default_str();
    command.add_option("--only", options->parts, "Only these parts: copies, pipeline, pinning, stages, versus; may be repeated")
        ->type_name("PART")
        ->check(CLI::IsMember({"copies", "pipeline", "pinning", "stages", "versus"}))
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--svg", options->output.svg, "Write the plots as an SVG file")->type_name("FILE")->check(file_name());
    add_output_options(command, options->output);
    add_examples(command, {"apod transfer                                  everything, 1 KiB to 1 GiB",
                           "apod transfer --only copies --svg copies.svg   the copies, with their curves as a picture",
                           "apod transfer --device replay:h200.json        what --json h200.json wrote on another machine"});
    command.callback([options, &exit_code] { exit_code = run_transfer(*options); });
}

} // namespace apod::cli
