// Elements at 32 unrelated places, to and from slots. With AVX-512 eight lanes at a time; lanes that are off are not touched.
#pragma once

#include "emu/lanes/lane.hpp"

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

namespace apod::emu::APOD_LANES {

// Global memory has no base here: the sum is made of integers, for null plus an offset is no address to a compiler (it drops the access).
inline std::byte* place(const std::byte* base, std::uint64_t offset) {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uint64_t>(base) + offset);
}

// `S` is the slot's element. T is read at base + offset[lane] and extended to S by its signedness.
template<class T, class S> void gather(S* to, const std::byte* base, const std::uint64_t* offset, std::uint32_t mask) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
    if constexpr (sizeof(T) == 4 && sizeof(S) == 4) {
        for (unsigned l = 0; l < lanes; l += 8) {
            const auto part = static_cast<__mmask8>(mask >> l);
            const __m512i index = _mm512_load_si512(offset + l);
            const __m256i old = _mm256_load_si256(reinterpret_cast<const __m256i*>(to + l));
            _mm256_store_si256(reinterpret_cast<__m256i*>(to + l), _mm512_mask_i64gather_epi32(old, part, index, base, 1));
        }
        return;
    } else if constexpr (sizeof(T) == 8) {
        for (unsigned l = 0; l < lanes; l += 8) {
            const auto part = static_cast<__mmask8>(mask >> l);
            const __m512i index = _mm512_load_si512(offset + l);
            const __m512i old = _mm512_load_si512(to + l);
            _mm512_store_si512(to + l, _mm512_mask_i64gather_epi64(old, part, index, base, 1));
        }
        return;
    }
#endif
    using Extended = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<S>, S>;
    const auto one = [&](unsigned l) {
        T value;
        __builtin_memcpy(&value, place(base, offset[l]), sizeof(T));
        to[l] = static_cast<S>(static_cast<Extended>(value));
    };
    if (mask == 0xffffffffu) // no lane waits for the search of the one before
        for (unsigned l = 0; l < lanes; ++l) one(l);
    else
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) one(static_cast<unsigned>(__builtin_ctz(rest)));
}

// Lanes in ascending order: of several that write one place, the last one's value stays.
template<class T, class S> void scatter(std::byte* base, const std::uint64_t* offset, const S* from, std::uint32_t mask) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
    if constexpr (sizeof(T) == 4 && sizeof(S) == 4) {
        for (unsigned l = 0; l < lanes; l += 8)
            _mm512_mask_i64scatter_epi32(base, static_cast<__mmask8>(mask >> l), _mm512_load_si512(offset + l),
                                         _mm256_load_si256(reinterpret_cast<const __m256i*>(from + l)), 1);
        return;
    } else if constexpr (sizeof(T) == 8) {
        for (unsigned l = 0; l < lanes; l += 8)
            _mm512_mask_i64scatter_epi64(base, static_cast<__mmask8>(mask >> l), _mm512_load_si512(offset + l), _mm512_load_si512(from + l),
                                         1);
        return;
    }
#endif
    const auto one = [&](unsigned l) {
        const T value = static_cast<T>(from[l]);
        __builtin_memcpy(place(base, offset[l]), &value, sizeof(T));
    };
    if (mask == 0xffffffffu)
        for (unsigned l = 0; l < lanes; ++l) one(l);
    else
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) one(static_cast<unsigned>(__builtin_ctz(rest)));
}

} // namespace apod::emu::APOD_LANES
