// Passes over the graph of a function's blocks; private to control_flow.cpp. Each fills one field of every block from the edges.
#pragma once

#include "ptx/control_flow.hpp"

namespace apod::ptx {

// How lanes can leave the function at the end of a block: not at all, by ret or exit, or by trap or a call that does not return.
enum class Ending : std::uint8_t { stays, returns, aborts };

// By block; a block from which the function's end cannot be reached gets none.
[[nodiscard]] std::vector<std::uint32_t> immediate_post_dominators(const std::vector<BasicBlock>& blocks,
                                                                   const std::vector<Ending>& endings);

// By block, see BasicBlock::reconvergence; needs the post-dominators filled in.
[[nodiscard]] std::vector<std::uint32_t> reconvergence_points(const std::vector<BasicBlock>& blocks, const std::vector<Ending>& endings,
                                                              bool is_entry);

// Loops are strongly connected components; what is left of one without its header holds the loops nested in it. The header of an
// irreducible loop is the entry that a depth-first search meets first.
[[nodiscard]] std::vector<std::uint32_t> loop_depths(const std::vector<BasicBlock>& blocks);

} // namespace apod::ptx
