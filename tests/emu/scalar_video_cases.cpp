// The scalar video instructions against the PTX ISA's description, step by step in wide integers.
#include "tests/emu/catalogues.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::emu::testing {

namespace {

using Wide = __int128;

struct Part {
    const char* selector;
    unsigned shift;
    unsigned bits;
};
constexpr Part parts[] = {{"", 0, 32}, {".b0", 0, 8}, {".b1", 8, 8}, {".b2", 16, 8}, {".b3", 24, 8}, {".h0", 0, 16}, {".h1", 16, 16}};

Wide extract(std::uint64_t word, const Part& part, bool is_signed) {
    const std::uint64_t raw = (word & 0xffffffffu) >> part.shift & ((1ull << part.bits) - 1);
    const bool negative = is_signed && (raw >> (part.bits - 1)) != 0;
    return negative ? Wide{raw} - (Wide{1} << part.bits) : Wide{raw};
}

Wide limited(Wide v, unsigned bits, bool is_signed) {
    const Wide low = is_signed ? -(Wide{1} << (bits - 1)) : Wide{0};
    const Wide high = low + (Wide{1} << bits) - 1;
    return std::min(std::max(v, low), high);
}

std::uint64_t merged(std::uint64_t t, std::uint64_t c, const Part& part) {
    const std::uint64_t ones = ((1ull << part.bits) - 1) << part.shift;
    return ((t << part.shift & ones) | (c & ~ones)) & 0xffffffffu;
}

struct Operation {
    const char* name;
    Wide (*apply)(Wide a, Wide b);
};
const Operation operations[] = {{"vadd", [](Wide a, Wide b) { return a + b; }},
                                {"vsub", [](Wide a, Wide b) { return a - b; }},
                                {"vabsdiff", [](Wide a, Wide b) { return a > b ? a - b : b - a; }},
                                {"vmin", [](Wide a, Wide b) { return std::min(a, b); }},
                                {"vmax", [](Wide a, Wide b) { return std::max(a, b); }}};

std::uint64_t word(Wide v) { return static_cast<std::uint64_t>(v) & 0xffffffffu; }
char letter(bool is_signed) { return is_signed ? 's' : 'u'; }

// The three endings of one instruction: alone, with a second operation, merged into c. `first` gives the value before saturation.
template<class First>
void add_endings(Catalogue& list, const std::string& stem, const std::string& tail, const Part& a, const Part& b, bool signed_d, bool sat,
                 First first) {
    const std::vector<Kind> two{Kind::i32, Kind::i32};
    const std::vector<Kind> three{Kind::i32, Kind::i32, Kind::i32};
    const std::string sources = fmt::format("{{a}}{}, {{b}}{}", a.selector, b.selector);
    const auto before_merge = [=](Values v, unsigned bits) { return sat ? limited(first(v), bits, signed_d) : first(v); };
    const std::string name = stem + tail;
    list.push_back(
        {name, two, Kind::i32, [=](Values v) { return word(before_merge(v, 32)); }, fmt::format("{} {{d}}, {};", name, sources)});
    for (const char* second : {"add", "min", "max"}) {
        const std::string_view kind = second;
        list.push_back({name + "." + second, three, Kind::i32,
                        [=](Values v) {
                            const std::uint64_t t = word(before_merge(v, 32));
                            if (kind == "add") return (t + v[2]) & 0xffffffffu;
                            const Wide x = extract(t, parts[0], signed_d);
                            const Wide y = extract(v[2], parts[0], signed_d);
                            return word(kind == "min" ? std::min(x, y) : std::max(x, y));
                        },
                        fmt::format("{}.{} {{d}}, {}, {{c}};", name, second, sources)});
    }
    for (const Part& d : {parts[2], parts[5], parts[6], parts[4]})
        list.push_back({name + d.selector, three, Kind::i32, [=](Values v) { return merged(word(before_merge(v, d.bits)), v[2], d); },
                        fmt::format("{} {{d}}{}, {}, {{c}};", name, d.selector, sources)});
}

void add_arithmetic(Catalogue& list) {
    unsigned turn = 0;
    for (const Operation& f : operations)
        for (unsigned signs = 0; signs < 8; ++signs)
            for (const bool sat : {false, true}) {
                const bool sd = (signs & 1) != 0;
                const bool sa = (signs & 2) != 0;
                const bool sb = (signs & 4) != 0;
                const Part& a = parts[turn % 7];
                const Part& b = parts[turn / 2 % 7];
                ++turn;
                const std::string stem = fmt::format("{}.{}32.{}32.{}32", f.name, letter(sd), letter(sa), letter(sb));
                add_endings(list, stem, sat ? ".sat" : "", a, b, sd, sat,
                            [=](Values v) { return f.apply(extract(v[0], a, sa), extract(v[1], b, sb)); });
            }
}

void add_shifts(Catalogue& list) {
    unsigned turn = 0;
    for (const bool left : {true, false})
        for (unsigned signs = 0; signs < 4; ++signs)
            for (const bool sat : {false, true})
                for (const bool wrap : {false, true}) {
                    const bool sd = (signs & 1) != 0;
                    const bool sa = (signs & 2) != 0;
                    const Part& a = parts[turn % 7];
                    const Part& b = parts[turn / 3 % 7];
                    ++turn;
                    const std::string stem = fmt::format("{}.{}32.{}32.u32", left ? "vshl" : "vshr", letter(sd), letter(sa));
                    add_endings(list, stem, fmt::format("{}.{}", sat ? ".sat" : "", wrap ? "wrap" : "clamp"), a, b, sd, sat, [=](Values v) {
                        Wide x = extract(v[0], a, sa);
                        const Wide count = extract(v[1], b, false);
                        const int by = static_cast<int>(wrap ? count % 32 : std::min<Wide>(count, 32));
                        for (int i = 0; i < by; ++i) x = left ? x * 2 : x < 0 ? (x - 1) / 2 : x / 2; // towards minus infinity
                        return x;
                    });
                }
}

void add_comparisons(Catalogue& list) {
    struct Comparison {
        const char* name;
        bool (*holds)(Wide, Wide);
    };
    const Comparison comparisons[] = {{"eq", [](Wide a, Wide b) { return a == b; }}, {"ne", [](Wide a, Wide b) { return a != b; }},
                                      {"lt", [](Wide a, Wide b) { return a < b; }},  {"le", [](Wide a, Wide b) { return a <= b; }},
                                      {"gt", [](Wide a, Wide b) { return a > b; }},  {"ge", [](Wide a, Wide b) { return a >= b; }}};
    unsigned turn = 0;
    for (const Comparison& c : comparisons)
        for (unsigned signs = 0; signs < 4; ++signs) {
            const bool sa = (signs & 1) != 0;
            const bool sb = (signs & 2) != 0;
            const Part& a = parts[turn % 7];
            const Part& b = parts[turn / 4 % 7];
            ++turn;
            add_endings(list, fmt::format("vset.{}32.{}32.{}", letter(sa), letter(sb), c.name), "", a, b, false, false,
                        [=](Values v) { return Wide{c.holds(extract(v[0], a, sa), extract(v[1], b, sb)) ? 1 : 0}; });
        }
}

struct Negation {
    const char* a;
    const char* b;
    const char* c;
    const char* suffix;
};
constexpr Negation negations[] = {{"", "", "", ""},   {"-", "", "", ""}, {"", "-", "", ""},
                                  {"-", "-", "", ""}, {"", "", "-", ""}, {"", "", "", ".po"}};

void add_multiplications(Catalogue& list) {
    unsigned turn = 0;
    for (unsigned signs = 0; signs < 4; ++signs)
        for (const Negation& n : negations)
            for (const int shift : {0, 7, 15})
                for (const bool sat : {false, true}) {
                    const bool sa = (signs & 1) != 0;
                    const bool sb = (signs & 2) != 0;
                    const Part& a = parts[turn % 7];
                    const Part& b = parts[turn / 5 % 7];
                    ++turn;
                    const bool minus = (n.a[0] != 0) != (n.b[0] != 0);
                    const bool minus_c = n.c[0] != 0;
                    const bool final_sign = sa || sb || minus || minus_c;
                    const std::string name = fmt::format("vmad.{}32.{}32.{}32{}{}{}", letter(sa || sb), letter(sa), letter(sb), n.suffix,
                                                         sat ? ".sat" : "", shift != 0 ? fmt::format(".shr{}", shift) : "");
                    list.push_back({name,
                                    {Kind::i32, Kind::i32, Kind::i32},
                                    Kind::i32,
                                    [=](Values v) {
                                        Wide t = extract(v[0], a, sa) * extract(v[1], b, sb);
                                        Wide c = extract(v[2], parts[0], final_sign);
                                        if (minus) t = -t;
                                        if (minus_c) c = extract(~v[2], parts[0], true) + 1; // as it says: c's bits inverted, and one
                                        t += c + (n.suffix[0] != 0 ? 1 : 0);
                                        for (int i = 0; i < shift; ++i) t = t < 0 ? (t - 1) / 2 : t / 2;
                                        return word(sat ? limited(t, 32, final_sign) : t);
                                    },
                                    fmt::format("{} {{d}}, {}{{a}}{}, {}{{b}}{}, {}{{c}};", name, n.a, a.selector, n.b, b.selector, n.c)});
                }
}

} // namespace

Catalogue scalar_video_cases() {
    Catalogue list;
    add_arithmetic(list);
    add_shifts(list);
    add_comparisons(list);
    add_multiplications(list);
    return list;
}

} // namespace apod::emu::testing
