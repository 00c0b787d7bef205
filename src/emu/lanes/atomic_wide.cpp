// Atomics on more than one register: vectors in global memory, whose elements are updated one by one, and 128 bits.
//
// Vectors: Op::count elements; Code::extra at Op::extra holds the results, then the values. 128 bits: Op::b, Op::c and Op::dst are quad
// slots.
#include "emu/lanes/atomic_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

AccessKind kind_of(const Op& op) { return (op.flags & flag_no_result) != 0 ? AccessKind::reduction : AccessKind::atomic; }

template<class F, class T> void update_vectors(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask) {
    const std::uint32_t* results = warp.block->extra + op.extra;
    const std::uint32_t* values = results + op.count;
    const bool wanted = (op.flags & flag_no_result) == 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        T old[8];
        for (unsigned i = 0; i < op.count; ++i) // all values are read before a result may take a value's register
            old[i] = update<InSpace<F, T, MemorySpace::global>, T, MemorySpace::global>(
                reinterpret_cast<std::byte*>(request.address[l] + i * sizeof(T)), unpack<T>(slot<Slot<T>>(warp, values[i])[l]), T{});
        for (unsigned i = 0; wanted && i < op.count; ++i)
            if (results[i] != 0xffffffffu) slot<Slot<T>>(warp, results[i])[l] = pack<T>(old[i]);
    }
}

template<class F, class T> void atomic_vector(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    const std::uint32_t bytes = op.count * sizeof(T);
    describe(request, mask, bytes);
    if (!admit<MemorySpace::global>(warp, op, request, mask, kind_of(op), bytes)) return;
    tell(warp, op, request, mask, MemorySpace::global, kind_of(op), bytes);
    update_vectors<F, T>(warp, op, request, mask);
}

struct Wide {
    std::uint64_t low, high;
};

// Other worker threads may update the same 16 bytes. Processors without a 16-byte compare and swap need a lock, so all take it.
char wide_lock = 0;

template<bool Compares> void update_wide(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask) {
    const auto* b = slot<Wide>(warp, op.b);
    const auto* c = slot<Wide>(warp, op.c);
    auto* d = (op.flags & flag_no_result) != 0 ? nullptr : slot<Wide>(warp, op.dst);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        auto* at = reinterpret_cast<Wide*>(request.address[l]);
        while (__atomic_test_and_set(&wide_lock, __ATOMIC_ACQUIRE)) {
        }
        const Wide old = *at;
        const bool same = old.low == b[l].low && old.high == b[l].high;
        if (!Compares || same) *at = Compares ? c[l] : b[l];
        __atomic_clear(&wide_lock, __ATOMIC_RELEASE);
        if (d != nullptr) d[l] = old;
    }
}

template<bool Compares, MemorySpace Space> void wide_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    describe(request, mask, sizeof(Wide));
    if (!admit<Space>(warp, op, request, mask, kind_of(op), sizeof(Wide))) return;
    tell(warp, op, request, mask, Space, kind_of(op), sizeof(Wide));
    for (unsigned l = 0; l < lanes; ++l)
        if (lane_of(mask, l)) request.address[l] = reinterpret_cast<std::uint64_t>(host_address<Space>(warp, l, request.address[l]));
    update_wide<Compares>(warp, op, request, mask);
}

template<bool Compares> void wide_cluster_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    if (reach_cluster(warp, op, request, mask, kind_of(op), sizeof(Wide))) update_wide<Compares>(warp, op, request, mask);
}

template<bool Compares, MemorySpace Space> void wide(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    wide_described<Compares, Space>(warp, op, request, mask);
}

template<bool Compares> void wide_cluster(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    wide_cluster_described<Compares>(warp, op, request, mask);
}

template<bool Compares> void wide_generic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    by_window(
        request, mask, [&]<MemorySpace Space>(std::uint32_t part) { wide_described<Compares, Space>(warp, op, request, part); },
        [&](std::uint32_t part) { wide_cluster_described<Compares>(warp, op, request, part); });
}

template<bool Compares> void add_wide(FormTable& table, const char* what) {
    using ptx::Type;
    const auto add = [&](const char* stem, Handler handler, OpClass op_class) {
        table.add(
            {Name(stem, what, ".b128"), handler, handler, Type::b128, Type::b64, Type::b128, Compares ? Type::b128 : Type::none, op_class});
    };
    add("atom.global.", wide<Compares, MemorySpace::global>, OpClass::atomic_global);
    add("atom.shared.", wide<Compares, MemorySpace::shared>, OpClass::atomic_shared);
    add("atom.cluster.", wide_cluster<Compares>, OpClass::atomic_shared);
    add("atom.generic.", wide_generic<Compares>, OpClass::atomic_generic);
}

template<class F, class T> void add_vector(FormTable& table, const char* what, const char* type) {
    table.add({Name("atomv.global.", what, type), atomic_vector<F, T>, atomic_vector<F, T>, ptx_type<T>, ptx::Type::b64, ptx_type<T>,
               ptx::Type::none, OpClass::atomic_global});
}

template<class E> void add_element_vectors(FormTable& table, const char* type) {
    add_vector<AtomElement<HAdd>, E>(table, "add.", type);
    add_vector<AtomElement<ByFloat<FMin>>, E>(table, "min.", type);
    add_vector<AtomElement<ByFloat<FMax>>, E>(table, "max.", type);
}

} // namespace

void add_wide_atomic_forms(FormTable& table) {
    add_wide<false>(table, "exch");
    add_wide<true>(table, "cas");
    add_vector<AtomAdd, float>(table, "add.", "f32");
    add_element_vectors<Half>(table, "f16");
    add_element_vectors<BFloat>(table, "bf16");
    add_element_vectors<Two<Half>>(table, "f16x2");
    add_element_vectors<Two<BFloat>>(table, "bf16x2");
}

} // namespace apod::emu::APOD_LANES
