#include "device/cuda/nvml.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod::device::cuda {

namespace {

using NvmlStatus = int; // nvmlReturn_t; 0 is success
using Handle = Nvml::Handle;
using UnsignedQuery = NvmlStatus(Handle, unsigned*);

// nvmlClockType_t
constexpr int sm_clock = 1;
constexpr int memory_clock = 2;
constexpr int gpu_temperature = 0; // nvmlTemperatureSensors_t
constexpr unsigned milliwatts = 1000;

} // namespace

// From https://docs.nvidia.com/deploy/nvml-api. Null: this NVML does not have it.
struct Nvml::Functions {
    NvmlStatus (*init)() = nullptr;
    const char* (*error_string)(NvmlStatus) = nullptr;
    NvmlStatus (*driver_version)(char*, unsigned) = nullptr;
    NvmlStatus (*by_bus_id)(const char*, Handle*) = nullptr;
    NvmlStatus (*clock)(Handle, int, unsigned*) = nullptr;
    NvmlStatus (*temperature)(Handle, int, unsigned*) = nullptr;
    NvmlStatus (*reasons)(Handle, unsigned long long*) = nullptr;
    NvmlStatus (*ecc)(Handle, unsigned*, unsigned*) = nullptr;
    NvmlStatus (*mig)(Handle, unsigned*, unsigned*) = nullptr;
    UnsignedQuery* power = nullptr;
    UnsignedQuery* power_limit = nullptr;
    UnsignedQuery* persistence = nullptr;
    UnsignedQuery* generation = nullptr;
    UnsignedQuery* generation_max = nullptr;
    UnsignedQuery* width = nullptr;
    UnsignedQuery* width_max = nullptr;
};

namespace {

std::optional<std::uint32_t> ask(UnsignedQuery* query, Handle device) {
    unsigned value = 0;
    if (query == nullptr || query(device, &value) != 0) return std::nullopt;
    return value;
}

std::optional<bool> ask_mode(NvmlStatus (*query)(Handle, unsigned*, unsigned*), Handle device) {
    unsigned now = 0;
    unsigned pending = 0;
    if (query == nullptr || query(device, &now, &pending) != 0) return std::nullopt;
    return now != 0;
}

std::optional<double> ask_number(NvmlStatus (*query)(Handle, int, unsigned*), Handle device, int which) {
    unsigned value = 0;
    if (query == nullptr || query(device, which, &value) != 0) return std::nullopt;
    return value;
}

void bind(const SharedLibrary& library, Nvml::Functions& f) {
    library.bind("nvmlInit_v2", f.init);
    library.bind("nvmlErrorString", f.error_string);
    library.bind("nvmlSystemGetDriverVersion", f.driver_version);
    library.bind("nvmlDeviceGetHandleByPciBusId_v2", f.by_bus_id);
    library.bind("nvmlDeviceGetClockInfo", f.clock);
    library.bind("nvmlDeviceGetTemperature", f.temperature);
    // Named Events instead of Throttle since driver 535.
    if (!library.bind("nvmlDeviceGetCurrentClocksEventReasons", f.reasons))
        library.bind("nvmlDeviceGetCurrentClocksThrottleReasons", f.reasons);
    library.bind("nvmlDeviceGetEccMode", f.ecc);
    library.bind("nvmlDeviceGetMigMode", f.mig);
    library.bind("nvmlDeviceGetPowerUsage", f.power);
    library.bind("nvmlDeviceGetEnforcedPowerLimit", f.power_limit);
    library.bind("nvmlDeviceGetPersistenceMode", f.persistence);
    library.bind("nvmlDeviceGetCurrPcieLinkGeneration", f.generation);
    library.bind("nvmlDeviceGetMaxPcieLinkGeneration", f.generation_max);
    library.bind("nvmlDeviceGetCurrPcieLinkWidth", f.width);
    library.bind("nvmlDeviceGetMaxPcieLinkWidth", f.width_max);
}

} // namespace

Result<std::shared_ptr<const Nvml>> Nvml::load(const std::string& name) {
    Result<std::shared_ptr<SharedLibrary>> library = SharedLibrary::open(name);
    if (!library) return library.error();
    auto functions = std::make_shared<Functions>();
    bind(**library, *functions);
    if (functions->init == nullptr || functions->by_bus_id == nullptr) return unavailable(name + " is no NVML");
    if (const NvmlStatus status = functions->init(); status != 0) {
        const char* words = functions->error_string == nullptr ? nullptr : functions->error_string(status);
        return unavailable(fmt::format("nvmlInit: {} ({})", words == nullptr ? "no reason given" : words, status));
    }
    return std::make_shared<const Nvml>(*std::move(library), std::move(functions));
}

Nvml::Handle Nvml::find(const std::string& bus_id) const {
    Handle handle = nullptr;
    return functions_->by_bus_id(bus_id.c_str(), &handle) == 0 ? handle : nullptr;
}

ClockState Nvml::clocks(Handle device) const {
    ClockState state;
    state.sm_mhz = ask_number(functions_->clock, device, sm_clock);
    state.memory_mhz = ask_number(functions_->clock, device, memory_clock);
    state.temperature_c = ask_number(functions_->temperature, device, gpu_temperature);
    if (const auto power = ask(functions_->power, device)) state.power_w = static_cast<double>(*power) / milliwatts;
    unsigned long long reasons = 0;
    if (functions_->reasons != nullptr && functions_->reasons(device, &reasons) == 0) state.throttle_reasons = reasons;
    return state;
}

void Nvml::tell(Handle device, DeviceFacts& facts) const {
    char version[96] = {};
    if (functions_->driver_version != nullptr && functions_->driver_version(version, sizeof version) == 0) facts.driver_version = version;
    facts.pcie_generation = ask(functions_->generation, device);
    facts.pcie_generation_max = ask(functions_->generation_max, device);
    facts.pcie_width = ask(functions_->width, device);
    facts.pcie_width_max = ask(functions_->width_max, device);
    facts.ecc = ask_mode(functions_->ecc, device);
    facts.mig = ask_mode(functions_->mig, device);
    if (const auto mode = ask(functions_->persistence, device)) facts.persistence = *mode != 0;
    if (const auto limit = ask(functions_->power_limit, device)) facts.power_limit_w = static_cast<double>(*limit) / milliwatts;
}

} // namespace apod::device::cuda
