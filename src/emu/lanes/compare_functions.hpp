// Comparisons of one lane, and of a warp as a lane mask.
#pragma once

#include "emu/lanes/half_functions.hpp"

namespace apod::emu::APOD_LANES {

struct Eq {
    template<class T> static bool apply(T a, T b) { return a == b; }
};
struct Ne {
    template<class T> static bool apply(T a, T b) { return a < b || a > b; }
}; // ordered for floats
struct Lt {
    template<class T> static bool apply(T a, T b) { return a < b; }
};
struct Le {
    template<class T> static bool apply(T a, T b) { return a <= b; }
};
struct Gt {
    template<class T> static bool apply(T a, T b) { return a > b; }
};
struct Ge {
    template<class T> static bool apply(T a, T b) { return a >= b; }
};
struct Equ {
    template<class T> static bool apply(T a, T b) { return !(a < b || a > b); }
};
struct Neu {
    template<class T> static bool apply(T a, T b) { return a != b; }
};
struct Ltu {
    template<class T> static bool apply(T a, T b) { return !(a >= b); }
};
struct Leu {
    template<class T> static bool apply(T a, T b) { return !(a > b); }
};
struct Gtu {
    template<class T> static bool apply(T a, T b) { return !(a <= b); }
};
struct Geu {
    template<class T> static bool apply(T a, T b) { return !(a < b); }
};
struct Num {
    template<class T> static bool apply(T a, T b) { return a == a && b == b; }
};
struct Nan {
    template<class T> static bool apply(T a, T b) { return a != a || b != b; }
};

template<class F> struct FtzCompare {
    template<class T> static bool apply(T a, T b) { return F::apply(flush(a), flush(b)); }
};

// What is compared: the value itself; f16 and bf16 as f32.
template<class T> inline T comparable(T v) { return v; }
inline float comparable(Half v) { return to_float(v); }
inline float comparable(BFloat v) { return to_float(v); }

// .ftz of f16: its own subnormals, which f32 holds as normal numbers.
template<class F> struct FtzHalfCompare {
    template<class T> static bool apply(T a, T b) { return F::apply(flush_half(a), flush_half(b)); }
    static float flush_half(float v) { return FAbs::apply<float>(v) < 0x1p-14f ? 0.0f : v; }
};

inline std::uint32_t combine(std::int64_t how, std::uint32_t bits, std::uint32_t other) {
    switch (how) {
    case 1: return bits & other;
    case 2: return bits | other;
    case 3: return bits ^ other;
    default: return bits;
    }
}

// One bit a lane; half 0 or 1 of packed pairs.
template<class F, class T, unsigned Half16 = 0> std::uint32_t compare_lanes(WarpContext& warp, const Op& op) {
    const auto* a = slot<Slot<T>>(warp, op.a);
    const auto* b = slot<Slot<T>>(warp, op.b);
    alignas(32) std::uint8_t bytes[lanes];
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l)
        bytes[l] = F::apply(comparable(unpack<T>(a[l] >> (16 * Half16))), comparable(unpack<T>(b[l] >> (16 * Half16)))) ? 0xff : 0;
    return mask_of_bytes(bytes);
}

// Calls use.template operator()<F>(name) for every comparison that bit strings, integers, unsigned integers or floats have.
template<class Use> void for_each_equality(Use use) {
    use.template operator()<Eq>("eq");
    use.template operator()<Ne>("ne");
}
template<class Use> void for_each_order(Use use) {
    use.template operator()<Lt>("lt");
    use.template operator()<Le>("le");
    use.template operator()<Gt>("gt");
    use.template operator()<Ge>("ge");
}
template<class Use> void for_each_unsigned_order(Use use) {
    use.template operator()<Lt>("lo");
    use.template operator()<Le>("ls");
    use.template operator()<Gt>("hi");
    use.template operator()<Ge>("hs");
}
template<class Use> void for_each_unordered(Use use) {
    use.template operator()<Equ>("equ");
    use.template operator()<Neu>("neu");
    use.template operator()<Ltu>("ltu");
    use.template operator()<Leu>("leu");
    use.template operator()<Gtu>("gtu");
    use.template operator()<Geu>("geu");
    use.template operator()<Num>("num");
    use.template operator()<Nan>("nan");
}

template<class Use> void for_each_float_comparison(Use use) {
    for_each_equality(use);
    for_each_order(use);
    for_each_unordered(use);
}

// Every comparison that setp and set have: one.template operator()<F, T>(comparison, ftz, type) of single values, pair of two halves.
template<class One, class Pair> void for_each_comparison(One one, Pair pair) {
    const auto equality = [&]<class T>(const char* type) {
        for_each_equality([&]<class F>(const char* name) { one.template operator()<F, T>(name, "", type); });
    };
    const auto integer = [&]<class T>(const char* type) {
        equality.template operator()<T>(type);
        const auto use = [&]<class F>(const char* name) { one.template operator()<F, T>(name, "", type); };
        for_each_order(use);
        if constexpr (std::is_unsigned_v<T>) for_each_unsigned_order(use);
    };
    integer.template operator()<std::uint16_t>("u16");
    integer.template operator()<std::int16_t>("s16");
    integer.template operator()<std::uint32_t>("u32");
    integer.template operator()<std::int32_t>("s32");
    integer.template operator()<std::uint64_t>("u64");
    integer.template operator()<std::int64_t>("s64");
    equality.template operator()<std::uint16_t>("b16");
    equality.template operator()<std::uint32_t>("b32");
    equality.template operator()<std::uint64_t>("b64");
    for_each_float_comparison([&]<class F>(const char* name) {
        one.template operator()<F, float>(name, "", "f32");
        one.template operator()<FtzCompare<F>, float>(name, ".ftz", "f32");
        one.template operator()<F, double>(name, "", "f64");
        one.template operator()<F, Half>(name, "", "f16");
        one.template operator()<FtzHalfCompare<F>, Half>(name, ".ftz", "f16");
        one.template operator()<F, BFloat>(name, "", "bf16");
        pair.template operator()<F, Half>(name, "", "f16");
        pair.template operator()<FtzHalfCompare<F>, Half>(name, ".ftz", "f16");
        pair.template operator()<F, BFloat>(name, "", "bf16");
    });
}

} // namespace apod::emu::APOD_LANES
