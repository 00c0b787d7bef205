// cvt between f32 and f16, bf16, singly and in pairs, to nearest even, and f32 to tf32. Other roundings and formats: convert_any.cpp.
#include "emu/lanes/half_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

template<class E> struct Narrowing {
    template<class R, class A> static R apply(A a) { return from_float<E>(a); }
};
template<class E> struct NarrowingPair { // a to the upper half
    template<class R, class A> static R apply(A a, A b) { return Both<HAdd>::join<E>(from_float<E>(b), from_float<E>(a)); }
};
struct WidenHalf {
    template<class R, class A> static R apply(A a) { return canonical(to_float(a)); }
};
// bf16 is the upper half of an f32: its bits are moved, a NaN's too.
struct WidenBFloat {
    template<class R, class A> static R apply(A a) { return to_float(a); }
};
// Ten fraction bits, ties away from zero. A NaN is cut off, which can leave an infinity.
struct ToTf32 {
    template<class R, class A> static R apply(A a) {
        const std::uint32_t bits = bits_of(a);
        const std::uint32_t rounded = (bits + 0x1000u) & ~0x1fffu;
        return (bits & 0x7f800000u) == 0x7f800000u ? bits & ~0x1fffu : rounded;
    }
};

} // namespace

void add_convert_half_forms(FormTable& table) {
    add_unary<Narrowing<Half>, Half, float>(table, "cvt.rn.f16.f32", OpClass::convert);
    add_unary<Narrowing<BFloat>, BFloat, float>(table, "cvt.rn.bf16.f32", OpClass::convert);
    add_binary<NarrowingPair<Half>, Two<Half>, float>(table, "cvt.rn.f16x2.f32", OpClass::convert);
    add_binary<NarrowingPair<BFloat>, Two<BFloat>, float>(table, "cvt.rn.bf16x2.f32", OpClass::convert);
    add_unary<WidenHalf, float, Half>(table, "cvt.f32.f16", OpClass::convert);
    add_unary<WidenBFloat, float, BFloat>(table, "cvt.f32.bf16", OpClass::convert);
    add_unary<ToTf32, std::uint32_t, float>(table, "cvt.rna.tf32.f32", OpClass::convert);
}

} // namespace apod::emu::APOD_LANES
