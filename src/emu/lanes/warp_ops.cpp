// shfl, vote, match, redux, activemask: what the lanes of a warp tell each other. The warp loop has made sure that `mask` holds the
// members.
#include "emu/lanes/half_functions.hpp"
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace apod::emu::APOD_LANES {

namespace {

enum class Shuffle { up, down, bfly, idx };

// Source lane and validity as PTX ISA, shfl.sync, defines them.
template<Shuffle Mode> bool source_lane(unsigned lane, std::uint32_t b, std::uint32_t c, unsigned& from) {
    const unsigned segment = (c >> 8) & 0x1f;
    const unsigned clamp = c & 0x1f;
    const unsigned offset = b & 0x1f;
    const int highest = static_cast<int>((lane & segment) | (clamp & ~segment & 0x1f));
    const int lowest = static_cast<int>(lane & segment);
    int j = 0;
    bool valid = false;
    if constexpr (Mode == Shuffle::up) {
        j = static_cast<int>(lane) - static_cast<int>(offset);
        valid = j >= highest;
    } else {
        if constexpr (Mode == Shuffle::down) j = static_cast<int>(lane + offset);
        if constexpr (Mode == Shuffle::bfly) j = static_cast<int>(lane ^ offset);
        if constexpr (Mode == Shuffle::idx) j = lowest | static_cast<int>(offset & ~segment & 0x1f);
        valid = j <= highest;
    }
    from = valid ? static_cast<unsigned>(j) & 31u : lane;
    return valid;
}

// to[l] = a[from[l]], from 0 to 31.
void permute(std::uint32_t* to, const std::uint32_t* a, const std::uint32_t* from) {
#if defined(__AVX512F__)
    const __m512i low = _mm512_loadu_si512(a);
    const __m512i high = _mm512_loadu_si512(a + 16);
    for (unsigned l = 0; l < lanes; l += 16)
        _mm512_storeu_si512(to + l, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(from + l), high));
#else
    for (unsigned l = 0; l < lanes; ++l) to[l] = a[from[l]];
#endif
}

template<Shuffle Mode> void shuffle(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* a = slot<std::uint32_t>(warp, op.a);
    const auto* b = slot<std::uint32_t>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    std::uint32_t value[lanes];
    std::uint32_t from[lanes];
    std::uint32_t valid[lanes];
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) valid[l] = source_lane<Mode>(l, b[l], c[l], from[l]) ? 1 : 0;
    permute(value, a, from);
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, value[l], d[l]);
    if ((op.flags & flag_second_result) == 0) return;
    std::uint32_t bits = 0;
    for (unsigned l = 0; l < lanes; ++l) bits |= valid[l] << l;
    set_predicate(warp, op.extra, bits, mask);
}

enum class Vote { all, any, uni, ballot };

// Op::a is a predicate reference, Op::b the member mask.
template<Vote V> void vote(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const std::uint32_t members = slot<std::uint32_t>(warp, op.b)[static_cast<unsigned>(__builtin_ctz(mask))] & mask;
    const std::uint32_t bits = predicate(warp, op.a) & members;
    if constexpr (V == Vote::ballot) {
        auto* d = slot<std::uint32_t>(warp, op.dst);
        for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, bits, d[l]);
    } else {
        bool result = false;
        if constexpr (V == Vote::all) result = bits == members;
        if constexpr (V == Vote::any) result = bits != 0;
        if constexpr (V == Vote::uni) result = bits == members || bits == 0;
        set_predicate(warp, op.dst, result ? 0xffffffffu : 0, mask);
    }
}

void active_mask(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<std::uint32_t>(warp, op.dst);
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, mask, d[l]);
}

// match.any: the members that hold the same value. match.all: all members or none, with a predicate.
template<class T, bool All> void match(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* a = slot<Slot<T>>(warp, op.a);
    const std::uint32_t members = slot<std::uint32_t>(warp, op.b)[static_cast<unsigned>(__builtin_ctz(mask))] & mask;
    std::uint32_t result[lanes] = {};
    for (std::uint32_t rest = members; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        for (std::uint32_t other = members; other != 0; other &= other - 1) {
            const unsigned m = static_cast<unsigned>(__builtin_ctz(other));
            result[l] |= static_cast<std::uint32_t>(a[l] == a[m]) << m;
        }
        if constexpr (All) result[l] = result[l] == members ? members : 0;
    }
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, result[l], d[l]);
    if constexpr (All)
        if ((op.flags & flag_second_result) != 0)
            set_predicate(warp, op.extra, result[static_cast<unsigned>(__builtin_ctz(members))] != 0 ? 0xffffffffu : 0, mask);
}

struct ReduxAnd {
    template<class R> static R apply(R a, R b) { return a & b; }
};
struct ReduxOr {
    template<class R> static R apply(R a, R b) { return a | b; }
};
struct ReduxXor {
    template<class R> static R apply(R a, R b) { return a ^ b; }
};

template<class F, class T> void redux(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* a = slot<std::uint32_t>(warp, op.a);
    const unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
    T result = unpack<T>(a[first]);
    for (std::uint32_t rest = mask & (mask - 1); rest != 0; rest &= rest - 1)
        result = F::template apply<T>(result, unpack<T>(a[static_cast<unsigned>(__builtin_ctz(rest))]));
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, pack<T>(result), d[l]);
}

template<class F, class T> void add_redux(FormTable& table, const char* name) {
    table.add({name, redux<F, T>, redux<F, T>, ptx_type<T>, ptx_type<T>, ptx::Type::b32, ptx::Type::none, OpClass::shuffle});
}

// redux on f32: NaNs count only with .NaN, -0 is less than +0.
template<class F, bool NanWins, bool Magnitudes> struct ReduxExtreme {
    template<class R> static R apply(R a, R b) { return Extreme<F, NanWins, false>::template apply<R>(a, b); }
    static float first(float a) { return Magnitudes ? FAbs::apply<float>(a) : a; }
};
template<class F> void redux_float(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* a = slot<std::uint32_t>(warp, op.a);
    float result = canonical(F::first(from_bits<float>(a[static_cast<unsigned>(__builtin_ctz(mask))])));
    for (std::uint32_t rest = mask & (mask - 1); rest != 0; rest &= rest - 1)
        result = F::template apply<float>(result, F::first(from_bits<float>(a[static_cast<unsigned>(__builtin_ctz(rest))])));
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, bits_of(result), d[l]);
}
template<class F> void add_redux_float(FormTable& table, const char* opcode) {
    using ptx::Type;
    const auto add = [&](const char* modifiers, Handler handler) {
        table.add({Name(opcode, modifiers, ".f32"), handler, handler, Type::f32, Type::f32, Type::b32, Type::none, OpClass::shuffle});
    };
    add("", redux_float<ReduxExtreme<F, false, false>>);
    add(".NaN", redux_float<ReduxExtreme<F, true, false>>);
    add(".abs", redux_float<ReduxExtreme<F, false, true>>);
    add(".abs.NaN", redux_float<ReduxExtreme<F, true, true>>);
}

// The lowest member leads. Op::extra is the predicate's slot.
void elect(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto leader = static_cast<std::uint32_t>(__builtin_ctz(mask));
    set_predicate(warp, op.extra, 1u << leader, mask);
    if ((op.flags & flag_no_result) != 0) return;
    auto* d = slot<std::uint32_t>(warp, op.dst);
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, leader, d[l]);
}

void nothing(WarpContext&, const Op&, std::uint32_t) {}

} // namespace

void add_warp_forms(FormTable& table) {
    using ptx::Type;
    const auto add_shuffle = [&](const char* name, Handler handler) {
        table.add({name, handler, handler, Type::b32, Type::b32, Type::b32, Type::b32, OpClass::shuffle});
    };
    add_shuffle("shfl.up.b32", shuffle<Shuffle::up>);
    add_shuffle("shfl.down.b32", shuffle<Shuffle::down>);
    add_shuffle("shfl.bfly.b32", shuffle<Shuffle::bfly>);
    add_shuffle("shfl.idx.b32", shuffle<Shuffle::idx>);
    table.add({"vote.all.pred", vote<Vote::all>, vote<Vote::all>, Type::pred, Type::pred, Type::b32, Type::none, OpClass::vote});
    table.add({"vote.any.pred", vote<Vote::any>, vote<Vote::any>, Type::pred, Type::pred, Type::b32, Type::none, OpClass::vote});
    table.add({"vote.uni.pred", vote<Vote::uni>, vote<Vote::uni>, Type::pred, Type::pred, Type::b32, Type::none, OpClass::vote});
    table.add({"vote.ballot.b32", vote<Vote::ballot>, vote<Vote::ballot>, Type::b32, Type::pred, Type::b32, Type::none, OpClass::vote});
    table.add({"activemask.b32", active_mask, active_mask, Type::b32, Type::none, Type::none, Type::none, OpClass::vote});
    table.add({"match.any.b32", match<std::uint32_t, false>, match<std::uint32_t, false>, Type::b32, Type::b32, Type::b32, Type::none,
               OpClass::vote});
    table.add({"match.any.b64", match<std::uint64_t, false>, match<std::uint64_t, false>, Type::b32, Type::b64, Type::b32, Type::none,
               OpClass::vote});
    table.add({"match.all.b32", match<std::uint32_t, true>, match<std::uint32_t, true>, Type::b32, Type::b32, Type::b32, Type::none,
               OpClass::vote});
    table.add({"match.all.b64", match<std::uint64_t, true>, match<std::uint64_t, true>, Type::b32, Type::b64, Type::b32, Type::none,
               OpClass::vote});
    table.add({"bar.warp.sync", nothing, nothing, Type::none, Type::b32, Type::none, Type::none, OpClass::barrier});
    add_redux<Add, std::uint32_t>(table, "redux.add.u32");
    add_redux<Add, std::int32_t>(table, "redux.add.s32");
    add_redux<Min, std::uint32_t>(table, "redux.min.u32");
    add_redux<Min, std::int32_t>(table, "redux.min.s32");
    add_redux<Max, std::uint32_t>(table, "redux.max.u32");
    add_redux<Max, std::int32_t>(table, "redux.max.s32");
    add_redux<ReduxAnd, std::uint32_t>(table, "redux.and.b32");
    add_redux<ReduxOr, std::uint32_t>(table, "redux.or.b32");
    add_redux<ReduxXor, std::uint32_t>(table, "redux.xor.b32");
    add_redux_float<FMin>(table, "redux.min");
    add_redux_float<FMax>(table, "redux.max");
    table.add({"elect", elect, elect, Type::b32, Type::none, Type::none, Type::none, OpClass::vote});
}

} // namespace apod::emu::APOD_LANES
