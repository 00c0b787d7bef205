// Exact real arithmetic for tests: a number is sign, 128-bit integer and power of two, with a sticky bit for what lies below. Written to be
// obvious, one number at a time, and without any of the emulator's code.
#pragma once

#include <cstdint>

namespace apod::reference {

using Wide = unsigned __int128;

enum class Mode { nearest, zero, down, up, away };

struct Exact {
    enum class Kind { finite, infinite, nan } kind = Kind::finite;
    bool negative = false;
    Wide mantissa = 0; // value = mantissa * 2^exponent, and a little more in magnitude when sticky
    int exponent = 0;
    bool sticky = false;

    [[nodiscard]] bool is_nan() const { return kind == Kind::nan; }
    [[nodiscard]] bool is_infinite() const { return kind == Kind::infinite; }
    [[nodiscard]] bool is_zero() const { return kind == Kind::finite && mantissa == 0 && !sticky; }
};

struct Format {
    int exponent_bits;
    int fraction_bits;
    bool infinities = true; // false: e4m3, whose only NaN has all bits set
    [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] int width() const { return 1 + exponent_bits + fraction_bits; }
};
inline constexpr Format f16{5, 10};
inline constexpr Format bf16{8, 7};
inline constexpr Format f32{8, 23};
inline constexpr Format f64{11, 52};
inline constexpr Format tf32{8, 10};
inline constexpr Format e4m3{4, 3, false};
inline constexpr Format e5m2{5, 2};

Exact decode(std::uint64_t bits, const Format& format);
Exact from_integer(std::int64_t value);
Exact from_unsigned(std::uint64_t value);

// Results of invalid operations are NaN. The sign of an exact zero sum depends on the rounding mode, so add() takes it.
Exact add(const Exact& a, const Exact& b, Mode mode);
Exact multiply(const Exact& a, const Exact& b);
Exact divide(const Exact& a, const Exact& b);
Exact square_root(const Exact& a);
Exact negated(Exact a);
// To a whole number in the given mode.
Exact to_whole(const Exact& a, Mode mode);
// -1, 0, 1; NaNs must not come here.
int compare(const Exact& a, const Exact& b);

// One rounding. NaN gives the format's all-ones pattern without the sign. `finite`: overflow and infinity give the largest number.
std::uint64_t encode(const Exact& a, const Format& format, Mode mode, bool finite = false);
// The whole number a, clamped to [low, high].
std::int64_t clamp_signed(const Exact& a, std::int64_t low, std::int64_t high);
std::uint64_t clamp_unsigned(const Exact& a, std::uint64_t high);

// Subnormals to zero of the same sign.
std::uint64_t flush(std::uint64_t bits, const Format& format);
bool is_nan(std::uint64_t bits, const Format& format);
bool is_negative(std::uint64_t bits, const Format& format);

} // namespace apod::reference
