// cvt: every pair of types with every rounding and saturation that PTX has, the packed and 8-bit formats, cvt.pack.
#include "tests/emu/catalogues.hpp"
#include "tests/emu/float_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace apod::emu::testing {

namespace {

using reference::Exact;
using reference::Format;
using reference::Mode;

struct Type {
    const char* name;
    Kind kind;
    unsigned bits;
    bool is_signed = false;
    const Format* format = nullptr; // null: an integer
};
const Type types[] = {
    {"u8", Kind::i8, 8},
    {"s8", Kind::i8, 8, true},
    {"u16", Kind::i16, 16},
    {"s16", Kind::i16, 16, true},
    {"u32", Kind::i32, 32},
    {"s32", Kind::i32, 32, true},
    {"u64", Kind::i64, 64},
    {"s64", Kind::i64, 64, true},
    {"f16", Kind::h16, 16, false, &reference::f16},
    {"bf16", Kind::b16, 16, false, &reference::bf16},
    {"f32", Kind::f32, 32, false, &reference::f32},
    {"f64", Kind::f64, 64, false, &reference::f64},
};

struct RoundingName {
    const char* name;
    Mode mode;
};
constexpr RoundingName float_roundings[] = {{"rn", Mode::nearest}, {"rz", Mode::zero}, {"rm", Mode::down}, {"rp", Mode::up}};
constexpr RoundingName whole_roundings[] = {{"rni", Mode::nearest}, {"rzi", Mode::zero}, {"rmi", Mode::down}, {"rpi", Mode::up}};

std::uint64_t mask_of(unsigned bits) { return bits == 64 ? ~0ull : (1ull << bits) - 1; }
std::int64_t extended(std::uint64_t v, unsigned bits) { return static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits); }

Exact number(const Type& t, std::uint64_t bits) {
    if (t.format != nullptr) return decode(bits, *t.format);
    return t.is_signed ? reference::from_integer(extended(bits, t.bits)) : reference::from_unsigned(bits & mask_of(t.bits));
}

std::uint64_t clamped(const Exact& x, const Type& to) {
    if (to.is_signed)
        return static_cast<std::uint64_t>(
            clamp_signed(x, extended(1ull << (to.bits - 1), to.bits), static_cast<std::int64_t>(mask_of(to.bits - 1))));
    return clamp_unsigned(x, mask_of(to.bits));
}

std::uint64_t to_integer(const Exact& x, const Type& to, const Type& from, Mode mode) {
    if (x.is_nan()) return to.bits == 64 || from.bits == 64 ? 1ull << (to.bits - 1) : 0;
    return clamped(to_whole(x, mode), to);
}

std::string joined(const char* rounding, bool ftz, bool sat, const Type& to, const Type& from) {
    return fmt::format("cvt{}{}{}{}.{}.{}", *rounding != 0 ? "." : "", rounding, ftz ? ".ftz" : "", sat ? ".sat" : "", to.name, from.name);
}

// A result narrower than its register is extended to it: 8-bit results are seen as 32 bits.
FormCase conversion(std::string name, const Type& to, const Type& from, Reference reference) {
    const bool narrow = to.bits == 8;
    FormCase form{std::move(name), {from.kind}, narrow ? Kind::i32 : to.kind, [=](Values v) {
                      const std::uint64_t bits = reference(v);
                      if (!narrow) return bits;
                      return to.is_signed ? static_cast<std::uint64_t>(extended(bits, 8)) : bits & 0xff;
                  }};
    form.any_nan = to.format == &reference::f64;
    form.nan_varies = form.any_nan && (form.name == "cvt.f64.f64" || (from.format != nullptr && from.bits == 16));
    return form;
}

void add_integer_pair(Catalogue& list, const Type& to, const Type& from) {
    list.push_back(conversion(joined("", false, false, to, from), to, from, [=](Values v) {
        return from.is_signed ? static_cast<std::uint64_t>(extended(v[0], from.bits)) : v[0] & mask_of(from.bits);
    }));
    list.push_back(conversion(joined("", false, true, to, from), to, from, [=](Values v) { return clamped(number(from, v[0]), to); }));
}

void add_to_integer(Catalogue& list, const Type& to, const Type& from) {
    for (const RoundingName& rounding : whole_roundings)
        for (const bool ftz : {false, true}) {
            if (ftz && from.format != &reference::f32) continue;
            list.push_back(conversion(joined(rounding.name, ftz, false, to, from), to, from, [=](Values v) {
                return to_integer(number(from, ftz ? flush(v[0], reference::f32) : v[0]), to, from, rounding.mode);
            }));
        }
}

void add_from_integer(Catalogue& list, const Type& to, const Type& from) {
    for (const RoundingName& rounding : float_roundings)
        for (const bool sat : {false, true})
            list.push_back(conversion(joined(rounding.name, false, sat, to, from), to, from, [=](Values v) {
                const std::uint64_t bits = encode(number(from, v[0]), *to.format, rounding.mode);
                return sat ? saturated(bits, *to.format) : bits;
            }));
}

// A double's NaN keeps its sign and the top of its payload and becomes quiet.
std::uint64_t narrowed_nan(std::uint64_t bits, const Format& to) {
    const std::uint64_t exponent = ((1ull << to.exponent_bits) - 1) << to.fraction_bits;
    const std::uint64_t payload = (bits & 0xfffffffffffffull) >> (52 - to.fraction_bits);
    return (bits >> 63) << (to.exponent_bits + to.fraction_bits) | exponent | 1ull << (to.fraction_bits - 1) | payload;
}

std::uint64_t float_to_float(std::uint64_t bits, const Type& to, const Type& from, Mode mode, bool ftz, bool sat) {
    if (from.format == &reference::f64 && to.format != &reference::f64 && reference::is_nan(bits, reference::f64))
        return sat ? 0 : narrowed_nan(bits, *to.format);
    if (to.format == from.format && from.format == &reference::f32 && !ftz && !sat) return bits; // moved, a NaN's bits too
    // .ftz has no effect on the way to f16; from a double the result is flushed where it is tiny when 24 bits are kept of it.
    if (ftz && from.format == &reference::f32 && to.format != &reference::f16) bits = flush(bits, reference::f32);
    if (ftz && from.format == &reference::f64 && (bits & ~(1ull << 63)) < 0x3810000000000000ull) {
        if ((bits & ~(1ull << 63)) < 0x3800000000000000ull) return sat ? 0 : bits >> 63 << 31;
        const std::uint64_t larger = bits + (64ull << 52); // the same fraction, where 24 bits are kept
        if ((encode(decode(larger, reference::f64), reference::f32, mode) >> 23 & 0xff) <= 64) return sat ? 0 : bits >> 63 << 31;
    }
    bits = encode(decode(bits, *from.format), *to.format, mode);
    if (ftz && to.format == &reference::f32) bits = flush(bits, reference::f32);
    return sat ? saturated(bits, *to.format) : bits;
}

// bf16 to f32 moves the bits, a NaN's too.
bool keeps_payload(const Type& to, const Type& from) { return to.format == &reference::f32 && from.format == &reference::bf16; }

void add_float_pair(Catalogue& list, const Type& to, const Type& from) {
    const bool touches_f32 = to.format == &reference::f32 || from.format == &reference::f32;
    const bool widens = to.bits > from.bits;
    for (const bool ftz : {false, true})
        for (const bool sat : {false, true}) {
            if (ftz && !touches_f32) continue;
            if (to.format == from.format || widens)
                list.push_back(conversion(joined("", ftz, sat, to, from), to, from, [=](Values v) {
                    if (keeps_payload(to, from) && !ftz && !sat) return v[0] << 16;
                    return float_to_float(v[0], to, from, Mode::nearest, ftz, sat);
                }));
            if (to.format == from.format) continue;
            for (const RoundingName& rounding : float_roundings)
                if (!widens)
                    list.push_back(conversion(joined(rounding.name, ftz, sat, to, from), to, from,
                                              [=](Values v) { return float_to_float(v[0], to, from, rounding.mode, ftz, sat); }));
        }
    if (to.format != from.format) return;
    for (const RoundingName& rounding : whole_roundings)
        for (const bool sat : {false, true})
            for (const bool ftz : {false, true}) {
                if (ftz && to.format != &reference::f32) continue;
                list.push_back(conversion(joined(rounding.name, ftz, sat, to, from), to, from, [=](Values v) {
                    const std::uint64_t in = ftz ? flush(v[0], reference::f32) : v[0];
                    const std::uint64_t bits = encode(to_whole(decode(in, *to.format), rounding.mode), *to.format, Mode::nearest);
                    return sat ? saturated(bits, *to.format) : bits;
                }));
            }
}

void add_pairs(Catalogue& list) {
    for (const Type& to : types)
        for (const Type& from : types) {
            if (to.format == nullptr && from.format == nullptr) add_integer_pair(list, to, from);
            if (to.format == nullptr && from.format != nullptr) add_to_integer(list, to, from);
            if (to.format != nullptr && from.format == nullptr) add_from_integer(list, to, from);
            if (to.format != nullptr && from.format != nullptr) add_float_pair(list, to, from);
        }
}

// Negative numbers to zero; NaNs pass.
Exact rectified(Exact x) { return x.is_nan() || !x.negative ? x : Exact{}; }

std::uint64_t narrow(std::uint64_t bits, const Format& from, const Format& to, Mode mode, bool relu, bool finite) {
    const Exact x = decode(bits, from);
    return encode(relu ? rectified(x) : x, to, mode, finite);
}

void add_packed(Catalogue& list) {
    for (const bool relu : {false, true})
        for (const bool finite : {false, true})
            for (const RoundingName& rounding : {float_roundings[0], float_roundings[1]})
                for (const bool brain : {false, true}) {
                    const std::string suffix = fmt::format("{}{}{}", rounding.name, relu ? ".relu" : "", finite ? ".satfinite" : "");
                    const char* t = brain ? "bf16" : "f16";
                    const Format& to = brain ? reference::bf16 : reference::f16;
                    const auto one = [=, &to](std::uint64_t v) { return narrow(v, reference::f32, to, rounding.mode, relu, finite); };
                    if (relu || finite)
                        list.push_back({fmt::format("cvt.{}.{}.f32", suffix, t), {Kind::f32}, brain ? Kind::b16 : Kind::h16, [=](Values v) {
                                            return one(v[0]);
                                        }});
                    list.push_back({fmt::format("cvt.{}.{}x2.f32", suffix, t),
                                    {Kind::f32, Kind::f32},
                                    brain ? Kind::b16x2 : Kind::h16x2,
                                    [=](Values v) { return one(v[0]) << 16 | one(v[1]); }});
                }
}

std::uint64_t tf32_bits(std::uint64_t bits, Mode mode, bool relu, bool finite) {
    if (reference::is_nan(bits, reference::f32)) { // as an H200 does it
        if (mode != Mode::away) return 0x7fffe000u;
        return (bits & ~0x1fffull) - (finite ? 0x2000 : 0);
    }
    return narrow(bits, reference::f32, reference::tf32, mode, relu, finite) << 13;
}

void add_tf32(Catalogue& list) {
    list.push_back({"cvt.rna.tf32.f32", {Kind::f32}, Kind::i32, [](Values v) { return tf32_bits(v[0], Mode::away, false, false); }});
    list.push_back(
        {"cvt.rna.satfinite.tf32.f32", {Kind::f32}, Kind::i32, [](Values v) { return tf32_bits(v[0], Mode::away, false, true); }});
    for (const RoundingName& rounding : {float_roundings[0], float_roundings[1]})
        for (const bool finite : {false, true})
            for (const bool relu : {false, true})
                list.push_back({fmt::format("cvt.{}{}{}.tf32.f32", rounding.name, finite ? ".satfinite" : "", relu ? ".relu" : ""),
                                {Kind::f32},
                                Kind::i32,
                                [=](Values v) { return tf32_bits(v[0], rounding.mode, relu, finite); }});
}

void add_eight_bit(Catalogue& list) {
    for (const bool e5 : {false, true}) {
        const Format& eight = e5 ? reference::e5m2 : reference::e4m3;
        const char* t = e5 ? "e5m2x2" : "e4m3x2";
        const Kind kind = e5 ? Kind::e5m2x2 : Kind::e4m3x2;
        for (const bool relu : {false, true}) {
            const char* suffix = relu ? ".relu" : "";
            list.push_back({fmt::format("cvt.rn.satfinite{}.{}.f32", suffix, t), {Kind::f32, Kind::f32}, kind, [=, &eight](Values v) {
                                return narrow(v[0], reference::f32, eight, Mode::nearest, relu, true) << 8 |
                                       narrow(v[1], reference::f32, eight, Mode::nearest, relu, true);
                            }});
            list.push_back({fmt::format("cvt.rn.satfinite{}.{}.f16x2", suffix, t), {Kind::h16x2}, kind, [=, &eight](Values v) {
                                return narrow(v[0] >> 16, reference::f16, eight, Mode::nearest, relu, true) << 8 |
                                       narrow(v[0] & 0xffff, reference::f16, eight, Mode::nearest, relu, true);
                            }});
            list.push_back({fmt::format("cvt.rn{}.f16x2.{}", suffix, t), {kind}, Kind::h16x2, [=, &eight](Values v) {
                                return narrow(v[0] >> 8, eight, reference::f16, Mode::nearest, relu, false) << 16 |
                                       narrow(v[0] & 0xff, eight, reference::f16, Mode::nearest, relu, false);
                            }});
        }
    }
}

// Floats of 4 and 6 bits: no infinity, no NaN, a NaN becomes the largest number.
struct SmallFloat {
    const char* name;
    int exponent_bits;
    int fraction_bits;
    unsigned stride; // bits from one to the next
};
constexpr SmallFloat small_floats[] = {{"e2m1x2", 2, 1, 4}, {"e2m3x2", 2, 3, 8}, {"e3m2x2", 3, 2, 8}};

double small_value(std::uint64_t bits, const SmallFloat& t) {
    const int field = static_cast<int>(bits >> t.fraction_bits) & ((1 << t.exponent_bits) - 1);
    const int fraction = static_cast<int>(bits) & ((1 << t.fraction_bits) - 1);
    const int bias = (1 << (t.exponent_bits - 1)) - 1;
    return std::ldexp(field == 0 ? fraction : fraction + (1 << t.fraction_bits), (field == 0 ? 1 : field) - bias - t.fraction_bits);
}

// The nearest of all numbers there are, the even one of two; by looking at each.
std::uint64_t nearest_small(std::uint64_t bits, const SmallFloat& t, bool relu) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const std::uint64_t count = 1ull << (t.exponent_bits + t.fraction_bits);
    if (std::isnan(value)) return count - 1;
    if (relu && std::signbit(value)) return 0;
    const double magnitude = std::min(std::abs(static_cast<double>(value)), small_value(count - 1, t));
    std::uint64_t best = 0;
    for (std::uint64_t candidate = 1; candidate < count; ++candidate) {
        const double distance = std::abs(small_value(candidate, t) - magnitude);
        const double least = std::abs(small_value(best, t) - magnitude);
        if (distance < least || (distance == least && candidate % 2 == 0)) best = candidate;
    }
    return best | (std::signbit(value) ? count : 0);
}

void add_small_floats(Catalogue& list) {
    for (const SmallFloat& t : small_floats)
        for (const bool relu : {false, true}) {
            const char* suffix = relu ? ".relu" : "";
            const bool byte = t.stride == 4;
            const std::string to = fmt::format("cvt.rn.satfinite{}.{}.f32", suffix, t.name);
            const std::string from = fmt::format("cvt.rn{}.f16x2.{}", suffix, t.name);
            FormCase narrowing{to, {Kind::f32, Kind::f32}, Kind::i16, [=, &t](Values v) {
                                   const std::uint64_t pair = nearest_small(v[0], t, relu) << t.stride | nearest_small(v[1], t, relu);
                                   return byte ? pair | 0x5a00 : pair;
                               }};
            FormCase widening{from, {Kind::i16}, Kind::i32, [=, &t](Values v) {
                                  std::uint64_t halves = 0;
                                  for (unsigned i = 0; i < 2; ++i) {
                                      const std::uint64_t bits =
                                          v[0] >> (t.stride * i) & ((2ull << (t.exponent_bits + t.fraction_bits)) - 1);
                                      const bool negative = bits >> (t.exponent_bits + t.fraction_bits) != 0;
                                      const double value = small_value(bits & ~(1ull << (t.exponent_bits + t.fraction_bits)), t);
                                      const std::uint64_t half =
                                          encode(decode(std::bit_cast<std::uint64_t>(negative ? -value : value), reference::f64),
                                                 reference::f16, Mode::nearest);
                                      halves |= (relu && negative ? 0 : half) << (16 * i);
                                  }
                                  return halves;
                              }};
            if (byte) { // 8 bits have a register type of their own
                narrowing.before = "{\n.reg .b8 low;\n.reg .b8 high;\nmov.b16 {low, high}, {d};\n";
                narrowing.code = to + " low, {a}, {b};";
                narrowing.after = "mov.b16 {d}, {low, high};\n}\n";
                widening.before = "{\n.reg .b8 low;\n.reg .b8 high;\nmov.b16 {low, high}, {a};\n";
                widening.code = from + " {d}, low;";
                widening.after = "}\n";
            }
            list.push_back(std::move(narrowing));
            list.push_back(std::move(widening));
        }
}

// A power of two in 8 bits, or 255.
std::uint64_t scale_of(double value, bool up, bool finite) {
    if (std::isnan(value)) return 255;
    std::uint64_t best = 0; // 2^-127 and all below
    const double magnitude = std::abs(value);
    if (std::isinf(magnitude)) return finite ? 254 : 255;
    while (best < 255 && std::ldexp(1.0, static_cast<int>(best) + 1 - 127) <= magnitude) ++best;
    if (up && magnitude > std::ldexp(1.0, static_cast<int>(best) - 127)) ++best;
    return best > 254 ? (finite ? 254 : 255) : best;
}

void add_scales(Catalogue& list) {
    for (const bool up : {false, true})
        for (const bool finite : {false, true}) {
            const std::string stem = fmt::format("cvt.{}{}.ue8m0x2", up ? "rp" : "rz", finite ? ".satfinite" : "");
            const auto of_float = [=](std::uint64_t bits) {
                return scale_of(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), up, finite);
            };
            list.push_back(
                {stem + ".f32", {Kind::f32, Kind::f32}, Kind::i16, [=](Values v) { return of_float(v[0]) << 8 | of_float(v[1]); }});
            list.push_back({stem + ".bf16x2", {Kind::b16x2}, Kind::i16, [=](Values v) {
                                return of_float(v[0] >> 16 << 16) << 8 | of_float(v[0] << 16);
                            }});
        }
    list.push_back({"cvt.rn.bf16x2.ue8m0x2", {Kind::i16}, Kind::b16x2, [](Values v) {
                        const auto one = [](std::uint64_t e) { return e == 255 ? 0x7fffull : e == 0 ? 0x40ull : e << 7; };
                        return one(v[0] >> 8 & 255) << 16 | one(v[0] & 255);
                    }});
}

void add_pack(Catalogue& list) {
    const auto field = [](std::uint64_t v, unsigned bits, bool is_signed) {
        const Type to{"", Kind::i32, bits, is_signed};
        return clamped(reference::from_integer(static_cast<std::int32_t>(v)), to) & mask_of(bits);
    };
    for (const bool is_signed : {false, true}) {
        const char s = is_signed ? 's' : 'u';
        list.push_back({fmt::format("cvt.pack.sat.{}16.s32", s), {Kind::i32, Kind::i32}, Kind::i32, [=](Values v) {
                            return field(v[0], 16, is_signed) << 16 | field(v[1], 16, is_signed);
                        }});
        for (const unsigned bits : {2u, 4u, 8u})
            list.push_back({fmt::format("cvt.pack.sat.{}{}.s32.b32", s, bits), {Kind::i32, Kind::i32, Kind::i32}, Kind::i32, [=](Values v) {
                                return v[2] << (2 * bits) | field(v[0], bits, is_signed) << bits | field(v[1], bits, is_signed);
                            }});
    }
}

// Integers may live in registers wider than their type.
void add_wide_registers(Catalogue& list) {
    for (const Type& to : types)
        for (const Type& from : types) {
            if (to.format != nullptr || from.format != nullptr || to.bits == 64 || from.bits == 64) continue;
            const std::string name = fmt::format("cvt.{}.{}", to.name, from.name);
            const auto whole = [=](Values v) {
                const std::uint64_t in = from.is_signed ? static_cast<std::uint64_t>(extended(v[0], from.bits)) : v[0] & mask_of(from.bits);
                return to.is_signed ? static_cast<std::uint64_t>(extended(in, to.bits)) : in & mask_of(to.bits);
            };
            list.push_back({name + " of wide registers", {Kind::i64}, Kind::i64, whole, name + " {d}, {a};"});
        }
}

} // namespace

Catalogue convert_cases() {
    Catalogue list;
    add_pairs(list);
    add_packed(list);
    add_tf32(list);
    add_eight_bit(list);
    add_small_floats(list);
    add_scales(list);
    add_pack(list);
    add_wide_registers(list);
    return list;
}

} // namespace apod::emu::testing
