// cvt with a floating-point side: integers to f32 and f64 (nearest even), f32 and f64 to integers in the four integer roundings, f32 to
// and from f64 and f16, and rounding to an integral value. Other roundings of int-to-float and float-to-float: convert_rounded.cpp.
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

enum class Round { nearest, zero, down, up };

template<Round M, class T> T integral(T v) {
    if constexpr (sizeof(T) == 4) {
        if constexpr (M == Round::nearest) return __builtin_rintf(v);
        if constexpr (M == Round::zero) return __builtin_truncf(v);
        if constexpr (M == Round::down) return __builtin_floorf(v);
        return __builtin_ceilf(v);
    } else {
        if constexpr (M == Round::nearest) return __builtin_rint(v);
        if constexpr (M == Round::zero) return __builtin_trunc(v);
        if constexpr (M == Round::down) return __builtin_floor(v);
        return __builtin_ceil(v);
    }
}

// Float to integer: rounded, then clamped to the destination's range. NaN gives 0, or the top bit alone when either
// side has 64 bits (PTX ISA, cvt).
template<Round M, bool Flush> struct ToInteger {
    template<class R, class T> static R apply(T a) {
        if constexpr (Flush) a = flush(a);
        const T v = integral<M>(a);
        constexpr R low = std::is_signed_v<R> ? static_cast<R>(Unsigned<R>{1} << (8 * sizeof(R) - 1)) : R{0};
        constexpr R high = static_cast<R>(~static_cast<Unsigned<R>>(low));
        constexpr R of_nan = sizeof(R) == 8 || sizeof(T) == 8 ? static_cast<R>(std::uint64_t{1} << (8 * sizeof(R) - 1)) : R{0};
        // 2^bits, exactly representable, bounds the range from above.
        constexpr T end = static_cast<T>(std::uint64_t{1} << (8 * sizeof(R) - 2)) * (std::is_signed_v<R> ? T{2} : T{4});
        const T begin = std::is_signed_v<R> ? -end : T{0};
        if (v != v) return of_nan;
        if (v >= end) return high;
        if (v < begin) return low;
        return static_cast<R>(v);
    }
};

struct ToFloat {
    template<class R, class T> static R apply(T a) { return static_cast<R>(a); }
};
struct Narrow { // f64 -> f32; a NaN keeps its sign and the upper bits of its payload
    template<class R, class T> static R apply(T a) { return static_cast<float>(a); }
};
struct Widen { // f32 -> f64
    template<class R, class T> static R apply(T a) { return static_cast<R>(a); }
};
template<Round M> struct Integral {
    template<class R> static R apply(R a) { return canonical(integral<M>(a)); }
};
struct Same {
    template<class R> static R apply(R a) { return canonical(a); }
};

// "cvt." + parts.
struct Joined {
    char text[40];
    Joined(const char* a, const char* b, const char* c, const char* d) {
        unsigned at = 0;
        for (const char* part : {a, b, c, d})
            for (; *part != 0; ++part) text[at++] = *part;
        text[at] = 0;
    }
    operator const char*() const { return text; }
};

template<class R, class T, bool Flush> void add_to_integer(FormTable& table, const char* to, const char* from) {
    const OpClass op_class = sizeof(R) == 8 || sizeof(T) == 8 ? OpClass::convert64 : OpClass::convert;
    add_unary<ToInteger<Round::nearest, Flush>, R, T>(table, Joined("cvt.rni.", to, ".", from), op_class);
    add_unary<ToInteger<Round::zero, Flush>, R, T>(table, Joined("cvt.rzi.", to, ".", from), op_class);
    add_unary<ToInteger<Round::down, Flush>, R, T>(table, Joined("cvt.rmi.", to, ".", from), op_class);
    add_unary<ToInteger<Round::up, Flush>, R, T>(table, Joined("cvt.rpi.", to, ".", from), op_class);
}

template<class T> void add_integer_pairs(FormTable& table, const char* name) {
    add_unary<ToFloat, float, T>(table, Joined("cvt.rn.f32.", name, "", ""), sizeof(T) == 8 ? OpClass::convert64 : OpClass::convert);
    add_unary<ToFloat, double, T>(table, Joined("cvt.rn.f64.", name, "", ""), OpClass::convert64);
    if constexpr (sizeof(T) > 1) {
        add_to_integer<T, float, false>(table, name, "f32");
        add_to_integer<T, double, false>(table, name, "f64");
        add_to_integer<T, float, true>(table, Joined("ftz.", name, "", ""), "f32");
    }
}

template<class T> void add_integral(FormTable& table, const char* type) {
    const OpClass op_class = sizeof(T) == 8 ? OpClass::convert64 : OpClass::convert;
    add_unary<Integral<Round::nearest>, T, T>(table, Joined("cvt.rni.", type, ".", type), op_class);
    add_unary<Integral<Round::zero>, T, T>(table, Joined("cvt.rzi.", type, ".", type), op_class);
    add_unary<Integral<Round::down>, T, T>(table, Joined("cvt.rmi.", type, ".", type), op_class);
    add_unary<Integral<Round::up>, T, T>(table, Joined("cvt.rpi.", type, ".", type), op_class);
    add_unary<Sat<Same>, T, T>(table, Joined("cvt.sat.", type, ".", type), op_class);
}

} // namespace

void add_convert_float_forms(FormTable& table) {
    add_integer_pairs<std::uint8_t>(table, "u8");
    add_integer_pairs<std::int8_t>(table, "s8");
    add_integer_pairs<std::uint16_t>(table, "u16");
    add_integer_pairs<std::int16_t>(table, "s16");
    add_integer_pairs<std::uint32_t>(table, "u32");
    add_integer_pairs<std::int32_t>(table, "s32");
    add_integer_pairs<std::uint64_t>(table, "u64");
    add_integer_pairs<std::int64_t>(table, "s64");
    add_integral<float>(table, "f32");
    add_integral<double>(table, "f64");
    add_unary<Narrow, float, double>(table, "cvt.rn.f32.f64", OpClass::convert64);
    add_unary<Widen, double, float>(table, "cvt.f64.f32", OpClass::convert64);
    add_unary<Ftz<Same>, float, float>(table, "cvt.ftz.f32.f32", OpClass::convert);
    add_unary<Ftz<Sat<Same>>, float, float>(table, "cvt.ftz.sat.f32.f32", OpClass::convert);
}

} // namespace apod::emu::APOD_LANES
