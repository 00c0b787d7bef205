// Bit fields, counts, permutation and funnel shifts.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct PopulationCount {
    template<class R, class T> static R apply(T a) {
        return static_cast<R>(sizeof(T) == 8 ? __builtin_popcountll(a) : __builtin_popcount(a));
    }
};
struct LeadingZeros {
    template<class R, class T> static R apply(T a) {
        if (a == 0) return 8 * sizeof(T);
        return static_cast<R>(sizeof(T) == 8 ? __builtin_clzll(a) : __builtin_clz(static_cast<std::uint32_t>(a)));
    }
};
struct Reverse {
    template<class R> static R apply(R a) {
        R r = a;
        constexpr R ones = static_cast<R>(~R{0});
        r = ((r >> 1) & static_cast<R>(ones / 3)) | ((r & static_cast<R>(ones / 3)) << 1);
        r = ((r >> 2) & static_cast<R>(ones / 5)) | ((r & static_cast<R>(ones / 5)) << 2);
        r = ((r >> 4) & static_cast<R>(ones / 17)) | ((r & static_cast<R>(ones / 17)) << 4);
        if constexpr (sizeof(R) == 8)
            return __builtin_bswap64(r);
        else
            return __builtin_bswap32(r);
    }
};

// Position of the most significant one bit (signed: of the first bit that differs from the sign); all ones when there is none.
struct FindBit {
    template<class R, class T> static R apply(T a) {
        using U = Unsigned<T>;
        U bits = static_cast<U>(a);
        if constexpr (std::is_signed_v<T>) bits = a < 0 ? static_cast<U>(~bits) : bits;
        if (bits == 0) return 0xffffffffu;
        return static_cast<R>(8 * sizeof(T) - 1 - LeadingZeros::apply<std::uint32_t>(bits));
    }
};
// The same as the shift that brings that bit to the top.
struct FindShift {
    template<class R, class T> static R apply(T a) {
        const R position = FindBit::apply<R>(a);
        return position == 0xffffffffu ? position : static_cast<R>(8 * sizeof(T) - 1) - position;
    }
};

// Positions and lengths of fields: the low byte in 32 bits; the hardware's sequence for 64 bits takes the whole number.
template<unsigned Width> unsigned field_number(std::uint32_t v) { return Width == 64 ? (v < 255 ? v : 255) : v & 0xff; }

// Bit field extract: b is the position, c the length.
struct ExtractField {
    template<class R> static R apply(R a, std::uint32_t b, std::uint32_t c) {
        constexpr unsigned width = 8 * sizeof(R);
        const unsigned position = field_number<width>(b);
        const unsigned length = field_number<width>(c);
        using U = Unsigned<R>;
        R sign = 0;
        if constexpr (std::is_signed_v<R>) {
            const unsigned top = position + length == 0 ? 0 : position + length - 1;
            sign = length == 0 ? R{0} : static_cast<R>(0 - ((static_cast<U>(a) >> (top < width ? top : width - 1)) & 1));
        }
        if (length == 0) return 0;
        const R moved = position < width ? static_cast<R>(static_cast<U>(a) >> position) : R{0};
        // Bits past the operand's top, or past the field's, take the sign.
        const unsigned valid = position < width ? width - position : 0;
        const unsigned keep = length < valid ? length : valid;
        const U mask = keep == 0 ? U{0} : static_cast<U>(~U{0}) >> (width - keep);
        return static_cast<R>((static_cast<U>(moved) & mask) | (static_cast<U>(sign) & static_cast<U>(~mask)));
    }
};

// bfi f, a, b, c, d: a's low bits inserted into b; the position travels in Op::c, the length in Code::extra.
template<class T> void insert_field(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<T>(warp, op.dst);
    const auto* a = slot<T>(warp, op.a);
    const auto* b = slot<T>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    const auto* len = slot<std::uint32_t>(warp, warp.block->extra[op.extra]);
    constexpr unsigned width = 8 * sizeof(T);
    for (unsigned l = 0; l < lanes; ++l) {
        const unsigned position = field_number<width>(c[l]);
        unsigned length = field_number<width>(len[l]);
        if (length > width) length = width;
        const T ones = length == 0 ? T{0} : static_cast<T>(~T{0}) >> (width - length);
        const T field = position < width ? static_cast<T>(ones << position) : T{0};
        const T value = position < width ? static_cast<T>((b[l] & ~field) | ((a[l] << position) & field)) : b[l];
        d[l] = blend(mask, l, value, d[l]);
    }
}

// prmt in its default mode: four selectors of four bits, the top one replicates the sign.
struct Permute {
    template<class R> static R apply(R a, R b, R selector) {
        const std::uint64_t bytes = static_cast<std::uint64_t>(b) << 32 | a;
        R result = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned s = (selector >> (4 * i)) & 0xf;
            R byte = static_cast<R>(bytes >> (8 * (s & 7))) & 0xff;
            if (s & 8) byte = (byte & 0x80) != 0 ? 0xff : 0;
            result |= byte << (8 * i);
        }
        return result;
    }
};

// The special modes of prmt: which byte of {b,a} each result byte takes, by the two low bits of c (PTX ISA, prmt).
template<int Mode> struct PermuteMode {
    template<class R> static R apply(R a, R b, R c) {
        const unsigned n = c & 3;
        unsigned s[4] = {0, 0, 0, 0};
        for (unsigned i = 0; i < 4; ++i) {
            if constexpr (Mode == 0) s[i] = n + i;                 // f4e: forward extract
            if constexpr (Mode == 1) s[i] = (n + 8 - i) & 7;       // b4e: backward extract
            if constexpr (Mode == 2) s[i] = n;                     // rc8: replicate 8
            if constexpr (Mode == 3) s[i] = i > n ? i : n;         // ecl: edge clamp left
            if constexpr (Mode == 4) s[i] = i < n ? i : n;         // ecr: edge clamp right
            if constexpr (Mode == 5) s[i] = (n & 1) * 2 + (i & 1); // rc16: replicate 16
        }
        return Permute::apply<R>(a, b, s[0] | s[1] << 4 | s[2] << 8 | s[3] << 12);
    }
};

// Funnel shifts of {b,a}.
template<bool Wrap> struct FunnelLeft {
    template<class R> static R apply(R a, R b, R c) {
        const unsigned n = Wrap ? c & 31 : (c < 32 ? c : 32);
        const std::uint64_t joined = static_cast<std::uint64_t>(b) << 32 | a;
        return static_cast<R>((joined << n) >> 32);
    }
};
template<bool Wrap> struct FunnelRight {
    template<class R> static R apply(R a, R b, R c) {
        const unsigned n = Wrap ? c & 31 : (c < 32 ? c : 32);
        const std::uint64_t joined = static_cast<std::uint64_t>(b) << 32 | a;
        return static_cast<R>(joined >> n);
    }
};

template<class T> void add_fields(FormTable& table, const char* type) {
    add_ternary<ExtractField, T, T, std::uint32_t, std::uint32_t>(table, FormName("bfe.", type), OpClass::logic);
    add_unary<FindBit, std::uint32_t, T>(table, FormName("bfind.", type), OpClass::popc);
    add_unary<FindShift, std::uint32_t, T>(table, FormName("bfind.shiftamt.", type), OpClass::popc);
}

} // namespace

void add_bit_forms(FormTable& table) {
    using U32 = std::uint32_t;
    using U64 = std::uint64_t;
    add_unary<PopulationCount, U32, U32>(table, "popc.b32", OpClass::popc);
    add_unary<PopulationCount, U32, U64>(table, "popc.b64", OpClass::popc);
    add_unary<LeadingZeros, U32, U32>(table, "clz.b32", OpClass::popc);
    add_unary<LeadingZeros, U32, U64>(table, "clz.b64", OpClass::popc);
    add_unary<Reverse, U32, U32>(table, "brev.b32", OpClass::popc);
    add_unary<Reverse, U64, U64>(table, "brev.b64", OpClass::popc);
    add_fields<std::uint32_t>(table, "u32");
    add_fields<std::int32_t>(table, "s32");
    add_fields<std::uint64_t>(table, "u64");
    add_fields<std::int64_t>(table, "s64");
    table.add(
        {"bfi.b32", insert_field<U32>, insert_field<U32>, ptx::Type::b32, ptx::Type::b32, ptx::Type::b32, ptx::Type::u32, OpClass::logic});
    table.add(
        {"bfi.b64", insert_field<U64>, insert_field<U64>, ptx::Type::b64, ptx::Type::b64, ptx::Type::b64, ptx::Type::u32, OpClass::logic});
    add_ternary<Permute, U32, U32>(table, "prmt.b32", OpClass::logic);
    add_ternary<PermuteMode<0>, U32, U32>(table, "prmt.b32.f4e", OpClass::logic);
    add_ternary<PermuteMode<1>, U32, U32>(table, "prmt.b32.b4e", OpClass::logic);
    add_ternary<PermuteMode<2>, U32, U32>(table, "prmt.b32.rc8", OpClass::logic);
    add_ternary<PermuteMode<3>, U32, U32>(table, "prmt.b32.ecl", OpClass::logic);
    add_ternary<PermuteMode<4>, U32, U32>(table, "prmt.b32.ecr", OpClass::logic);
    add_ternary<PermuteMode<5>, U32, U32>(table, "prmt.b32.rc16", OpClass::logic);
    add_ternary<FunnelLeft<true>, U32, U32>(table, "shf.l.wrap.b32", OpClass::logic);
    add_ternary<FunnelLeft<false>, U32, U32>(table, "shf.l.clamp.b32", OpClass::logic);
    add_ternary<FunnelRight<true>, U32, U32>(table, "shf.r.wrap.b32", OpClass::logic);
    add_ternary<FunnelRight<false>, U32, U32>(table, "shf.r.clamp.b32", OpClass::logic);
}

} // namespace apod::emu::APOD_LANES
