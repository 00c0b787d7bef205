// ld in every space. Forms are "ld.<space>.<element>"; vectors, 32-bit addresses and wide destination registers are flags of the op.
#include "emu/lanes/gather.hpp"
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

template<class T> T read(const std::byte* from) {
    T value;
    __builtin_memcpy(&value, from, sizeof(T));
    return value;
}

// One element of the request into one register.
template<class T, class S, MemorySpace Space>
void deliver_element(WarpContext& warp, const Request& request, std::uint32_t mask, OperandRef to, unsigned element, unsigned count) {
    auto* d = slot<S>(warp, to);
    using Extended = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<S>, S>;
    if (Space != MemorySpace::local && request.pattern == Pattern::contiguous) {
        const std::byte* from = host_address<Space>(warp, 0, request.address[0]) + element * sizeof(T);
        if (count == 1) {
            APOD_LANE_LOOP
            for (unsigned l = 0; l < lanes; ++l) d[l] = static_cast<S>(static_cast<Extended>(read<T>(from + l * sizeof(T))));
        } else {
            for (unsigned l = 0; l < lanes; ++l) d[l] = static_cast<S>(static_cast<Extended>(read<T>(from + l * count * sizeof(T))));
        }
        return;
    }
    if (Space != MemorySpace::local && request.pattern == Pattern::uniform) {
        const unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
        const T value = read<T>(host_address<Space>(warp, first, request.address[first]) + element * sizeof(T));
        const S wide = static_cast<S>(static_cast<Extended>(value));
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, wide, d[l]);
        return;
    }
    const Places<Space> places(warp, request);
    gather<T, S>(d, places.base + element * sizeof(T), places.offset, mask);
}

template<MemorySpace Space> void deliver_quad(WarpContext& warp, const Request& request, std::uint32_t mask, OperandRef to) {
    auto* d = slot<Quad>(warp, to);
    const Places<Space> places(warp, request);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        d[l] = read<Quad>(place(places.base, places.offset[l]));
    }
}

template<class T, MemorySpace Space> void deliver(WarpContext& warp, const Op& op, const Request& request, std::uint32_t mask) {
    [[maybe_unused]] const bool wide = (op.flags & flag_wide_register) != 0;
    for (unsigned i = 0; i < op.count; ++i) {
        const OperandRef to = op.count == 1 ? op.dst : warp.block->extra[op.extra + i];
        if (to == 0xffffffffu) continue; // sink
        if constexpr (sizeof(T) == sizeof(Quad))
            deliver_quad<Space>(warp, request, mask, to);
        else if constexpr (sizeof(T) == 8)
            deliver_element<T, std::uint64_t, Space>(warp, request, mask, to, i, op.count);
        else if (wide)
            deliver_element<T, std::uint64_t, Space>(warp, request, mask, to, i, op.count);
        else
            deliver_element<T, std::uint32_t, Space>(warp, request, mask, to, i, op.count);
    }
}

template<class T, MemorySpace Space> void load_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    const std::uint32_t bytes = sizeof(T) * op.count;
    describe(request, mask, bytes);
    if (!admit<Space>(warp, op, request, mask, AccessKind::load, bytes)) return;
    tell(warp, op, request, mask, Space, AccessKind::load, bytes);
    deliver<T, Space>(warp, op, request, mask);
}

// Shared memory of any block of the cluster.
template<class T> void load_cluster_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    if (reach_cluster(warp, op, request, mask, AccessKind::load, sizeof(T) * op.count))
        deliver<T, MemorySpace::global>(warp, op, request, mask);
}

template<class T> void load_cluster(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    load_cluster_described<T>(warp, op, request, mask);
}

template<class T, MemorySpace Space> void load(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    load_described<T, Space>(warp, op, request, mask);
}

// Kernel parameters at an address computed at run time: the launch's parameter block. No memory request of the device.
template<class T> void load_parameter_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    const std::uint32_t bytes = sizeof(T) * op.count;
    describe(request, mask, bytes);
    if ((request.low_bits & (bytes - 1)) != 0) return misaligned(warp, op, request, mask, MemorySpace::constant, AccessKind::load, bytes);
    if (!ends_within(request, bytes, warp.block->parameter_bytes)) {
        const unsigned lane = first_lane_where(
            request, mask, [&](std::uint64_t a) { return a > warp.block->parameter_bytes || a + bytes > warp.block->parameter_bytes; });
        return report_fault(warp, op, FaultKind::out_of_bounds, MemorySpace::constant, AccessKind::load, lane, request.address[lane],
                            bytes);
    }
    for (unsigned l = 0; l < lanes; ++l) request.address[l] += reinterpret_cast<std::uint64_t>(warp.block->parameters);
    deliver<T, MemorySpace::constant>(warp, op, request, mask);
}

template<class T> void load_parameter(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    load_parameter_described<T>(warp, op, request, mask);
}

// Lanes whose addresses cvta.param made read the kernel's parameters; the others go by window.
template<class T> void load_generic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    std::uint32_t parameters = 0;
    for (unsigned l = 0; l < lanes; ++l)
        parameters |= static_cast<std::uint32_t>((request.address[l] & window_mask) == parameter_window) << l;
    parameters &= mask;
    if (parameters != 0) [[unlikely]] {
        Request own = request;
        for (unsigned l = 0; l < lanes; ++l) own.address[l] &= ~window_mask;
        load_parameter_described<T>(warp, op, own, parameters);
        mask &= ~parameters;
        if (mask == 0) return;
    }
    by_window(
        request, mask, [&]<MemorySpace Space>(std::uint32_t part) { load_described<T, Space>(warp, op, request, part); },
        [&](std::uint32_t part) { load_cluster_described<T>(warp, op, request, part); });
}

template<class T> void add_loads(FormTable& table, const char* type) {
    const auto add = [&](const char* stem, Handler handler, OpClass op_class) {
        table.add({FormName(stem, type), handler, handler, ptx_type<T>, ptx::Type::b64, ptx::Type::none, ptx::Type::none, op_class});
    };
    add("ld.global.", load<T, MemorySpace::global>, OpClass::load_global);
    add("ld.shared.", load<T, MemorySpace::shared>, OpClass::load_shared);
    add("ld.cluster.", load_cluster<T>, OpClass::load_shared);
    add("ld.local.", load<T, MemorySpace::local>, OpClass::load_local);
    add("ld.const.", load<T, MemorySpace::constant>, OpClass::load_constant);
    add("ld.generic.", load_generic<T>, OpClass::load_generic);
    add("ld.param.", load_parameter<T>, OpClass::load_param);
}

} // namespace

void add_load_forms(FormTable& table) {
    add_loads<std::uint8_t>(table, "u8");
    add_loads<std::int8_t>(table, "s8");
    add_loads<std::uint16_t>(table, "u16");
    add_loads<std::int16_t>(table, "s16");
    add_loads<std::uint32_t>(table, "u32");
    add_loads<std::int32_t>(table, "s32");
    add_loads<std::uint64_t>(table, "u64");
    add_loads<std::int64_t>(table, "s64");
    add_loads<Quad>(table, "b128");
}

} // namespace apod::emu::APOD_LANES
