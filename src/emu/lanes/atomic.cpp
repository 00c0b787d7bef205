// atom and red on global, shared and generic addresses. Lanes take effect in ascending order; across worker threads each update is atomic.
#include "emu/lanes/atomic_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

template<class F, class T, MemorySpace Space>
void update_lanes(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask) {
    const auto* b = slot<Slot<T>>(warp, op.b);
    const auto* c = slot<Slot<T>>(warp, op.c);
    auto* d = (op.flags & flag_no_result) != 0 ? nullptr : slot<Slot<T>>(warp, op.dst);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        const T old =
            update<InSpace<F, T, Space>, T, Space>(reinterpret_cast<std::byte*>(request.address[l]), unpack<T>(b[l]), unpack<T>(c[l]));
        if (d != nullptr) d[l] = pack<T>(old);
    }
}

AccessKind kind_of(const Op& op) { return (op.flags & flag_no_result) != 0 ? AccessKind::reduction : AccessKind::atomic; }

template<class F, class T, MemorySpace Space> void atomic_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    describe(request, mask, sizeof(T));
    if (!admit<Space>(warp, op, request, mask, kind_of(op), sizeof(T))) return;
    tell(warp, op, request, mask, Space, kind_of(op), sizeof(T));
    for (unsigned l = 0; l < lanes; ++l)
        if (lane_of(mask, l)) request.address[l] = reinterpret_cast<std::uint64_t>(host_address<Space>(warp, l, request.address[l]));
    update_lanes<F, T, Space>(warp, op, request, mask);
}

// Shared memory of any block of the cluster.
template<class F, class T> void atomic_cluster_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    if (reach_cluster(warp, op, request, mask, kind_of(op), sizeof(T))) update_lanes<F, T, MemorySpace::shared>(warp, op, request, mask);
}

template<class F, class T, MemorySpace Space> void atomic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    atomic_described<F, T, Space>(warp, op, request, mask);
}

template<class F, class T> void atomic_cluster(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    atomic_cluster_described<F, T>(warp, op, request, mask);
}

template<class F, class T> void atomic_generic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    by_window(
        request, mask, [&]<MemorySpace Space>(std::uint32_t part) { atomic_described<F, T, Space>(warp, op, request, part); },
        [&](std::uint32_t part) { atomic_cluster_described<F, T>(warp, op, request, part); });
}

// "atom.<space>." + what. red has the same forms: the lowering sets flag_no_result.
template<class F, class T> void add_atomic(FormTable& table, const char* what, bool three = false) {
    const auto add = [&](const char* stem, Handler handler, OpClass op_class) {
        table.add({FormName(stem, what), handler, handler, ptx_type<T>, ptx::Type::b64, ptx_type<T>, three ? ptx_type<T> : ptx::Type::none,
                   op_class});
    };
    add("atom.global.", atomic<F, T, MemorySpace::global>, OpClass::atomic_global);
    add("atom.shared.", atomic<F, T, MemorySpace::shared>, OpClass::atomic_shared);
    add("atom.cluster.", atomic_cluster<F, T>, OpClass::atomic_shared);
    add("atom.generic.", atomic_generic<F, T>, OpClass::atomic_generic);
}

template<class T> void add_bitwise_atomics(FormTable& table, const char* type) {
    add_atomic<AtomAnd, T>(table, FormName("and.", type));
    add_atomic<AtomOr, T>(table, FormName("or.", type));
    add_atomic<AtomXor, T>(table, FormName("xor.", type));
    add_atomic<AtomExchange, T>(table, FormName("exch.", type));
    add_atomic<AtomCompareSwap, T>(table, FormName("cas.", type), true);
}

template<class T> void add_integer_atomics(FormTable& table, const char* type) {
    if constexpr (!std::is_same_v<T, std::int64_t>) add_atomic<AtomAdd, T>(table, FormName("add.", type)); // PTX has no add.s64
    add_atomic<AtomMin, T>(table, FormName("min.", type));
    add_atomic<AtomMax, T>(table, FormName("max.", type));
}

} // namespace

void add_atomic_forms(FormTable& table) {
    add_integer_atomics<std::uint32_t>(table, "u32");
    add_integer_atomics<std::int32_t>(table, "s32");
    add_integer_atomics<std::uint64_t>(table, "u64");
    add_integer_atomics<std::int64_t>(table, "s64");
    add_bitwise_atomics<std::uint32_t>(table, "b32");
    add_bitwise_atomics<std::uint64_t>(table, "b64");
    add_atomic<AtomAdd, float>(table, "add.f32");
    add_atomic<AtomAdd, double>(table, "add.f64");
    add_atomic<AtomIncrement, std::uint32_t>(table, "inc.u32");
    add_atomic<AtomDecrement, std::uint32_t>(table, "dec.u32");
    add_atomic<AtomCompareSwap, std::uint16_t>(table, "cas.b16", true);
    add_atomic<AtomElement<HAdd>, Half>(table, "add.f16");
    add_atomic<AtomElement<HAdd>, BFloat>(table, "add.bf16");
    add_atomic<AtomElement<HAdd>, Two<Half>>(table, "add.f16x2");
    add_atomic<AtomElement<HAdd>, Two<BFloat>>(table, "add.bf16x2");
}

} // namespace apod::emu::APOD_LANES
