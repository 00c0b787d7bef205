// Registers: what is not initialised, and where pointers come from.
#include "emu/check/block_check.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace apod::emu {

namespace {

using Kind = PlanValue::Kind;

template<class F> void each_lane(std::uint32_t mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

std::uint32_t predicate_bits(const WarpContext& warp, const PlanValue& value) {
    return warp.predicates[value.at] ^ (value.negated ? 0xffffffffu : 0u);
}

// a + b, or a - b: pointers that cancel out go, more than one that is left may be anything.
Pointer sum(Pointer a, Pointer b, bool subtract) {
    if (subtract) std::swap(b.plus, b.minus);
    if (b.minus == any_object) b = any_pointer;
    if (a.none()) return b;
    if (b.none()) return a;
    if (a.plus == any_object || b.plus == any_object || a.minus == any_object || b.minus == any_object) return any_pointer;
    ObjectId plus[] = {a.plus, b.plus};
    ObjectId minus[] = {a.minus, b.minus};
    for (ObjectId& p : plus)
        for (ObjectId& m : minus)
            if (p != 0 && p == m) p = m = 0;
    if ((plus[0] != 0 && plus[1] != 0) || (minus[0] != 0 && minus[1] != 0)) return any_pointer;
    return {plus[0] != 0 ? plus[0] : plus[1], minus[0] != 0 ? minus[0] : minus[1]};
}

} // namespace

std::uint32_t BlockCheck::undefined_lanes(const FrameShadow& shadow, const PlanValue& value) const {
    if (value.in_register()) return shadow.undefined[value.at];
    return value.kind == Kind::predicate ? shadow.undefined_predicates[value.at] : 0;
}

Origin BlockCheck::origin_of(const FrameShadow& shadow, const PlanValue& value, unsigned lane) const {
    return value.kind == Kind::predicate ? shadow.predicate_origins[value.at] : shadow.origins[value.at][lane];
}

bool BlockCheck::quiet(const FrameShadow& shadow, const OpPlan& plan) const {
    const PlanValue* values = launch_.plans().results(plan);
    std::uint32_t noisy = 0;
    for (unsigned i = 0; i < plan.results + unsigned{plan.sources}; ++i) {
        const PlanValue& value = values[i];
        if (value.in_register())
            noisy |= shadow.undefined[value.at] | shadow.pointing[value.at];
        else if (value.kind == Kind::predicate)
            noisy |= shadow.undefined_predicates[value.at];
        else if (value.kind == Kind::object || value.kind == Kind::frame_variable)
            return false;
    }
    return noisy == 0;
}

BlockCheck::Undefined BlockCheck::undefined_of(const WarpContext& warp, FrameShadow& shadow, const OpPlan& plan, std::uint32_t mask) const {
    const PlanValue* sources = launch_.plans().sources(plan);
    Undefined found;
    const auto add = [&](const PlanValue& value, std::uint32_t where) {
        const std::uint32_t fresh = undefined_lanes(shadow, value) & where & mask & ~found.lanes;
        each_lane(fresh, [&](unsigned lane) {
            found.origin[lane] = origin_of(shadow, value, lane);
            found.origin[lane].computed = found.origin[lane].computed || plan.arithmetic;
        });
        found.lanes |= fresh;
    };
    if (plan.flow == Flow::select && plan.sources == 3) {
        const std::uint32_t chosen = predicate_bits(warp, sources[2]);
        add(sources[0], chosen);
        add(sources[1], ~chosen);
        add(sources[2], 0xffffffffu);
    } else if ((plan.flow == Flow::both || plan.flow == Flow::either) && plan.sources == 2 && sources[0].kind == Kind::predicate &&
               sources[1].kind == Kind::predicate) {
        // One side that is known may decide alone.
        const std::uint32_t flip = plan.flow == Flow::either ? 0xffffffffu : 0u;
        const std::uint32_t decided = (~undefined_lanes(shadow, sources[0]) & ~(predicate_bits(warp, sources[0]) ^ flip)) |
                                      (~undefined_lanes(shadow, sources[1]) & ~(predicate_bits(warp, sources[1]) ^ flip));
        add(sources[0], ~decided);
        add(sources[1], ~decided);
    } else {
        for (unsigned i = 0; i < plan.sources; ++i) add(sources[i], 0xffffffffu);
    }
    return found;
}

void BlockCheck::set_undefined(FrameShadow& shadow, const PlanValue& value, std::uint32_t mask, const Undefined& undefined) {
    const std::uint32_t fresh = undefined.lanes & mask;
    if (value.kind == Kind::predicate) {
        std::uint32_t& bits = shadow.undefined_predicates[value.at];
        bits = (bits & ~mask) | fresh;
        if (fresh != 0) shadow.predicate_origins[value.at] = undefined.origin[static_cast<unsigned>(std::countr_zero(fresh))];
    } else if (value.in_register()) {
        std::uint32_t& bits = shadow.undefined[value.at];
        bits = (bits & ~mask) | fresh;
        each_lane(fresh, [&](unsigned lane) { shadow.origins[value.at][lane] = undefined.origin[lane]; });
    }
}

void BlockCheck::set_defined(FrameShadow& shadow, const OpPlan& plan, std::uint32_t mask) {
    const PlanValue* results = launch_.plans().results(plan);
    for (unsigned i = 0; i < plan.results; ++i) {
        if (results[i].kind == Kind::predicate) shadow.undefined_predicates[results[i].at] &= ~mask;
        if (!results[i].in_register()) continue;
        shadow.undefined[results[i].at] &= ~mask;
        shadow.pointing[results[i].at] &= ~mask;
    }
}

Pointer BlockCheck::pointer_of(const WarpContext& warp, const FrameShadow& shadow, const PlanValue& value, unsigned lane) {
    if (value.in_register()) return (shadow.pointing[value.at] >> lane & 1u) != 0 ? shadow.pointers[value.at][lane] : Pointer{};
    if (value.kind == Kind::object) return {value.at, 0};
    if (value.kind == Kind::frame_variable) {
        const LocalVariable& variable = launch_.plans().locals[value.at];
        return {launch_.local_object(warp.local_base + variable.offset, variable.bytes, variable.name), 0};
    }
    return {};
}

void BlockCheck::set_pointer(FrameShadow& shadow, const PlanValue& value, unsigned lane, Pointer pointer) {
    if (!value.in_register()) return;
    const std::uint32_t bit = 1u << lane;
    if (pointer.none()) {
        shadow.pointing[value.at] &= ~bit;
        return;
    }
    shadow.pointing[value.at] |= bit;
    shadow.pointers[value.at][lane] = pointer;
}

Pointer BlockCheck::result_pointer(const WarpContext& warp, FrameShadow& shadow, const OpPlan& plan, unsigned lane) {
    const PlanValue* sources = launch_.plans().sources(plan);
    const auto of = [&](unsigned i) { return i < plan.sources ? pointer_of(warp, shadow, sources[i], lane) : Pointer{}; };
    switch (plan.flow) {
    case Flow::copy:
    case Flow::split: return of(0);
    case Flow::add: return sum(of(0), of(1), false);
    case Flow::subtract: return sum(of(0), of(1), true);
    case Flow::multiply_add: return of(0).none() && of(1).none() ? of(2) : any_pointer;
    case Flow::select: return (predicate_bits(warp, sources[2]) >> lane & 1u) != 0 ? of(0) : of(1);
    default: break;
    }
    Pointer only;
    unsigned found = 0;
    for (unsigned i = 0; i < plan.sources; ++i) {
        const Pointer pointer = of(i);
        if (pointer.none() || (found != 0 && pointer == only)) continue;
        only = pointer;
        ++found;
    }
    if (found == 0) return {};
    return found == 1 && (plan.flow == Flow::keep || plan.flow == Flow::join) ? only : any_pointer;
}

void BlockCheck::flow_pointers(const WarpContext& warp, FrameShadow& shadow, const OpPlan& plan, std::uint32_t mask) {
    const PlanValue* results = launch_.plans().results(plan);
    each_lane(mask, [&](unsigned lane) {
        const Pointer pointer = result_pointer(warp, shadow, plan, lane);
        for (unsigned i = 0; i < plan.results; ++i) set_pointer(shadow, results[i], lane, pointer);
    });
}

void BlockCheck::flow(WarpContext& warp, const OpPlan& plan, std::uint32_t mask) {
    FrameShadow& frame = shadow(warp);
    if (quiet(frame, plan)) return;
    const Undefined undefined = undefined_of(warp, frame, plan, mask);
    flow_pointers(warp, frame, plan, mask);
    const PlanValue* results = launch_.plans().results(plan);
    for (unsigned i = 0; i < plan.results; ++i) set_undefined(frame, results[i], mask, undefined);
}

namespace {

// PTX ISA, shfl.sync. False: no lane in range, the lane keeps its own value.
bool shuffle_source(std::string_view mode, unsigned lane, std::uint32_t b, std::uint32_t c, unsigned& from) {
    const unsigned segment = (c >> 8) & 0x1f;
    const unsigned clamp = c & 0x1f;
    const unsigned offset = b & 0x1f;
    const int highest = static_cast<int>((lane & segment) | (clamp & ~segment & 0x1f));
    int j = 0;
    if (mode == "up")
        j = static_cast<int>(lane) - static_cast<int>(offset);
    else if (mode == "down")
        j = static_cast<int>(lane + offset);
    else if (mode == "bfly")
        j = static_cast<int>(lane ^ offset);
    else
        j = static_cast<int>((lane & segment) | (offset & ~segment & 0x1f));
    const bool valid = mode == "up" ? j >= highest : j <= highest;
    from = valid ? static_cast<unsigned>(j) & 31u : lane;
    return valid;
}

} // namespace

// A lane that reads from one that does not execute the shuffle gets an undefined value; whether that matters, its use will show.
void BlockCheck::flow_shuffle(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask) {
    FrameShadow& frame = shadow(warp);
    const OpInfo& info = launch_.program().ops[op.index];
    const ptx::Instruction& instruction = info.function->instructions[info.instruction];
    const std::string_view mode = instruction.modifiers.size() > 1 ? instruction.modifiers[1] : "idx";
    const auto word = [&](OperandRef ref, unsigned lane) {
        std::uint32_t value = 0;
        std::memcpy(&value, warp.region[ref & region_mask] + (ref & ~region_mask) + lane * 4, 4);
        return value;
    };
    const PlanValue& source = launch_.plans().sources(plan)[0];
    const PlanValue& result = launch_.plans().results(plan)[0];
    Undefined undefined;
    std::array<Pointer, lanes> pointers{};
    each_lane(mask, [&](unsigned lane) {
        unsigned from = lane;
        (void)shuffle_source(mode, lane, word(op.b, lane), word(op.c, lane), from);
        if ((mask >> from & 1u) == 0) {
            undefined.lanes |= 1u << lane;
            undefined.origin[lane] = {op.index, true};
        } else if ((undefined_lanes(frame, source) >> from & 1u) != 0) {
            undefined.lanes |= 1u << lane;
            undefined.origin[lane] = origin_of(frame, source, from);
        } else {
            pointers[lane] = pointer_of(warp, frame, source, from);
        }
    });
    set_undefined(frame, result, mask, undefined);
    each_lane(mask, [&](unsigned lane) { set_pointer(frame, result, lane, pointers[lane]); });
    if (plan.results > 1) set_undefined(frame, launch_.plans().results(plan)[1], mask, {});
}

// Wide values from memory and from the launch's parameters point to what lies there.
void BlockCheck::look_up(const WarpContext& warp, FrameShadow& shadow, const OpPlan& plan, std::uint32_t mask) {
    const PlanValue* results = launch_.plans().results(plan);
    for (unsigned i = 0; i < plan.results; ++i) {
        if (!results[i].in_register()) continue;
        if (results[i].kind != Kind::wide || plan.bytes < 8) {
            shadow.pointing[results[i].at] &= ~mask;
            continue;
        }
        const std::byte* values = warp.region[region_registers] + std::size_t{results[i].at} * slot32_bytes;
        each_lane(mask, [&](unsigned lane) {
            std::uint64_t value = 0;
            std::memcpy(&value, values + lane * 8, 8);
            const bool small = value < 4096 || (value & window_mask) != 0;
            set_pointer(shadow, results[i], lane, {small ? 0 : launch_.allocations().pointed_at(value), 0});
        });
    }
}

} // namespace apod::emu
