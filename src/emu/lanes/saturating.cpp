// Integer forms with .sat or .relu, 24-bit products, and pairs of 16-bit integers in one register.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/names.hpp"

namespace apod::emu::APOD_LANES {

namespace {

inline std::int32_t clamp32(std::int64_t v) {
    constexpr std::int64_t high = 0x7fffffff;
    return static_cast<std::int32_t>(v > high ? high : v < -high - 1 ? -high - 1 : v);
}

struct AddSat {
    template<class R> static R apply(R a, R b) { return clamp32(static_cast<std::int64_t>(a) + b); }
};
struct SubSat {
    template<class R> static R apply(R a, R b) { return clamp32(static_cast<std::int64_t>(a) - b); }
};
struct MadHiSat {
    template<class R> static R apply(R a, R b, R c) { return clamp32(static_cast<std::int64_t>(MulHi::apply<R>(a, b)) + c); }
};

// Bits 47 to 16 of the product of two 24-bit numbers.
struct Mul24Hi {
    template<class R> static R apply(R a, R b) {
        using W = typename Wider<R>::Type;
        return static_cast<R>((static_cast<W>(Mul24Lo::low24<R>(a)) * static_cast<W>(Mul24Lo::low24<R>(b))) >> 16);
    }
};
struct Mad24Hi {
    template<class R> static R apply(R a, R b, R c) { return Add::apply<R>(Mul24Hi::apply<R>(a, b), c); }
};
struct Mad24HiSat {
    template<class R> static R apply(R a, R b, R c) { return clamp32(static_cast<std::int64_t>(Mul24Hi::apply<R>(a, b)) + c); }
};

template<class F> struct Relu {
    template<class R> static R apply(R a, R b) {
        const R r = F::template apply<R>(a, b);
        return r < 0 ? R{0} : r;
    }
};

// Both 16-bit halves.
template<class F, class H> struct Halves {
    template<class R> static R apply(R a, R b) {
        const auto low = static_cast<std::uint16_t>(F::template apply<H>(static_cast<H>(a), static_cast<H>(b)));
        const auto high = static_cast<std::uint16_t>(F::template apply<H>(static_cast<H>(a >> 16), static_cast<H>(b >> 16)));
        return low | static_cast<std::uint32_t>(high) << 16;
    }
};

template<class H> void add_halves(FormTable& table, const char* type) {
    using U = std::uint32_t;
    add_binary<Halves<Add, H>, U, U>(table, Name("add.", type), OpClass::int_add);
    add_binary<Halves<Min, H>, U, U>(table, Name("min.", type), OpClass::compare);
    add_binary<Halves<Max, H>, U, U>(table, Name("max.", type), OpClass::compare);
    if constexpr (std::is_signed_v<H>) {
        add_binary<Halves<Relu<Min>, H>, U, U>(table, Name("min.relu.", type), OpClass::compare);
        add_binary<Halves<Relu<Max>, H>, U, U>(table, Name("max.relu.", type), OpClass::compare);
    }
}

} // namespace

void add_saturating_forms(FormTable& table) {
    using S = std::int32_t;
    using U = std::uint32_t;
    add_binary<AddSat, S, S>(table, "add.sat.s32", OpClass::int_add);
    add_binary<SubSat, S, S>(table, "sub.sat.s32", OpClass::int_add);
    add_ternary<MadHiSat, S, S>(table, "mad.hi.sat.s32", OpClass::int_mul);
    add_binary<Mul24Hi, U, U>(table, "mul24.hi.u32", OpClass::int_mul);
    add_binary<Mul24Hi, S, S>(table, "mul24.hi.s32", OpClass::int_mul);
    add_ternary<Mad24Hi, U, U>(table, "mad24.hi.u32", OpClass::int_mul);
    add_ternary<Mad24Hi, S, S>(table, "mad24.hi.s32", OpClass::int_mul);
    add_ternary<Mad24HiSat, S, S>(table, "mad24.hi.sat.s32", OpClass::int_mul);
    add_binary<Relu<Min>, S, S>(table, "min.relu.s32", OpClass::compare);
    add_binary<Relu<Max>, S, S>(table, "max.relu.s32", OpClass::compare);
    add_halves<std::uint16_t>(table, "u16x2");
    add_halves<std::int16_t>(table, "s16x2");
}

} // namespace apod::emu::APOD_LANES
