// f16 and bf16 of one lane, single or in pairs. Sums and products are computed in f32 and rounded once more: 24 bits are at least
// 2 p + 2 for both formats, so the second rounding is harmless. fma goes through f64, rounded to odd, for the same reason.
// A NaN result is the canonical 0x7FFF, as on the hardware.
#pragma once

#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lane.hpp"
#include "emu/lanes/names.hpp"

namespace apod::emu::APOD_LANES {

// Plain bits with a type of their own; they live in 32-bit slots. The conversion is what pack() writes.
struct Half {
    std::uint16_t bits;
    operator std::uint32_t() const { return bits; }
    static constexpr std::uint16_t exponent = 0x7c00;
    static constexpr std::uint16_t one = 0x3c00;
};
struct BFloat {
    std::uint16_t bits;
    operator std::uint32_t() const { return bits; }
    static constexpr std::uint16_t exponent = 0x7f80;
    static constexpr std::uint16_t one = 0x3f80;
};
// Two elements in one register, the first in the low half.
template<class E> struct Two { std::uint32_t bits; };

template<> inline constexpr ptx::Type ptx_type<Half> = ptx::Type::f16;
template<> inline constexpr ptx::Type ptx_type<BFloat> = ptx::Type::bf16;
template<> inline constexpr ptx::Type ptx_type<Two<Half>> = ptx::Type::f16x2;
template<> inline constexpr ptx::Type ptx_type<Two<BFloat>> = ptx::Type::bf16x2;

inline float to_float(Half h) {
    const std::uint32_t magnitude = h.bits & 0x7fffu;
    const std::uint32_t sign = static_cast<std::uint32_t>(h.bits & 0x8000u) << 16;
    const std::uint32_t normal = (magnitude << 13) + (112u << 23);
    const std::uint32_t special = (magnitude << 13) | 0x7f800000u;
    const std::uint32_t small = bits_of(static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f);
    const std::uint32_t bits = magnitude < 0x0400u ? small : magnitude >= 0x7c00u ? special : normal;
    return from_bits<float>(bits | sign);
}
inline float to_float(BFloat b) { return from_bits<float>(static_cast<std::uint32_t>(b.bits) << 16); }

template<class E> E from_float(float v);

// Nearest even.
template<> inline Half from_float<Half>(float v) {
    const std::uint32_t bits = bits_of(v);
    const std::uint32_t u = bits & 0x7fffffffu;
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    // Adding 0.5 brings the last bit of a subnormal result to the last bit of the sum, which rounds it.
    const std::uint32_t small = bits_of(from_bits<float>(u) + 0.5f) - 0x3f000000u;
    const std::uint32_t normal = (u - (112u << 23) + 0xfffu + ((u >> 13) & 1u)) >> 13;
    const std::uint32_t finite = u < (113u << 23) ? small : normal;
    const std::uint32_t magnitude = u >= (143u << 23) ? 0x7c00u : finite;
    return {static_cast<std::uint16_t>(u > 0x7f800000u ? 0x7fffu : magnitude | sign)};
}
template<> inline BFloat from_float<BFloat>(float v) {
    const std::uint32_t u = bits_of(v);
    const std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    return {static_cast<std::uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded)};
}

template<class E> inline bool is_nan(E e) { return (e.bits & 0x7fffu) > E::exponent; }
template<class E> inline E flush_element(E e) {
    return {static_cast<std::uint16_t>((e.bits & E::exponent) == 0 ? e.bits & 0x8000u : e.bits)};
}

// The f64 sum of p and c with the last bit sticky: odd where the sum was not exact (Boldo and Melquiond, "Emulation of FMA").
inline double add_to_odd(double p, double c) {
    const double sum = p + c;
    const double of_c = sum - p;
    const double error = (p - (sum - of_c)) + (c - of_c);
    const std::uint64_t bits = bits_of(sum);
    const bool inexact = error > 0 || error < 0;
    const bool outward = (error > 0) == (sum > 0);
    const std::uint64_t odd = (bits & 1) != 0 ? bits : outward ? bits + 1 : bits - 1;
    return from_bits<double>(inexact ? odd : bits);
}
inline float narrow_to_odd(double v) {
    const float nearest = static_cast<float>(v);
    const double error = v - static_cast<double>(nearest);
    const std::uint32_t bits = bits_of(nearest);
    const bool inexact = error > 0 || error < 0;
    const bool outward = (error > 0) == (v > 0);
    const std::uint32_t odd = (bits & 1) != 0 ? bits : outward ? bits + 1 : bits - 1;
    return from_bits<float>(inexact ? odd : bits);
}

struct HAdd {
    template<class E> static E apply(E a, E b) { return from_float<E>(to_float(a) + to_float(b)); }
};
struct HSub {
    template<class E> static E apply(E a, E b) { return from_float<E>(to_float(a) - to_float(b)); }
};
struct HMul {
    template<class E> static E apply(E a, E b) { return from_float<E>(to_float(a) * to_float(b)); }
};
struct HFma {
    template<class E> static E apply(E a, E b, E c) {
        const double product = static_cast<double>(to_float(a)) * static_cast<double>(to_float(b));
        return from_float<E>(narrow_to_odd(add_to_odd(product, static_cast<double>(to_float(c)))));
    }
};
// A NaN's sign and payload are lost.
template<class E> E sign_changed(E a, std::uint16_t bits) {
    constexpr std::uint16_t infinity = std::is_same_v<E, Half> ? 0x7c00 : 0x7f80;
    return {(a.bits & 0x7fffu) > infinity ? std::uint16_t{0x7fff} : bits};
}
struct HNeg {
    template<class E> static E apply(E a) { return sign_changed(a, static_cast<std::uint16_t>(a.bits ^ 0x8000u)); }
};
struct HAbs {
    template<class E> static E apply(E a) { return sign_changed(a, static_cast<std::uint16_t>(a.bits & 0x7fffu)); }
};

// min and max with their modifiers, on f32 values: .NaN lets a NaN win, .xorsign.abs compares magnitudes and gives the product's sign.
template<class F, bool NanWins, bool Magnitudes> struct Extreme {
    template<class R> static R apply(R a, R b) {
        constexpr BitsOf<R> sign = BitsOf<R>{1} << (8 * sizeof(R) - 1);
        const BitsOf<R> product_sign = (bits_of(a) ^ bits_of(b)) & sign;
        R result = Magnitudes ? F::template apply<R>(FAbs::magnitude<R>(a), FAbs::magnitude<R>(b)) : F::template apply<R>(a, b);
        if constexpr (NanWins) result = a != a || b != b ? from_bits<R>(0x7fffffffu) : result;
        if constexpr (Magnitudes) result = result != result ? result : from_bits<R>(bits_of(result) | product_sign);
        return result;
    }
};
// The same for an element: exact both ways, but for the NaN.
template<class F> struct ByFloat {
    template<class E> static E apply(E a) { return from_float<E>(F::template apply<float>(to_float(a))); }
    template<class E> static E apply(E a, E b) { return from_float<E>(F::template apply<float>(to_float(a), to_float(b))); }
};

// Modifiers of element functions, applied to an element or to both of a pair.
template<class F> struct ElementFtz {
    template<class E> static E apply(E a) { return flush_element(F::template apply<E>(flush_element(a))); }
    template<class E> static E apply(E a, E b) { return flush_element(F::template apply<E>(flush_element(a), flush_element(b))); }
    template<class E> static E apply(E a, E b, E c) {
        return flush_element(F::template apply<E>(flush_element(a), flush_element(b), flush_element(c)));
    }
};
// Clamped to [0, 1], NaN to +0.
template<class F> struct ElementSat {
    template<class E> static E clamp(E e) {
        const float v = to_float(e);
        return {static_cast<std::uint16_t>(v > 0.0f ? (v < 1.0f ? e.bits : E::one) : 0)};
    }
    template<class E> static E apply(E a, E b) { return clamp(F::template apply<E>(a, b)); }
    template<class E> static E apply(E a, E b, E c) { return clamp(F::template apply<E>(a, b, c)); }
};
// Negative results, -0 included, become +0.
template<class F> struct ElementRelu {
    template<class E> static E apply(E a, E b, E c) {
        const E r = F::template apply<E>(a, b, c);
        return {static_cast<std::uint16_t>((r.bits & 0x8000u) != 0 && !is_nan(r) ? 0 : r.bits)};
    }
};

template<class F> struct Both {
    template<class E> static E low(Two<E> v) { return {static_cast<std::uint16_t>(v.bits)}; }
    template<class E> static E high(Two<E> v) { return {static_cast<std::uint16_t>(v.bits >> 16)}; }
    template<class E> static Two<E> join(E low, E high) { return {low.bits | static_cast<std::uint32_t>(high.bits) << 16}; }

    template<class P, class E> static P apply(Two<E> a) { return join<E>(F::template apply<E>(low(a)), F::template apply<E>(high(a))); }
    template<class P, class E> static P apply(Two<E> a, Two<E> b) {
        return join<E>(F::template apply<E>(low(a), low(b)), F::template apply<E>(high(a), high(b)));
    }
    template<class P, class E> static P apply(Two<E> a, Two<E> b, Two<E> c) {
        return join<E>(F::template apply<E>(low(a), low(b), low(c)), F::template apply<E>(high(a), high(b), high(c)));
    }
};

// One function in both sizes: "add" + ".f16" and "add" + ".f16x2".
template<class F, class E> void add_element_unary(FormTable& table, const char* stem, const char* type, OpClass op_class) {
    add_unary<F, E, E>(table, Name(stem, type), op_class);
    add_unary<Both<F>, Two<E>, Two<E>>(table, Name(stem, type, "x2"), op_class);
}
template<class F, class E> void add_element_binary(FormTable& table, const char* stem, const char* type, OpClass op_class) {
    add_binary<F, E, E>(table, Name(stem, type), op_class);
    add_binary<Both<F>, Two<E>, Two<E>>(table, Name(stem, type, "x2"), op_class);
}
template<class F, class E> void add_element_ternary(FormTable& table, const char* stem, const char* type, OpClass op_class) {
    add_ternary<F, E, E>(table, Name(stem, type), op_class);
    add_ternary<Both<F>, Two<E>, Two<E>>(table, Name(stem, type, "x2"), op_class);
}

template<class F, class E> void add_element_extremes(FormTable& table, const char* opcode, const char* type) {
    const auto add = [&]<class G>(const char* modifiers) {
        add_element_binary<ByFloat<G>, E>(table, Name(opcode, modifiers), type, OpClass::fp16);
        if constexpr (E::one == Half::one)
            add_element_binary<ElementFtz<ByFloat<G>>, E>(table, Name(opcode, ".ftz", modifiers), type, OpClass::fp16);
    };
    add.template operator()<Extreme<F, false, false>>("");
    add.template operator()<Extreme<F, true, false>>(".NaN");
    add.template operator()<Extreme<F, false, true>>(".xorsign.abs");
    add.template operator()<Extreme<F, true, true>>(".NaN.xorsign.abs");
}

} // namespace apod::emu::APOD_LANES
