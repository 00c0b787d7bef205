// What lies in the frame of the running function: .param space of functions (arguments, results, formal parameters), and alloca. On the
// GPU most of this stays in registers: no memory request, no event. The lowering has checked places and bounds.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// Element 0 of lane 0; the lanes follow each other at local_stride.
std::byte* frame_place(const WarpContext& warp, const Op& op) { return warp.local + warp.local_base + op.imm; }

template<class T, class S> void load_element(WarpContext& warp, const std::byte* from, OperandRef to, std::uint32_t mask) {
    using Extended = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<S>, S>;
    const std::size_t stride = warp.block->local_stride;
    auto* d = slot<S>(warp, to);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        T value;
        __builtin_memcpy(&value, from + l * stride, sizeof(T));
        d[l] = static_cast<S>(static_cast<Extended>(value));
    }
}

template<class T, class S> void store_element(WarpContext& warp, std::byte* to, OperandRef from, std::uint32_t mask) {
    const std::size_t stride = warp.block->local_stride;
    const auto* s = slot<S>(warp, from);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(__builtin_ctz(rest));
        const T value = static_cast<T>(s[l]);
        __builtin_memcpy(to + l * stride, &value, sizeof(T));
    }
}

template<class T> void load_frame(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const std::byte* from = frame_place(warp, op);
    const bool wide = sizeof(T) == 8 || (op.flags & flag_wide_register) != 0;
    for (unsigned i = 0; i < op.count; ++i, from += sizeof(T)) {
        const OperandRef to = op.count == 1 ? op.dst : warp.block->extra[op.extra + i];
        if (to == 0xffffffffu) continue; // sink
        if (wide)
            load_element<T, std::uint64_t>(warp, from, to, mask);
        else
            load_element<T, std::uint32_t>(warp, from, to, mask);
    }
}

template<class T> void store_frame(WarpContext& warp, const Op& op, std::uint32_t mask) {
    std::byte* to = frame_place(warp, op);
    const bool wide = sizeof(T) == 8 || (op.flags & flag_wide_register) != 0;
    for (unsigned i = 0; i < op.count; ++i, to += sizeof(T)) {
        const OperandRef from = op.count == 1 ? op.b : warp.block->extra[op.extra + i];
        if (wide)
            store_element<T, std::uint64_t>(warp, to, from, mask);
        else
            store_element<T, std::uint32_t>(warp, to, from, mask);
    }
}

template<class T> void add_loads(FormTable& table, const char* name) {
    table.add({name, load_frame<T>, load_frame<T>, ptx_type<T>, ptx::Type::none, ptx::Type::none, ptx::Type::none, OpClass::load_param});
}
template<class T> void add_stores(FormTable& table, const char* name) {
    table.add({name, store_frame<T>, store_frame<T>, ptx::Type::none, ptx::Type::none, ptx_type<T>, ptx::Type::none, OpClass::load_param});
}

// All lanes of a frame share its end: alloca takes as much as the lane that wants most. Op::imm is the alignment.
template<class T> void allocate_in_frame(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* size = slot<T>(warp, op.a);
    std::uint64_t most = 0;
    unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
    for (unsigned l = 0; l < lanes; ++l)
        if (lane_of(mask, l) && size[l] > most) {
            most = size[l];
            first = l;
        }
    const std::uint64_t align = static_cast<std::uint64_t>(op.imm);
    const std::uint64_t start = (warp.local_top + align - 1) / align * align;
    const std::uint64_t room = warp.block->local_bytes;
    if (start > room || most > room - start)
        return report_fault(warp, op, FaultKind::stack_overflow, MemorySpace::local, AccessKind::store, first, start + most, 0);
    warp.local_top = static_cast<std::uint32_t>((start + most + 15) / 16 * 16);
    auto* d = slot<T>(warp, op.dst);
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, static_cast<T>(start), d[l]);
}

template<class T> void save_frame_end(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<T>(warp, op.dst);
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, static_cast<T>(warp.local_top), d[l]);
}

// Lanes that are elsewhere may still use what these give back: the frame shrinks when all of the warp come by, or when it ends.
template<class T> void restore_frame_end(WarpContext& warp, const Op& op, std::uint32_t mask) {
    if (mask != warp.live) return;
    const auto* a = slot<T>(warp, op.a);
    std::uint64_t top = warp.local_base;
    for (unsigned l = 0; l < lanes; ++l)
        if (lane_of(mask, l) && a[l] > top) top = a[l];
    if (top < warp.local_top) warp.local_top = static_cast<std::uint32_t>(top);
}

template<class T> void add_stack_forms(FormTable& table, const char* alloca_name, const char* save, const char* restore) {
    using ptx::Type;
    table.add(
        {alloca_name, allocate_in_frame<T>, allocate_in_frame<T>, ptx_type<T>, ptx_type<T>, Type::none, Type::none, OpClass::int_add});
    table.add({save, save_frame_end<T>, save_frame_end<T>, ptx_type<T>, Type::none, Type::none, Type::none, OpClass::move});
    table.add({restore, restore_frame_end<T>, restore_frame_end<T>, Type::none, ptx_type<T>, Type::none, Type::none, OpClass::move});
}

} // namespace

void add_frame_forms(FormTable& table) {
    add_loads<std::uint8_t>(table, "ld.frame.u8");
    add_loads<std::int8_t>(table, "ld.frame.s8");
    add_loads<std::uint16_t>(table, "ld.frame.u16");
    add_loads<std::int16_t>(table, "ld.frame.s16");
    add_loads<std::uint32_t>(table, "ld.frame.u32");
    add_loads<std::int32_t>(table, "ld.frame.s32");
    add_loads<std::uint64_t>(table, "ld.frame.u64");
    add_loads<std::int64_t>(table, "ld.frame.s64");
    add_stores<std::uint8_t>(table, "st.frame.u8");
    add_stores<std::uint16_t>(table, "st.frame.u16");
    add_stores<std::uint32_t>(table, "st.frame.u32");
    add_stores<std::uint64_t>(table, "st.frame.u64");
    add_stack_forms<std::uint32_t>(table, "alloca.u32", "stacksave.u32", "stackrestore.u32");
    add_stack_forms<std::uint64_t>(table, "alloca.u64", "stacksave.u64", "stackrestore.u64");
}

} // namespace apod::emu::APOD_LANES
