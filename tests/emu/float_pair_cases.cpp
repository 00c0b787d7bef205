// Two floats in 64 bits, and halves beside floats.
#include "tests/emu/catalogues.hpp"
#include "tests/emu/float_reference.hpp"

#include <fmt/format.h>

namespace apod::emu::testing {

namespace {

using reference::Exact;
using reference::Format;
using reference::Mode;

struct RoundingName {
    const char* name;
    Mode mode;
};
constexpr RoundingName roundings[] = {{".rn", Mode::nearest}, {".rz", Mode::zero}, {".rm", Mode::down}, {".rp", Mode::up}};

struct Operation {
    const char* name;
    bool three;
    Exact (*result)(const Exact*, Mode);
};
constexpr Operation operations[] = {{"add", false, [](const Exact* x, Mode m) { return add(x[0], x[1], m); }},
                                    {"sub", false, [](const Exact* x, Mode m) { return add(x[0], negated(x[1]), m); }},
                                    {"mul", false, [](const Exact* x, Mode) { return multiply(x[0], x[1]); }},
                                    {"fma", true, [](const Exact* x, Mode m) { return add(multiply(x[0], x[1]), x[2], m); }}};

std::uint64_t one_float(const Operation& f, const std::uint64_t* v, Mode mode, bool ftz) {
    Exact x[3];
    for (std::size_t i = 0; i < (f.three ? 3u : 2u); ++i) x[i] = decode(ftz ? flush(v[i], reference::f32) : v[i], reference::f32);
    const std::uint64_t bits = encode(f.result(x, mode), reference::f32, mode);
    return ftz ? flush(bits, reference::f32) : bits;
}

void add_pairs(Catalogue& list) {
    for (const Operation& f : operations)
        for (const RoundingName& rounding : roundings)
            for (const bool ftz : {false, true})
                list.push_back({fmt::format("{}{}{}.f32x2", f.name, rounding.name, ftz ? ".ftz" : ""),
                                std::vector<Kind>(f.three ? 3 : 2, Kind::f32x2), Kind::f32x2, [=](Values v) {
                                    std::uint64_t low[3];
                                    std::uint64_t high[3];
                                    for (std::size_t i = 0; i < (f.three ? 3u : 2u); ++i) {
                                        low[i] = v[i] & 0xffffffffu;
                                        high[i] = v[i] >> 32;
                                    }
                                    return one_float(f, low, rounding.mode, ftz) | one_float(f, high, rounding.mode, ftz) << 32;
                                }});
}

void add_mixed(Catalogue& list, const char* type, Kind kind, const Format& half) {
    for (const Operation& f : operations) {
        if (std::string_view(f.name) == "mul") continue;
        for (const RoundingName& rounding : roundings)
            for (const bool sat : {false, true}) {
                std::vector<Kind> inputs(f.three ? 3 : 2, kind);
                inputs.back() = Kind::f32;
                list.push_back(
                    {fmt::format("{}{}{}.f32.{}", f.name, rounding.name, sat ? ".sat" : "", type), inputs, Kind::f32, [=, &half](Values v) {
                         const std::size_t last = f.three ? 2 : 1;
                         Exact x[3];
                         for (std::size_t i = 0; i < last; ++i) x[i] = decode(v[i], half);
                         x[last] = decode(v[last], reference::f32);
                         const std::uint64_t bits = encode(f.result(x, rounding.mode), reference::f32, rounding.mode);
                         return sat ? saturated(bits, reference::f32) : bits;
                     }});
            }
    }
}

} // namespace

Catalogue float_pair_cases() {
    Catalogue list;
    add_pairs(list);
    add_mixed(list, "f16", Kind::h16, reference::f16);
    add_mixed(list, "bf16", Kind::b16, reference::bf16);
    return list;
}

} // namespace apod::emu::testing
