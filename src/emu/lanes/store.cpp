// st in every space. Op::b, or the references in extra for vectors, hold the values.
#include "emu/lanes/gather.hpp"
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

template<class T> void write(std::byte* to, T value) { __builtin_memcpy(to, &value, sizeof(T)); }

template<class T, class S, MemorySpace Space>
void put_element(WarpContext& warp, const Request& request, std::uint32_t mask, OperandRef from, unsigned element, unsigned count) {
    const auto* s = slot<S>(warp, from);
    if (Space != MemorySpace::local && request.pattern == Pattern::contiguous) {
        std::byte* to = host_address<Space>(warp, 0, request.address[0]) + element * sizeof(T);
        if (count == 1) {
            APOD_LANE_LOOP
            for (unsigned l = 0; l < lanes; ++l) write<T>(to + l * sizeof(T), static_cast<T>(s[l]));
        } else {
            for (unsigned l = 0; l < lanes; ++l) write<T>(to + l * count * sizeof(T), static_cast<T>(s[l]));
        }
        return;
    }
    const Places<Space> places(warp, request);
    scatter<T, S>(places.base + element * sizeof(T), places.offset, s, mask);
}

template<MemorySpace Space> void put_quad(WarpContext& warp, const Request& request, std::uint32_t mask, OperandRef from) {
    const auto* s = slot<Quad>(warp, from);
    const Places<Space> places(warp, request);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        write<Quad>(place(places.base, places.offset[l]), s[l]);
    }
}

template<class T, MemorySpace Space> void put(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask) {
    [[maybe_unused]] const bool wide = (op.flags & flag_wide_register) != 0;
    for (unsigned i = 0; i < op.count; ++i) {
        const OperandRef from = op.count == 1 ? op.b : warp.block->extra[op.extra + i];
        if constexpr (sizeof(T) == sizeof(Quad))
            put_quad<Space>(warp, request, mask, from);
        else if constexpr (sizeof(T) == 8)
            put_element<T, std::uint64_t, Space>(warp, request, mask, from, i, op.count);
        else if (wide)
            put_element<T, std::uint64_t, Space>(warp, request, mask, from, i, op.count);
        else
            put_element<T, std::uint32_t, Space>(warp, request, mask, from, i, op.count);
    }
}

template<class T, MemorySpace Space> void store_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    const std::uint32_t bytes = sizeof(T) * op.count;
    describe(request, mask, bytes);
    if (!admit<Space>(warp, op, request, mask, AccessKind::store, bytes)) return;
    tell(warp, op, request, mask, Space, AccessKind::store, bytes);
    put<T, Space>(warp, op, request, mask);
}

// Shared memory of any block of the cluster.
template<class T> void store_cluster_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    if (reach_cluster(warp, op, request, mask, AccessKind::store, sizeof(T) * op.count))
        put<T, MemorySpace::global>(warp, op, request, mask);
}

template<class T> void store_cluster(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    store_cluster_described<T>(warp, op, request, mask);
}

template<class T, MemorySpace Space> void store(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    store_described<T, Space>(warp, op, request, mask);
}

template<class T> void store_generic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    by_window(
        request, mask, [&]<MemorySpace Space>(std::uint32_t part) { store_described<T, Space>(warp, op, request, part); },
        [&](std::uint32_t part) { store_cluster_described<T>(warp, op, request, part); });
}

template<class T> void add_stores(FormTable& table, const char* type) {
    const auto add = [&](const char* stem, Handler handler, OpClass op_class) {
        table.add({FormName(stem, type), handler, handler, ptx::Type::none, ptx::Type::b64, ptx_type<T>, ptx::Type::none, op_class});
    };
    add("st.global.", store<T, MemorySpace::global>, OpClass::store_global);
    add("st.shared.", store<T, MemorySpace::shared>, OpClass::store_shared);
    add("st.cluster.", store_cluster<T>, OpClass::store_shared);
    add("st.local.", store<T, MemorySpace::local>, OpClass::store_local);
    add("st.generic.", store_generic<T>, OpClass::store_generic);
}

} // namespace

void add_store_forms(FormTable& table) {
    add_stores<std::uint8_t>(table, "u8");
    add_stores<std::uint16_t>(table, "u16");
    add_stores<std::uint32_t>(table, "u32");
    add_stores<std::uint64_t>(table, "u64");
    add_stores<Quad>(table, "b128");
}

} // namespace apod::emu::APOD_LANES
