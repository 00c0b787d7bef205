// f16, f16x2, bf16, bf16x2 arithmetic.
#include "tests/emu/catalogues.hpp"
#include "tests/emu/float_reference.hpp"

#include <fmt/format.h>

namespace apod::emu::testing {

namespace {

using reference::Exact;
using reference::Format;
using reference::Mode;

// An element's function: its operands as bits.
using Element = std::function<std::uint64_t(const std::uint64_t*)>;

struct HalfType {
    const char* name;
    const Format* format;
    Kind kind;
    Kind pair;
    bool is_f16;
};
const HalfType half_types[] = {{"f16", &reference::f16, Kind::h16, Kind::h16x2, true},
                               {"bf16", &reference::bf16, Kind::b16, Kind::b16x2, false}};

// The form for one element, and for two.
void add_both(Catalogue& list, const HalfType& t, const std::string& stem, std::size_t operands, const Element& element) {
    list.push_back({fmt::format("{}.{}", stem, t.name), std::vector<Kind>(operands, t.kind), t.kind, element});
    list.push_back({fmt::format("{}.{}x2", stem, t.name), std::vector<Kind>(operands, t.pair), t.pair, [=](Values v) {
                        std::uint64_t low[3];
                        std::uint64_t high[3];
                        for (std::size_t i = 0; i < operands; ++i) {
                            low[i] = v[i] & 0xffff;
                            high[i] = v[i] >> 16;
                        }
                        return element(low) | element(high) << 16;
                    }});
}

std::uint64_t rectified(std::uint64_t bits, const Format& format) {
    return reference::is_nan(bits, format) ? nan_of(format) : reference::is_negative(bits, format) ? 0 : bits;
}

struct Operation {
    const char* name;
    std::size_t operands;
    Exact (*result)(const Exact*);
};
constexpr Operation operations[] = {
    {"add", 2, [](const Exact* x) { return add(x[0], x[1], Mode::nearest); }},
    {"add.rn", 2, [](const Exact* x) { return add(x[0], x[1], Mode::nearest); }},
    {"sub", 2, [](const Exact* x) { return add(x[0], negated(x[1]), Mode::nearest); }},
    {"mul", 2, [](const Exact* x) { return multiply(x[0], x[1]); }},
    {"fma.rn", 3, [](const Exact* x) { return add(multiply(x[0], x[1]), x[2], Mode::nearest); }},
};

enum class End { nothing, saturate, rectify };

void add_arithmetic(Catalogue& list, const HalfType& t, const Operation& f, bool ftz, End end) {
    const Format& format = *t.format;
    const char* suffix = end == End::saturate ? ".sat" : end == End::rectify ? ".relu" : "";
    add_both(list, t, fmt::format("{}{}{}", f.name, ftz ? ".ftz" : "", suffix), f.operands, [=, &format](const std::uint64_t* v) {
        Exact x[3];
        for (std::size_t i = 0; i < f.operands; ++i) x[i] = decode(ftz ? flush(v[i], format) : v[i], format);
        std::uint64_t bits = encode(f.result(x), format, Mode::nearest);
        if (ftz) bits = flush(bits, format);
        return end == End::saturate ? saturated(bits, format) : end == End::rectify ? rectified(bits, format) : bits;
    });
}

void add_extremes(Catalogue& list, const HalfType& t, bool ftz) {
    const Format& format = *t.format;
    for (const bool smallest : {true, false})
        for (const ExtremeRules& rules : extreme_rules)
            add_both(list, t, fmt::format("{}{}{}", smallest ? "min" : "max", ftz ? ".ftz" : "", rules.name), 2,
                     [=, &format](const std::uint64_t* v) {
                         const auto in = [&](int i) { return ftz ? flush(v[i], format) : v[i]; };
                         return extreme(in(0), in(1), format, smallest, rules);
                     });
}

void add_signs(Catalogue& list, const HalfType& t, bool ftz) {
    const Format& format = *t.format;
    const char* suffix = ftz ? ".ftz" : "";
    add_both(list, t, fmt::format("neg{}", suffix), 1, [=, &format](const std::uint64_t* v) {
        return reference::is_nan(v[0], format) ? 0x7fff : (ftz ? flush(v[0], format) : v[0]) ^ 0x8000;
    });
    add_both(list, t, fmt::format("abs{}", suffix), 1, [=, &format](const std::uint64_t* v) {
        return reference::is_nan(v[0], format) ? 0x7fff : (ftz ? flush(v[0], format) : v[0]) & 0x7fff;
    });
}

} // namespace

Catalogue half_cases() {
    Catalogue list;
    for (const HalfType& t : half_types)
        for (const bool ftz : {false, true}) {
            if (ftz && !t.is_f16) continue;
            for (const Operation& f : operations) {
                add_arithmetic(list, t, f, ftz, End::nothing);
                if (t.is_f16) add_arithmetic(list, t, f, ftz, End::saturate);
                if (f.operands == 3) add_arithmetic(list, t, f, ftz, End::rectify);
            }
            add_extremes(list, t, ftz);
            add_signs(list, t, ftz);
        }
    return list;
}

} // namespace apod::emu::testing
