// selp, slct and testp.
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/names.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// selp: Op::c is a predicate reference.
template<class S> void select(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<S>(warp, op.dst);
    const auto* a = slot<S>(warp, op.a);
    const auto* b = slot<S>(warp, op.b);
    const std::uint32_t which = predicate(warp, op.c);
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        const S value = lane_of(which, l) ? a[l] : b[l];
        d[l] = blend(mask, l, value, d[l]);
    }
}

// slct: a where c is not negative, else b; NaN selects b.
template<class S, class C, bool Flush> void select_by_sign(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<S>(warp, op.dst);
    const auto* a = slot<S>(warp, op.a);
    const auto* b = slot<S>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    for (unsigned l = 0; l < lanes; ++l) {
        C by = unpack<C>(c[l]);
        if constexpr (Flush) by = flush(by);
        const S value = by >= C{0} ? a[l] : b[l];
        d[l] = blend(mask, l, value, d[l]);
    }
}

// testp: exponent and fraction decide. Zeros count as normal (PTX ISA, testp).
enum class Property { finite, infinite, number, not_a_number, normal, subnormal };

template<Property P, class T> void test_property(WarpContext& warp, const Op& op, std::uint32_t mask) {
    using B = BitsOf<T>;
    constexpr B infinity = sizeof(T) == 8 ? static_cast<B>(0x7ff0000000000000ull) : static_cast<B>(0x7f800000u);
    const auto* a = slot<B>(warp, op.a);
    std::uint32_t bits = 0;
    for (unsigned l = 0; l < lanes; ++l) {
        const B magnitude = a[l] & static_cast<B>(~B{0} >> 1);
        const bool tiny = magnitude != 0 && (magnitude & infinity) == 0;
        bool holds = false;
        if constexpr (P == Property::finite) holds = magnitude < infinity;
        if constexpr (P == Property::infinite) holds = magnitude == infinity;
        if constexpr (P == Property::number) holds = magnitude <= infinity;
        if constexpr (P == Property::not_a_number) holds = magnitude > infinity;
        if constexpr (P == Property::normal) holds = magnitude < infinity && !tiny;
        if constexpr (P == Property::subnormal) holds = tiny;
        bits |= static_cast<std::uint32_t>(holds) << l;
    }
    set_predicate(warp, op.dst, bits, mask);
}

template<Property P> void add_property(FormTable& table, const char* name) {
    using ptx::Type;
    table.add({Name("testp.", name, ".f32"), test_property<P, float>, test_property<P, float>, Type::pred, Type::f32, Type::none,
               Type::none, OpClass::compare});
    table.add({Name("testp.", name, ".f64"), test_property<P, double>, test_property<P, double>, Type::pred, Type::f64, Type::none,
               Type::none, OpClass::compare});
}

template<class S> void add_selects(FormTable& table, ptx::Type type, const char* name) {
    using ptx::Type;
    const auto add = [&](const Name& form, Handler handler, Type by) {
        table.add({form, handler, handler, type, type, type, by, OpClass::select});
    };
    add(Name("selp.", name), select<S>, Type::pred);
    add(Name("slct.", name, ".s32"), select_by_sign<S, std::int32_t, false>, Type::s32);
    add(Name("slct.", name, ".f32"), select_by_sign<S, float, false>, Type::f32);
    add(Name("slct.ftz.", name, ".f32"), select_by_sign<S, float, true>, Type::f32);
}

} // namespace

void add_select_forms(FormTable& table) {
    add_selects<std::uint32_t>(table, ptx::Type::b16, "b16");
    add_selects<std::uint32_t>(table, ptx::Type::b32, "b32");
    add_selects<std::uint64_t>(table, ptx::Type::b64, "b64");
    add_property<Property::finite>(table, "finite");
    add_property<Property::infinite>(table, "infinite");
    add_property<Property::number>(table, "number");
    add_property<Property::not_a_number>(table, "notanumber");
    add_property<Property::normal>(table, "normal");
    add_property<Property::subnormal>(table, "subnormal");
}

} // namespace apod::emu::APOD_LANES
