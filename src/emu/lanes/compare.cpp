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

} // namespace

void add_compare_forms(FormTable& table) {
    for_each_comparison(
        [&]<class F, class T>(const char* name, const char* ftz, const char* type) { add_compare<F, T>(table, name, ftz, type); },
        [&]<class F, class E>(const char* name, const char* ftz, const char* type) { add_compare_pairs<F, E>(table, name, ftz, type); });
}

} // namespace apod::emu::APOD_LANES
