#include "cli/present_gpus.hpp"

#include "base/file.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "device/async.hpp"
#include "device/cuda/cuda.hpp"
#include "peaks/cache.hpp"
#include "peaks/peaks.hpp"
#include "report/gpu_reader.hpp"

#include <charconv>
#include <string_view>

namespace apod::cli {
namespace {

constexpr std::size_t measurements = 26; // that measure_peaks tells its progress of

Result<peaks::Peaks> measure_one(const report::PresentGpu& present, int ordinal, const OutputOptions& output) {
    Result<std::unique_ptr<device::Device>> device = device::open_cuda(ordinal);
    if (!device) return device.error();
    if ((*device)->async()->clock_source() != Source::measured)
        return unavailable(present.facts.id + " is apod's own driver over the emulator: there is nothing to measure",
                           "run it outside of apod run, on a machine with a GPU");
    Progress progress(output.quiet);
    std::size_t done = 0;
    peaks::PeakOptions options;
    options.progress = [&](const std::string& what) { progress.show(present.facts.id + ": " + what, done++, measurements); };
    return peaks::measure_peaks(**device, present.facts, options);
}

} // namespace

int cuda_ordinal(const std::string& device) {
    constexpr std::string_view prefix = "cuda:";
    if (device == "cuda") return 0;
    if (!device.starts_with(prefix)) return -1;
    int ordinal = -1;
    const char* end = device.data() + device.size();
    const auto [stop, error] = std::from_chars(device.data() + prefix.size(), end, ordinal);
    return error == std::errc() && stop == end ? ordinal : -1;
}

Result<PresentGpus> present_gpus() {
    PresentGpus present;
    Result<std::vector<device::DeviceFacts>> all = device::cuda_devices();
    if (!all) {
        present.why_none = all.error().message;
        return present;
    }
    if (all->empty()) present.why_none = "the driver sees none";
    for (device::DeviceFacts& facts : *all) {
        Result<arch::Gpu> gpu = device::describe(facts);
        if (!gpu) return gpu.error();
        std::optional<peaks::Peaks> kept = peaks::load_peaks(cache_directory(), facts);
        present.gpus.push_back({std::move(facts), *std::move(gpu), std::move(kept)});
    }
    return present;
}

Result<PresentGpus> recorded_gpus(const std::string& file) {
    const Result<std::string> text = read_file(file, largest_recording_bytes);
    if (!text) return text.error();
    Result<std::vector<report::PresentGpu>> gpus = report::present_from_json(*text, file);
    if (!gpus) return gpus.error();
    return PresentGpus{*std::move(gpus), {}};
}

Result<void> measure(PresentGpus& present, const MeasureOptions& options, const OutputOptions& output) {
    const int wanted = options.device.empty() ? -1 : cuda_ordinal(options.device);
    if (!options.device.empty() && wanted < 0)
        return usage_error("--device " + options.device + " is no GPU that can be measured",
                           "take cuda:0; emulated GPUs are described, not measured");
    if (present.gpus.empty())
        return unavailable("there is no GPU to measure: " + present.why_none, "apod devices lists the GPUs that can be emulated");
    if (wanted >= static_cast<int>(present.gpus.size()))
        return unavailable("there is no GPU " + options.device, "apod devices lists those that are there");
    if (wanted >= 0) present.gpus = {present.gpus[static_cast<std::size_t>(wanted)]};
    for (std::size_t i = 0; i < present.gpus.size(); ++i) {
        report::PresentGpu& gpu = present.gpus[i];
        if (gpu.peaks && !options.again) {
            if (!output.quiet) note(gpu.facts.id + ": these figures were kept; --again measures anew");
            continue;
        }
        Result<peaks::Peaks> measured = measure_one(gpu, wanted >= 0 ? wanted : static_cast<int>(i), output);
        if (!measured) return measured.error();
        if (const Result<void> kept = peaks::keep_peaks(cache_directory(), gpu.facts, *measured); !kept && !output.quiet)
            note("the figures could not be kept: " + kept.error().message);
        gpu.peaks = *std::move(measured);
    }
    return {};
}

} // namespace apod::cli
