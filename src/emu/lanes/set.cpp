// set: a comparison that writes a number. The lowering puts what true means into the upper half of Op::imm (all ones, or one in the
// destination's format) and the combination with the predicate in Op::c into the lower. Pairs: both halves of the result, by halves.
#include "emu/lanes/compare_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

void write_truth(WarpContext& warp, const Op& op, std::uint32_t mask, std::uint32_t low, std::uint32_t high, bool pairs) {
    const auto truth = static_cast<std::uint32_t>(static_cast<std::uint64_t>(op.imm) >> 32);
    const std::uint32_t of_low = pairs ? truth & 0xffffu : truth;
    const std::uint32_t of_high = pairs ? truth & 0xffff0000u : 0;
    const std::int64_t how = op.imm & 0xff;
    if (how != 0) {
        const std::uint32_t other = predicate(warp, op.c);
        low = combine(how, low, other);
        high = combine(how, high, other);
    }
    auto* d = slot<std::uint32_t>(warp, op.dst);
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint32_t value = (lane_of(low, l) ? of_low : 0) | (lane_of(high, l) ? of_high : 0);
        d[l] = blend(mask, l, value, d[l]);
    }
}

template<class F, class T> void set_one(WarpContext& warp, const Op& op, std::uint32_t mask) {
    write_truth(warp, op, mask, compare_lanes<F, T>(warp, op), 0, false);
}
template<class F, class E> void set_pair(WarpContext& warp, const Op& op, std::uint32_t mask) {
    write_truth(warp, op, mask, compare_lanes<F, E, 0>(warp, op), compare_lanes<F, E, 1>(warp, op), true);
}

// "set.lt.ftz.f32": the destination's type is no part of the form's name.
template<class F, class T> void add_set(FormTable& table, const char* name, const char* ftz, const char* type) {
    table.add({Name("set.", name, ftz, ".", type), set_one<F, T>, set_one<F, T>, ptx::Type::b32, ptx_type<T>, ptx_type<T>, ptx::Type::none,
               sizeof(T) == 8 && !std::is_integral_v<T> ? OpClass::fp64 : OpClass::compare});
}
template<class F, class E> void add_set_pair(FormTable& table, const char* name, const char* ftz, const char* type) {
    table.add({Name("set.", name, ftz, ".", type, "x2"), set_pair<F, E>, set_pair<F, E>, ptx::Type::b32, ptx_type<Two<E>>, ptx_type<Two<E>>,
               ptx::Type::none, OpClass::compare});
}

} // namespace

void add_set_forms(FormTable& table) {
    for_each_comparison(
        [&]<class F, class T>(const char* name, const char* ftz, const char* type) { add_set<F, T>(table, name, ftz, type); },
        [&]<class F, class E>(const char* name, const char* ftz, const char* type) { add_set_pair<F, E>(table, name, ftz, type); });
}

} // namespace apod::emu::APOD_LANES
