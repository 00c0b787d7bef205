// Packed integers: 16-bit pairs, dot products, the packed video instructions.
#include "tests/emu/catalogues.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace apod::emu::testing {

namespace {

// Element `i` of `bits` bits, extended.
std::int64_t part(std::uint64_t word, unsigned i, unsigned bits, bool is_signed) {
    const std::uint64_t raw = (word >> (bits * i)) & ((1ull << bits) - 1);
    return is_signed && (raw >> (bits - 1)) != 0 ? static_cast<std::int64_t>(raw) - (std::int64_t{1} << bits)
                                                 : static_cast<std::int64_t>(raw);
}

std::uint64_t by_halves(Values v, bool is_signed, std::int64_t (*f)(std::int64_t, std::int64_t)) {
    std::uint64_t d = 0;
    for (unsigned i = 0; i < 2; ++i)
        d |= (static_cast<std::uint64_t>(f(part(v[0], i, 16, is_signed), part(v[1], i, 16, is_signed))) & 0xffff) << (16 * i);
    return d;
}

void add_pairs(Catalogue& list) {
    using Function = std::int64_t (*)(std::int64_t, std::int64_t);
    const Function sum = [](std::int64_t a, std::int64_t b) { return a + b; };
    const Function least = [](std::int64_t a, std::int64_t b) { return a < b ? a : b; };
    const Function most = [](std::int64_t a, std::int64_t b) { return a > b ? a : b; };
    const Function least_relu = [](std::int64_t a, std::int64_t b) { return std::max<std::int64_t>(0, std::min(a, b)); };
    const Function most_relu = [](std::int64_t a, std::int64_t b) { return std::max<std::int64_t>(0, std::max(a, b)); };
    const auto add = [&](const char* name, bool is_signed, Function f) {
        list.push_back({name, {Kind::i32, Kind::i32}, Kind::i32, [=](Values v) { return by_halves(v, is_signed, f); }});
    };
    add("add.u16x2", false, sum);
    add("add.s16x2", true, sum);
    add("min.u16x2", false, least);
    add("min.s16x2", true, least);
    add("max.u16x2", false, most);
    add("max.s16x2", true, most);
    add("min.relu.s16x2", true, least_relu);
    add("max.relu.s16x2", true, most_relu);
}

void add_dots(Catalogue& list) {
    const std::vector<Kind> inputs{Kind::i32, Kind::i32, Kind::i32};
    for (const bool sa : {false, true})
        for (const bool sb : {false, true}) {
            const std::string types = fmt::format("{}32.{}32", sa ? 's' : 'u', sb ? 's' : 'u');
            list.push_back({"dp4a." + types, inputs, Kind::i32, [=](Values v) {
                                std::uint64_t d = v[2];
                                for (unsigned i = 0; i < 4; ++i)
                                    d += static_cast<std::uint64_t>(part(v[0], i, 8, sa) * part(v[1], i, 8, sb));
                                return d;
                            }});
            for (const unsigned first : {0u, 2u})
                list.push_back({fmt::format("dp2a.{}.{}", first == 0 ? "lo" : "hi", types), inputs, Kind::i32, [=](Values v) {
                                    std::uint64_t d = v[2];
                                    for (unsigned i = 0; i < 2; ++i)
                                        d += static_cast<std::uint64_t>(part(v[0], i, 16, sa) * part(v[1], first + i, 8, sb));
                                    return d;
                                }});
        }
}

struct Video {
    std::string operation; // "vadd", ...
    unsigned elements = 4;
    bool sd = false, sa = false, sb = false;
    bool saturate = false, accumulate = false;
    std::string comparison;               // vset
    std::string mask, select_a, select_b; // digits, the highest element first; empty: all, in order
};

std::int64_t one_element(const Video& f, std::int64_t a, std::int64_t b) {
    if (f.operation == "vadd") return a + b;
    if (f.operation == "vsub") return a - b;
    if (f.operation == "vavrg") return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    if (f.operation == "vabsdiff") return std::abs(a - b);
    if (f.operation == "vmin") return std::min(a, b);
    if (f.operation == "vmax") return std::max(a, b);
    const std::string& c = f.comparison;
    return (c == "eq" && a == b) || (c == "ne" && a != b) || (c == "lt" && a < b) || (c == "le" && a <= b) || (c == "gt" && a > b) ||
           (c == "ge" && a >= b);
}

std::uint64_t video(const Video& f, Values v) {
    const unsigned bits = 32 / f.elements;
    const std::uint64_t both = v[1] << 32 | v[0];
    std::uint64_t sum = v[2];
    std::uint64_t merged = 0;
    for (unsigned i = 0; i < f.elements; ++i) {
        const auto digit = [&](const std::string& text, unsigned otherwise) {
            return text.empty() ? otherwise : static_cast<unsigned>(text[text.size() - 1 - i] - '0');
        };
        std::int64_t t =
            one_element(f, part(both, digit(f.select_a, i), bits, f.sa), part(both, digit(f.select_b, i + f.elements), bits, f.sb));
        const std::int64_t high = (std::int64_t{1} << (f.sd ? bits - 1 : bits)) - 1;
        const std::int64_t low = f.sd ? -high - 1 : 0;
        if (f.saturate) t = std::max(low, std::min(high, t));
        const bool chosen = f.mask.empty() || f.mask.find(static_cast<char>('0' + i)) != std::string::npos;
        if (chosen) sum += static_cast<std::uint64_t>(t);
        const std::uint64_t element = chosen ? static_cast<std::uint64_t>(t) : v[2] >> (bits * i);
        merged |= (element & ((1ull << bits) - 1)) << (bits * i);
    }
    return f.accumulate ? sum : merged;
}

void add_video(Catalogue& list, const Video& f) {
    const auto type = [](bool is_signed) { return is_signed ? ".s32" : ".u32"; };
    std::string name = fmt::format("{}{}", f.operation, f.elements);
    if (f.comparison.empty()) name += type(f.sd);
    name += fmt::format("{}{}", type(f.sa), type(f.sb));
    if (!f.comparison.empty()) name += "." + f.comparison;
    if (f.saturate) name += ".sat";
    if (f.accumulate) name += ".add";
    const auto selector = [&](const std::string& digits) {
        return digits.empty() ? std::string{} : fmt::format(".{}{}", f.elements == 4 ? 'b' : 'h', digits);
    };
    const std::string code =
        fmt::format("{} {{d}}{}, {{a}}{}, {{b}}{}, {{c}};", name, selector(f.mask), selector(f.select_a), selector(f.select_b));
    list.push_back({code, {Kind::i32, Kind::i32, Kind::i32}, Kind::i32, [=](Values v) { return video(f, v); }, code});
}

void add_videos(Catalogue& list) {
    for (const unsigned n : {2u, 4u})
        for (const char* operation : {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"})
            for (const bool sign : {false, true}) {
                add_video(list, {operation, n, sign, sign, sign, false, false, "", "", "", ""});
                add_video(list, {operation, n, sign, !sign, sign, true, false, "", "", "", ""});
                add_video(list, {operation, n, !sign, sign, sign, false, true, "", "", "", ""});
            }
    for (const char* comparison : {"eq", "ne", "lt", "le", "gt", "ge"})
        for (const bool accumulate : {false, true}) {
            add_video(list, {"vset", 4, false, true, false, false, accumulate, comparison, "", "", ""});
            add_video(list, {"vset", 2, false, false, true, false, accumulate, comparison, "", "", ""});
        }
    add_video(list, {"vadd", 4, true, true, true, true, false, "", "20", "7310", "0456"});
    add_video(list, {"vsub", 4, true, false, true, false, true, "", "3", "0000", "2222"});
    add_video(list, {"vmax", 2, false, false, false, false, false, "", "1", "30", "21"});
}

} // namespace

Catalogue packed_cases() {
    Catalogue list;
    add_pairs(list);
    add_dots(list);
    add_videos(list);
    return list;
}

} // namespace apod::emu::testing
