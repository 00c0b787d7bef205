// setp and selp. A comparison makes a lane mask; with a combining predicate (.and, .or, .xor) and a second destination as Op says:
// imm holds the combination (0 none, 1 and, 2 or, 3 xor), c the combining predicate reference, extra the second destination's slot.
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct Eq {
    template<class T> static bool apply(T a, T b) { return a == b; }
};
struct Ne {
    template<class T> static bool apply(T a, T b) { return a < b || a > b; }
}; // ordered for floats
struct Lt {
    template<class T> static bool apply(T a, T b) { return a < b; }
};
struct Le {
    template<class T> static bool apply(T a, T b) { return a <= b; }
};
struct Gt {
    template<class T> static bool apply(T a, T b) { return a > b; }
};
struct Ge {
    template<class T> static bool apply(T a, T b) { return a >= b; }
};
struct Equ {
    template<class T> static bool apply(T a, T b) { return !(a < b || a > b); }
};
struct Neu {
    template<class T> static bool apply(T a, T b) { return a != b; }
};
struct Ltu {
    template<class T> static bool apply(T a, T b) { return !(a >= b); }
};
struct Leu {
    template<class T> static bool apply(T a, T b) { return !(a > b); }
};
struct Gtu {
    template<class T> static bool apply(T a, T b) { return !(a <= b); }
};
struct Geu {
    template<class T> static bool apply(T a, T b) { return !(a < b); }
};
struct Num {
    template<class T> static bool apply(T a, T b) { return a == a && b == b; }
};
struct Nan {
    template<class T> static bool apply(T a, T b) { return a != a || b != b; }
};

template<class F> struct FtzCompare {
    template<class T> static bool apply(T a, T b) { return F::apply(flush(a), flush(b)); }
};

std::uint32_t combine(std::int64_t how, std::uint32_t bits, std::uint32_t other) {
    switch (how) {
    case 1: return bits & other;
    case 2: return bits | other;
    case 3: return bits ^ other;
    default: return bits;
    }
}

template<class F, class T> void compare(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* a = slot<Slot<T>>(warp, op.a);
    const auto* b = slot<Slot<T>>(warp, op.b);
    alignas(32) std::uint8_t bytes[lanes];
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) bytes[l] = F::apply(unpack<T>(a[l]), unpack<T>(b[l])) ? 0xff : 0;
    const std::uint32_t bits = mask_of_bytes(bytes);
    if (op.imm == 0 && (op.flags & flag_second_result) == 0) {
        set_predicate(warp, op.dst, bits, mask);
        return;
    }
    const std::uint32_t other = op.imm != 0 ? predicate(warp, op.c) : 0;
    set_predicate(warp, op.dst, combine(op.imm, bits, other), mask);
    if ((op.flags & flag_second_result) != 0) set_predicate(warp, op.extra, combine(op.imm, ~bits, other), mask);
}

template<class F, class T> void add_compare(FormTable& table, const char* name, const char* type) {
    char text[32];
    unsigned at = 0;
    for (const char* part : {"setp.", name, ".", type})
        for (; *part != 0; ++part) text[at++] = *part;
    text[at] = 0;
    table.add({text, compare<F, T>, compare<F, T>, ptx::Type::pred, ptx_type<T>, ptx_type<T>, ptx::Type::none,
               sizeof(T) == 8 && !std::is_integral_v<T> ? OpClass::fp64 : OpClass::compare});
}

template<class T> void add_equality(FormTable& table, const char* type) {
    add_compare<Eq, T>(table, "eq", type);
    add_compare<Ne, T>(table, "ne", type);
}

template<class T> void add_order(FormTable& table, const char* type) {
    add_equality<T>(table, type);
    add_compare<Lt, T>(table, "lt", type);
    add_compare<Le, T>(table, "le", type);
    add_compare<Gt, T>(table, "gt", type);
    add_compare<Ge, T>(table, "ge", type);
    if constexpr (std::is_unsigned_v<T>) {
        add_compare<Lt, T>(table, "lo", type);
        add_compare<Le, T>(table, "ls", type);
        add_compare<Gt, T>(table, "hi", type);
        add_compare<Ge, T>(table, "hs", type);
    }
}

template<class T> void add_unordered(FormTable& table, const char* type) {
    add_compare<Equ, T>(table, "equ", type);
    add_compare<Neu, T>(table, "neu", type);
    add_compare<Ltu, T>(table, "ltu", type);
    add_compare<Leu, T>(table, "leu", type);
    add_compare<Gtu, T>(table, "gtu", type);
    add_compare<Geu, T>(table, "geu", type);
    add_compare<Num, T>(table, "num", type);
    add_compare<Nan, T>(table, "nan", type);
}

void add_flushed(FormTable& table) {
    add_compare<FtzCompare<Eq>, float>(table, "eq.ftz", "f32");
    add_compare<FtzCompare<Ne>, float>(table, "ne.ftz", "f32");
    add_compare<FtzCompare<Lt>, float>(table, "lt.ftz", "f32");
    add_compare<FtzCompare<Le>, float>(table, "le.ftz", "f32");
    add_compare<FtzCompare<Gt>, float>(table, "gt.ftz", "f32");
    add_compare<FtzCompare<Ge>, float>(table, "ge.ftz", "f32");
    add_compare<FtzCompare<Equ>, float>(table, "equ.ftz", "f32");
    add_compare<FtzCompare<Neu>, float>(table, "neu.ftz", "f32");
    add_compare<FtzCompare<Ltu>, float>(table, "ltu.ftz", "f32");
    add_compare<FtzCompare<Leu>, float>(table, "leu.ftz", "f32");
    add_compare<FtzCompare<Gtu>, float>(table, "gtu.ftz", "f32");
    add_compare<FtzCompare<Geu>, float>(table, "geu.ftz", "f32");
    add_compare<FtzCompare<Num>, float>(table, "num.ftz", "f32");
    add_compare<FtzCompare<Nan>, float>(table, "nan.ftz", "f32");
}

// selp: Op::c is a predicate reference.
template<class S> void select(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<S>(warp, op.dst);
    const auto* a = slot<S>(warp, op.a);
    const auto* b = slot<S>(warp, op.b);
    const std::uint32_t which = predicate(warp, op.c);
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        const S value = lane_of(which, l) ? a[l] : b[l];
        d[l] = lane_of(mask, l) ? value : d[l];
    }
}

// slct: a where c is not negative, else b.
template<class S, class C> void select_by_sign(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<S>(warp, op.dst);
    const auto* a = slot<S>(warp, op.a);
    const auto* b = slot<S>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    for (unsigned l = 0; l < lanes; ++l) {
        const S value = unpack<C>(c[l]) >= C{0} ? a[l] : b[l];
        d[l] = lane_of(mask, l) ? value : d[l];
    }
}

} // namespace

void add_compare_forms(FormTable& table) {
    add_order<std::uint16_t>(table, "u16");
    add_order<std::int16_t>(table, "s16");
    add_order<std::uint32_t>(table, "u32");
    add_order<std::int32_t>(table, "s32");
    add_order<std::uint64_t>(table, "u64");
    add_order<std::int64_t>(table, "s64");
    add_order<float>(table, "f32");
    add_order<double>(table, "f64");
    add_unordered<float>(table, "f32");
    add_unordered<double>(table, "f64");
    add_flushed(table);
    add_equality<std::uint16_t>(table, "b16");
    add_equality<std::uint32_t>(table, "b32");
    add_equality<std::uint64_t>(table, "b64");
    using ptx::Type;
    table.add({"selp.b16", select<std::uint32_t>, select<std::uint32_t>, Type::b16, Type::b16, Type::b16, Type::pred, OpClass::select});
    table.add({"selp.b32", select<std::uint32_t>, select<std::uint32_t>, Type::b32, Type::b32, Type::b32, Type::pred, OpClass::select});
    table.add({"selp.b64", select<std::uint64_t>, select<std::uint64_t>, Type::b64, Type::b64, Type::b64, Type::pred, OpClass::select});
    table.add({"slct.b32.s32", select_by_sign<std::uint32_t, std::int32_t>, select_by_sign<std::uint32_t, std::int32_t>, Type::b32,
               Type::b32, Type::b32, Type::s32, OpClass::select});
    table.add({"slct.b64.s32", select_by_sign<std::uint64_t, std::int32_t>, select_by_sign<std::uint64_t, std::int32_t>, Type::b64,
               Type::b64, Type::b64, Type::s32, OpClass::select});
    table.add({"slct.b32.f32", select_by_sign<std::uint32_t, float>, select_by_sign<std::uint32_t, float>, Type::b32, Type::b32, Type::b32,
               Type::f32, OpClass::select});
    table.add({"slct.b64.f32", select_by_sign<std::uint64_t, float>, select_by_sign<std::uint64_t, float>, Type::b64, Type::b64, Type::b64,
               Type::f32, OpClass::select});
}

} // namespace apod::emu::APOD_LANES
