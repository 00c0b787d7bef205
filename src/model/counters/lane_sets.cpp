#include "model/counters/lane_sets.hpp"

#include <algorithm>
#include <array>
#include <bit>

#if defined(__x86_64__)
// GCC 12's own header leaves results of _mm512_undefined_* uninitialised on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#define APOD_AVX512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,popcnt")))
#define APOD_AVX2 __attribute__((target("avx2,popcnt")))
#endif

namespace apod::model {

namespace {

constexpr unsigned lanes = 32;

namespace plain {

AddressSpan address_span(const std::uint64_t* address, std::uint32_t active) {
    if (active == 0xffffffffu) { // four chains of comparisons, not one
        std::array<AddressSpan, 4> part;
        for (unsigned i = 0; i < 4; ++i) part[i] = {address[i], address[i]};
        for (unsigned lane = 4; lane < lanes; ++lane) {
            AddressSpan& one = part[lane % 4];
            one = {std::min(one.low, address[lane]), std::max(one.high, address[lane])};
        }
        return {std::min(std::min(part[0].low, part[1].low), std::min(part[2].low, part[3].low)),
                std::max(std::max(part[0].high, part[1].high), std::max(part[2].high, part[3].high))};
    }
    AddressSpan span{~0ull, 0};
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t a = address[std::countr_zero(rest)];
        span = {std::min(span.low, a), std::max(span.high, a)};
    }
    return span;
}

std::uint64_t occupied_units(const std::uint64_t* address, std::uint32_t active, std::uint64_t base, std::uint32_t shift) {
    std::uint64_t bits = 0;
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
        bits |= std::uint64_t{1} << ((address[std::countr_zero(rest)] - base) >> shift & 63);
    return bits;
}

constexpr std::uint64_t bank_rows = 128;

// Shared memory as a table of words, a column a bank: each row that is touched becomes a bit mask of its columns, and the masks are added
// column by column, digit by digit. The column with the largest sum is the busiest bank.
std::uint32_t busiest_of_rows(const std::uint64_t* address, std::uint32_t active, std::uint32_t word_shift, std::uint32_t banks,
                              std::uint64_t first_row) {
    std::array<std::uint32_t, bank_rows> row; // written before read
    std::array<std::uint64_t, bank_rows / 64> touched{};
    const auto row_shift = static_cast<unsigned>(std::countr_zero(banks));
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t word = address[std::countr_zero(rest)] >> word_shift;
        const std::uint64_t r = (word >> row_shift) - first_row;
        const std::uint32_t column = 1u << (word & (banks - 1));
        std::uint64_t& group = touched[r / 64];
        row[r] = (group >> (r % 64) & 1) != 0 ? row[r] | column : column;
        group |= std::uint64_t{1} << (r % 64);
    }
    std::array<std::uint32_t, 6> digit{}; // binary digits of all columns' sums
    for (std::uint32_t g = 0; g < touched.size(); ++g)
        for (std::uint64_t rest = touched[g]; rest != 0; rest &= rest - 1) {
            std::uint32_t carry = row[64 * g + static_cast<unsigned>(std::countr_zero(rest))];
            for (unsigned d = 0; carry != 0; ++d) {
                const std::uint32_t sum = digit[d] ^ carry;
                carry &= digit[d];
                digit[d] = sum;
            }
        }
    std::uint32_t largest = 0;
    std::uint32_t candidates = ~0u;
    for (unsigned d = 6; d-- > 0;)
        if ((digit[d] & candidates) != 0) {
            candidates &= digit[d];
            largest |= 1u << d;
        }
    return largest;
}

std::uint32_t busiest_bank(const std::uint64_t* address, std::uint32_t active, std::uint32_t word_shift, std::uint32_t banks) {
    const AddressSpan span = apod::model::address_span(address, active);
    // Fewer words apart than there are banks: no two different words share one.
    if ((span.high >> word_shift) - (span.low >> word_shift) < banks) return 1;
    const std::uint64_t first_row = (span.low >> word_shift) / banks;
    if ((span.high >> word_shift) / banks - first_row < bank_rows) return busiest_of_rows(address, active, word_shift, banks, first_row);
    std::array<std::array<std::uint64_t, lanes>, lanes> words; // written before read, up to `used`
    std::array<std::uint8_t, lanes> used{};
    std::uint32_t degree = 0;
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t word = address[std::countr_zero(rest)] >> word_shift;
        const std::uint32_t bank = static_cast<std::uint32_t>(word) & (banks - 1);
        const auto end = words[bank].begin() + used[bank];
        if (std::find(words[bank].begin(), end, word) != end) continue;
        *end = word;
        degree = std::max<std::uint32_t>(degree, ++used[bank]);
    }
    return degree;
}

// An open-addressing table of 64 places counts the lanes of each address.
Multiplicity multiplicity(const std::uint64_t* address, std::uint32_t active) {
    Multiplicity result;
    std::array<std::uint64_t, 64> seen; // written before read
    std::array<std::uint8_t, 64> count{};
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t wanted = address[std::countr_zero(rest)];
        auto at = static_cast<std::uint32_t>((wanted * 0x9e3779b97f4a7c15u) >> 58);
        while (count[at] != 0 && seen[at] != wanted) at = (at + 1) & 63;
        if (count[at] == 0) ++result.distinct;
        seen[at] = wanted;
        result.most = std::max<std::uint32_t>(result.most, ++count[at]);
    }
    return result;
}

} // namespace plain

#if defined(__x86_64__)
namespace middle {

// Addresses 4 i to 4 i + 3; inactive lanes stand on the first active lane's.
APOD_AVX2 inline __m256i part(const std::uint64_t* address, std::uint32_t active, __m256i stand_in, unsigned i) {
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(address + 4 * i));
    const __m256i bit = _mm256_set_epi64x(8, 4, 2, 1);
    const __m256i on = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(active >> (4 * i) & 15), bit), bit);
    return _mm256_blendv_epi8(stand_in, all, on);
}

APOD_AVX2 inline __m256i stand_in_for(const std::uint64_t* address, std::uint32_t active) {
    return _mm256_set1_epi64x(static_cast<long long>(address[std::countr_zero(active)]));
}

// Addresses are below 2^63: they can be compared as signed numbers.
APOD_AVX2 AddressSpan address_span(const std::uint64_t* address, std::uint32_t active) {
    const __m256i stand_in = stand_in_for(address, active);
    __m256i low = stand_in;
    __m256i high = stand_in;
    for (unsigned i = 0; i < 8; ++i) {
        const __m256i v = part(address, active, stand_in, i);
        low = _mm256_blendv_epi8(low, v, _mm256_cmpgt_epi64(low, v));
        high = _mm256_blendv_epi8(high, v, _mm256_cmpgt_epi64(v, high));
    }
    alignas(32) std::array<std::uint64_t, 4> lows;
    alignas(32) std::array<std::uint64_t, 4> highs;
    _mm256_store_si256(reinterpret_cast<__m256i*>(lows.data()), low);
    _mm256_store_si256(reinterpret_cast<__m256i*>(highs.data()), high);
    return {*std::min_element(lows.begin(), lows.end()), *std::max_element(highs.begin(), highs.end())};
}

APOD_AVX2 std::uint64_t occupied_units(const std::uint64_t* address, std::uint32_t active, std::uint64_t base, std::uint32_t shift) {
    const __m256i stand_in = stand_in_for(address, active);
    const __m256i origin = _mm256_set1_epi64x(static_cast<long long>(base));
    const __m128i count = _mm_cvtsi32_si128(static_cast<int>(shift));
    __m256i bits = _mm256_setzero_si256();
    for (unsigned i = 0; i < 8; ++i) {
        const __m256i unit = _mm256_srl_epi64(_mm256_sub_epi64(part(address, active, stand_in, i), origin), count);
        bits = _mm256_or_si256(bits, _mm256_sllv_epi64(_mm256_set1_epi64x(1), _mm256_and_si256(unit, _mm256_set1_epi64x(63))));
    }
    alignas(32) std::array<std::uint64_t, 4> four;
    _mm256_store_si256(reinterpret_cast<__m256i*>(four.data()), bits);
    return four[0] | four[1] | four[2] | four[3];
}

} // namespace middle

namespace wide {

// Four vectors of eight addresses; inactive lanes stand on the first active lane's.
struct Addresses {
    __m512i part[4];
};

APOD_AVX512 inline Addresses load(const std::uint64_t* address, std::uint32_t active) {
    const __m512i stand_in = _mm512_set1_epi64(static_cast<long long>(address[std::countr_zero(active)]));
    Addresses all;
    for (unsigned i = 0; i < 4; ++i)
        all.part[i] = _mm512_mask_loadu_epi64(stand_in, static_cast<__mmask8>(active >> (8 * i)), address + 8 * i);
    return all;
}

APOD_AVX512 inline AddressSpan span_of(const Addresses& all) {
    const __m512i low = _mm512_min_epu64(_mm512_min_epu64(all.part[0], all.part[1]), _mm512_min_epu64(all.part[2], all.part[3]));
    const __m512i high = _mm512_max_epu64(_mm512_max_epu64(all.part[0], all.part[1]), _mm512_max_epu64(all.part[2], all.part[3]));
    return {_mm512_reduce_min_epu64(low), _mm512_reduce_max_epu64(high)};
}

APOD_AVX512 AddressSpan address_span(const std::uint64_t* address, std::uint32_t active) { return span_of(load(address, active)); }

APOD_AVX512 std::uint64_t occupied_units(const std::uint64_t* address, std::uint32_t active, std::uint64_t base, std::uint32_t shift) {
    const Addresses all = load(address, active);
    const __m512i origin = _mm512_set1_epi64(static_cast<long long>(base));
    const __m512i one = _mm512_set1_epi64(1);
    const __m128i count = _mm_cvtsi32_si128(static_cast<int>(shift));
    __m512i bits = _mm512_setzero_si512();
    for (const __m512i part : all.part)
        bits = _mm512_or_si512(
            bits, _mm512_sllv_epi64(one, _mm512_and_si512(_mm512_srl_epi64(_mm512_sub_epi64(part, origin), count), _mm512_set1_epi64(63))));
    return static_cast<std::uint64_t>(_mm512_reduce_or_epi64(bits));
}

// The 32 addresses as 32-bit numbers relative to `origin`, shifted right: two vectors of sixteen.
struct Words {
    __m512i low, high;
};

APOD_AVX512 inline Words words_of(const Addresses& all, std::uint64_t origin, std::uint32_t shift) {
    const __m512i base = _mm512_set1_epi64(static_cast<long long>(origin));
    const __m128i count = _mm_cvtsi32_si128(static_cast<int>(shift));
    __m256i narrow[4];
    for (unsigned i = 0; i < 4; ++i) narrow[i] = _mm512_cvtepi64_epi32(_mm512_srl_epi64(_mm512_sub_epi64(all.part[i], base), count));
    return {_mm512_inserti64x4(_mm512_castsi256_si512(narrow[0]), narrow[1], 1),
            _mm512_inserti64x4(_mm512_castsi256_si512(narrow[2]), narrow[3], 1)};
}

APOD_AVX512 inline std::uint32_t equal_lanes(const Words& words, std::uint32_t value) {
    const __m512i wanted = _mm512_set1_epi32(static_cast<int>(value));
    return static_cast<std::uint32_t>(_mm512_cmpeq_epi32_mask(words.low, wanted)) |
           static_cast<std::uint32_t>(_mm512_cmpeq_epi32_mask(words.high, wanted)) << 16;
}

// Lanes whose value no earlier lane holds.
APOD_AVX512 inline std::uint32_t first_lanes(const Words& words) {
    const __m512i zero = _mm512_setzero_si512();
    const std::uint32_t low = _mm512_cmpeq_epi32_mask(_mm512_conflict_epi32(words.low), zero);
    std::uint32_t high = _mm512_cmpeq_epi32_mask(_mm512_conflict_epi32(words.high), zero);
    __m512i turned = words.low;
    std::uint32_t seen = 0;
    for (unsigned i = 0; i < 16; ++i) {
        seen |= _mm512_cmpeq_epi32_mask(words.high, turned);
        turned = _mm512_alignr_epi32(turned, turned, 1);
    }
    return low | (high & ~seen) << 16;
}

APOD_AVX512 std::uint32_t busiest_bank(const std::uint64_t* address, std::uint32_t active, std::uint32_t word_shift, std::uint32_t banks) {
    const Addresses all = load(address, active);
    const AddressSpan span = span_of(all);
    if ((span.high >> word_shift) - (span.low >> word_shift) < banks) return 1;
    if ((span.high - span.low) >> word_shift >= 0xffffff00ull) return plain::busiest_bank(address, active, word_shift, banks);
    const std::uint64_t origin = (span.low >> word_shift & ~std::uint64_t{banks - 1}) << word_shift;
    const Words words = words_of(all, origin, word_shift);
    alignas(64) std::uint32_t bank[lanes];
    const __m512i bank_mask = _mm512_set1_epi32(static_cast<int>(banks - 1));
    _mm512_store_si512(bank, _mm512_and_si512(words.low, bank_mask));
    _mm512_store_si512(bank + 16, _mm512_and_si512(words.high, bank_mask));
    alignas(32) std::uint8_t used[lanes] = {};
    for (std::uint32_t rest = first_lanes(words); rest != 0; rest &= rest - 1) ++used[bank[std::countr_zero(rest)]];
    std::uint8_t most = 0;
    for (unsigned b = 0; b < lanes; ++b) most = used[b] > most ? used[b] : most;
    return most;
}

APOD_AVX512 Multiplicity multiplicity(const std::uint64_t* address, std::uint32_t active) {
    const Addresses all = load(address, active);
    const AddressSpan span = span_of(all);
    if (span.high - span.low > 0xffffffffull) return plain::multiplicity(address, active);
    const Words words = words_of(all, span.low, 0);
    // Stand-ins repeat an active lane's address, so they change neither figure; most addresses are wanted once and need no look.
    const std::uint32_t first = first_lanes(words);
    Multiplicity result{static_cast<std::uint32_t>(std::popcount(first)), 1};
    for (std::uint32_t rest = active & ~first; rest != 0;) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint32_t same = equal_lanes(words, static_cast<std::uint32_t>(address[lane] - span.low)) & active;
        const auto count = static_cast<std::uint32_t>(std::popcount(same));
        result.most = count > result.most ? count : result.most;
        rest &= ~same;
    }
    return result;
}

} // namespace wide

bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2");
    return has;
}

bool has_avx512() {
    static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return has;
}
#endif

} // namespace

#if defined(__x86_64__)
AddressSpan address_span(const std::uint64_t* address, std::uint32_t active) {
    if (has_avx512()) return wide::address_span(address, active);
    return has_avx2() ? middle::address_span(address, active) : plain::address_span(address, active);
}
std::uint64_t occupied_units(const std::uint64_t* address, std::uint32_t active, std::uint64_t base, std::uint32_t shift) {
    if (has_avx512()) return wide::occupied_units(address, active, base, shift);
    return has_avx2() ? middle::occupied_units(address, active, base, shift) : plain::occupied_units(address, active, base, shift);
}
std::uint32_t busiest_bank(const std::uint64_t* address, std::uint32_t active, std::uint32_t word_shift, std::uint32_t banks) {
    return has_avx512() ? wide::busiest_bank(address, active, word_shift, banks) : plain::busiest_bank(address, active, word_shift, banks);
}
Multiplicity multiplicity(const std::uint64_t* address, std::uint32_t active) {
    return has_avx512() ? wide::multiplicity(address, active) : plain::multiplicity(address, active);
}
#else
AddressSpan address_span(const std::uint64_t* address, std::uint32_t active) { return plain::address_span(address, active); }
std::uint64_t occupied_units(const std::uint64_t* address, std::uint32_t active, std::uint64_t base, std::uint32_t shift) {
    return plain::occupied_units(address, active, base, shift);
}
std::uint32_t busiest_bank(const std::uint64_t* address, std::uint32_t active, std::uint32_t word_shift, std::uint32_t banks) {
    return plain::busiest_bank(address, active, word_shift, banks);
}
Multiplicity multiplicity(const std::uint64_t* address, std::uint32_t active) { return plain::multiplicity(address, active); }
#endif

} // namespace apod::model
