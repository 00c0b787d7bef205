// Passes over the graph of a function's blocks; private to control_flow.cpp. Each fills one field of every block from the edges.
#pragma once

#include "ptx/control_flow.hpp"

namespace apod::ptx {

// `leaves[b]`: lanes can leave the function at the end of block b. A block from which the function's end cannot be reached gets none.
// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph with one virtual end.
[[nodiscard]] std::vector<std::uint32_t> immediate_post_dominators(const std::vector<BasicBlock>& blocks, const std::vector<bool>& leaves);

// Loops are strongly connected components; what is left of one without its header holds the loops nested in it. The header of an
// irreducible loop is the entry that a depth-first search meets first.
[[nodiscard]] std::vector<std::uint32_t> loop_depths(const std::vector<BasicBlock>& blocks);

} // namespace apod::ptx
