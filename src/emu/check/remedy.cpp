#include "emu/check/remedy.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod::emu {

namespace {

// The atomic that does what the update does.
std::string atomic_for(const Dataflow::Change& change) {
    if (change.adds) return "atomicAdd";
    const std::string_view opcode = change.opcode;
    if (!change.is_float) {
        if (opcode == "min") return "atomicMin";
        if (opcode == "max") return "atomicMax";
        if (opcode == "and") return "atomicAnd";
        if (opcode == "or") return "atomicOr";
        if (opcode == "xor") return "atomicXor";
    }
    return "a loop with atomicCAS";
}

std::string update_remedy(const Race& race, Dataflow& dataflow) {
    const std::uint32_t store = race.now.writes && !race.now.atomic ? race.now.op : race.before.op;
    const std::uint32_t load = dataflow.load_of_update(store);
    const std::string atomic = load == ptx::none ? "an atomic" : atomic_for(dataflow.change(load, store));
    if (race.now.atomic || race.before.atomic) return fmt::format("change it by an atomic here too: {}", atomic);
    return fmt::format("several threads change one place, and no barrier keeps a change whole: use {}, or give each thread a place of its "
                       "own and join those up behind a barrier",
                       atomic);
}

std::string in_place_remedy(const Race& race) {
    if (race.other_blocks || (!race.shared && race.many_blocks))
        return "__syncthreads() does not order blocks: read from one buffer and write to another, and swap them from launch to launch";
    const char* barrier = race.one_warp ? "__syncwarp()" : "__syncthreads()";
    return fmt::format(
        "what is read goes into what is written there: read it into a variable, put {0} between that and the write, and behind "
        "the write where it is in a loop, all where every thread comes by; or read from one buffer and write to another",
        barrier);
}

// By rounds of a loop, within one by the code, whichever thread happened to run first.
std::pair<RaceSide, RaceSide> in_program_order(const Race& race) {
    const auto ahead = static_cast<std::int8_t>((race.now.round - race.before.round) << 4); // of four bits
    const bool as_run = ahead != 0 ? ahead > 0 : race.before.op <= race.now.op;
    return as_run ? std::pair(race.before, race.now) : std::pair(race.now, race.before);
}

std::string between_remedy(const Race& race, RaceKind kind) {
    if (race.other_blocks)
        return "blocks run in any order: hand data on with __threadfence() and a flag or counter, use atomics, or split the kernel";
    const auto [first, second] = in_program_order(race);
    // The one that comes first stands behind the other in the source: they meet from round to round of a loop.
    const bool around = kind == RaceKind::rounds || first.op > second.op || first.line > second.line;
    const std::string where = kind == RaceKind::rounds ? "behind it, at the end of each round of the loop"
                              : around ? fmt::format("behind the {} too, before the next round comes", first.writes ? "write" : "read")
                                       : "between the two";
    if (race.in_warp && race.one_warp) return fmt::format("the lanes of a warp need not run in lockstep: put __syncwarp() {}", where);
    if (race.in_warp)
        return fmt::format("put __syncthreads() {}; __syncwarp() is enough where the lanes of one warp alone meet, which need not run in "
                           "lockstep",
                           where);
    return fmt::format("put __syncthreads() {}, where all threads of the block reach it", where);
}

} // namespace

RaceKind race_kind(const Race& race, Dataflow& dataflow) {
    const RaceSide& before = race.before;
    const RaceSide& now = race.now;
    const auto updates = [&](const RaceSide& side) {
        if (side.atomic) return true;
        return side.writes ? dataflow.load_of_update(side.op) != ptx::none : dataflow.begins_update(side.op);
    };
    if ((!before.atomic || !now.atomic) && updates(before) && updates(now)) return RaceKind::update;
    if (before.atomic || now.atomic) return RaceKind::statements;
    if (before.writes && now.writes) return before.op == now.op ? RaceKind::one_store : RaceKind::statements;
    const RaceSide& read = before.writes ? now : before;
    const RaceSide& write = before.writes ? before : now;
    if (dataflow.feeds(read.op, write.op)) return race.other_blocks || read.round == write.round ? RaceKind::in_place : RaceKind::rounds;
    return race.same_line && dataflow.load_of_update(write.op) != ptx::none ? RaceKind::rounds : RaceKind::statements; // unrolled
}

std::string race_remedy(const Race& race, RaceKind kind, Dataflow& dataflow) {
    switch (kind) {
    case RaceKind::update: return update_remedy(race, dataflow);
    case RaceKind::in_place: return in_place_remedy(race);
    case RaceKind::one_store: return "let one thread write (if (threadIdx.x == 0)), give each thread a place of its own, or use an atomic";
    case RaceKind::rounds:
    case RaceKind::statements: break;
    }
    return between_remedy(race, kind);
}

int race_weight(const Race& race, RaceKind kind) {
    return (race.other_blocks ? 8 : 0) + (kind == RaceKind::in_place || kind == RaceKind::update ? 4 : 0) + (race.in_warp ? 0 : 1);
}

} // namespace apod::emu
