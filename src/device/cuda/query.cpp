#include "device/cuda/query.hpp"

#include "base/file.hpp"
#include "device/cuda/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace apod::device::cuda {

namespace {

// CUdevice_attribute
enum Attribute : int {
    threads_per_block = 1,
    shared_per_block = 8,
    registers_per_block = 12,
    clock_khz = 13,
    multiprocessors = 16,
    compute_mode = 20,
    ecc_enabled = 32,
    memory_clock_khz = 36,
    memory_bus_bits = 37,
    l2_bytes = 38,
    threads_per_sm = 39,
    copy_engines = 40,
    cc_major = 75,
    cc_minor = 76,
    shared_per_sm = 81,
    registers_per_sm = 82,
    managed_memory = 83,
    cooperative_launch = 95,
    shared_per_block_optin = 97,
    blocks_per_sm = 106,
    persisting_l2_bytes = 108,
    cluster_launch = 120
};

const char* mode_name(std::uint32_t mode) {
    switch (mode) {
    case 0: return "default";
    case 2: return "prohibited";
    case 3: return "exclusive process";
    default: return "unknown";
    }
}

std::string uuid_text(const Uuid& uuid) {
    std::string text("GPU");
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
        text += fmt::format("{:02x}", uuid.bytes[i]);
    }
    return text;
}

void take_attributes(const Driver& driver, DeviceNumber number, DeviceFacts& facts) {
    const auto get = [&](Attribute id) {
        int value = 0;
        return driver.call.device_attribute(&value, id, number) == 0 && value > 0 ? static_cast<std::uint32_t>(value) : 0u;
    };
    facts.cc = {static_cast<int>(get(cc_major)), static_cast<int>(get(cc_minor))};
    facts.sm_count = get(multiprocessors);
    facts.boost_mhz = get(clock_khz) / 1000.0;
    facts.memory_mhz = get(memory_clock_khz) / 1000.0;
    facts.bus_bits = get(memory_bus_bits);
    facts.l2_bytes = get(l2_bytes);
    facts.persisting_l2_bytes = get(persisting_l2_bytes);
    facts.shared_per_block_bytes = get(shared_per_block);
    facts.shared_per_block_optin_bytes = get(shared_per_block_optin);
    facts.shared_per_sm_bytes = get(shared_per_sm);
    facts.registers_per_block = get(registers_per_block);
    facts.registers_per_sm = get(registers_per_sm);
    facts.max_threads_per_block = get(threads_per_block);
    facts.max_threads_per_sm = get(threads_per_sm);
    facts.max_blocks_per_sm = get(blocks_per_sm);
    facts.copy_engines = get(copy_engines);
    facts.managed_memory = get(managed_memory) != 0;
    facts.cooperative_launch = get(cooperative_launch) != 0;
    facts.clusters = get(cluster_launch) != 0;
    facts.compute_mode = mode_name(get(compute_mode));
    facts.ecc = get(ecc_enabled) != 0;
}

// "0000:01:00.0" -> the host's memory node beside it, from the system.
std::optional<int> numa_node_of(std::string bus_id) {
    std::transform(bus_id.begin(), bus_id.end(), bus_id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (bus_id.find_first_not_of("0123456789abcdef:.") != std::string::npos) return std::nullopt;
    const Result<std::string> text = read_file("/sys/bus/pci/devices/" + bus_id + "/numa_node");
    if (!text) return std::nullopt;
    char* end = nullptr;
    const long node = std::strtol(text->c_str(), &end, 10);
    return end == text->c_str() ? std::nullopt : std::optional(static_cast<int>(node));
}

std::string driver_version_of_system() {
    const Result<std::string> text = read_file("/sys/module/nvidia/version");
    if (!text) return {};
    return text->substr(0, text->find_last_not_of(" \n") + 1);
}

} // namespace

Result<DeviceFacts> query_facts(const Driver& driver, const Nvml* nvml, int ordinal) {
    DeviceNumber number = 0;
    DeviceFacts facts;
    facts.id = fmt::format("cuda:{}", ordinal);
    const auto check = [&](std::string_view call, Status status) { return driver.check(call, status, facts.id); };
    if (const Result<void> done = check("cuDeviceGet", driver.call.device_get(&number, ordinal)); !done) return done.error();
    char name[256] = {};
    if (const Result<void> done = check("cuDeviceGetName", driver.call.device_name(name, sizeof name, number)); !done) return done.error();
    facts.name = name;
    facts.emulated = driver.emulated();
    char bus_id[32] = {};
    if (driver.call.device_bus_id(bus_id, sizeof bus_id, number) == 0) facts.bus_id = bus_id;
    Uuid uuid = {};
    if (driver.call.device_uuid(&uuid, number) == 0) facts.uuid = uuid_text(uuid);
    std::size_t bytes = 0;
    if (const Result<void> done = check("cuDeviceTotalMem", driver.call.device_memory(&bytes, number)); !done) return done.error();
    facts.memory_bytes = bytes;
    take_attributes(driver, number, facts);
    facts.cuda_version = driver.version();
    if (driver.emulated()) { // there is no hardware behind it to ask the system about
        facts.counters = {false, "the driver is apod's own, over the emulator, which counts by itself", {}};
        return facts;
    }
    facts.driver_version = driver_version_of_system();
    facts.numa_node = numa_node_of(facts.bus_id);
    facts.counters = counter_permission();
    const Nvml::Handle handle = nvml == nullptr ? nullptr : nvml->find(facts.bus_id);
    if (handle != nullptr) nvml->tell(handle, facts);
    return facts;
}

Result<std::vector<DeviceFacts>> query_all(const Driver& driver, const Nvml* nvml) {
    int count = 0;
    if (const Result<void> done = driver.check("cuDeviceGetCount", driver.call.device_count(&count)); !done) return done.error();
    std::vector<DeviceFacts> all;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        Result<DeviceFacts> facts = query_facts(driver, nvml, ordinal);
        if (!facts) return facts.error();
        all.push_back(*std::move(facts));
    }
    return all;
}

} // namespace apod::device::cuda
