// What the memory requests of one op cost: clocks of the SM's load/store unit and port, and the latency of a load by where it hits.
#pragma once

#include "model/facts.hpp"

namespace apod::model {

// Averages over the op's requests.
struct MemoryCost {
    double requests = 0;     // a execution of the op, 0 or about 1 (2 for a copy that also writes shared memory)
    double lsu_clk = 0;      // of the data and tag stages, a execution
    double port_clk = 0;     // of the SM's way to L2 (32 B a clock out), a execution
    double blocking_clk = 0; // in which the warp can do nothing else: a loop of compare-and-swap
    double latency = 0;      // clocks from issue to the first dependent instruction; 0 for stores
    // `latency` is the mean over where the data comes from; the nearest is L1, and these shares of the executions wait longer: for L2 at
    // least, and of them for DRAM.
    double nearest = 0;
    double l2_share = 0;
    double l2_more_clk = 0;
    double dram_share = 0;
    double dram_more_clk = 0; // beyond l2_more_clk
    double l2_packets = 0;    // store packets a execution: one a line, weighted by what L2 makes of it
};

// `hot`: the launch's data stays in L2 from one launch to the next, so that nothing waits for DRAM.
[[nodiscard]] MemoryCost memory_cost(const LaunchFacts& facts, std::uint32_t op, bool hot, double dram_latency);

// Whether an atomic computes with floats.
[[nodiscard]] bool works_on_floats(const ptx::Instruction& instruction);

// Rounds of the loop of compare-and-swap that a request of an atomic needs which shared memory cannot do: each lane that wants one word
// takes a turn, and so do warps of the block that all want the same one.
[[nodiscard]] double swap_rounds(const LaunchFacts& facts, std::uint32_t op);

// Requests of global or shared memory that one execution of the op makes: several where it loads a matrix' tile.
[[nodiscard]] double requests_each(const LaunchFacts& facts, std::uint32_t op);

// Whether the stores leave sectors that they wrote in part.
[[nodiscard]] bool has_part_sectors(const Traffic& stores);

// Weight of a store request's packets at L2, in packets of one line: whole lines count 1; lines with n partly written sectors 0.5 + 0.5 n;
// lines with n whole sectors n / 4, but no less than 0.75; requests of fewer lines go up to 30 % faster. Fitted to an H200
// (docs/model.md).
[[nodiscard]] double store_packets(const Traffic& stores, const arch::Model& model);

} // namespace apod::model
