// atom and red on global, shared and generic addresses. Lanes take effect in ascending order; across worker threads each update is atomic.
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// New value from the old one and the operands.
struct AtomAdd {
    template<class T> static T apply(T old, T b, T) {
        if constexpr (std::is_integral_v<T>)
            return Add::apply<T>(old, b);
        else
            return FAdd::apply<T>(old, b);
    }
};
struct AtomMin {
    template<class T> static T apply(T old, T b, T) { return Min::apply<T>(old, b); }
};
struct AtomMax {
    template<class T> static T apply(T old, T b, T) { return Max::apply<T>(old, b); }
};
struct AtomAnd {
    template<class T> static T apply(T old, T b, T) { return old & b; }
};
struct AtomOr {
    template<class T> static T apply(T old, T b, T) { return old | b; }
};
struct AtomXor {
    template<class T> static T apply(T old, T b, T) { return old ^ b; }
};
struct AtomExchange {
    template<class T> static T apply(T, T b, T) { return b; }
};
struct AtomCompareSwap {
    template<class T> static T apply(T old, T b, T c) { return old == b ? c : old; }
};
struct AtomIncrement {
    template<class T> static T apply(T old, T b, T) { return old >= b ? T{0} : old + 1; }
};
struct AtomDecrement {
    template<class T> static T apply(T old, T b, T) { return old == 0 || old > b ? b : old - 1; }
};

// Shared memory belongs to one block, which one thread runs: no host atomics needed.
template<class F, class T, MemorySpace Space> T update(std::byte* at, T b, T c) {
    using S = Slot<T>;
    auto* word = reinterpret_cast<S*>(at);
    if constexpr (Space == MemorySpace::global) {
        S old = __atomic_load_n(word, __ATOMIC_RELAXED);
        for (;;) {
            const S wanted = __builtin_bit_cast(S, F::template apply<T>(__builtin_bit_cast(T, old), b, c));
            if (__atomic_compare_exchange_n(word, &old, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
                return __builtin_bit_cast(T, old);
        }
    } else {
        const T old = __builtin_bit_cast(T, *word);
        *word = __builtin_bit_cast(S, F::template apply<T>(old, b, c));
        return old;
    }
}

template<class F, class T, MemorySpace Space> void atomic_described(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask) {
    describe(request, mask, sizeof(T));
    const bool reduction = (op.flags & flag_no_result) != 0;
    const AccessKind kind = reduction ? AccessKind::reduction : AccessKind::atomic;
    if (!admit<Space>(warp, op, request, mask, kind, sizeof(T))) return;
    tell(warp, op, request, mask, Space, kind, sizeof(T));
    const auto* b = slot<Slot<T>>(warp, op.b);
    const auto* c = slot<Slot<T>>(warp, op.c);
    auto* d = reduction ? nullptr : slot<Slot<T>>(warp, op.dst);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        const T old = update<F, T, Space>(host_address<Space>(warp, l, request.address[l]), unpack<T>(b[l]), unpack<T>(c[l]));
        if (d != nullptr) d[l] = pack<T>(old);
    }
}

template<class F, class T, MemorySpace Space> void atomic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    atomic_described<F, T, Space>(warp, op, request, mask);
}

template<class F, class T> void atomic_generic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    by_window(request, mask, [&]<MemorySpace Space>(std::uint32_t part) { atomic_described<F, T, Space>(warp, op, request, part); });
}

// "atom.<space>." + what. red has the same forms: the lowering sets flag_no_result.
template<class F, class T> void add_atomic(FormTable& table, const char* what, bool three = false) {
    const auto add = [&](const char* stem, Handler handler, OpClass op_class) {
        table.add({FormName(stem, what), handler, handler, ptx_type<T>, ptx::Type::b64, ptx_type<T>, three ? ptx_type<T> : ptx::Type::none,
                   op_class});
    };
    add("atom.global.", atomic<F, T, MemorySpace::global>, OpClass::atomic_global);
    add("atom.shared.", atomic<F, T, MemorySpace::shared>, OpClass::atomic_shared);
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
    add_atomic<AtomAdd, T>(table, FormName("add.", type));
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
}

} // namespace apod::emu::APOD_LANES
