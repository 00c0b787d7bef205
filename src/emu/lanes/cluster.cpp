// Addresses of other blocks of the cluster, and what writes there and tells an mbarrier of it: st.async and red.async take effect at once.
//
// st.async and red.async: Op::a the destination, Op::b the value (vectors: Op::count references in Code::extra at Op::extra), Op::c the
// slot of the mbarrier's addresses; Code::extra at Op::extra + 4 its offset and whether that slot is a 32-bit one.
#include "emu/lanes/atomic_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/mbarrier.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// The same place in the memory of block b: the window, if the address is generic, stays.
template<class T> void map_address(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* a = slot<T>(warp, op.a);
    const auto* rank = slot<std::uint32_t>(warp, op.b);
    auto* d = slot<T>(warp, op.dst);
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint64_t address = a[l];
        const std::uint64_t mapped = (address & (window_mask | shared_offset_mask)) | (std::uint64_t{rank[l]} + 1) << cluster_rank_shift;
        d[l] = lane_of(mask, l) ? static_cast<T>(mapped) : d[l];
    }
}

template<class T> void rank_of_address(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* a = slot<T>(warp, op.a);
    auto* d = slot<std::uint32_t>(warp, op.dst);
    for (unsigned l = 0; l < lanes; ++l) {
        const auto tag = static_cast<std::uint32_t>((a[l] & ~window_mask) >> cluster_rank_shift);
        d[l] = lane_of(mask, l) ? (tag == 0 ? warp.block->cluster_rank : tag - 1) : d[l];
    }
}

// Bytes of each lane have arrived where its mbarrier counts them.
void complete(WarpContext& warp, const Op& op, std::uint32_t mask, std::uint32_t bytes) {
    const std::uint32_t offset = warp.block->extra[op.extra + 4];
    const bool narrow = warp.block->extra[op.extra + 5] != 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        const std::uint64_t base = narrow ? slot<std::uint32_t>(warp, op.c)[l] : slot<std::uint64_t>(warp, op.c)[l];
        if (!complete_bytes(warp, op, l, base + static_cast<std::uint64_t>(static_cast<std::int32_t>(offset)), bytes)) return;
    }
}

template<class T> void store_async(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    const std::uint32_t bytes = op.count * sizeof(T);
    if (!reach_cluster(warp, op, request, mask, AccessKind::store, bytes)) return;
    for (unsigned i = 0; i < op.count; ++i) {
        const auto* value = slot<Slot<T>>(warp, warp.block->extra[op.extra + i]);
        for (unsigned l = 0; l < lanes; ++l)
            if (lane_of(mask, l)) __builtin_memcpy(reinterpret_cast<std::byte*>(request.address[l]) + i * sizeof(T), &value[l], sizeof(T));
    }
    complete(warp, op, mask, bytes);
}

template<class F, class T> void reduce_async(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    if (!reach_cluster(warp, op, request, mask, AccessKind::reduction, sizeof(T))) return;
    const auto* value = slot<Slot<T>>(warp, warp.block->extra[op.extra]);
    for (unsigned l = 0; l < lanes; ++l)
        if (lane_of(mask, l))
            (void)update<F, T, MemorySpace::shared>(reinterpret_cast<std::byte*>(request.address[l]), unpack<T>(value[l]), T{});
    complete(warp, op, mask, sizeof(T));
}

template<class F, class T> void add_reduction(FormTable& table, const char* name) {
    table.add({name, reduce_async<F, T>, reduce_async<F, T>, ptx::Type::none, ptx::Type::b64, ptx_type<T>, ptx::Type::b32,
               OpClass::atomic_shared});
}

} // namespace

void add_cluster_forms(FormTable& table) {
    using ptx::Type;
    table.add(
        {"mapa.u32", map_address<std::uint32_t>, map_address<std::uint32_t>, Type::b32, Type::b32, Type::b32, Type::none, OpClass::move});
    table.add(
        {"mapa.u64", map_address<std::uint64_t>, map_address<std::uint64_t>, Type::b64, Type::b64, Type::b32, Type::none, OpClass::move});
    table.add({"getctarank.u32", rank_of_address<std::uint32_t>, rank_of_address<std::uint32_t>, Type::b32, Type::b32, Type::none,
               Type::none, OpClass::move});
    table.add({"getctarank.u64", rank_of_address<std::uint64_t>, rank_of_address<std::uint64_t>, Type::b32, Type::b64, Type::none,
               Type::none, OpClass::move});
    table.add({"st.async.32", store_async<std::uint32_t>, store_async<std::uint32_t>, Type::none, Type::b64, Type::b32, Type::b32,
               OpClass::store_shared});
    table.add({"st.async.64", store_async<std::uint64_t>, store_async<std::uint64_t>, Type::none, Type::b64, Type::b64, Type::b32,
               OpClass::store_shared});
    add_reduction<AtomAdd, std::uint32_t>(table, "red.async.add.u32");
    add_reduction<AtomAdd, std::int32_t>(table, "red.async.add.s32");
    add_reduction<AtomAdd, std::uint64_t>(table, "red.async.add.u64");
    add_reduction<AtomMin, std::uint32_t>(table, "red.async.min.u32");
    add_reduction<AtomMin, std::int32_t>(table, "red.async.min.s32");
    add_reduction<AtomMax, std::uint32_t>(table, "red.async.max.u32");
    add_reduction<AtomMax, std::int32_t>(table, "red.async.max.s32");
    add_reduction<AtomIncrement, std::uint32_t>(table, "red.async.inc.u32");
    add_reduction<AtomDecrement, std::uint32_t>(table, "red.async.dec.u32");
    add_reduction<AtomAnd, std::uint32_t>(table, "red.async.and.b32");
    add_reduction<AtomOr, std::uint32_t>(table, "red.async.or.b32");
    add_reduction<AtomXor, std::uint32_t>(table, "red.async.xor.b32");
}

} // namespace apod::emu::APOD_LANES
