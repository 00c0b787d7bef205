// One SM as it runs the blocks that it gets: warps issue in order, with the compiler's own stalls and barriers, through four schedulers
// into units that take time; what they ask of L2 and DRAM queues behind what was asked before. A discrete-event simulation of one SM stands
// for all: the chip's resources serve it at its share of their rate.
#pragma once

#include "model/machine/machine_code.hpp"

#include <cstdint>
#include <vector>

namespace apod::model {

// What one execution of an instruction costs, by index of the instruction.
struct InstructionCost {
    double latency = 0; // from its service by the last unit to the release of its write barrier
    // Of loads: shares of the executions that wait longer, for L2 at least and for DRAM (memory_cost.hpp).
    double l2_share = 0;
    double l2_more_clk = 0;
    double dram_share = 0;
    double dram_more_clk = 0;
    double phase = 0;        // by how much of their turns its executions are ahead of those of other loads
    double issue_clk = 1;    // of its unit in one sub-partition
    double lsu_clk = 0;      // of the SM's load/store unit
    double port_clk = 0;     // of the SM's way out to L2
    double l2_clk = 0;       // of L2's reads, at this SM's share of its rate
    double l2_write_clk = 0; // of L2's writes, likewise
    double dram_clk = 0;     // of DRAM, likewise
    double atomic_clk = 0;   // of L2's atomic units, likewise
    double blocking_clk = 0; // in which the warp does nothing else
};

struct SmShape {
    std::uint32_t warps_per_block = 1;
    std::uint32_t resident_blocks = 1;
    std::uint32_t sub_partitions = 4;
    double dispatch_clk = 0;       // between two blocks that this SM is given
    double turnaround_clk = 0;     // from a block's end to the next one's start in its place
    double warp_start_clk = 0;     // between the starts of a block's warps
    double barrier_clk = 0;        // from the last warp's arrival
    double code_start_clk = 0;     // until the first code is there
    double code_line_clk = 0;      // for each line of 128 B of it that is needed for the first time
    double lsu_queue_clk = 64;     // what may wait for the load/store unit before a warp must
    double outstanding_clk = 1500; // likewise for what lies beyond it
    double operands_read_clk = 12; // until a request's operands may be overwritten
};

struct SmRun {
    double clk = 0;           // until the last block ended and all that was asked for was served
    double instructions = 0;  // issued
    std::vector<double> ends; // of the blocks, ascending
};

// `frequency`: executions of each block of the code by an average warp. Runs `blocks` blocks.
[[nodiscard]] SmRun run_sm(const MachineCode& code, const std::vector<InstructionCost>& costs, const std::vector<double>& frequency,
                           const SmShape& shape, std::uint32_t blocks);

} // namespace apod::model
