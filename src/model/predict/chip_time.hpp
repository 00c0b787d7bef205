// The terms that the whole chip shares: L2, DRAM, block dispatch. Core clocks.
#pragma once

#include "model/facts.hpp"

#include <cstdint>

namespace apod::model {

struct ChipTime {
    double l2_read_clk = 0;
    double l2_write_clk = 0;
    double atomic_clk = 0;
    double dram_clk = 0;
    double dispatch_clk = 0;
    bool hot = false; // all data of the launch fits in L2, where a repeated launch finds it
};

// What the caches hold when the kernel begins: its own data, as far as that fits, because it ran before; or nothing, as a profiler has it
// that flushes them.
enum class Start : std::uint8_t { warm, cold };

[[nodiscard]] ChipTime chip_time(const LaunchFacts& facts, Start start);

// Bytes that a launch moves between L2 and DRAM while it runs: what stays dirty in L2 counts where L2 cannot keep it.
[[nodiscard]] double dram_bytes(const LaunchFacts& facts, bool hot);
// How many times the latency of an idle DRAM one answers with that is busy `use` of the time, 0 to below 1.
[[nodiscard]] inline double loaded_latency(const arch::Gpu& gpu, double use) { return 1 + gpu.model.busy_dram_latency * use / (1 - use); }

} // namespace apod::model
