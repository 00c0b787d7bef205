// What if: another GPU, another device parameter, another shape of the launch. One run of the kernel answers all of them, because neither
// what it executes nor which addresses it asks for depends on the GPU; caches, occupancy, machine code and time are computed anew.
//
//   text "bandwidth=2x,block=128"  ->  parse_scenario  ->  Scenario  ->  reshape (does the kernel allow it?)  ->  Counters::estimate
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "emu/program.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apod::model {

struct Scenario {
    std::string name; // as asked for
    arch::Gpu gpu;
    std::optional<std::uint32_t> block_threads = {};
    std::optional<std::uint32_t> registers = {}; // a thread, at most
    std::optional<std::uint32_t> dynamic_shared_bytes = {};
};

// "bandwidth=2x", "sms=264", "block=128,registers=32", "latency.dram=1.5x": settings with commas between them. Values with an x are times
// the present one, of a device; sizes may end in KiB or MiB. Devices: sms, clock, bandwidth, l2, l2-bandwidth, and every number of a
// description by its key (docs/devices.md). Launches: block (threads), registers (a thread), shared (dynamic bytes a block). Usage errors
// name what is wrong and what is known.
[[nodiscard]] Result<Scenario> parse_scenario(std::string_view text, const arch::Gpu& base);

struct LaunchShape {
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
};

// The launch as the scenario has it. A block size is changed only where its threads know nothing of each other but their warp: one
// dimension, no shared memory, no barrier, and an index that comes from %ntid. bad_input says what is in the way.
[[nodiscard]] Result<LaunchShape> reshape(const emu::Program& program, const LaunchShape& launch, const Scenario& scenario);

} // namespace apod::model
