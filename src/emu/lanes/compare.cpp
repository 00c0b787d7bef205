// setp: a comparison makes a lane mask; with a combining predicate (.and, .or, .xor) and a second destination as Op says: imm holds the
// combination (0 none, 1 and, 2 or, 3 xor), c the combining predicate reference, extra the second destination's slot.
#include "emu/lanes/compare_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

template<class F, class T> void compare(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const std::uint32_t bits = compare_lanes<F, T>(warp, op);
    if (op.imm == 0 && (op.flags & flag_second_result) == 0) {
        set_predicate(warp, op.dst, bits, mask);
        return;
    }
    const std::uint32_t other = op.imm != 0 ? predicate(warp, op.c) : 0;
    set_predicate(warp, op.dst, combine(op.imm, bits, other), mask);
    if ((op.flags & flag_second_result) != 0) set_predicate(warp, op.extra, combine(op.imm, ~bits, other), mask);
}

// Pairs: p is the low halves' result, q the high halves'.
template<class F, class E> void compare_pairs(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const std::uint32_t low = compare_lanes<F, E, 0>(warp, op);
    const std::uint32_t high = compare_lanes<F, E, 1>(warp, op);
    const std::uint32_t other = op.imm != 0 ? predicate(warp, op.c) : 0;
    set_predicate(warp, op.dst, combine(op.imm, low, other), mask);
    if ((op.flags & flag_second_result) != 0) set_predicate(warp, op.extra, combine(op.imm, high, other), mask);
}

template<class F, class T> void add_compare(FormTable& table, const char* name, const char* ftz, const char* type) {
    table.add({Name("setp.", name, ftz, ".", type), compare<F, T>, compare<F, T>, ptx::Type::pred, ptx_type<T>, ptx_type<T>,
               ptx::Type::none, sizeof(T) == 8 && !std::is_integral_v<T> ? OpClass::fp64 : OpClass::compare});
}
template<class F, class E> void add_compare_pairs(FormTable& table, const char* name, const char* ftz, const char* type) {
    table.add({Name("setp.", name, ftz, ".", type, "x2"), compare_pairs<F, E>, compare_pairs<F, E>, ptx::Type::pred, ptx_type<Two<E>>,
               ptx_type<Two<E>>, ptx::Type::none, OpClass::compare});
}

template<class T> void add_integer(FormTable& table, const char* type) {
    const auto add = [&]<class F>(const char* name) { add_compare<F, T>(table, name, "", type); };
    for_each_equality(add);
    for_each_order(add);
    if constexpr (std::is_unsigned_v<T>) for_each_unsigned_order(add);
}
template<class T> void add_equality(FormTable& table, const char* type) {
    for_each_equality([&]<class F>(const char* name) { add_compare<F, T>(table, name, "", type); });
}
template<class Add> void add_float(Add add) {
    for_each_equality(add);
    for_each_order(add);
    for_each_unordered(add);
}

} // namespace

void add_compare_forms(FormTable& table) {
    add_integer<std::uint16_t>(table, "u16");
    add_integer<std::int16_t>(table, "s16");
    add_integer<std::uint32_t>(table, "u32");
    add_integer<std::int32_t>(table, "s32");
    add_integer<std::uint64_t>(table, "u64");
    add_integer<std::int64_t>(table, "s64");
    add_equality<std::uint16_t>(table, "b16");
    add_equality<std::uint32_t>(table, "b32");
    add_equality<std::uint64_t>(table, "b64");
    add_float([&]<class F>(const char* name) { add_compare<F, float>(table, name, "", "f32"); });
    add_float([&]<class F>(const char* name) { add_compare<FtzCompare<F>, float>(table, name, ".ftz", "f32"); });
    add_float([&]<class F>(const char* name) { add_compare<F, double>(table, name, "", "f64"); });
    add_float([&]<class F>(const char* name) { add_compare<F, Half>(table, name, "", "f16"); });
    add_float([&]<class F>(const char* name) { add_compare<FtzHalfCompare<F>, Half>(table, name, ".ftz", "f16"); });
    add_float([&]<class F>(const char* name) { add_compare<F, BFloat>(table, name, "", "bf16"); });
    add_float([&]<class F>(const char* name) { add_compare_pairs<F, Half>(table, name, "", "f16"); });
    add_float([&]<class F>(const char* name) { add_compare_pairs<FtzHalfCompare<F>, Half>(table, name, ".ftz", "f16"); });
    add_float([&]<class F>(const char* name) { add_compare_pairs<F, BFloat>(table, name, "", "bf16"); });
}

} // namespace apod::emu::APOD_LANES
