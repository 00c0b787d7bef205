// What several catalogues of floating-point forms need: saturation, minimum and maximum.
#pragma once

#include "tests/emu/reference/exact.hpp"

#include <cstdint>

namespace apod::emu::testing {

inline std::uint64_t one_of(const reference::Format& format) { return static_cast<std::uint64_t>(format.bias()) << format.fraction_bits; }
inline std::uint64_t nan_of(const reference::Format& format) { return (1ull << (format.width() - 1)) - 1; }

// [0, 1], NaN to +0.
inline std::uint64_t saturated(std::uint64_t bits, const reference::Format& format) {
    const reference::Exact x = reference::decode(bits, format);
    if (x.is_nan() || x.negative || x.is_zero()) return 0;
    return reference::compare(x, reference::from_unsigned(1)) >= 0 ? one_of(format) : bits;
}

struct ExtremeRules {
    const char* name;
    bool nan_wins;
    bool xorsign; // .xorsign.abs
};
inline constexpr ExtremeRules extreme_rules[] = {
    {"", false, false}, {".NaN", true, false}, {".xorsign.abs", false, true}, {".NaN.xorsign.abs", true, true}};

inline std::uint64_t extreme(std::uint64_t a, std::uint64_t b, const reference::Format& format, bool smallest, const ExtremeRules& rules) {
    const std::uint64_t sign = 1ull << (format.width() - 1);
    const std::uint64_t product_sign = (a ^ b) & sign;
    if (rules.xorsign) {
        a &= ~sign;
        b &= ~sign;
    }
    const bool a_nan = reference::is_nan(a, format);
    const bool b_nan = reference::is_nan(b, format);
    if ((a_nan && b_nan) || (rules.nan_wins && (a_nan || b_nan))) return nan_of(format);
    std::uint64_t result = a_nan ? b : a;
    if (!a_nan && !b_nan) {
        int order = reference::compare(reference::decode(a, format), reference::decode(b, format));
        if (order == 0) order = (a & sign) == (b & sign) ? 0 : (a & sign) != 0 ? -1 : 1; // -0 < +0
        result = (order < 0) == smallest ? a : b;
    }
    return rules.xorsign ? (result & ~sign) | product_sign : result;
}

} // namespace apod::emu::testing
