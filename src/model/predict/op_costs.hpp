// What the instructions of one op issue and wait for in a launch: where its issue slots and its waiting go, by instruction and so by line.
#pragma once

#include "model/facts.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace apod::model {

// What an instruction is for. `arithmetic`: of floats, and on matrices; `integer`: addresses, counters, masks; `division`: of integers and
// floats, remainders, roots; `control`: comparisons, selections, branches, votes, barriers.
enum class Purpose : std::uint8_t { memory, arithmetic, integer, division, conversion, control, other };
inline constexpr std::size_t purpose_count = 7;
[[nodiscard]] Purpose purpose_of(emu::OpClass op_class);

// What a warp waits for. `memory`: loads of global and local memory and of textures; `shared`: loads of shared memory and shuffles;
// `atomics`: those whose result is used, and loops of compare-and-swap; `special`: special functions, conversions, divisions.
enum class WaitKind : std::uint8_t { memory, shared, atomics, barriers, special };
inline constexpr std::size_t wait_kinds = 5;
[[nodiscard]] std::optional<WaitKind> wait_kind_of(emu::OpClass op_class);

struct OpCosts {
    // Warp instructions that are issued, by op of the program, those of the machine code where ptxas is; the last: of no op.
    std::vector<double> issued;
    // Clocks that warps would wait, each alone on its SM, by op; added up over the warps. What other instructions hide is none: a kind
    // gets the difference that it makes to a lone warp's time whether it answers as fast as an addition, and its ops get their parts by
    // executions and latency.
    std::vector<double> waits;
};

// Of the blocks that ran.
[[nodiscard]] OpCosts op_costs(const LaunchFacts& facts);

} // namespace apod::model
