// The terms that the whole chip shares: L2, DRAM, block dispatch. Core clocks.
#pragma once

#include "model/facts.hpp"

namespace apod::model {

struct ChipTime {
    double l2_read_clk = 0;
    double l2_write_clk = 0;
    double dram_clk = 0;
    double dispatch_clk = 0;
    bool hot = false; // all data of the launch fits in L2, where a repeated launch finds it
};

[[nodiscard]] ChipTime chip_time(const LaunchFacts& facts);

// Bytes that one launch of many moves between L2 and DRAM.
[[nodiscard]] double steady_dram_bytes(const LaunchFacts& facts, bool hot);

} // namespace apod::model
