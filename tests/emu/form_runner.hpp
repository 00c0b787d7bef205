// Running one instruction on many operands: a kernel is written around it, run on the emulator, and each lane's result compared with
// what a reference function says. Each instruction runs twice: in all lanes, and guarded, where the other lanes must keep what they had.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace apod::emu::testing {

// What an operand is: decides its register, its values, and how many bits of a result count.
enum class Kind : std::uint8_t {
    i8, // in a 32-bit register whose upper bits are garbage
    i16,
    i32,
    i64,
    small, // 32-bit: shift amounts, positions, lengths, lane numbers
    h16,
    b16, // bfloat16
    h16x2,
    b16x2,
    f32,
    f64,
    f32x2,
    e4m3x2,
    e5m2x2,
    pred
};

using Values = const std::uint64_t*;
using Reference = std::function<std::uint64_t(Values)>;

struct FormCase {
    std::string name;         // the instruction without operands: "add.sat.s32"
    std::vector<Kind> inputs; // {a}, {b}, {c}, {e}
    Kind output = Kind::i32;
    Reference reference; // bits in, bits out
    // The instruction with its operands; empty: "name {d}, {a}, {b}, {c};" with as many as there are. Predicates {p} and {q}, false before.
    std::string code;
    std::string before;                             // runs in all lanes
    std::string after;                              // likewise
    std::uint64_t inactive = 0x5a5a5a5a5a5a5a5aull; // what the result is in lanes that did not execute
    bool any_nan = false;                           // f32, f64: every NaN is as good as another
    bool nan_varies = false;      // which NaN an H200 gives depends on how ptxas expresses the instruction: records count any as the same
    Reference inactive_reference; // instead of `inactive`, where that depends on the operands
    std::size_t rows = 4096;      // on how many operands it runs
    // For what is not exact: judges a result instead of `reference`.
    std::function<bool(Values inputs, std::uint64_t result)> accepts;
};

// The kernel that is written around the instruction: k(in1, ..., out, guarded_out, count).
[[nodiscard]] std::string kernel_text(const FormCase& form);

// Empty: everything agrees. Otherwise the message of what failed first.
[[nodiscard]] std::string run_case(const FormCase& form, std::uint32_t seed = 1);

// Only prepares the kernel. On success adds the handlers' form names that the kernel uses to `used`.
[[nodiscard]] std::string lower_case(const FormCase& form, std::set<std::string>& used);
[[nodiscard]] std::string lower_text(const std::string& text, std::set<std::string>& used);

// Values of a kind: the edges first, then `random` more.
[[nodiscard]] std::vector<std::uint64_t> values_of(Kind kind, std::size_t random, std::uint32_t seed);
[[nodiscard]] unsigned bits_of(Kind kind);

} // namespace apod::emu::testing
