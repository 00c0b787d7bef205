// One warp, one instruction that lanes execute together.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace apod::emu::testing {

using Lanes = std::array<std::uint32_t, 32>;
inline constexpr std::uint32_t untouched = 0xdeadbeefu; // what a result holds that was not written

struct WarpResult {
    std::string error;                // empty: it ran
    Lanes value{};                    // {d}
    std::array<bool, 32> predicate{}; // {p}
};

// `code` names {d}, {p}, its operand {a} (or {wide_a}, the same in 64 bits) and {odd}, a's low bit as a predicate. The lanes of `members`
// branch to it, the others pass by.
[[nodiscard]] WarpResult run_warp(std::string code, const Lanes& a, std::uint32_t members = 0xffffffffu);

} // namespace apod::emu::testing
