// cp.reduce.async.bulk: bytes of the block's shared memory are combined, element by element, with global memory or with shared memory of
// the cluster. Like a bulk copy it takes effect at once. Operands are those of cp.async.bulk (async_copy.cpp).
#include "emu/lanes/atomic_functions.hpp"
#include "emu/lanes/bulk.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/mbarrier.hpp"
#include "emu/lanes/names.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// Other threads may update the same elements: each is one atomic update, the whole is none.
template<class F, class T, MemorySpace To> void combine(std::byte* to, const std::byte* from, std::uint32_t bytes) {
    for (std::uint32_t at = 0; at < bytes; at += sizeof(T)) {
        T value;
        __builtin_memcpy(&value, from + at, sizeof(T));
        (void)update<InSpace<F, T, To>, T, To>(to + at, value, T{});
    }
}

template<class F, class T> void reduce_out(WarpContext& warp, const Op& op, std::uint32_t mask) {
    bulk_out(warp, op, mask, AccessKind::reduction, combine<F, T, MemorySpace::global>);
}

template<class F, class T> void reduce_in(WarpContext& warp, const Op& op, std::uint32_t mask) {
    for_each_bulk(warp, op, mask, [&](unsigned l, std::uint32_t bytes, std::uint64_t to, const BulkOperands& operands) {
        const std::uint64_t address = bulk_address(warp, op.b, operands.narrow, operands.offset, l);
        const std::byte* from = bulk_place(warp, op, MemorySpace::shared, address, bytes, l, AccessKind::load);
        if (from == nullptr) return false;
        std::byte* target = bulk_place(warp, op, MemorySpace::shared, to, bytes, l, AccessKind::reduction);
        if (target == nullptr) return false;
        combine<F, T, MemorySpace::shared>(target, from, bytes);
        const std::uint64_t barrier = bulk_address(warp, operands.barrier, operands.barrier_narrow, operands.barrier_offset, l);
        return complete_bytes(warp, op, l, barrier, bytes);
    });
}

template<class F, class T> void add_out(FormTable& table, const char* what) {
    using ptx::Type;
    table.add({Name("cp.reduce.async.bulk.store.", what), reduce_out<F, T>, reduce_out<F, T>, Type::none, Type::b64, Type::b64, Type::b32,
               OpClass::async_copy});
}
template<class F, class T> void add_both(FormTable& table, const char* what) {
    using ptx::Type;
    add_out<F, T>(table, what);
    table.add({Name("cp.reduce.async.bulk.share.", what), reduce_in<F, T>, reduce_in<F, T>, Type::none, Type::b64, Type::b64, Type::b32,
               OpClass::async_copy});
}

} // namespace

// What ptxas takes for sm_90.
void add_bulk_reduce_forms(FormTable& table) {
    add_both<AtomAnd, std::uint32_t>(table, "and.b32");
    add_both<AtomOr, std::uint32_t>(table, "or.b32");
    add_both<AtomXor, std::uint32_t>(table, "xor.b32");
    add_both<AtomIncrement, std::uint32_t>(table, "inc.u32");
    add_both<AtomDecrement, std::uint32_t>(table, "dec.u32");
    add_both<AtomAdd, std::uint32_t>(table, "add.u32");
    add_both<AtomAdd, std::int32_t>(table, "add.s32");
    add_both<AtomAdd, std::uint64_t>(table, "add.u64");
    add_both<AtomMin, std::uint32_t>(table, "min.u32");
    add_both<AtomMin, std::int32_t>(table, "min.s32");
    add_both<AtomMax, std::uint32_t>(table, "max.u32");
    add_both<AtomMax, std::int32_t>(table, "max.s32");
    add_out<AtomAnd, std::uint64_t>(table, "and.b64");
    add_out<AtomOr, std::uint64_t>(table, "or.b64");
    add_out<AtomXor, std::uint64_t>(table, "xor.b64");
    add_out<AtomMin, std::uint64_t>(table, "min.u64");
    add_out<AtomMin, std::int64_t>(table, "min.s64");
    add_out<AtomMax, std::uint64_t>(table, "max.u64");
    add_out<AtomMax, std::int64_t>(table, "max.s64");
    add_out<AtomAdd, float>(table, "add.f32");
    add_out<AtomAdd, double>(table, "add.f64");
    add_out<AtomElement<HAdd>, Half>(table, "add.noftz.f16");
    add_out<AtomElement<HAdd>, BFloat>(table, "add.noftz.bf16");
    add_out<AtomElement<ByFloat<FMin>>, Half>(table, "min.f16");
    add_out<AtomElement<ByFloat<FMin>>, BFloat>(table, "min.bf16");
    add_out<AtomElement<ByFloat<FMax>>, Half>(table, "max.f16");
    add_out<AtomElement<ByFloat<FMax>>, BFloat>(table, "max.bf16");
}

} // namespace apod::emu::APOD_LANES
