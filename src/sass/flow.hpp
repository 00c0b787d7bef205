// Basic blocks and loops of machine code.
#pragma once

#include "sass/instruction.hpp"

#include <vector>

namespace apod::sass {

struct Block {
    std::uint32_t first = 0; // instructions [first, last)
    std::uint32_t last = 0;
    std::vector<std::uint32_t> successors; // blocks; a call goes on behind itself
    std::uint32_t called = nowhere;        // block that a call at its end leads to
    std::uint32_t loop = nowhere;          // innermost loop: index into CodeFlow::loops
    bool subroutine = false;               // reached by calls only
    bool rare = false;                     // reached by diverged warps only
};

struct Loop {
    std::uint32_t header = 0;
    std::uint32_t parent = nowhere; // the loop around it
    std::uint32_t depth = 1;
    std::vector<std::uint32_t> blocks; // ascending
};

struct CodeFlow {
    std::vector<Block> blocks; // in the order of the instructions; 0 is the entry
    std::vector<Loop> loops;   // an outer loop before those inside
    // By block: where all ways from it come together again (its immediate post-dominator), or nowhere.
    std::vector<std::uint32_t> join;
    [[nodiscard]] std::uint32_t depth(std::uint32_t block) const {
        return blocks[block].loop == nowhere ? 0 : loops[blocks[block].loop].depth;
    }
};

[[nodiscard]] CodeFlow code_flow(const std::vector<Instruction>& instructions);

} // namespace apod::sass
