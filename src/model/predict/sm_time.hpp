// The time of the busiest SM: waves of resident blocks, each a lone warp's latency plus what the wave's warps ask of the SM's units.
#pragma once

#include "model/facts.hpp"
#include "model/predict/warp_time.hpp"

#include <string>

namespace apod::model {

struct SmTime {
    double total_clk = 0;
    double latency_clk = 0; // waves * (lone warp + block turnaround), or the longest warp alone
    double issue_clk = 0;   // of all blocks of the SM
    double lsu_clk = 0;
    double port_clk = 0;
    double pipe_clk = 0; // the busiest arithmetic pipe
    Pipe pipe = Pipe::none;
    double waves = 0;          // grid / resident blocks of the chip
    double warps_resident = 0; // while the SM is busy, average of the busy SMs
};

[[nodiscard]] SmTime sm_time(const LaunchFacts& facts, const WarpWork& work);

} // namespace apod::model
