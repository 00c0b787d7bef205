// The time one warp alone needs for a basic block: an in-order scoreboard over the block's instructions, in the order that ptxas would
// give them.
//
// An instruction issues when its operands are ready; a result is ready its latency after issue. Among the instructions whose predecessors
// have issued, the one that can go first does, and of those the one with the longest chain behind it. So loads move up to where their
// address is known, past arithmetic, but not past a store that may write what they read: a plain global load stays behind earlier global
// stores, ld.global.nc does not.
#pragma once

#include "emu/program.hpp"

#include <cstdint>
#include <vector>

namespace apod::model {

// One op of a block as the scheduler sees it.
struct ScheduledOp {
    double slots = 1;   // clocks of the warp's own issue
    double latency = 4; // until its result is ready
    double busy = 0;    // clocks it keeps the load/store unit from the warp's next request
    enum class Memory : std::uint8_t { none, load, read_only_load, store, fence } memory = Memory::none;
    bool branches = false;   // its machine code holds a branch, which nothing is scheduled across
    std::uint32_t space = 0; // loads and stores of different spaces pass each other
    std::vector<std::uint32_t> reads;
    std::vector<std::uint32_t> writes;
};

// What a warp carries from block to block.
struct WarpState {
    double clock = 0;
    double unit_free = 0;      // load/store unit
    std::vector<double> ready; // by register
    explicit WarpState(std::size_t registers) : ready(registers, 0) {}
};

class BlockSchedule {
public:
    explicit BlockSchedule(std::vector<ScheduledOp> ops);

    // Runs the block once from the state; returns the clocks until its last instruction issued, and moves the state there.
    double run(WarpState& state) const;

private:
    void add_edges();
    void add_memory_edges();
    void add_register_edges();
    void rank();

    std::vector<ScheduledOp> ops_;
    struct Edge {
        std::uint32_t to = 0;
        bool waits_for_result = false;
    };
    std::vector<std::vector<Edge>> edges_; // by earlier op
    std::vector<std::uint32_t> predecessors_;
    std::vector<double> rank_; // clocks of the longest chain from the op to the block's end
};

} // namespace apod::model
