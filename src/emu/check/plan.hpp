// What the checks need to know of each op, taken from its PTX instruction once per launch: which registers it reads and writes, how
// pointers pass through it, which memory it touches and how strongly.
#pragma once

#include "emu/check/allocations.hpp"
#include "emu/check/clocks.hpp"
#include "emu/code.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apod::emu {

// What the shadow of an op's results and its accesses follow from.
enum class Act : std::uint8_t {
    registers, // nothing but registers, see Flow
    parameter, // reads a kernel parameter
    load,
    store,
    atomic,
    frame_load, // .param space of functions
    frame_store,
    copy_async,
    async_commit,
    async_wait,
    async_arrive, // cp.async.mbarrier.arrive
    bulk_copy,
    tile, // wmma.load, wmma.store
    rows, // ldmatrix, stmatrix
    mbarrier,
    fence,
    unchecked // its memory is not followed; results count as initialised
};

enum class Flow : std::uint8_t {
    other, // no pointer comes out of it that checks would follow
    copy,  // mov, cvta, widening and narrowing
    add,   // a + b
    subtract,
    multiply_add, // a * b + c
    keep,         // and, or, xor, lop3: the pointer stays the one that it was
    select,       // selp
    shuffle,
    split, // mov {a, b}, c
    join,  // mov c, {a, b}
    both,  // and.pred: the result is known when one side is false
    either // or.pred
};

struct PlanValue {
    enum class Kind : std::uint8_t { constant, narrow, wide, quad, predicate, object, frame_variable, nowhere };
    Kind kind = Kind::constant;
    bool negated = false;
    std::uint32_t at = 0; // 128-byte unit of the warp's registers, predicate slot, ObjectId, or index into Plans::locals
    [[nodiscard]] bool in_register() const { return kind == Kind::narrow || kind == Kind::wide || kind == Kind::quad; }
};

struct OpPlan {
    Handler original = nullptr; // takes any mask
    Act act = Act::registers;
    Flow flow = Flow::other;
    MemorySpace space = MemorySpace::global;
    bool generic = false;
    bool strong = false;     // atomic, volatile, relaxed, ...
    bool optimistic = false; // a plain load whose value a compare-and-swap at the same place confirms
    bool acquires = false;
    bool releases = false;
    bool arithmetic = true;  // what is not initialised among its sources is used, not only passed on
    bool is_store = false;   // tile, rows, bulk_copy: into memory
    bool unguarded = false;  // the warp loop has applied the guard
    bool has_result = false; // atomic
    FenceScope scope = FenceScope::device;
    std::uint32_t bytes = 0;    // of an element
    std::uint32_t elements = 1; // of a vector
    std::int32_t wait_for = 0;  // async_wait: groups that may be under way
    std::uint32_t group = 0;    // loads that together copy one structure, from 1; 0: none
    bool group_ends = false;
    std::uint32_t first = 0; // into Plans::values: results, then sources
    std::uint8_t results = 0;
    std::uint8_t sources = 0;
    PlanValue address;
    PlanValue second_address; // the global side of copies
};

// A local variable of a function: the depot.
struct LocalVariable {
    std::string name;
    std::uint64_t offset = 0; // in the frame
    std::uint64_t bytes = 0;
};

// A variable in shared or local memory, as accesses through its address are held against it.
struct CheckedObject {
    MemorySpace space = MemorySpace::shared;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    std::string name;
};

// Ids of these; those below are of Allocations.
inline constexpr ObjectId object_flag = 0x80000000u;

struct Plans {
    std::vector<OpPlan> ops; // by Op::index
    std::vector<PlanValue> values;
    std::vector<LocalVariable> locals;
    std::vector<CheckedObject> objects;
    std::uint32_t groups = 0;
    std::vector<std::vector<std::uint32_t>> unwritten;            // by function: units that may be read before they are written
    std::vector<std::vector<std::uint32_t>> unwritten_predicates; // by function

    [[nodiscard]] const PlanValue* results(const OpPlan& plan) const { return values.data() + plan.first; }
    [[nodiscard]] const PlanValue* sources(const OpPlan& plan) const { return values.data() + plan.first + plan.results; }
};

[[nodiscard]] Plans make_plans(const Program& program, const Allocations& allocations, std::uint32_t dynamic_shared_bytes);

} // namespace apod::emu
