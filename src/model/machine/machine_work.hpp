// The time of a launch from its machine code: what each instruction costs in this launch, and a run of one SM with it.
#pragma once

#include "model/facts.hpp"
#include "model/predict/chip_time.hpp"
#include "model/predict/warp_time.hpp"

#include <vector>

namespace apod::model {

struct MachineTime {
    double clk = 0;      // of the kernel's work
    double lone_clk = 0; // one block alone on its SM
    WarpWork work;       // what an average warp asks of the units
};

// facts.machine must be there.
[[nodiscard]] MachineTime machine_time(const LaunchFacts& facts, const ChipTime& chip, Start start);

// Warp instructions that an average warp issues, by the op of the program that they were made from; the last: of none.
[[nodiscard]] std::vector<double> machine_instructions_by_op(const LaunchFacts& facts);
[[nodiscard]] double machine_instructions(const LaunchFacts& facts); // their sum

} // namespace apod::model
