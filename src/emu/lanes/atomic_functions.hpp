// What atomics do to a word of memory: the new value from the old one and the operands.
#pragma once

#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/half_functions.hpp"
#include "emu/lanes/lane.hpp"

namespace apod::emu::APOD_LANES {

struct AtomAdd {
    template<class T> static T apply(T old, T b, T) {
        if constexpr (std::is_integral_v<T>)
            return Add::apply<T>(old, b);
        else
            return FAdd::apply<T>(old, b);
    }
};
// f32 in global memory: subnormals are flushed, and only there (PTX ISA, atom).
struct AtomAddFlushed {
    template<class T> static T apply(T old, T b, T) { return flush(FAdd::apply<T>(flush(old), flush(b))); }
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
// An element function on a half, or on both of a pair.
template<class F> struct AtomElement {
    static Half apply_one(Half old, Half b) { return F::template apply<Half>(old, b); }
    static BFloat apply_one(BFloat old, BFloat b) { return F::template apply<BFloat>(old, b); }
    template<class E> static Two<E> apply_one(Two<E> old, Two<E> b) { return Both<F>::template apply<Two<E>>(old, b); }
    template<class T> static T apply(T old, T b, T) { return apply_one(old, b); }
};

template<class T> using AtomicWord = std::conditional_t<sizeof(T) == 2, std::uint16_t, Slot<T>>;

// Shared memory belongs to one block, and a cluster's to its blocks, which one thread runs: no host atomics needed.
template<class F, class T, MemorySpace Space> T update(std::byte* at, T b, T c) {
    using S = AtomicWord<T>;
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

// What F is in a space.
template<class F, class T, MemorySpace Space>
using InSpace =
    std::conditional_t<std::is_same_v<F, AtomAdd> && std::is_same_v<T, float> && Space == MemorySpace::global, AtomAddFlushed, F>;

} // namespace apod::emu::APOD_LANES
