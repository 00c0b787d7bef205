// What is there: a GPU as its driver and NVML tell it, for `apod devices` and for recordings. No opinion, no measurement.
#pragma once

#include "arch/gpu.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace apod::device {

// Whether this process may read hardware counters (ncu, CUPTI's range profiler). NVIDIA: ERR_NVGPUCTRPERM.
struct CounterPermission {
    std::optional<bool> allowed; // empty: not known
    std::string why;             // "the driver restricts counters to administrators, and this process is one"
    std::string how;             // what to do to get it; empty where nothing is to be done
};

struct DeviceFacts {
    std::string id; // cuda:0
    std::string name;
    bool emulated = false; // the driver is apod's own, over the emulator
    std::string uuid;      // GPU-xxxxxxxx-...
    std::string bus_id;    // 0000:01:00.0
    arch::ComputeCapability cc;
    std::string known_as; // the description it was recognised as: "h200"; empty: none

    std::uint32_t sm_count = 0;
    double boost_mhz = 0; // highest SM clock
    double memory_mhz = 0;
    std::uint32_t bus_bits = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t l2_bytes = 0;
    std::uint64_t persisting_l2_bytes = 0; // the most that access policies may keep in L2
    std::uint32_t shared_per_block_bytes = 0;
    std::uint32_t shared_per_block_optin_bytes = 0;
    std::uint32_t shared_per_sm_bytes = 0;
    std::uint32_t registers_per_block = 0;
    std::uint32_t registers_per_sm = 0;
    std::uint32_t max_threads_per_block = 0;
    std::uint32_t max_threads_per_sm = 0;
    std::uint32_t max_blocks_per_sm = 0;
    std::uint32_t copy_engines = 0;
    bool managed_memory = false;
    bool cooperative_launch = false;
    bool clusters = false;
    std::string compute_mode; // default, exclusive, prohibited

    int cuda_version = 0;                             // that the driver supports: 13000
    std::string driver_version;                       // 580.159.04; empty: not told
    std::optional<std::uint32_t> pcie_generation;     // now: links rest at a lower one
    std::optional<std::uint32_t> pcie_generation_max; // of card and slot
    std::optional<std::uint32_t> pcie_width;
    std::optional<std::uint32_t> pcie_width_max;
    std::optional<int> numa_node; // of the host's memory that is nearest; negative: the host has one only
    std::optional<bool> ecc;
    std::optional<bool> mig;
    std::optional<bool> persistence;
    std::optional<double> power_limit_w;
    CounterPermission counters;

    // Bytes over GB/s are ns. Both edges of the memory clock carry a bit: 2 x memory_mhz x bus_bits / 8.
    [[nodiscard]] double peak_gbs() const { return 2 * memory_mhz * bus_bits / 8 / 1000; }
    // One direction of the link at its highest: 2.5, 5, 8, 16, 32, 64 GT/s a lane, 8b/10b coded up to generation 2, 128b/130b to 5, and
    // 242 of 256 bytes in generation 6. 0: not known.
    [[nodiscard]] double pcie_gbs() const;
};

// The description that predictions and floors use: that of the nearest known GPU (the same name and number of SMs, else the same compute
// capability, else the nearest one), with all that the driver tells in its place. `facts.known_as` is set where it is that very GPU.
Result<arch::Gpu> describe(DeviceFacts& facts);

} // namespace apod::device
