// f32 and f64 arithmetic in every rounding, .ftz and .sat; min and max in all their variants; copysign, neg, abs.
#include "tests/emu/catalogues.hpp"
#include "tests/emu/float_reference.hpp"

#include <fmt/format.h>

#include <span>

namespace apod::emu::testing {

namespace {

using reference::Exact;
using reference::Format;
using reference::Mode;

struct RoundingName {
    const char* suffix;
    Mode mode;
};
constexpr RoundingName roundings[] = {
    {"", Mode::nearest}, {".rn", Mode::nearest}, {".rz", Mode::zero}, {".rm", Mode::down}, {".rp", Mode::up}};

struct Operation {
    const char* name;
    int operands;
    bool default_rounding; // may be written without a rounding
    bool saturates;
    Exact (*result)(const Exact*, Mode);
};
constexpr Operation operations[] = {
    {"add", 2, true, true, [](const Exact* x, Mode m) { return add(x[0], x[1], m); }},
    {"sub", 2, true, true, [](const Exact* x, Mode m) { return add(x[0], negated(x[1]), m); }},
    {"mul", 2, true, true, [](const Exact* x, Mode) { return multiply(x[0], x[1]); }},
    {"fma", 3, false, true, [](const Exact* x, Mode m) { return add(multiply(x[0], x[1]), x[2], m); }},
    {"mad", 3, false, true, [](const Exact* x, Mode m) { return add(multiply(x[0], x[1]), x[2], m); }},
    {"div", 2, false, false, [](const Exact* x, Mode) { return divide(x[0], x[1]); }},
    {"sqrt", 1, false, false, [](const Exact* x, Mode) { return square_root(x[0]); }},
    {"rcp", 1, false, false, [](const Exact* x, Mode) { return divide(reference::from_unsigned(1), x[0]); }},
};

// 1 / v below the normal numbers.
bool is_tiny_reciprocal(std::uint64_t v) { return (v & 0x7fffffffu) > 0x7e800000u && (v & 0x7fffffffu) < 0x7f800000u; }

void add_operation(Catalogue& list, const Operation& f, const RoundingName& rounding, bool wide, bool ftz, bool sat) {
    const Format& format = wide ? reference::f64 : reference::f32;
    const Kind kind = wide ? Kind::f64 : Kind::f32;
    const std::string name =
        fmt::format("{}{}{}{}.{}", f.name, rounding.suffix, ftz ? ".ftz" : "", sat ? ".sat" : "", wide ? "f64" : "f32");
    FormCase form{name, std::vector<Kind>(static_cast<std::size_t>(f.operands), kind), kind, [=, &format](Values v) {
                      Exact x[3];
                      for (int i = 0; i < f.operands; ++i) x[i] = decode(ftz ? flush(v[i], format) : v[i], format);
                      const std::uint64_t bits = encode(f.result(x, rounding.mode), format, rounding.mode);
                      const bool tiny = ftz && std::string_view(f.name) == "rcp" && is_tiny_reciprocal(v[0]); // flushed, then rounded
                      const std::uint64_t flushed = tiny ? v[0] & 0x80000000u : ftz ? flush(bits, format) : bits;
                      return sat ? saturated(flushed, format) : flushed;
                  }};
    form.any_nan = wide;
    list.push_back(form);
}

void add_arithmetic(Catalogue& list) {
    for (const Operation& f : operations)
        for (const RoundingName& rounding : roundings) {
            if (*rounding.suffix == 0 && !f.default_rounding) continue;
            add_operation(list, f, rounding, true, false, false);
            for (const bool ftz : {false, true})
                for (const bool sat : {false, true})
                    if (!sat || f.saturates) add_operation(list, f, rounding, false, ftz, sat);
        }
}

void add_extremes(Catalogue& list) {
    for (const bool smallest : {true, false}) {
        const char* opcode = smallest ? "min" : "max";
        for (const bool ftz : {false, true})
            for (const ExtremeRules& rules : extreme_rules) {
                const std::string name = fmt::format("{}{}{}.f32", opcode, ftz ? ".ftz" : "", rules.name);
                list.push_back({name, {Kind::f32, Kind::f32}, Kind::f32, [=](Values v) {
                                    const auto in = [&](int i) { return ftz ? flush(v[i], reference::f32) : v[i]; };
                                    return extreme(in(0), in(1), reference::f32, smallest, rules);
                                }});
                const bool magnitudes = rules.xorsign;
                const std::string three =
                    fmt::format("{}{}{}{}.f32", opcode, ftz ? ".ftz" : "", rules.nan_wins ? ".NaN" : "", magnitudes ? ".abs" : "");
                list.push_back({three + " of three",
                                {Kind::f32, Kind::f32, Kind::f32},
                                Kind::f32,
                                [=](Values v) {
                                    const auto in = [&](int i) {
                                        const std::uint64_t bits = ftz ? flush(v[i], reference::f32) : v[i];
                                        return magnitudes ? bits & 0x7fffffffu : bits;
                                    };
                                    const ExtremeRules plain{"", rules.nan_wins, false};
                                    const std::uint64_t first = extreme(in(0), in(1), reference::f32, smallest, plain);
                                    return extreme(first, in(2), reference::f32, smallest, plain);
                                },
                                three + " {d}, {a}, {b}, {c};"});
            }
        FormCase wide{fmt::format("{}.f64", opcode), {Kind::f64, Kind::f64}, Kind::f64, [=](Values v) {
                          return extreme(v[0], v[1], reference::f64, smallest, {"", false, false});
                      }};
        wide.any_nan = true;
        list.push_back(wide);
    }
}

// What neg and abs give, were the operand no NaN: else the canonical NaN, in double precision the operand's own, quiet.
std::uint64_t sign_of(std::uint64_t in, std::uint64_t changed, bool wide) {
    if (!reference::is_nan(in, wide ? reference::f64 : reference::f32)) return changed;
    return wide ? in | 1ull << 51 : 0x7fffffffu;
}

void add_signs(Catalogue& list) {
    for (const bool wide : {false, true}) {
        const Kind kind = wide ? Kind::f64 : Kind::f32;
        const char* t = wide ? "f64" : "f32";
        const std::uint64_t sign = wide ? 1ull << 63 : 1ull << 31;
        list.push_back({fmt::format("neg.{}", t), {kind}, kind, [=](Values v) { return sign_of(v[0], v[0] ^ sign, wide); }});
        list.push_back({fmt::format("abs.{}", t), {kind}, kind, [=](Values v) { return sign_of(v[0], v[0] & ~sign, wide); }});
        for (FormCase& form : std::span(list).last(2)) form.any_nan = form.nan_varies = !wide;
        list.push_back({fmt::format("copysign.{}", t), {kind, kind}, kind, [=](Values v) { return (v[0] & sign) | (v[1] & ~sign); }});
    }
    list.push_back(
        {"neg.ftz.f32", {Kind::f32}, Kind::f32, [](Values v) { return sign_of(v[0], flush(v[0], reference::f32) ^ (1ull << 31), false); }});
    list.push_back(
        {"abs.ftz.f32", {Kind::f32}, Kind::f32, [](Values v) { return sign_of(v[0], flush(v[0], reference::f32) & 0x7fffffffu, false); }});
}

} // namespace

Catalogue float_cases() {
    Catalogue list;
    add_arithmetic(list);
    add_extremes(list);
    add_signs(list);
    return list;
}

} // namespace apod::emu::testing
