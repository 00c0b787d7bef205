// Integer functions of one lane. All wrap as two's complement does (PTX ISA, "Integer Arithmetic Instructions").
#pragma once

#include "emu/lanes/lane.hpp"

namespace apod::emu::APOD_LANES {

template<class T> using Unsigned = std::make_unsigned_t<T>;

// Twice the width, for products.
template<class T> struct Wider;
template<> struct Wider<std::uint16_t> { using Type = std::uint32_t; };
template<> struct Wider<std::int16_t> { using Type = std::int32_t; };
template<> struct Wider<std::uint32_t> { using Type = std::uint64_t; };
template<> struct Wider<std::int32_t> { using Type = std::int64_t; };
template<> struct Wider<std::uint64_t> { using Type = unsigned __int128; };
template<> struct Wider<std::int64_t> { using Type = __int128; };

// Arithmetic in at least 32 unsigned bits: 16-bit products would otherwise overflow a signed int.
template<class T> using Arithmetic = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

struct Add {
    template<class R> static R apply(R a, R b) { return static_cast<R>(static_cast<Arithmetic<R>>(a) + static_cast<Arithmetic<R>>(b)); }
};
struct Sub {
    template<class R> static R apply(R a, R b) { return static_cast<R>(static_cast<Arithmetic<R>>(a) - static_cast<Arithmetic<R>>(b)); }
};
struct MulLo {
    template<class R> static R apply(R a, R b) { return static_cast<R>(static_cast<Arithmetic<R>>(a) * static_cast<Arithmetic<R>>(b)); }
};
struct MulHi {
    template<class R> static R apply(R a, R b) {
        using W = typename Wider<R>::Type;
        return static_cast<R>((static_cast<W>(a) * static_cast<W>(b)) >> (8 * sizeof(R)));
    }
};
struct MadLo {
    template<class R> static R apply(R a, R b, R c) { return Add::apply<R>(MulLo::apply<R>(a, b), c); }
};
struct MadHi {
    template<class R> static R apply(R a, R b, R c) { return Add::apply<R>(MulHi::apply<R>(a, b), c); }
};
struct MulWide {
    template<class R, class T> static R apply(T a, T b) { return static_cast<R>(static_cast<R>(a) * static_cast<R>(b)); }
};
struct MadWide {
    template<class R, class T> static R apply(T a, T b, R c) { return Add::apply<R>(static_cast<R>(a) * static_cast<R>(b), c); }
};

// The low 24 bits of each operand, sign-extended for signed types.
struct Mul24Lo {
    template<class R> static R low24(R v) {
        if constexpr (std::is_signed_v<R>)
            return static_cast<R>(static_cast<std::uint32_t>(v) << 8) >> 8;
        else
            return v & 0xffffffu;
    }
    template<class R> static R apply(R a, R b) { return MulLo::apply<R>(low24<R>(a), low24<R>(b)); }
};
struct Mad24Lo {
    template<class R> static R apply(R a, R b, R c) { return Add::apply<R>(Mul24Lo::apply<R>(a, b), c); }
};

// Division by zero has an unspecified result in PTX; the hardware's sequence gives all ones, for the quotient and the remainder.
struct Div {
    template<class R> static R apply(R a, R b) {
        if (b == 0) return static_cast<R>(~Arithmetic<R>{0});
        if constexpr (std::is_signed_v<R>)
            if (b == -1) return Sub::apply<R>(0, a);
        return static_cast<R>(a / b);
    }
};
struct Rem {
    template<class R> static R apply(R a, R b) {
        if (b == 0) return static_cast<R>(~Arithmetic<R>{0});
        if constexpr (std::is_signed_v<R>)
            if (b == -1) return 0;
        return static_cast<R>(a % b);
    }
};
struct Min {
    template<class R> static R apply(R a, R b) { return b < a ? b : a; }
};
struct Max {
    template<class R> static R apply(R a, R b) { return a < b ? b : a; }
};
struct Neg {
    template<class R> static R apply(R a) { return Sub::apply<R>(0, a); }
};
struct Abs {
    template<class R> static R apply(R a) { return a < 0 ? Sub::apply<R>(0, a) : a; }
};
// sad: c + |a - b|.
struct SumAbsDiff {
    template<class R> static R apply(R a, R b, R c) { return Add::apply<R>(c, a < b ? Sub::apply<R>(b, a) : Sub::apply<R>(a, b)); }
};

// "add." + "u32": the table copies names, so one buffer serves.
struct FormName {
    char text[32];
    FormName(const char* stem, const char* type) {
        unsigned at = 0;
        for (; *stem != 0; ++stem) text[at++] = *stem;
        for (; *type != 0; ++type) text[at++] = *type;
        text[at] = 0;
    }
    operator const char*() const { return text; }
};

template<class T> void add_integer_arithmetic(FormTable& table, const char* type) {
    add_binary<Add, T, T>(table, FormName("add.", type), OpClass::int_add);
    add_binary<Sub, T, T>(table, FormName("sub.", type), OpClass::int_add);
    add_binary<MulLo, T, T>(table, FormName("mul.lo.", type), OpClass::int_mul);
    add_binary<MulHi, T, T>(table, FormName("mul.hi.", type), OpClass::int_mul);
    add_ternary<MadLo, T, T>(table, FormName("mad.lo.", type), OpClass::int_mul);
    add_ternary<MadHi, T, T>(table, FormName("mad.hi.", type), OpClass::int_mul);
    add_ternary<SumAbsDiff, T, T>(table, FormName("sad.", type), OpClass::int_add);
    add_binary<Div, T, T>(table, FormName("div.", type), OpClass::int_div);
    add_binary<Rem, T, T>(table, FormName("rem.", type), OpClass::int_div);
    add_binary<Min, T, T>(table, FormName("min.", type), OpClass::compare);
    add_binary<Max, T, T>(table, FormName("max.", type), OpClass::compare);
    if constexpr (std::is_signed_v<T>) {
        add_unary<Neg, T, T>(table, FormName("neg.", type), OpClass::int_add);
        add_unary<Abs, T, T>(table, FormName("abs.", type), OpClass::int_add);
    }
}

template<class T, class W> void add_wide_products(FormTable& table, const char* type) {
    add_binary<MulWide, W, T, T>(table, FormName("mul.wide.", type), OpClass::int_mul);
    add_ternary<MadWide, W, T, T, W>(table, FormName("mad.wide.", type), OpClass::int_mul);
}

} // namespace apod::emu::APOD_LANES
