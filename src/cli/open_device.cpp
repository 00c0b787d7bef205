#include "cli/open_device.hpp"

#include "arch/gpu.hpp"
#include "base/nearest.hpp"
#include "cli/output.hpp"
#include "cli/present_gpus.hpp"
#include "device/async.hpp"
#include "device/cuda/cuda.hpp"
#include "device/emulated/emulated.hpp"
#include "device/replay/replay.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace apod::cli {
namespace {

constexpr std::string_view emulated_prefix = "emu:";
constexpr std::string_view replay_prefix = "replay:";

Diagnostic unknown_device(const std::string& name) {
    std::vector<std::string> known = {"auto"};
    for (const std::string& id : arch::known_gpu_ids()) {
        if (id == name) return usage_error("there is no device '" + name + "'", "the emulated GPU is called emu:" + name);
        known.push_back(std::string(emulated_prefix) + id);
    }
    return usage_error("there is no device '" + name + "'", nearest_hint(name, known));
}

// In place of `auto`; the devices behind it stay.
Result<std::unique_ptr<device::Device>> open_default(const DeviceOptions& options, bool quiet) {
    DeviceOptions emulated = options;
    emulated.device = default_device + options.device.substr(std::string_view("auto").size());
    return open_device(emulated, quiet);
}

// `auto`: a GPU where there is one. A driver of our own is none: apod run put it there.
Result<std::unique_ptr<device::Device>> open_automatic(const DeviceOptions& options, bool quiet) {
    const Result<std::vector<device::DeviceFacts>> gpus = device::cuda_devices();
    if (gpus && !gpus->empty() && !gpus->front().emulated) {
        if (!quiet) note("--device auto takes cuda:0, " + gpus->front().name);
        return device::open_cuda(0);
    }
    if (!quiet) note(std::string("there is no GPU here: --device auto takes ") + default_device + ", an emulated one");
    return open_default(options, quiet);
}

Result<std::unique_ptr<device::Device>> open_gpu(const std::string& name, bool check, bool quiet) {
    const int ordinal = cuda_ordinal(name);
    if (ordinal < 0) return usage_error("there is no device '" + name + "'", "GPUs are called cuda:0, cuda:1, ...");
    if (check) return usage_error("a GPU does not check kernels", std::string("check on an emulated one, e.g. --device ") + default_device);
    Result<std::unique_ptr<device::Device>> gpu = device::open_cuda(ordinal);
    if (!gpu) {
        Diagnostic error = gpu.error();
        error.message = "device '" + name + "' is not available: " + error.message;
        error.notes.push_back(std::string("an emulated GPU needs none of this, e.g. --device ") + default_device);
        return error;
    }
    if (!quiet && (*gpu)->async()->clock_source() != Source::measured)
        note(name + " is apod's own driver over the emulator: its times are predictions");
    return gpu;
}

} // namespace

Result<std::vector<model::Scenario>> scenarios_of(const DeviceOptions& options, const arch::Gpu& gpu) {
    std::vector<model::Scenario> scenarios;
    for (std::size_t comma = options.device.find(','); comma != std::string::npos;) {
        const std::size_t next = options.device.find(',', comma + 1);
        const std::string name = options.device.substr(comma + 1, next == std::string::npos ? next : next - comma - 1);
        comma = next;
        if (!name.starts_with(emulated_prefix)) {
            const bool known = name == "auto" || name.starts_with("cuda") || name.starts_with(replay_prefix);
            if (!known) return unknown_device(name);
            return usage_error("only emulated GPUs can be compared with the first device, not '" + name + "'",
                               "e.g. --device emu:h200,emu:a100");
        }
        Result<arch::Gpu> other = arch::find_gpu(std::string_view(name).substr(emulated_prefix.size()));
        if (!other) return other.error();
        scenarios.push_back({name, *std::move(other)});
    }
    for (const std::string& text : options.what_if) {
        Result<model::Scenario> scenario = model::parse_scenario(text, gpu);
        if (!scenario) return scenario.error();
        scenarios.push_back(*std::move(scenario));
    }
    return scenarios;
}

Result<std::unique_ptr<device::Device>> open_device(const DeviceOptions& options, bool quiet) {
    if (!options.several && options.device.find(',') != std::string::npos)
        return usage_error("this command takes one device, not '" + options.device + "'",
                           "apod explain compares several: apod explain LADDER --device " + options.device);
    const std::size_t comma = options.several ? options.device.find(',') : std::string::npos;
    const std::string name = options.device.substr(0, comma);
    const bool asks = comma != std::string::npos || !options.what_if.empty();
    if (name == "auto") return options.check || asks ? open_default(options, quiet) : open_automatic(options, quiet);
    if (asks && !name.starts_with(emulated_prefix))
        return usage_error("only an emulated GPU answers what-if and is compared with others, not '" + name + "'",
                           "e.g. --device emu:h200");
    if (name == "cuda" || name.starts_with("cuda:")) return open_gpu(name, options.check, quiet);
    if (name.starts_with(replay_prefix)) {
        if (options.check)
            return usage_error("a recording checks no kernels", std::string("check on an emulated GPU, e.g. --device ") + default_device);
        return device::open_replay(name.substr(replay_prefix.size()), options.threads);
    }
    if (!name.starts_with(emulated_prefix)) return unknown_device(name);
    Result<arch::Gpu> gpu = arch::find_gpu(std::string_view(name).substr(emulated_prefix.size()));
    if (!gpu) return gpu.error();
    Result<std::vector<model::Scenario>> scenarios = asks ? scenarios_of(options, *gpu) : std::vector<model::Scenario>();
    if (!scenarios) return scenarios.error();
    return device::make_emulated(*std::move(gpu), {options.threads, options.check, *std::move(scenarios)});
}

std::vector<std::string> files_of_device(const std::string& device) {
    std::vector<std::string> files;
    if (device.starts_with(replay_prefix)) files.push_back(device.substr(replay_prefix.size())); // a name may have commas
    for (std::size_t begin = 0; begin < device.size();) {
        const std::size_t end = std::min(device.find(',', begin), device.size());
        const std::string name = device.substr(begin, end - begin);
        if (name.starts_with(emulated_prefix)) files.push_back(name.substr(emulated_prefix.size()));
        begin = end + 1;
    }
    return files;
}

} // namespace apod::cli
