// What a cvt does, packed into Op::imm: the lowering writes it, the general conversion handler reads it. Private to src/emu.
// The reader is always inlined: code that several instruction sets share must not be emitted by one of them.
#pragma once

#include <cstdint>

namespace apod::emu {

// Formats that cvt reads and writes. Of the floats of 4 to 8 bits the pairs are meant; a pair is converted as two numbers.
enum class Number : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64, tf32, e4m3, e5m2, e2m1, e2m3, e3m2, ue8m0 };

// `exact` is for conversions that lose nothing.
enum class Rounding : std::uint8_t { exact, nearest, zero, down, up, away };

struct ConvertSpec {
    Number to = Number::u32;
    Number from = Number::u32;
    Rounding rounding = Rounding::exact;
    bool integral = false;         // rni, rzi, rmi, rpi: to a whole number
    bool flush = false;            // .ftz
    bool saturate = false;         // .sat: floats to [0, 1]; integers always saturate when they come from floats
    bool relu = false;             // negative numbers become zero
    bool finite = false;           // .satfinite: overflow gives the largest finite number
    bool two_sources = false;      // d = {a high, b low}
    bool pair_source = false;      // d = {convert(a high), convert(a low)}
    bool wide_register = false;    // the source lives in a 64-bit slot though its type is narrower
    bool wide_destination = false; // the result is extended to a 64-bit slot

    [[nodiscard]] constexpr std::int64_t packed() const {
        std::int64_t bits =
            static_cast<std::int64_t>(to) | static_cast<std::int64_t>(from) << 8 | static_cast<std::int64_t>(rounding) << 16;
        const bool flags[] = {integral, flush, saturate, relu, finite, two_sources, pair_source, wide_register, wide_destination};
        std::int64_t bit = 1 << 20;
        for (const bool flag : flags) {
            if (flag) bits |= bit;
            bit <<= 1;
        }
        return bits;
    }
    [[nodiscard, gnu::always_inline]] static constexpr ConvertSpec unpacked(std::int64_t bits) {
        const auto flag = [bits](int n) { return ((bits >> (20 + n)) & 1) != 0; };
        return {static_cast<Number>(bits & 0xff),
                static_cast<Number>((bits >> 8) & 0xff),
                static_cast<Rounding>((bits >> 16) & 0xf),
                flag(0),
                flag(1),
                flag(2),
                flag(3),
                flag(4),
                flag(5),
                flag(6),
                flag(7),
                flag(8)};
    }
};

} // namespace apod::emu
