// The special-function unit's approximations, in plain f32 and f64 operations that compilers vectorise. No fused operation is used, so that
// every instruction set of the host gives the same bits. Polynomials are minimax fits (Remez); docs/emulator.md states the errors.
#pragma once

#include "emu/lanes/float_functions.hpp"

namespace apod::emu::APOD_LANES {

// 2^a in two factors of two, so that subnormal results are rounded once.
inline float exp2_finite(float a) {
    constexpr float shifter = 12582912.0f; // 1.5 * 2^23: the sum's low bits hold the nearest integer
    const float clamped = a > 130.0f ? 130.0f : a < -155.0f ? -155.0f : a;
    const float shifted = clamped + shifter;
    const float f = clamped - (shifted - shifter); // in [-0.5, 0.5]
    const std::int32_t n = static_cast<std::int32_t>(bits_of(shifted) - bits_of(shifter));
    float p = 0x1.41fb2ep-13f;
    p = p * f + 0x1.5f3f3p-10f;
    p = p * f + 0x1.3b2d5p-7f;
    p = p * f + 0x1.c6aee6p-5f;
    p = p * f + 0x1.ebfbdcp-3f;
    p = p * f + 0x1.62e430p-1f;
    p = p * f + 1.0f;
    const std::int32_t half = n >> 1;
    const float scale1 = from_bits<float>(static_cast<std::uint32_t>(half + 127) << 23);
    const float scale2 = from_bits<float>(static_cast<std::uint32_t>(n - half + 127) << 23);
    return p * scale1 * scale2;
}

struct Exp2 {
    template<class R> static R apply(R a) { return canonical(exp2_finite(a)); }
};

// e + log2(m) with m in [sqrt(1/2), sqrt(2)), the latter as the odd series of (m - 1) / (m + 1).
struct Log2 {
    template<class R> static R apply(R a) {
        const bool small = a < 0x1p-126f;
        const std::uint32_t bits = bits_of(small ? a * 0x1p23f : a);
        const std::int32_t e = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
        const float m = from_bits<float>(bits - (static_cast<std::uint32_t>(e) << 23));
        const float s = (m - 1.0f) / (m + 1.0f);
        const float z = s * s;
        float p = 0x1.5cf462p-2f;
        p = p * z + 0x1.a58ce4p-2f;
        p = p * z + 0x1.277782p-1f;
        p = p * z + 0x1.ec709ep-1f;
        // 2 / ln 2 in two parts: the product's main term is then the only rounding that counts.
        const float log_m = s * 0x1.715476p+1f + s * (p * z + 0x1.4afbdap-25f);
        const float result = static_cast<float>(small ? e - 23 : e) + log_m;
        const float of_zero = a == 0.0f ? -__builtin_inff() : from_bits<float>(0x7fffffffu);
        return a > 0.0f ? (a == __builtin_inff() ? a : result) : of_zero;
    }
};

// x reduced by multiples of pi/2 in f64; the quadrant's low bits in `quadrant`. Exact enough for |x| up to trig_limit.
inline constexpr float trig_limit = 0x1p20f;
inline double reduce_angle(float x, std::uint32_t& quadrant) {
    constexpr double shifter = 6755399441055744.0; // 1.5 * 2^52
    const double wide = static_cast<double>(x);
    const double shifted = wide * 0x1.45f306dc9c883p-1 + shifter;
    const double n = shifted - shifter;
    quadrant = static_cast<std::uint32_t>(bits_of(shifted));
    return (wide - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34; // 33 bits and the rest
}
// sin(x + shift * pi/2)
template<unsigned Shift> float sine_shifted(float x) {
    std::uint32_t quadrant = 0;
    const double r = reduce_angle(x, quadrant);
    const double z = r * r;
    const double sine =
        r * (1.0 + z * (-0x1.555555545be2fp-3 + z * (0x1.11110de9a57e7p-7 + z * (-0x1.a0139fde9c96ep-13 + z * 0x1.6dbb7bfaab749p-19))));
    const double cosine =
        1.0 + z * (-0x1.fffffffffe64bp-2 +
                   z * (0x1.55555551458f2p-5 + z * (-0x1.6c16bad9adc15p-10 + z * (0x1.a0128f7664063p-16 + z * -0x1.2472b0ab4027bp-22))));
    quadrant += Shift;
    const float value = static_cast<float>((quadrant & 1) != 0 ? cosine : sine);
    return from_bits<float>(bits_of(value) ^ ((quadrant & 2) << 30));
}

struct Tanh {
    template<class R> static R apply(R a) {
        const float x = FAbs::apply<float>(a);
        const float z = x * x;
        float p = 0x1.37765p-9f;
        p = p * z + -0x1.13be66p-7f;
        p = p * z + 0x1.65016ap-6f;
        p = p * z + -0x1.ba0ep-5f;
        p = p * z + 0x1.1110f6p-3f;
        p = p * z + -0x1.555554p-2f;
        const float near_zero = x + x * (z * p);
        const float bounded = x < 16.0f ? x : 16.0f;
        const float far = 1.0f - 2.0f / (exp2_finite(bounded * 2.88539008f) + 1.0f);
        const float magnitude = x < 0.6f ? near_zero : far;
        return a != a ? canonical(a) : from_bits<float>(bits_of(magnitude) | (bits_of(a) & 0x80000000u));
    }
};

struct Rsqrt {
    template<class R> static R apply(R a) {
        if constexpr (sizeof(R) == 4)
            return canonical(1.0f / __builtin_sqrtf(a));
        else
            return 1.0 / __builtin_sqrt(a);
    }
};

} // namespace apod::emu::APOD_LANES
