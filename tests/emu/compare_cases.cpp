// setp, set and testp for every type and comparison, with and without a predicate to combine with.
#include "tests/emu/catalogues.hpp"
#include "tests/emu/reference/exact.hpp"

#include <fmt/format.h>

#include <cstring>

namespace apod::emu::testing {

namespace {

using reference::Format;

struct Type {
    const char* name;
    Kind kind;
    char family; // b, u, s, f
    const Format* format = nullptr;
    bool has_ftz = false;
    const char* pair = nullptr; // the type of two
    Kind pair_kind = Kind::i32;
};
const Type types[] = {
    {"b16", Kind::i16, 'b'},
    {"b32", Kind::i32, 'b'},
    {"b64", Kind::i64, 'b'},
    {"u16", Kind::i16, 'u'},
    {"u32", Kind::i32, 'u'},
    {"u64", Kind::i64, 'u'},
    {"s16", Kind::i16, 's'},
    {"s32", Kind::i32, 's'},
    {"s64", Kind::i64, 's'},
    {"f32", Kind::f32, 'f', &reference::f32, true},
    {"f64", Kind::f64, 'f', &reference::f64},
    {"f16", Kind::h16, 'f', &reference::f16, true, "f16x2", Kind::h16x2},
    {"bf16", Kind::b16, 'f', &reference::bf16, false, "bf16x2", Kind::b16x2},
};

// -1, 0, 1; 2: unordered.
int order(const Type& t, std::uint64_t a, std::uint64_t b, bool ftz) {
    if (t.family == 'f') {
        if (ftz) {
            a = reference::flush(a, *t.format);
            b = reference::flush(b, *t.format);
        }
        const auto x = reference::decode(a, *t.format);
        const auto y = reference::decode(b, *t.format);
        return x.is_nan() || y.is_nan() ? 2 : reference::compare(x, y);
    }
    if (t.family == 's') {
        const unsigned shift = 64 - bits_of(t.kind);
        const auto x = static_cast<std::int64_t>(a << shift);
        const auto y = static_cast<std::int64_t>(b << shift);
        return x < y ? -1 : x > y ? 1 : 0;
    }
    return a < b ? -1 : a > b ? 1 : 0;
}

struct Comparison {
    const char* name;
    const char* families;
    bool less, equal, greater, unordered;
};
constexpr Comparison comparisons[] = {
    {"eq", "busf", false, true, false, false}, {"ne", "busf", true, false, true, false}, {"lt", "usf", true, false, false, false},
    {"le", "usf", true, true, false, false},   {"gt", "usf", false, false, true, false}, {"ge", "usf", false, true, true, false},
    {"lo", "u", true, false, false, false},    {"ls", "u", true, true, false, false},    {"hi", "u", false, false, true, false},
    {"hs", "u", false, true, true, false},     {"equ", "f", false, true, false, true},   {"neu", "f", true, false, true, true},
    {"ltu", "f", true, false, false, true},    {"leu", "f", true, true, false, true},    {"gtu", "f", false, false, true, true},
    {"geu", "f", false, true, true, true},     {"num", "f", true, true, true, false},    {"nan", "f", false, false, false, true},
};

bool holds(const Comparison& c, const Type& t, std::uint64_t a, std::uint64_t b, bool ftz) {
    switch (order(t, a, b, ftz)) {
    case -1: return c.less;
    case 0: return c.equal;
    case 1: return c.greater;
    default: return c.unordered;
    }
}

bool combined(const std::string& how, bool t, bool c) { return how == "and" ? t && c : how == "or" ? t || c : how == "xor" ? t != c : t; }

const char* const combinations[] = {"", "and", "or", "xor"};

// p and q become bits 0 and 1.
const char* const both_seen = "selp.u32 {d}, 1, 0, {p};\nselp.u32 %w25, 2, 0, {q};\nor.b32 {d}, {d}, %w25;\n";

void add_setp(Catalogue& list, const Type& t, const Comparison& c, bool ftz, const std::string& how) {
    const std::string name = fmt::format("setp.{}{}{}{}.{}", c.name, how.empty() ? "" : ".", how, ftz ? ".ftz" : "", t.name);
    std::vector<Kind> inputs{t.kind, t.kind};
    if (!how.empty()) inputs.push_back(Kind::pred);
    const auto reference = [=](Values v) {
        const bool is = holds(c, t, v[0], v[1], ftz);
        const bool other = !how.empty() && v[2] != 0;
        return static_cast<std::uint64_t>(combined(how, is, other)) | static_cast<std::uint64_t>(combined(how, !is, other)) << 1;
    };
    const std::string third = how.empty() ? "" : ", {c}";
    if (t.pair == nullptr) // of f16 and bf16, only pairs have a second predicate
        list.push_back(
            {name + " p|q", inputs, Kind::i32, reference, fmt::format("{} {{p}}|{{q}}, {{a}}, {{b}}{};", name, third), "", both_seen, 0});
    list.push_back({name, inputs, Kind::pred, [=](Values v) { return reference(v) & 1; },
                    fmt::format("{} {{d}}, {{a}}, {{b}}{};", name, third), "", "", 0});
    if (t.pair == nullptr) return;
    const std::string pairs = name + "x2";
    inputs[0] = inputs[1] = t.pair_kind;
    list.push_back({pairs, inputs, Kind::i32,
                    [=](Values v) {
                        const bool other = !how.empty() && v[2] != 0;
                        const bool low = holds(c, t, v[0] & 0xffff, v[1] & 0xffff, ftz);
                        const bool high = holds(c, t, v[0] >> 16, v[1] >> 16, ftz);
                        return static_cast<std::uint64_t>(combined(how, low, other)) |
                               static_cast<std::uint64_t>(combined(how, high, other)) << 1;
                    },
                    fmt::format("{} {{p}}|{{q}}, {{a}}, {{b}}{};", pairs, third), "", both_seen, 0});
}

struct Destination {
    const char* name;
    Kind kind;
    std::uint64_t truth;
};

std::vector<Destination> destinations(const Type& t) {
    std::vector<Destination> list{{"u32", Kind::i32, 0xffffffffu}, {"s32", Kind::i32, 0xffffffffu}};
    if (t.pair != nullptr) {
        list.push_back({"u16", Kind::i16, 0xffffu});
        list.push_back({"s16", Kind::i16, 0xffffu});
    } else {
        list.push_back({"f32", Kind::i32, 0x3f800000u});
    }
    if (std::strcmp(t.name, "bf16") != 0) list.push_back({"f16", Kind::h16, 0x3c00u});
    if (std::strcmp(t.name, "f16") != 0) list.push_back({"bf16", Kind::b16, 0x3f80u});
    return list;
}

void add_set(Catalogue& list, const Type& t, const Comparison& c, bool ftz, const std::string& how, const Destination& to) {
    std::vector<Kind> inputs{t.kind, t.kind};
    if (!how.empty()) inputs.push_back(Kind::pred);
    list.push_back(
        {fmt::format("set.{}{}{}{}.{}.{}", c.name, how.empty() ? "" : ".", how, ftz ? ".ftz" : "", to.name, t.name), inputs, to.kind,
         [=](Values v) { return combined(how, holds(c, t, v[0], v[1], ftz), !how.empty() && v[2] != 0) ? to.truth : std::uint64_t{0}; }});
}

void add_set_pairs(Catalogue& list, const Type& t, const Comparison& c, bool ftz, const std::string& how) {
    if (t.pair == nullptr) return;
    std::vector<Kind> inputs{t.pair_kind, t.pair_kind};
    if (!how.empty()) inputs.push_back(Kind::pred);
    const std::uint64_t one = std::strcmp(t.name, "f16") == 0 ? 0x3c00u : 0x3f80u;
    const std::vector<Destination> to_list{
        {t.pair, Kind::i32, one | one << 16}, {"u32", Kind::i32, 0xffffffffu}, {"s32", Kind::i32, 0xffffffffu}};
    for (const Destination& to : to_list)
        list.push_back({fmt::format("set.{}{}{}{}.{}.{}", c.name, how.empty() ? "" : ".", how, ftz ? ".ftz" : "", to.name, t.pair), inputs,
                        to.kind, [=](Values v) {
                            const bool other = !how.empty() && v[2] != 0;
                            const bool low = combined(how, holds(c, t, v[0] & 0xffff, v[1] & 0xffff, ftz), other);
                            const bool high = combined(how, holds(c, t, v[0] >> 16, v[1] >> 16, ftz), other);
                            return (low ? to.truth & 0xffff : 0) | (high ? to.truth & 0xffff0000u : 0);
                        }});
}

void add_testp(Catalogue& list, const char* type, Kind kind, const Format& format) {
    const auto add = [&](const char* property, auto holds_for) {
        list.push_back({fmt::format("testp.{}.{}", property, type),
                        {kind},
                        Kind::pred,
                        [=, &format](Values v) { return static_cast<std::uint64_t>(holds_for(reference::decode(v[0], format), v[0])); },
                        "",
                        "",
                        "",
                        0});
    };
    const std::uint64_t exponent = ((1ull << format.exponent_bits) - 1) << format.fraction_bits;
    const auto finite = [](const reference::Exact& x) { return !x.is_nan() && !x.is_infinite(); };
    const auto subnormal = [=](const reference::Exact& x, std::uint64_t bits) {
        return finite(x) && !x.is_zero() && (bits & exponent) == 0;
    };
    add("finite", [=](const reference::Exact& x, std::uint64_t) { return finite(x); });
    add("infinite", [](const reference::Exact& x, std::uint64_t) { return x.is_infinite(); });
    add("number", [](const reference::Exact& x, std::uint64_t) { return !x.is_nan(); });
    add("notanumber", [](const reference::Exact& x, std::uint64_t) { return x.is_nan(); });
    add("normal", [=](const reference::Exact& x, std::uint64_t bits) { return finite(x) && !subnormal(x, bits); });
    add("subnormal", subnormal);
}

} // namespace

Catalogue compare_cases() {
    Catalogue list;
    for (const Type& t : types)
        for (const Comparison& c : comparisons) {
            if (std::strchr(c.families, t.family) == nullptr) continue;
            for (const bool ftz : {false, true}) {
                if (ftz && !t.has_ftz) continue;
                // Every comparison plainly; every combination with one comparison of each type.
                for (const char* how : combinations) {
                    if (*how != 0 && std::strcmp(c.name, "ne") != 0) continue;
                    add_setp(list, t, c, ftz, how);
                    add_set_pairs(list, t, c, ftz, how);
                    for (const Destination& to : destinations(t))
                        if (std::strcmp(to.name, "u32") == 0 || std::strcmp(c.name, "ne") == 0) add_set(list, t, c, ftz, how, to);
                }
            }
        }
    add_testp(list, "f32", Kind::f32, reference::f32);
    add_testp(list, "f64", Kind::f64, reference::f64);
    return list;
}

} // namespace apod::emu::testing
