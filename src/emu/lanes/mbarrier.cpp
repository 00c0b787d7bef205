// mbarrier objects: 64-bit words of shared memory. Their layout is opaque in PTX; here: bits 0-19 arrivals still pending, 20-39 arrivals of
// a phase, 40-62 bytes still expected (two's complement), 63 parity of the current phase. A phase completes when nothing is pending and no
// bytes are expected.
#include "emu/lanes/mbarrier.hpp"

#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct Barrier {
    std::uint32_t pending = 0;
    std::uint32_t expected = 0;
    std::int32_t bytes = 0;
    bool parity = false;
};

Barrier decode(std::uint64_t word) {
    Barrier barrier;
    barrier.pending = static_cast<std::uint32_t>(word & 0xfffff);
    barrier.expected = static_cast<std::uint32_t>(word >> 20 & 0xfffff);
    barrier.bytes = static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 40 & 0x7fffff) << 9) >> 9;
    barrier.parity = word >> 63 != 0;
    return barrier;
}

std::uint64_t encode(const Barrier& barrier) {
    return (barrier.pending & 0xfffffu) | static_cast<std::uint64_t>(barrier.expected & 0xfffffu) << 20 |
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(barrier.bytes) & 0x7fffffu) << 40 |
           static_cast<std::uint64_t>(barrier.parity) << 63;
}

void complete_if_due(Barrier& barrier) {
    if (barrier.pending != 0 || barrier.bytes != 0) return;
    barrier.parity = !barrier.parity;
    barrier.pending = barrier.expected;
}

std::uint64_t load_word(const std::byte* at) {
    std::uint64_t word;
    __builtin_memcpy(&word, at, 8);
    return word;
}
void store_word(std::byte* at, std::uint64_t word) { __builtin_memcpy(at, &word, 8); }

// Lanes in turn; `change` sees the barrier, its old word and the lane.
template<class F> void each(WarpContext& warp, const Op& op, std::uint32_t mask, F change) {
    Request request;
    lane_addresses(warp, op, request);
    for (unsigned l = 0; l < lanes; ++l) // generic addresses of shared memory are welcome
        if ((request.address[l] & window_mask) == shared_window) request.address[l] &= ~window_mask;
    if (!reach_cluster(warp, op, request, mask, AccessKind::atomic, 8, true)) return; // no request of the load/store unit is counted
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        auto* at = reinterpret_cast<std::byte*>(request.address[l]);
        const std::uint64_t old = load_word(at);
        Barrier barrier = decode(old);
        change(barrier, old, l);
        const std::uint64_t now = encode(barrier);
        if (now != old) store_word(at, now);
    }
}

void initialise(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* count = slot<std::uint32_t>(warp, op.b);
    each(warp, op, mask, [&](Barrier& barrier, std::uint64_t, unsigned l) { barrier = {count[l], count[l], 0, false}; });
}

void invalidate(WarpContext& warp, const Op& op, std::uint32_t mask) {
    each(warp, op, mask, [](Barrier& barrier, std::uint64_t, unsigned) { barrier = {}; });
}

enum class Arrival { plain, drop, expect_tx, only_expect, only_complete };

template<Arrival A> void arrive(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* count = slot<std::uint32_t>(warp, op.b);
    auto* state = (op.flags & flag_no_result) != 0 ? nullptr : slot<std::uint64_t>(warp, op.dst);
    each(warp, op, mask, [&](Barrier& barrier, std::uint64_t old, unsigned l) {
        const auto bytes = static_cast<std::int32_t>(count[l]);
        if constexpr (A == Arrival::expect_tx || A == Arrival::only_expect) barrier.bytes += bytes;
        if constexpr (A == Arrival::only_complete) barrier.bytes -= bytes;
        if constexpr (A == Arrival::plain || A == Arrival::drop) {
            if constexpr (A == Arrival::drop) barrier.expected -= count[l];
            barrier.pending -= count[l];
        }
        if constexpr (A == Arrival::expect_tx) barrier.pending -= 1;
        if (state != nullptr) state[l] = old;
        if constexpr (A != Arrival::only_expect) complete_if_due(barrier);
    });
}

// Has the phase of `state` (or of the given parity) completed?
template<bool ByParity> void test(WarpContext& warp, const Op& op, std::uint32_t mask) {
    std::uint32_t done = 0;
    each(warp, op, mask, [&](Barrier& barrier, std::uint64_t, unsigned l) {
        bool parity = false;
        if constexpr (ByParity)
            parity = (slot<std::uint32_t>(warp, op.b)[l] & 1) != 0;
        else
            parity = slot<std::uint64_t>(warp, op.b)[l] >> 63 != 0;
        done |= static_cast<std::uint32_t>(barrier.parity != parity) << l;
    });
    set_predicate(warp, op.dst, done, mask);
}

void pending_count(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* state = slot<std::uint64_t>(warp, op.a);
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, decode(state[l]).pending, d[l]);
}

// cp.async.mbarrier.arrive: the lane's copies are done already. Without .noinc the arrival is counted in addition to those expected.
void arrive_after_copies(WarpContext& warp, const Op& op, std::uint32_t mask) {
    each(warp, op, mask, [&](Barrier& barrier, std::uint64_t, unsigned) {
        if (op.imm == 0) return; // pending is raised by one and lowered again
        barrier.pending -= 1;
        complete_if_due(barrier);
    });
}

} // namespace

bool complete_bytes(WarpContext& warp, const Op& op, unsigned lane, std::uint64_t address, std::uint32_t bytes) {
    if ((address & window_mask) == shared_window) address &= ~window_mask;
    FaultKind why = FaultKind::misaligned;
    std::byte* at = (address & 7) != 0 ? nullptr : cluster_place(warp, address, 8, why);
    if (at == nullptr) {
        report_fault(warp, op, why, MemorySpace::shared, AccessKind::atomic, lane, address, 8);
        return false;
    }
    Barrier barrier = decode(load_word(at));
    barrier.bytes -= static_cast<std::int32_t>(bytes);
    complete_if_due(barrier);
    store_word(at, encode(barrier));
    return true;
}

void add_mbarrier_forms(FormTable& table) {
    using ptx::Type;
    const auto add = [&](const char* name, Handler handler, Type dst, Type b) {
        table.add({name, handler, handler, dst, Type::b64, b, Type::none, OpClass::barrier});
    };
    add("mbarrier.init", initialise, Type::none, Type::b32);
    add("mbarrier.inval", invalidate, Type::none, Type::none);
    add("mbarrier.arrive", arrive<Arrival::plain>, Type::b64, Type::b32);
    add("mbarrier.arrive_drop", arrive<Arrival::drop>, Type::b64, Type::b32);
    add("mbarrier.arrive.expect_tx", arrive<Arrival::expect_tx>, Type::b64, Type::b32);
    add("mbarrier.expect_tx", arrive<Arrival::only_expect>, Type::none, Type::b32);
    add("mbarrier.complete_tx", arrive<Arrival::only_complete>, Type::none, Type::b32);
    add("mbarrier.test", test<false>, Type::pred, Type::b64);
    add("mbarrier.test.parity", test<true>, Type::pred, Type::b32);
    table.add({"mbarrier.pending_count", pending_count, pending_count, Type::b32, Type::b64, Type::none, Type::none, OpClass::other});
    add("cp.async.mbarrier.arrive", arrive_after_copies, Type::none, Type::none);
}

} // namespace apod::emu::APOD_LANES
