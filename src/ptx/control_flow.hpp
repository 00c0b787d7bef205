// The control-flow graph of a function body: basic blocks, edges, immediate post-dominators, loops, liveness of registers.
//
// A block ends at a branch, brx.idx, ret, exit, trap, call, and after every instruction at which a warp may have to wait
// (bar, barrier, bar.warp.sync, and what ends_block says); the latter have one successor. Unreachable instructions belong to no block.
#pragma once

#include "ptx/module.hpp"

#include <cstdint>
#include <vector>

namespace apod::ptx {

// Whether a block ends after the instruction: control transfers (bra, brx, ret, exit, trap, brkpt, call) and what makes a warp wait for
// others (bar, barrier, shfl, vote, match, redux, elect, nanosleep).
[[nodiscard]] bool ends_block(const Instruction& instruction);

struct BasicBlock {
    std::uint32_t first = 0; // instruction indices [first, last)
    std::uint32_t last = 0;
    std::vector<std::uint32_t> successors; // block indices; for a conditional branch: taken, then fall-through
    std::vector<std::uint32_t> predecessors;
    std::uint32_t post_dominator = none; // immediate; none: only the function's end post-dominates
    // Where lanes that part at the end of this block meet again. As the hardware does it (seen on an H200 with early returns in loops and
    // nested branches), lanes that leave the function on their own path are not waited for: this is the immediate post-dominator with
    // respect to the function's main end, or else to that of the side exits that the block can still reach. Equal to post_dominator where
    // nobody leaves early.
    std::uint32_t reconvergence = none;
    std::uint32_t loop_depth = 0;
};

struct ControlFlow {
    std::vector<BasicBlock> blocks;      // in text order; block 0 is the entry
    std::vector<std::uint32_t> block_of; // by instruction; none when unreachable
};

// Errors: a branch out of the function, a body that can fall off its end without ret or exit.
Result<ControlFlow> control_flow(const Module& module, const Function& function);

// Registers read and written by one instruction, guard included; vectors, pairs and addresses opened.
struct Effects {
    std::vector<std::uint32_t> reads;
    std::vector<std::uint32_t> writes;
    bool may_keep_old = false; // guarded: lanes that do not execute keep the old value, so a write does not end liveness
};
[[nodiscard]] Effects effects(const Instruction& instruction);

// Per block: registers live on entry and on exit, ascending.
struct Liveness {
    std::vector<std::vector<std::uint32_t>> live_in;
    std::vector<std::vector<std::uint32_t>> live_out;
    std::uint32_t max_pressure_32 = 0; // most 32-bit register equivalents live at once (predicates not counted)
};
[[nodiscard]] Liveness liveness(const Function& function, const ControlFlow& flow);

} // namespace apod::ptx
