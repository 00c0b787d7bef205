// cvt between integer types, with and without .sat.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// Into a wider register the value is extended by the signedness of the destination type, which pack and the register's reader do.
struct Convert {
    template<class R, class T> static R apply(T a) { return static_cast<R>(a); }
};

template<class R> inline constexpr R lowest = std::is_signed_v<R> ? static_cast<R>(Unsigned<R>{1} << (8 * sizeof(R) - 1)) : R{0};
template<class R> inline constexpr R highest = static_cast<R>(~static_cast<Unsigned<R>>(lowest<R>));

struct ConvertSaturating {
    template<class R, class T> static R apply(T a) {
        if constexpr (std::is_signed_v<T>) {
            const std::int64_t v = a;
            if constexpr (std::is_signed_v<R>) {
                const std::int64_t low = lowest<R>;
                const std::int64_t high = highest<R>;
                return static_cast<R>(v < low ? low : v > high ? high : v);
            } else {
                if (v < 0) return 0;
                const std::uint64_t high = highest<R>;
                return static_cast<R>(static_cast<std::uint64_t>(v) > high ? high : static_cast<std::uint64_t>(v));
            }
        } else {
            const std::uint64_t v = a;
            const std::uint64_t high = static_cast<std::uint64_t>(highest<R>);
            return static_cast<R>(v > high ? high : v);
        }
    }
};

template<class R, class T> void add_pair(FormTable& table, const char* to, const char* from) {
    const OpClass op_class = sizeof(R) == 8 || sizeof(T) == 8 ? OpClass::convert64 : OpClass::convert;
    char name[32];
    for (const char* sat : {"", "sat."}) {
        unsigned at = 0;
        for (const char* part : {"cvt.", sat, to, ".", from})
            for (; *part != 0; ++part) name[at++] = *part;
        name[at] = 0;
        if (*sat == 0)
            add_unary<Convert, R, T>(table, name, op_class);
        else
            add_unary<ConvertSaturating, R, T>(table, name, op_class);
    }
}

template<class R> void add_to(FormTable& table, const char* to) {
    add_pair<R, std::uint8_t>(table, to, "u8");
    add_pair<R, std::int8_t>(table, to, "s8");
    add_pair<R, std::uint16_t>(table, to, "u16");
    add_pair<R, std::int16_t>(table, to, "s16");
    add_pair<R, std::uint32_t>(table, to, "u32");
    add_pair<R, std::int32_t>(table, to, "s32");
    add_pair<R, std::uint64_t>(table, to, "u64");
    add_pair<R, std::int64_t>(table, to, "s64");
}

// szext: sign- or zero-extends the low N bits; .wrap takes N modulo 32, .clamp limits it.
template<bool Wrap> struct ExtendLow {
    template<class R> static R apply(R a, std::uint32_t b) {
        const std::uint32_t n = Wrap ? b & 31 : (b < 32 ? b : 32);
        if (n == 0) return 0;
        if (n >= 32) return a;
        if constexpr (std::is_signed_v<R>)
            return static_cast<R>(static_cast<std::uint32_t>(a) << (32 - n)) >> (32 - n);
        else
            return a & ((1u << n) - 1);
    }
};

} // namespace

void add_convert_integer_forms(FormTable& table) {
    add_to<std::uint8_t>(table, "u8");
    add_to<std::int8_t>(table, "s8");
    add_to<std::uint16_t>(table, "u16");
    add_to<std::int16_t>(table, "s16");
    add_to<std::uint32_t>(table, "u32");
    add_to<std::int32_t>(table, "s32");
    add_to<std::uint64_t>(table, "u64");
    add_to<std::int64_t>(table, "s64");
    add_binary<ExtendLow<true>, std::uint32_t, std::uint32_t>(table, "szext.wrap.u32", OpClass::logic);
    add_binary<ExtendLow<false>, std::uint32_t, std::uint32_t>(table, "szext.clamp.u32", OpClass::logic);
    add_binary<ExtendLow<true>, std::int32_t, std::int32_t, std::uint32_t>(table, "szext.wrap.s32", OpClass::logic);
    add_binary<ExtendLow<false>, std::int32_t, std::int32_t, std::uint32_t>(table, "szext.clamp.s32", OpClass::logic);
}

} // namespace apod::emu::APOD_LANES
