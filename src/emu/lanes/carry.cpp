// Extended-precision integer arithmetic: add.cc, addc, sub.cc, subc, mad.cc, madc. The condition code's carry flag is a lane mask in a
// predicate slot of its own. A subtraction is the addition of the complement, so the flag is set where nothing was borrowed: the hardware's
// convention, and what an addc behind a sub.cc sees.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/names.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct CarryAdd {
    static constexpr bool three = false;
    static constexpr std::uint32_t neutral = 0; // the flags that change nothing
    template<class T> static T apply(T a, T b, T, T carry, bool& out) {
        const T sum = a + b;
        const T result = sum + carry;
        out = (sum < a) | (result < sum);
        return result;
    }
};
struct CarrySub {
    static constexpr bool three = false;
    static constexpr std::uint32_t neutral = 0xffffffffu;
    template<class T> static T apply(T a, T b, T, T carry, bool& out) { return CarryAdd::apply<T>(a, static_cast<T>(~b), 0, carry, out); }
};
template<class Product> struct CarryMad {
    static constexpr bool three = true;
    static constexpr std::uint32_t neutral = 0;
    template<class T> static T apply(T a, T b, T c, T carry, bool& out) {
        return CarryAdd::apply<T>(Product::template apply<T>(a, b), c, 0, carry, out);
    }
};
// The upper half of a signed product, in unsigned clothes.
struct SignedMulHi {
    template<class T> static T apply(T a, T b) {
        using S = std::make_signed_t<T>;
        return static_cast<T>(MulHi::apply<S>(static_cast<S>(a), static_cast<S>(b)));
    }
};

template<class F, class T, bool In, bool Out> void with_carry(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<T>(warp, op.dst);
    const auto* a = slot<T>(warp, op.a);
    const auto* b = slot<T>(warp, op.b);
    const auto* c = F::three ? slot<T>(warp, op.c) : a;
    const std::uint32_t carries = In ? warp.predicates[carry_predicate] : F::neutral;
    alignas(32) std::uint8_t bytes[lanes];
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        bool out = false;
        const T value = F::template apply<T>(a[l], b[l], c[l], static_cast<T>((carries >> l) & 1u), out);
        d[l] = blend(mask, l, value, d[l]);
        bytes[l] = out ? 0xff : 0;
    }
    if constexpr (Out) set_predicate(warp, carry_predicate, mask_of_bytes(bytes), mask);
}

// `writer` and `reader` are the spellings without and with a carry coming in: "add" and "addc", "mad.lo" and "madc.lo".
template<class F, class T> void add_carry(FormTable& table, const char* writer, const char* reader, const char* type) {
    constexpr ptx::Type t = ptx_type<T>;
    const auto add = [&](const Name& name, Handler handler) {
        table.add({name, handler, handler, t, t, t, F::three ? t : ptx::Type::none, F::three ? OpClass::int_mul : OpClass::int_add});
    };
    add(Name(writer, ".cc.", type), with_carry<F, T, false, true>);
    add(Name(reader, ".", type), with_carry<F, T, true, false>);
    add(Name(reader, ".cc.", type), with_carry<F, T, true, true>);
}

template<class T, class High> void add_type(FormTable& table, const char* type) {
    add_carry<CarryAdd, T>(table, "add", "addc", type);
    add_carry<CarrySub, T>(table, "sub", "subc", type);
    add_carry<CarryMad<MulLo>, T>(table, "mad.lo", "madc.lo", type);
    add_carry<CarryMad<High>, T>(table, "mad.hi", "madc.hi", type);
}

} // namespace

void add_carry_forms(FormTable& table) {
    add_type<std::uint32_t, MulHi>(table, "u32");
    add_type<std::uint32_t, SignedMulHi>(table, "s32");
    add_type<std::uint64_t, MulHi>(table, "u64");
    add_type<std::uint64_t, SignedMulHi>(table, "s64");
}

} // namespace apod::emu::APOD_LANES
