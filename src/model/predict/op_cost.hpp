// What one warp instruction of a class costs an SM: issue slots, a pipe, the latency of its result. PTX instructions that ptxas expands
// (division, square root) cost their expansion; those it folds away (parameter loads, address space conversions) cost nothing.
#pragma once

#include "arch/gpu.hpp"
#include "emu/program.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace apod::model {

enum class Pipe : std::uint8_t { none, fma, alu, fp64, special, convert, shuffle, barrier, fma_heavy };
inline constexpr std::size_t pipe_count = 9;
[[nodiscard]] std::string_view pipe_name(Pipe pipe);

struct OpCost {
    double slots = 1; // warp instructions issued
    Pipe pipe = Pipe::none;
    double pipe_clk = 0; // clocks that one warp occupies the SM's pipe
    double latency = 4;  // clocks until a dependent instruction may issue; memory: without its caches
};

// An integer division or remainder by a constant: ptxas multiplies by its reciprocal instead.
[[nodiscard]] OpCost constant_division_cost(const arch::Gpu& gpu);

// `opcode` tells apart what the class does not (a move of a special register from one of a register).
[[nodiscard]] OpCost op_cost(emu::OpClass op_class, std::string_view opcode, const arch::Gpu& gpu);

} // namespace apod::model
