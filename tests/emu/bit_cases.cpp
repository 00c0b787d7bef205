// Logic, shifts, fields, counts, permutations, moves between registers.
#include "tests/emu/catalogues.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace apod::emu::testing {

namespace {

Kind kind_of(unsigned bits) { return bits == 16 ? Kind::i16 : bits == 32 ? Kind::i32 : Kind::i64; }
std::uint64_t mask_of(unsigned bits) { return bits == 64 ? ~0ull : (1ull << bits) - 1; }
std::int64_t extended(std::uint64_t v, unsigned bits) { return static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits); }
bool bit(std::uint64_t v, unsigned i) { return ((v >> i) & 1) != 0; }

void add_logic(Catalogue& list, unsigned n) {
    const Kind k = kind_of(n);
    const auto add = [&](const char* name, std::vector<Kind> inputs, Reference reference) {
        list.push_back({fmt::format("{}.b{}", name, n), std::move(inputs), k, std::move(reference)});
    };
    add("and", {k, k}, [](Values v) { return v[0] & v[1]; });
    add("or", {k, k}, [](Values v) { return v[0] | v[1]; });
    add("xor", {k, k}, [](Values v) { return v[0] ^ v[1]; });
    add("not", {k}, [](Values v) { return ~v[0]; });
    add("cnot", {k}, [](Values v) { return v[0] == 0 ? 1ull : 0ull; });
    add("mov", {k}, [](Values v) { return v[0]; });
    add("selp", {k, k, Kind::pred}, [](Values v) { return v[2] != 0 ? v[0] : v[1]; });
    add("shl", {k, Kind::small}, [=](Values v) { return v[1] >= n ? 0 : v[0] << v[1]; });
    for (const char* type : {"b", "u"})
        list.push_back({fmt::format("shr.{}{}", type, n), {k, Kind::small}, k, [=](Values v) { return v[1] >= n ? 0 : v[0] >> v[1]; }});
    list.push_back({fmt::format("shr.s{}", n), {k, Kind::small}, k, [=](Values v) {
                        return static_cast<std::uint64_t>(extended(v[0], n) >> (v[1] >= n ? n - 1 : v[1]));
                    }});
    for (const char* type : {"b", "u", "s"})
        list.push_back({fmt::format("slct.{}{}.s32", type, n), {k, k, Kind::i32}, k, [](Values v) {
                            return static_cast<std::int32_t>(v[2]) >= 0 ? v[0] : v[1];
                        }});
    for (const bool ftz : {false, true})
        list.push_back({fmt::format("slct{}.b{}.f32", ftz ? ".ftz" : "", n), {k, k, Kind::f32}, k, [=](Values v) {
                            float c = std::bit_cast<float>(static_cast<std::uint32_t>(v[2]));
                            if (ftz && (v[2] & 0x7f800000u) == 0) c = 0;
                            return c >= 0 ? v[0] : v[1];
                        }});
}

std::uint64_t find_bit(std::uint64_t v, unsigned n, bool is_signed, bool shift) {
    const bool negative = is_signed && bit(v, n - 1);
    for (unsigned i = n; i-- > 0;)
        if (bit(v, i) != negative) return shift ? n - 1 - i : i;
    return 0xffffffffu;
}

// Positions and lengths beyond 255 are undefined in PTX; an H200 takes the low byte in 32 bits and everything in 64.
unsigned field_number(std::uint64_t v, unsigned n) { return static_cast<unsigned>(n == 64 ? std::min<std::uint64_t>(v, 255) : v & 0xff); }

// As the PTX manual writes it down, bit by bit.
std::uint64_t extract_field(Values v, unsigned n, bool is_signed) {
    const unsigned position = field_number(v[1], n);
    const unsigned length = field_number(v[2], n);
    bool sign = false;
    if (is_signed && length != 0) sign = bit(v[0], std::min(position + length - 1, n - 1));
    std::uint64_t d = 0;
    for (unsigned i = 0; i < n; ++i) {
        const bool b = i < length && position + i < n ? bit(v[0], position + i) : sign;
        d |= static_cast<std::uint64_t>(b) << i;
    }
    return d;
}
std::uint64_t insert_field(Values v, unsigned n) {
    const unsigned position = field_number(v[2], n);
    const unsigned length = field_number(v[3], n);
    std::uint64_t f = v[1];
    for (unsigned i = 0; i < length && position + i < n; ++i) {
        f &= ~(1ull << (position + i));
        f |= static_cast<std::uint64_t>(bit(v[0], i)) << (position + i);
    }
    return f;
}

void add_fields(Catalogue& list, unsigned n) {
    const Kind k = kind_of(n);
    list.push_back({fmt::format("popc.b{}", n), {k}, Kind::i32, [](Values v) { return static_cast<std::uint64_t>(std::popcount(v[0])); }});
    list.push_back({fmt::format("clz.b{}", n), {k}, Kind::i32, [=](Values v) {
                        unsigned zeros = 0;
                        while (zeros < n && !bit(v[0], n - 1 - zeros)) ++zeros;
                        return std::uint64_t{zeros};
                    }});
    list.push_back({fmt::format("brev.b{}", n), {k}, k, [=](Values v) {
                        std::uint64_t d = 0;
                        for (unsigned i = 0; i < n; ++i) d |= static_cast<std::uint64_t>(bit(v[0], i)) << (n - 1 - i);
                        return d;
                    }});
    for (const char type : {'u', 's'}) {
        list.push_back(
            {fmt::format("bfind.{}{}", type, n), {k}, Kind::i32, [=](Values v) { return find_bit(v[0], n, type == 's', false); }});
        list.push_back(
            {fmt::format("bfind.shiftamt.{}{}", type, n), {k}, Kind::i32, [=](Values v) { return find_bit(v[0], n, type == 's', true); }});
        list.push_back({fmt::format("bfe.{}{}", type, n), {k, Kind::small, Kind::small}, k, [=](Values v) {
                            return extract_field(v, n, type == 's');
                        }});
    }
    list.push_back({fmt::format("bfi.b{}", n), {k, k, Kind::small, Kind::small}, k, [=](Values v) { return insert_field(v, n); }});
}

// Byte `i` of {b, a}, or the sign of it when bit 3 of the selector is set.
std::uint64_t permuted(Values v, const unsigned (&selector)[4]) {
    const std::uint64_t both = v[1] << 32 | v[0];
    std::uint64_t d = 0;
    for (unsigned i = 0; i < 4; ++i) {
        std::uint64_t byte = (both >> (8 * (selector[i] & 7))) & 0xff;
        if ((selector[i] & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
        d |= byte << (8 * i);
    }
    return d;
}

// The tables of the manual: selectors by c's two low bits, most significant byte first.
struct PermuteMode {
    const char* name;
    unsigned table[4][4];
};
constexpr PermuteMode permute_modes[] = {
    {"f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}}, {"b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
    {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}}, {"ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
    {"ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}}, {"rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}},
};

void add_permutations(Catalogue& list) {
    const std::vector<Kind> inputs{Kind::i32, Kind::i32, Kind::small};
    list.push_back({"prmt.b32", inputs, Kind::i32, [](Values v) {
                        const auto c = static_cast<unsigned>(v[2]);
                        return permuted(v, {c & 15, (c >> 4) & 15, (c >> 8) & 15, (c >> 12) & 15});
                    }});
    for (const PermuteMode& mode : permute_modes)
        list.push_back({fmt::format("prmt.b32.{}", mode.name), inputs, Kind::i32, [&mode](Values v) {
                            const auto& row = mode.table[v[2] & 3];
                            return permuted(v, {row[3], row[2], row[1], row[0]});
                        }});
    for (const bool left : {true, false})
        for (const bool wrap : {true, false})
            list.push_back({fmt::format("shf.{}.{}.b32", left ? "l" : "r", wrap ? "wrap" : "clamp"), inputs, Kind::i32, [=](Values v) {
                                const std::uint64_t n = wrap ? v[2] & 31 : std::min<std::uint64_t>(v[2], 32);
                                const std::uint64_t both = v[1] << 32 | v[0];
                                if (left) return n == 0 ? v[1] : both >> (32 - n);
                                return both >> n;
                            }});
}

void add_lop3(Catalogue& list) {
    const std::vector<Kind> inputs{Kind::i32, Kind::i32, Kind::i32};
    const auto value = [](Values v, unsigned table) {
        std::uint64_t d = 0;
        for (unsigned i = 0; i < 32; ++i) {
            const unsigned row = (bit(v[0], i) ? 4u : 0u) | (bit(v[1], i) ? 2u : 0u) | (bit(v[2], i) ? 1u : 0u);
            d |= static_cast<std::uint64_t>(bit(table, row)) << i;
        }
        return d;
    };
    for (const unsigned table : {0x80u, 0xfeu, 0x40u, 0x1au, 0x96u, 0x3fu, 0x00u, 0xffu, 0xe8u}) {
        const std::string name = fmt::format("lop3.b32 {:#x}", table);
        list.push_back({name, inputs, Kind::i32, [=](Values v) { return value(v, table); },
                        fmt::format("lop3.b32 {{d}}, {{a}}, {{b}}, {{c}}, {:#x};", table)});
    }
    std::vector<Kind> with_predicate = inputs;
    with_predicate.push_back(Kind::pred);
    for (const bool conjunction : {true, false})
        for (const char* sink : {"{d}", "_"}) {
            const char* how = conjunction ? "and" : "or";
            FormCase form{
                fmt::format("lop3.{}.b32 {}|p", how, sink),
                with_predicate,
                Kind::i32,
                [=](Values v) {
                    const bool nonzero = value(v, 0x80) != 0;
                    return static_cast<std::uint64_t>(conjunction ? nonzero && v[3] != 0 : nonzero || v[3] != 0);
                },
                fmt::format("lop3.{}.b32 {}|{{p}}, {{a}}, {{b}}, {{c}}, 0x80, {{e}};", how, sink == std::string("_") ? "_" : "%w25"),
                "",
                "selp.u32 {d}, 1, 0, {p};\n",
                0};
            list.push_back(form);
        }
    list.push_back({"lop3.or.b32 d|p (d)", with_predicate, Kind::i32, [=](Values v) { return value(v, 0x96); },
                    "lop3.or.b32 {d}|{p}, {a}, {b}, {c}, 0x96, !{e};"});
}

std::uint64_t bit_mask(Values v, bool clamp) {
    std::uint64_t d = 0;
    if (clamp && v[0] >= 32) return 0;
    const std::uint64_t first = v[0] & 31;
    const std::uint64_t width = clamp && v[1] >= 32 ? 32 : v[1] & 31;
    for (std::uint64_t i = 0; i < width && first + i < 32; ++i) d |= 1ull << (first + i);
    return d;
}

std::uint64_t nth_set(Values v) {
    const auto offset = static_cast<std::int32_t>(v[2]);
    const std::uint64_t base = v[1] & 31;
    if (offset == std::numeric_limits<std::int32_t>::min()) return 0; // an H200's answer
    if (offset == 0) return bit(v[0], static_cast<unsigned>(base)) ? base : 0xffffffffu;
    std::int64_t count = std::abs(static_cast<std::int64_t>(offset)) - 1;
    for (auto at = static_cast<std::int64_t>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1)
        if (bit(v[0], static_cast<unsigned>(at)) && count-- == 0) return static_cast<std::uint64_t>(at);
    return 0xffffffffu;
}

void add_masks(Catalogue& list) {
    for (const bool clamp : {true, false}) {
        const char* mode = clamp ? "clamp" : "wrap";
        list.push_back(
            {fmt::format("bmsk.{}.b32", mode), {Kind::small, Kind::small}, Kind::i32, [=](Values v) { return bit_mask(v, clamp); }});
        for (const char type : {'u', 's'})
            list.push_back({fmt::format("szext.{}.{}32", mode, type), {Kind::i32, Kind::small}, Kind::i32, [=](Values v) {
                                const auto n = static_cast<unsigned>(clamp ? std::min<std::uint64_t>(v[1], 32) : v[1] & 31);
                                if (n == 0) return std::uint64_t{0};
                                const std::uint64_t low = v[0] & mask_of(n);
                                return type == 's' ? static_cast<std::uint64_t>(extended(low, n)) : low;
                            }});
    }
    list.push_back(
        {"fns.b32", {Kind::i32, Kind::small, Kind::small}, Kind::i32, nth_set, "fns.b32 {d}, {a}, %w21, {c};", "and.b32 %w21, {b}, 31;\n"});
    list.push_back({"fns.b32 (downwards)",
                    {Kind::i32, Kind::small, Kind::small},
                    Kind::i32,
                    [](Values v) {
                        const std::uint64_t down[] = {v[0], v[1], 0 - (v[2] & 7)};
                        return nth_set(down);
                    },
                    "fns.b32 {d}, {a}, %w21, %w22;",
                    "and.b32 %w21, {b}, 31;\nand.b32 %w22, {c}, 7;\nneg.s32 %w22, %w22;\n"});
}

void add_predicates(Catalogue& list) {
    const auto add = [&](const char* name, std::vector<Kind> inputs, Reference reference) {
        list.push_back({name, std::move(inputs), Kind::pred, std::move(reference), "", "", "", 0});
    };
    const std::vector<Kind> two{Kind::pred, Kind::pred};
    add("and.pred", two, [](Values v) { return v[0] & v[1]; });
    add("or.pred", two, [](Values v) { return v[0] | v[1]; });
    add("xor.pred", two, [](Values v) { return v[0] ^ v[1]; });
    add("not.pred", {Kind::pred}, [](Values v) { return v[0] ^ 1; });
    add("mov.pred", {Kind::pred}, [](Values v) { return v[0]; });
}

} // namespace

Catalogue bit_cases() {
    Catalogue list;
    for (const unsigned bits : {16u, 32u, 64u}) add_logic(list, bits);
    for (const unsigned bits : {32u, 64u}) add_fields(list, bits);
    add_permutations(list);
    add_lop3(list);
    add_masks(list);
    add_predicates(list);
    return list;
}

} // namespace apod::emu::testing
