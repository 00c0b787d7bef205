// Dot products of packed integers, bit masks and the n-th set bit.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"

#include "emu/lanes/names.hpp"
#include <limits>

namespace apod::emu::APOD_LANES {

namespace {

// Element `i` of a packed word, extended by E's sign.
template<class E> std::int32_t element(std::uint32_t word, unsigned i) { return static_cast<E>(word >> (8 * sizeof(E) * i)); }

template<class A, class B> struct DotOfFour {
    template<class R> static R apply(R a, R b, R c) {
        R sum = c;
        for (unsigned i = 0; i < 4; ++i) sum += static_cast<R>(element<A>(a, i) * element<B>(b, i));
        return sum;
    }
};
template<class A, class B, unsigned First> struct DotOfTwo {
    template<class R> static R apply(R a, R b, R c) {
        R sum = c;
        for (unsigned i = 0; i < 2; ++i) sum += static_cast<R>(element<A>(a, i) * element<B>(b, First + i));
        return sum;
    }
};

// Wraps like unsigned arithmetic, whatever the signs.
template<class A2, class A4, class B> void add_dots(FormTable& table, const char* types) {
    using U = std::uint32_t;
    add_ternary<DotOfFour<A4, B>, U, U>(table, Name("dp4a.", types), OpClass::int_mul);
    add_ternary<DotOfTwo<A2, B, 0>, U, U>(table, Name("dp2a.lo.", types), OpClass::int_mul);
    add_ternary<DotOfTwo<A2, B, 2>, U, U>(table, Name("dp2a.hi.", types), OpClass::int_mul);
}

// b ones from bit a on, as far as they fit (PTX ISA, bmsk).
template<bool Clamp> struct BitMask {
    template<class R> static R apply(R a, R b) {
        if (Clamp && a >= 32) return 0;
        const R first = a & 31;
        const R width = Clamp && b >= 32 ? 32 : b & 31;
        const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
        return static_cast<R>(ones << first);
    }
};

struct FindNthSet {
    template<class R> static R apply(R mask, R base, std::int32_t offset) {
        if (base > 31) return 0xffffffffu;
        if (offset == std::numeric_limits<std::int32_t>::min()) return 0; // the hardware's answer
        if (offset == 0) return ((mask >> base) & 1) != 0 ? base : 0xffffffffu;
        const std::int32_t step = offset > 0 ? 1 : -1;
        std::int64_t left = offset > 0 ? offset : -static_cast<std::int64_t>(offset);
        for (std::int32_t at = static_cast<std::int32_t>(base); at >= 0 && at < 32; at += step)
            if (((mask >> at) & 1) != 0 && --left == 0) return static_cast<R>(at);
        return 0xffffffffu;
    }
};

} // namespace

void add_dot_forms(FormTable& table) {
    using U = std::uint32_t;
    add_dots<std::uint16_t, std::uint8_t, std::uint8_t>(table, "u32.u32");
    add_dots<std::uint16_t, std::uint8_t, std::int8_t>(table, "u32.s32");
    add_dots<std::int16_t, std::int8_t, std::uint8_t>(table, "s32.u32");
    add_dots<std::int16_t, std::int8_t, std::int8_t>(table, "s32.s32");
    add_binary<BitMask<true>, U, U>(table, "bmsk.clamp.b32", OpClass::logic);
    add_binary<BitMask<false>, U, U>(table, "bmsk.wrap.b32", OpClass::logic);
    add_ternary<FindNthSet, U, U, U, std::int32_t>(table, "fns.b32", OpClass::popc);
}

} // namespace apod::emu::APOD_LANES
