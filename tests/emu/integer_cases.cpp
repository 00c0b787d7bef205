// add, sub, mul, mad, div, rem, min, max, sad, neg, abs, the 24-bit products and the saturating forms.
#include "tests/emu/catalogues.hpp"

#include <fmt/format.h>

#include <limits>
#include <type_traits>

namespace apod::emu::testing {

namespace {

using Int = __int128;

template<class T> T value(Values v, int i) { return static_cast<T>(v[i]); }
template<class T> std::uint64_t bits(Int v) { return static_cast<std::uint64_t>(static_cast<T>(v)); }

template<class T> constexpr Kind kind = sizeof(T) == 2 ? Kind::i16 : sizeof(T) == 4 ? Kind::i32 : Kind::i64;

// The product as a number that 128 bits hold, whatever the signs.
template<class T> Int product(Values v) {
    if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>)
        return static_cast<Int>(static_cast<unsigned __int128>(value<T>(v, 0)) * value<T>(v, 1));
    else
        return static_cast<Int>(value<T>(v, 0)) * value<T>(v, 1);
}
template<class T> T high_half(Values v) {
    if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>)
        return static_cast<T>(static_cast<unsigned __int128>(product<T>(v)) >> 64);
    else
        return static_cast<T>(product<T>(v) >> (8 * sizeof(T)));
}

template<class T> std::uint64_t quotient(Values v) {
    const T a = value<T>(v, 0);
    const T b = value<T>(v, 1);
    return b == 0 ? ~0ull : bits<T>(static_cast<Int>(a) / static_cast<Int>(b));
}
template<class T> std::uint64_t remainder(Values v) {
    const T a = value<T>(v, 0);
    const T b = value<T>(v, 1);
    return b == 0 ? ~0ull : bits<T>(static_cast<Int>(a) % static_cast<Int>(b));
}

template<class T> void add_type(Catalogue& list, const char* t) {
    const auto two = [&](const char* name, Reference reference) {
        list.push_back({fmt::format("{}.{}", name, t), {kind<T>, kind<T>}, kind<T>, std::move(reference)});
    };
    const auto three = [&](const char* name, Reference reference) {
        list.push_back({fmt::format("{}.{}", name, t), {kind<T>, kind<T>, kind<T>}, kind<T>, std::move(reference)});
    };
    two("add", [](Values v) { return v[0] + v[1]; });
    two("sub", [](Values v) { return v[0] - v[1]; });
    two("mul.lo", [](Values v) { return bits<T>(product<T>(v)); });
    two("mul.hi", [](Values v) { return bits<T>(high_half<T>(v)); });
    two("div", quotient<T>);
    two("rem", remainder<T>);
    two("min", [](Values v) { return value<T>(v, 0) < value<T>(v, 1) ? v[0] : v[1]; });
    two("max", [](Values v) { return value<T>(v, 0) > value<T>(v, 1) ? v[0] : v[1]; });
    three("mad.lo", [](Values v) { return bits<T>(product<T>(v)) + v[2]; });
    three("mad.hi", [](Values v) { return bits<T>(high_half<T>(v)) + v[2]; });
    three("sad", [](Values v) {
        const Int difference = static_cast<Int>(value<T>(v, 0)) - value<T>(v, 1);
        return v[2] + static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
    });
    if constexpr (std::is_signed_v<T>) {
        list.push_back({fmt::format("neg.{}", t), {kind<T>}, kind<T>, [](Values v) { return 0 - v[0]; }});
        list.push_back({fmt::format("abs.{}", t), {kind<T>}, kind<T>, [](Values v) { return value<T>(v, 0) < 0 ? 0 - v[0] : v[0]; }});
    }
}

template<class T, class W> void add_wide(Catalogue& list, const char* t) {
    list.push_back({fmt::format("mul.wide.{}", t), {kind<T>, kind<T>}, kind<W>, [](Values v) { return bits<W>(product<T>(v)); }});
    list.push_back(
        {fmt::format("mad.wide.{}", t), {kind<T>, kind<T>, kind<W>}, kind<W>, [](Values v) { return bits<W>(product<T>(v)) + v[2]; }});
}

Int low24(std::uint64_t v, bool is_signed) {
    const Int low = static_cast<Int>(v & 0xffffff);
    return is_signed && (low & 0x800000) != 0 ? low - 0x1000000 : low;
}
Int product24(Values v, bool is_signed) { return low24(v[0], is_signed) * low24(v[1], is_signed); }

std::uint64_t clamped(Int v) {
    constexpr Int high = std::numeric_limits<std::int32_t>::max();
    constexpr Int low = std::numeric_limits<std::int32_t>::min();
    return bits<std::int32_t>(v < low ? low : v > high ? high : v);
}

void add_24_bit(Catalogue& list, const char* t, bool is_signed) {
    const std::vector<Kind> two{Kind::i32, Kind::i32};
    const std::vector<Kind> three{Kind::i32, Kind::i32, Kind::i32};
    list.push_back({fmt::format("mul24.lo.{}", t), two, Kind::i32, [=](Values v) { return bits<std::int64_t>(product24(v, is_signed)); }});
    list.push_back(
        {fmt::format("mul24.hi.{}", t), two, Kind::i32, [=](Values v) { return bits<std::int64_t>(product24(v, is_signed) >> 16); }});
    list.push_back(
        {fmt::format("mad24.lo.{}", t), three, Kind::i32, [=](Values v) { return bits<std::int64_t>(product24(v, is_signed)) + v[2]; }});
    list.push_back({fmt::format("mad24.hi.{}", t), three, Kind::i32,
                    [=](Values v) { return bits<std::int64_t>(product24(v, is_signed) >> 16) + v[2]; }});
}

void add_saturating(Catalogue& list) {
    using S = std::int32_t;
    const std::vector<Kind> two{Kind::i32, Kind::i32};
    const std::vector<Kind> three{Kind::i32, Kind::i32, Kind::i32};
    list.push_back({"add.sat.s32", two, Kind::i32, [](Values v) { return clamped(static_cast<Int>(value<S>(v, 0)) + value<S>(v, 1)); }});
    list.push_back({"sub.sat.s32", two, Kind::i32, [](Values v) { return clamped(static_cast<Int>(value<S>(v, 0)) - value<S>(v, 1)); }});
    list.push_back(
        {"mad.hi.sat.s32", three, Kind::i32, [](Values v) { return clamped(static_cast<Int>(high_half<S>(v)) + value<S>(v, 2)); }});
    list.push_back({"mad24.hi.sat.s32", three, Kind::i32, [](Values v) {
                        const auto high = static_cast<S>(static_cast<std::int64_t>(product24(v, true)) >> 16);
                        return clamped(static_cast<Int>(high) + value<S>(v, 2));
                    }});
    list.push_back({"min.relu.s32", two, Kind::i32, [](Values v) {
                        const S m = value<S>(v, 0) < value<S>(v, 1) ? value<S>(v, 0) : value<S>(v, 1);
                        return bits<S>(m < 0 ? 0 : m);
                    }});
    list.push_back({"max.relu.s32", two, Kind::i32, [](Values v) {
                        const S m = value<S>(v, 0) > value<S>(v, 1) ? value<S>(v, 0) : value<S>(v, 1);
                        return bits<S>(m < 0 ? 0 : m);
                    }});
}

} // namespace

Catalogue integer_cases() {
    Catalogue list;
    add_type<std::uint16_t>(list, "u16");
    add_type<std::int16_t>(list, "s16");
    add_type<std::uint32_t>(list, "u32");
    add_type<std::int32_t>(list, "s32");
    add_type<std::uint64_t>(list, "u64");
    add_type<std::int64_t>(list, "s64");
    add_wide<std::uint16_t, std::uint32_t>(list, "u16");
    add_wide<std::int16_t, std::int32_t>(list, "s16");
    add_wide<std::uint32_t, std::uint64_t>(list, "u32");
    add_wide<std::int32_t, std::int64_t>(list, "s32");
    add_24_bit(list, "u32", false);
    add_24_bit(list, "s32", true);
    add_saturating(list);
    return list;
}

} // namespace apod::emu::testing
