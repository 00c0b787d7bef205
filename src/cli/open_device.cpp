#include "cli/open_device.hpp"

#include "arch/gpu.hpp"
#include "base/nearest.hpp"
#include "cli/output.hpp"
#include "device/emulated/emulated.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace apod::cli {
namespace {

constexpr std::string_view emulated_prefix = "emu:";

Diagnostic unknown_device(const std::string& name) {
    std::vector<std::string> known = {"auto"};
    for (const std::string& id : arch::known_gpu_ids()) {
        if (id == name) return usage_error("there is no device '" + name + "'", "the emulated GPU is called emu:" + name);
        known.push_back(std::string(emulated_prefix) + id);
    }
    return usage_error("there is no device '" + name + "'", nearest_hint(name, known));
}

} // namespace

Result<std::unique_ptr<device::Device>> open_device(const DeviceOptions& options, bool quiet) {
    std::string name = options.device;
    if (name == "auto") {
        name = default_device;
        if (!quiet) note("this apod does not drive GPUs yet: --device auto takes " + name + ", an emulated one");
    }
    if (name == "cuda" || name.starts_with("cuda:"))
        return unavailable("device '" + name + "' is not available: this apod does not drive GPUs yet",
                           std::string("take an emulated one, e.g. --device ") + default_device);
    if (!name.starts_with(emulated_prefix)) return unknown_device(name);
    Result<arch::Gpu> gpu = arch::find_gpu(std::string_view(name).substr(emulated_prefix.size()));
    if (!gpu) return gpu.error();
    return device::make_emulated(*std::move(gpu), {options.threads, options.check});
}

} // namespace apod::cli
