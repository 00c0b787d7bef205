// The arithmetic that one op does: what the rooflines (docs/roofline.md) divide by bytes and by time.
//
// Floating-point additions, multiplications and fused pairs are counted as Nsight Compute counts thread instructions of that kind.
// Divisions, square roots and functions count as what ptxas makes of them on the usual path (bench/device/operations.cu measures each on
// hardware). Comparisons, conversions, signs and moves are no operations, nor are atomics, whose units are L2's.
#pragma once

#include "emu/program.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace apod::model {

enum class Operation : std::uint8_t {
    fadd,
    fmul,
    ffma,
    dadd,
    dmul,
    dfma,
    hadd,
    hmul,
    hfma,
    integer,     // additions, logic, shifts and products; a product with an addition is two, one of 64 bits is two of 32
    tensor_half, // multiplications and additions of matrix instructions, by the type of their factors
    tensor_tf32,
    tensor_int8,
    tensor_double
};
inline constexpr std::size_t operation_kinds = 14;

// The metric that adds an operation up (metric_registry.hpp).
[[nodiscard]] std::string_view metric_of(Operation operation);

struct OperationCount {
    Operation operation{};
    double each = 0;       // a lane, or a warp
    bool of_warp = false;  // matrix instructions: all lanes together do `each`
    bool expanded = false; // a sequence that ptxas writes in its place
};

[[nodiscard]] std::vector<OperationCount> operations_of(const emu::OpInfo& op);

} // namespace apod::model
