// Floating-point functions of one lane, round to nearest even. Single precision gives the canonical NaN 0x7FFFFFFF, as the hardware does.
#pragma once

#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lane.hpp"

namespace apod::emu::APOD_LANES {

template<class T> using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template<class T> inline BitsOf<T> bits_of(T v) { return __builtin_bit_cast(BitsOf<T>, v); }
template<class T> inline T from_bits(BitsOf<T> v) { return __builtin_bit_cast(T, v); }

inline float canonical(float v) { return v != v ? from_bits<float>(0x7fffffffu) : v; }
inline double canonical(double v) { return v; }

// Subnormals become zero of the same sign.
inline float flush(float v) {
    const std::uint32_t bits = bits_of(v);
    return (bits & 0x7f800000u) == 0 ? from_bits<float>(bits & 0x80000000u) : v;
}

struct FAdd {
    template<class R> static R apply(R a, R b) { return canonical(a + b); }
};
struct FSub {
    template<class R> static R apply(R a, R b) { return canonical(a - b); }
};
struct FMul {
    template<class R> static R apply(R a, R b) { return canonical(a * b); }
};
struct FDiv {
    template<class R> static R apply(R a, R b) { return canonical(a / b); }
};
struct FFma {
    template<class R> static R apply(R a, R b, R c) {
        if constexpr (sizeof(R) == 4)
            return canonical(__builtin_fmaf(a, b, c));
        else
            return canonical(__builtin_fma(a, b, c));
    }
};
struct FSqrt {
    template<class R> static R apply(R a) {
        if constexpr (sizeof(R) == 4)
            return canonical(__builtin_sqrtf(a));
        else
            return canonical(__builtin_sqrt(a));
    }
};
struct FRcp {
    template<class R> static R apply(R a) { return canonical(R{1} / a); }
};

// The operand that is a number wins over a NaN; -0 is less than +0.
struct FMin {
    template<class R> static R apply(R a, R b) {
        const R smaller = a < b ? a : b < a ? b : from_bits<R>(bits_of(a) | bits_of(b));
        return a != a ? (b != b ? canonical(b) : b) : b != b ? a : smaller;
    }
};
struct FMax {
    template<class R> static R apply(R a, R b) {
        const R larger = a > b ? a : b > a ? b : from_bits<R>(bits_of(a) & bits_of(b));
        return a != a ? (b != b ? canonical(b) : b) : b != b ? a : larger;
    }
};
// What neg and abs give for a NaN: the canonical one; in double precision its own, quiet.
inline float quieted(float) { return from_bits<float>(0x7fffffffu); }
inline double quieted(double v) { return from_bits<double>(bits_of(v) | 0x0008000000000000ull); }

struct FNeg {
    template<class R> static R apply(R a) { return a != a ? quieted(a) : negated(a); }
    template<class R> static R negated(R a) { return from_bits<R>(bits_of(a) ^ (BitsOf<R>{1} << (8 * sizeof(R) - 1))); }
};
struct FAbs {
    template<class R> static R apply(R a) { return a != a ? quieted(a) : magnitude(a); }
    template<class R> static R magnitude(R a) { return from_bits<R>(bits_of(a) & ~(BitsOf<R>{1} << (8 * sizeof(R) - 1))); }
};
struct FCopySign { // the sign of a on the magnitude of b
    template<class R> static R apply(R a, R b) {
        constexpr BitsOf<R> sign = BitsOf<R>{1} << (8 * sizeof(R) - 1);
        return from_bits<R>((bits_of(a) & sign) | (bits_of(b) & ~sign));
    }
};

// .ftz: subnormal operands and results are flushed.
template<class F> struct Ftz {
    template<class R> static R apply(R a) { return flush(F::template apply<R>(flush(a))); }
    template<class R> static R apply(R a, R b) { return flush(F::template apply<R>(flush(a), flush(b))); }
    template<class R> static R apply(R a, R b, R c) { return flush(F::template apply<R>(flush(a), flush(b), flush(c))); }
};

// .sat: clamped to [0, 1], NaN to +0.
template<class F> struct Sat {
    template<class R> static R clamp(R v) { return v > R{0} ? (v < R{1} ? v : R{1}) : R{0}; }
    template<class R> static R apply(R a) { return clamp(F::template apply<R>(a)); }
    template<class R> static R apply(R a, R b) { return clamp(F::template apply<R>(a, b)); }
    template<class R> static R apply(R a, R b, R c) { return clamp(F::template apply<R>(a, b, c)); }
};

} // namespace apod::emu::APOD_LANES
