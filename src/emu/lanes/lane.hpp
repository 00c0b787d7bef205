// Reading and writing 32 lanes. Included by the lane handlers only, inside namespace APOD_LANES, which names the instruction set they are
// compiled for. Standard library templates are avoided here: an inline function that two instruction sets share could be linked from the
// wrong one.
#pragma once

#include "emu/forms.hpp"
#include "emu/warp_context.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__clang__)
#define APOD_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define APOD_LANE_LOOP _Pragma("GCC ivdep")
#endif

namespace apod::emu::APOD_LANES {

// One slot element: 32 bits for narrow types, 64 for wide ones.
template<class T> using Slot = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// What a .b128 register holds for a lane.
struct Quad {
    std::uint64_t part[2];
};

template<class T> inline T unpack(Slot<T> raw) {
    if constexpr (sizeof(T) == sizeof(Slot<T>))
        return __builtin_bit_cast(T, raw);
    else if constexpr (sizeof(T) == 2)
        return __builtin_bit_cast(T, static_cast<std::uint16_t>(raw));
    else
        return __builtin_bit_cast(T, static_cast<std::uint8_t>(raw));
}

template<class T> inline Slot<T> pack(T value) {
    if constexpr (sizeof(T) == sizeof(Slot<T>))
        return __builtin_bit_cast(Slot<T>, value);
    else if constexpr (std::is_signed_v<T>)
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(value)); // cvt.s8 into %r extends
    else
        return value;
}

template<class S> inline S* slot(WarpContext& warp, OperandRef ref) {
    return reinterpret_cast<S*>(warp.region[ref & region_mask] + (ref & ~region_mask));
}

inline bool lane_of(std::uint32_t mask, unsigned lane) { return ((mask >> lane) & 1u) != 0; }

// `value` in the lanes of the mask, `old` in the others: without a branch, so that the loop over lanes becomes vector code.
template<class S> inline S blend(std::uint32_t mask, unsigned lane, S value, S old) {
    const S keep = static_cast<S>(0) - static_cast<S>((mask >> lane) & 1u);
    return (value & keep) | (old & ~keep);
}

inline std::uint32_t predicate(const WarpContext& warp, PredicateRef ref) { return warp.predicates[ref >> 1] ^ (0u - (ref & 1u)); }

inline void set_predicate(WarpContext& warp, std::uint32_t index, std::uint32_t bits, std::uint32_t mask) {
    std::uint32_t& target = warp.predicates[index];
    target = (target & ~mask) | (bits & mask);
}

// Bytes that are 0 or 0xFF to a lane mask.
inline std::uint32_t mask_of_bytes(const std::uint8_t* bytes) {
#if defined(__SSE2__)
    const auto low = _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    const auto high = _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16)));
    return static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16;
#else
    std::uint32_t mask = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) mask |= static_cast<std::uint32_t>(bytes[lane] & 1u) << lane;
    return mask;
#endif
}

// dst = F(a) and its like, for all lanes or for those of the mask.
template<class F, class R, class A> struct Unary {
    static void full(WarpContext& warp, const Op& op, std::uint32_t) {
        auto* d = slot<Slot<R>>(warp, op.dst);
        const auto* a = slot<Slot<A>>(warp, op.a);
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) d[l] = pack<R>(F::template apply<R>(unpack<A>(a[l])));
    }
    static void masked(WarpContext& warp, const Op& op, std::uint32_t mask) {
        auto* d = slot<Slot<R>>(warp, op.dst);
        const auto* a = slot<Slot<A>>(warp, op.a);
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) {
            const Slot<R> value = pack<R>(F::template apply<R>(unpack<A>(a[l])));
            d[l] = blend(mask, l, value, d[l]);
        }
    }
};

template<class F, class R, class A, class B> struct Binary {
    static void full(WarpContext& warp, const Op& op, std::uint32_t) {
        auto* d = slot<Slot<R>>(warp, op.dst);
        const auto* a = slot<Slot<A>>(warp, op.a);
        const auto* b = slot<Slot<B>>(warp, op.b);
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) d[l] = pack<R>(F::template apply<R>(unpack<A>(a[l]), unpack<B>(b[l])));
    }
    static void masked(WarpContext& warp, const Op& op, std::uint32_t mask) {
        auto* d = slot<Slot<R>>(warp, op.dst);
        const auto* a = slot<Slot<A>>(warp, op.a);
        const auto* b = slot<Slot<B>>(warp, op.b);
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) {
            const Slot<R> value = pack<R>(F::template apply<R>(unpack<A>(a[l]), unpack<B>(b[l])));
            d[l] = blend(mask, l, value, d[l]);
        }
    }
};

template<class F, class R, class A, class B, class C> struct Ternary {
    static void full(WarpContext& warp, const Op& op, std::uint32_t) {
        auto* d = slot<Slot<R>>(warp, op.dst);
        const auto* a = slot<Slot<A>>(warp, op.a);
        const auto* b = slot<Slot<B>>(warp, op.b);
        const auto* c = slot<Slot<C>>(warp, op.c);
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) d[l] = pack<R>(F::template apply<R>(unpack<A>(a[l]), unpack<B>(b[l]), unpack<C>(c[l])));
    }
    static void masked(WarpContext& warp, const Op& op, std::uint32_t mask) {
        auto* d = slot<Slot<R>>(warp, op.dst);
        const auto* a = slot<Slot<A>>(warp, op.a);
        const auto* b = slot<Slot<B>>(warp, op.b);
        const auto* c = slot<Slot<C>>(warp, op.c);
        APOD_LANE_LOOP
        for (unsigned l = 0; l < lanes; ++l) {
            const Slot<R> value = pack<R>(F::template apply<R>(unpack<A>(a[l]), unpack<B>(b[l]), unpack<C>(c[l])));
            d[l] = blend(mask, l, value, d[l]);
        }
    }
};

// PTX's name for a C++ type, and the type for immediates.
template<class T> inline constexpr ptx::Type ptx_type = ptx::Type::none;
template<> inline constexpr ptx::Type ptx_type<std::uint8_t> = ptx::Type::u8;
template<> inline constexpr ptx::Type ptx_type<std::int8_t> = ptx::Type::s8;
template<> inline constexpr ptx::Type ptx_type<std::uint16_t> = ptx::Type::u16;
template<> inline constexpr ptx::Type ptx_type<std::int16_t> = ptx::Type::s16;
template<> inline constexpr ptx::Type ptx_type<std::uint32_t> = ptx::Type::u32;
template<> inline constexpr ptx::Type ptx_type<std::int32_t> = ptx::Type::s32;
template<> inline constexpr ptx::Type ptx_type<std::uint64_t> = ptx::Type::u64;
template<> inline constexpr ptx::Type ptx_type<std::int64_t> = ptx::Type::s64;
template<> inline constexpr ptx::Type ptx_type<Quad> = ptx::Type::b128;
template<> inline constexpr ptx::Type ptx_type<float> = ptx::Type::f32;
template<> inline constexpr ptx::Type ptx_type<double> = ptx::Type::f64;

template<class F, class R, class A> void add_unary(FormTable& table, const char* name, OpClass op_class) {
    table.add({name, Unary<F, R, A>::full, Unary<F, R, A>::masked, ptx_type<R>, ptx_type<A>, ptx::Type::none, ptx::Type::none, op_class});
}
template<class F, class R, class A, class B = A> void add_binary(FormTable& table, const char* name, OpClass op_class) {
    using H = Binary<F, R, A, B>;
    table.add({name, H::full, H::masked, ptx_type<R>, ptx_type<A>, ptx_type<B>, ptx::Type::none, op_class});
}
template<class F, class R, class A, class B = A, class C = A> void add_ternary(FormTable& table, const char* name, OpClass op_class) {
    using H = Ternary<F, R, A, B, C>;
    table.add({name, H::full, H::masked, ptx_type<R>, ptx_type<A>, ptx_type<B>, ptx_type<C>, op_class});
}

} // namespace apod::emu::APOD_LANES
