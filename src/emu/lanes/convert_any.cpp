// cvt in all generality, one lane after the other: every pair of formats, every rounding, every saturation. What programs use often has
// handlers of its own (convert_integer.cpp, convert_float.cpp, convert_half.cpp); this one serves the rest.
//
// A number is decoded into sign, magnitude and exponent, value = magnitude * 2^exponent exactly, and encoded with one rounding.
#include "emu/convert_spec.hpp"
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

enum class Kind { finite, infinite, nan };

struct Real {
    Kind kind = Kind::finite;
    bool negative = false;
    std::uint64_t magnitude = 0;
    int exponent = 0;
    std::uint64_t payload = 0; // of a NaN: its fraction, aligned to bit 63
};

// A binary format: fraction bits, exponent bits. e4m3 has no infinity and one NaN a sign, at the top of its range.
// Those of 4 and 6 bits have neither.
struct Format {
    int fraction;
    int exponent;
    bool has_infinity = true;
    bool has_nan = true;
    int bias() const { return (1 << (exponent - 1)) - 1; }
};

Format format_of(Number number) {
    switch (number) {
    case Number::f16: return {10, 5};
    case Number::bf16: return {7, 8};
    case Number::tf32: return {10, 8};
    case Number::f64: return {52, 11};
    case Number::e4m3: return {3, 4, false};
    case Number::e5m2: return {2, 5};
    case Number::e2m1: return {1, 2, false, false};
    case Number::e2m3: return {3, 2, false, false};
    case Number::e3m2: return {2, 3, false, false};
    default: return {23, 8};
    }
}

bool is_integer(Number number) { return number <= Number::s64; }
bool is_signed(Number number) { return (static_cast<int>(number) & 1) != 0; }
int integer_bits(Number number) { return 8 << (static_cast<int>(number) / 2); }

Real decode_float(std::uint64_t bits, const Format& format) {
    const int width = 1 + format.exponent + format.fraction;
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction) - 1);
    const int field = static_cast<int>((bits >> format.fraction) & ((1u << format.exponent) - 1));
    const int top = (1 << format.exponent) - 1;
    Real r;
    r.negative = ((bits >> (width - 1)) & 1) != 0;
    if (field == top && format.has_nan && (format.has_infinity || fraction == 7)) {
        r.kind = fraction == 0 ? Kind::infinite : Kind::nan;
        r.payload = fraction << (64 - format.fraction);
        return r;
    }
    r.magnitude = field == 0 ? fraction : fraction | std::uint64_t{1} << format.fraction;
    r.exponent = (field == 0 ? 1 : field) - format.bias() - format.fraction;
    return r;
}

Real decode_integer(std::uint64_t raw, Number number) {
    const int shift = 64 - integer_bits(number);
    Real r;
    if (is_signed(number)) {
        const auto value = static_cast<std::int64_t>(raw << shift) >> shift;
        r.negative = value < 0;
        r.magnitude = r.negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    } else {
        r.magnitude = (raw << shift) >> shift;
    }
    return r;
}

// ue8m0: a power of two, 2^-127 to 2^127; 255 is a NaN.
Real decode_scale(std::uint64_t raw) {
    Real r;
    r.kind = (raw & 0xff) == 0xff ? Kind::nan : Kind::finite;
    r.magnitude = 1;
    r.exponent = static_cast<int>(raw & 0xff) - 127;
    return r;
}

Real decode(std::uint64_t raw, Number number) {
    if (number == Number::ue8m0) return decode_scale(raw);
    return is_integer(number) ? decode_integer(raw, number) : decode_float(raw, format_of(number));
}

// Whether the magnitude is to grow by one unit; `rest` is what is cut off, of `half` being half a unit.
bool rounds_outward(Rounding rounding, bool negative, bool odd, std::uint64_t rest, std::uint64_t half, bool sticky) {
    switch (rounding) {
    case Rounding::nearest: return rest > half || (rest == half && (sticky || odd));
    case Rounding::away: return rest >= half;
    case Rounding::down: return negative && (rest != 0 || sticky);
    case Rounding::up: return !negative && (rest != 0 || sticky);
    default: return false;
    }
}

// magnitude * 2^exponent in units of 2^unit, rounded. The result may be one bit longer than expected.
std::uint64_t round_to_unit(const Real& r, int unit, Rounding rounding) {
    const int shift = unit - r.exponent;
    if (shift <= 0) return r.magnitude << -shift; // the caller knows that it fits
    if (shift > 64) return rounds_outward(rounding, r.negative, false, r.magnitude != 0 ? 1 : 0, 2, false) ? 1 : 0;
    const std::uint64_t kept = shift == 64 ? 0 : r.magnitude >> shift;
    const std::uint64_t rest = shift == 64 ? r.magnitude : r.magnitude & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    return kept + (rounds_outward(rounding, r.negative, (kept & 1) != 0, rest, half, false) ? 1 : 0);
}

std::uint64_t largest_finite(const Format& format) {
    const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent) - 1) << format.fraction;
    if (!format.has_nan) return (std::uint64_t{1} << (format.exponent + format.fraction)) - 1;
    return format.has_infinity ? infinity - 1 : infinity | 6;
}
std::uint64_t overflowed(const Format& format, bool negative, const ConvertSpec& spec, bool was_infinite) {
    const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent) - 1) << format.fraction;
    const bool inward = spec.rounding == Rounding::zero || spec.rounding == (negative ? Rounding::up : Rounding::down);
    if (spec.finite || !format.has_infinity || (inward && !was_infinite)) return largest_finite(format);
    return infinity;
}
// A double's NaN keeps its sign and the upper bits of its payload and becomes quiet; all others give the canonical NaN.
std::uint64_t nan_from(const Real& r, Number number, const Format& format, const ConvertSpec& spec) {
    const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent) - 1) << format.fraction;
    const bool keeps = spec.from == Number::f64 && (number == Number::f32 || number == Number::f16 || number == Number::bf16);
    if (keeps)
        return static_cast<std::uint64_t>(r.negative) << (format.exponent + format.fraction) | infinity |
               std::uint64_t{1} << (format.fraction - 1) | r.payload >> (64 - format.fraction);
    if (number == Number::f64) return 0x7fffffffe0000000ull; // an f32's, widened
    return (std::uint64_t{1} << (format.exponent + format.fraction)) - 1;
}

// The sign does not count. Numbers of at most 2^-127 become that; too large ones the largest with .satfinite, else the NaN.
std::uint64_t encode_scale(const Real& r, const ConvertSpec& spec) {
    if (r.kind == Kind::nan) return 0xff;
    const std::uint64_t beyond = spec.finite ? 0xfe : 0xff;
    if (r.kind == Kind::infinite) return beyond;
    if (r.magnitude == 0) return 0;
    const int top = 63 - __builtin_clzll(r.magnitude) + r.exponent;
    if (top < -127) return 0;
    const bool exact = (r.magnitude & (r.magnitude - 1)) == 0;
    const int field = top + 127 + (spec.rounding == Rounding::up && !exact ? 1 : 0);
    return field > 0xfe ? beyond : static_cast<std::uint64_t>(field);
}

std::uint64_t encode_float(const Real& r, Number number, const ConvertSpec& spec) {
    if (number == Number::ue8m0) return encode_scale(r, spec);
    const Format format = format_of(number);
    if (r.kind == Kind::nan && !format.has_nan) return largest_finite(format);
    const std::uint64_t sign = static_cast<std::uint64_t>(r.negative) << (format.exponent + format.fraction);
    if (r.kind == Kind::nan) return nan_from(r, number, format, spec);
    if (r.kind == Kind::infinite) return sign | overflowed(format, r.negative, spec, true);
    if (r.magnitude == 0) return sign;
    const int top = 63 - __builtin_clzll(r.magnitude) + r.exponent; // of the value: 2^top <= |value| < 2^(top + 1)
    const int lowest = 1 - format.bias();
    const int scale = (top < lowest ? lowest : top) - format.fraction; // the result's last bit
    const std::uint64_t units = round_to_unit(r, scale, spec.rounding);
    // A carry out of the fraction goes into the exponent by itself, both from the subnormals and into the next binade.
    const std::uint64_t base = top < lowest ? 0 : static_cast<std::uint64_t>(top - lowest) << format.fraction;
    const std::uint64_t bits = base + units;
    if (top > format.bias() + 1 || bits > largest_finite(format)) return sign | overflowed(format, r.negative, spec, false);
    return sign | bits;
}

// Whole numbers, clamped to the destination's range. NaN gives 0, or the top bit alone when either side has 64 bits (PTX ISA, cvt).
std::uint64_t encode_integer(const Real& r, const ConvertSpec& spec) {
    const int bits = integer_bits(spec.to);
    const std::uint64_t top_bit = std::uint64_t{1} << (bits - 1);
    const std::uint64_t high = is_signed(spec.to) ? top_bit - 1 : top_bit | (top_bit - 1);
    const std::uint64_t low = is_signed(spec.to) ? top_bit : 0; // as a magnitude
    if (r.kind == Kind::nan) return spec.from == Number::f64 || bits == 64 ? top_bit : 0;
    const bool huge = r.kind == Kind::infinite || (r.magnitude != 0 && 64 - __builtin_clzll(r.magnitude) + r.exponent > 64);
    const std::uint64_t magnitude = huge ? ~std::uint64_t{0} : round_to_unit(r, 0, spec.rounding);
    const std::uint64_t limit = r.negative ? low : high;
    const std::uint64_t clamped = magnitude > limit ? limit : magnitude;
    return r.negative ? 0 - clamped : clamped;
}

// A float rounded to a whole number stays a float.
Real to_whole(const Real& r, Rounding rounding) {
    if (r.kind != Kind::finite || r.exponent >= 0) return r;
    Real whole = r;
    whole.magnitude = round_to_unit(r, 0, rounding);
    whole.exponent = 0;
    return whole;
}

Real clamp_to_one(const Real& r) {
    Real one;
    one.magnitude = 1;
    if (r.kind == Kind::nan || r.negative || (r.kind == Kind::finite && r.magnitude == 0)) return Real{};
    const bool at_least_one = r.kind == Kind::infinite || 63 - __builtin_clzll(r.magnitude) + r.exponent >= 0;
    return at_least_one ? one : r;
}

std::uint64_t flushed(std::uint64_t bits) { return bits_of(flush(from_bits<float>(static_cast<std::uint32_t>(bits)))); }

// Integer to integer: truncated, or clamped with .sat.
std::uint64_t convert_integers(std::uint64_t raw, const ConvertSpec& spec) {
    const Real r = decode_integer(raw, spec.from);
    if (spec.saturate) return encode_integer(r, spec);
    return r.negative ? 0 - r.magnitude : r.magnitude;
}

// Rounding away from zero only cuts a NaN off, and .satfinite steps down from what it takes for an infinity.
std::uint64_t tf32_nan(std::uint64_t raw, const ConvertSpec& spec) {
    if (spec.rounding != Rounding::away) return 0x7fffe000u;
    const std::uint64_t cut = raw & ~std::uint64_t{0x1fff};
    return spec.finite ? cut - 0x2000 : cut;
}

// Whether a number is below the normal ones of single precision, rounded to as many bits as they have.
bool is_tiny(const Real& r, Rounding rounding) {
    if (r.kind != Kind::finite || r.magnitude == 0) return false;
    const int top = 63 - __builtin_clzll(r.magnitude) + r.exponent;
    const bool carries = round_to_unit(r, top - 23, rounding) >> 24 != 0;
    return top + (carries ? 1 : 0) < -126;
}

std::uint64_t convert_one(std::uint64_t raw, const ConvertSpec& spec) {
    if (is_integer(spec.from) && is_integer(spec.to)) return convert_integers(raw, spec);
    if (spec.from == Number::f32 && spec.to == Number::f32 && !spec.flush && !spec.saturate && !spec.integral) return raw; // a move
    if (spec.flush && spec.from == Number::f32 && spec.to != Number::f16) raw = flushed(raw); // the hardware has no .ftz to f16
    Real r = decode(raw, spec.from);
    if (is_integer(spec.to)) return encode_integer(r, spec);
    if (spec.integral) r = to_whole(r, spec.rounding);
    if (spec.saturate) r = clamp_to_one(r);
    if (spec.relu && r.negative && r.kind != Kind::nan) r = Real{};
    if (spec.to == Number::tf32 && r.kind == Kind::nan) return tf32_nan(raw, spec);
    if (spec.flush && spec.from == Number::f64 && is_tiny(r, spec.rounding)) return r.negative ? 0x80000000u : 0;
    if (spec.to == Number::tf32) return encode_float(r, spec.to, spec) << 13;
    const std::uint64_t bits = encode_float(r, spec.to, spec);
    return spec.flush && spec.to == Number::f32 ? flushed(bits) : bits;
}

// The result as the destination's register holds it: narrow integers extended by their sign.
std::uint64_t extended(std::uint64_t bits, Number number) {
    if (!is_integer(number)) return bits;
    const int shift = 64 - integer_bits(number);
    return is_signed(number) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift) : (bits << shift) >> shift;
}

int width_of(Number number) {
    if (is_integer(number)) return integer_bits(number);
    const Format format = format_of(number);
    return number == Number::tf32 ? 32 : 1 + format.exponent + format.fraction;
}

// From one number of a pair to the next: 6 bits have 8 to lie in.
int stride_of(Number number) {
    if (number == Number::ue8m0 || number == Number::e2m3 || number == Number::e3m2) return 8;
    return width_of(number);
}

std::uint64_t read_lane(WarpContext& warp, OperandRef ref, bool wide, unsigned lane) {
    return wide ? slot<std::uint64_t>(warp, ref)[lane] : slot<std::uint32_t>(warp, ref)[lane];
}

std::uint64_t convert_lane(WarpContext& warp, const Op& op, const ConvertSpec& spec, bool wide_source, unsigned lane) {
    const std::uint64_t a = read_lane(warp, op.a, wide_source, lane);
    const int to = stride_of(spec.to);
    if (spec.two_sources) return convert_one(a, spec) << to | convert_one(read_lane(warp, op.b, wide_source, lane), spec);
    if (spec.pair_source) return convert_one(a >> stride_of(spec.from), spec) << to | convert_one(a, spec);
    return extended(convert_one(a, spec), spec.to);
}

void convert_any(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const ConvertSpec spec = ConvertSpec::unpacked(op.imm);
    const bool wide_source = spec.wide_register || width_of(spec.from) == 64;
    const bool wide_result = spec.wide_destination || width_of(spec.to) == 64;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        const std::uint64_t value = convert_lane(warp, op, spec, wide_source, l);
        if (wide_result)
            slot<std::uint64_t>(warp, op.dst)[l] = value;
        else
            slot<std::uint32_t>(warp, op.dst)[l] = static_cast<std::uint32_t>(value);
    }
}

// cvt.pack: both numbers clamped to Op::count bits each (imm: signed), a above b, and c shifted up by both (PTX ISA, cvt.pack).
void convert_pack(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const unsigned bits = op.count;
    const bool to_signed = op.imm != 0;
    const std::int64_t high = (std::int64_t{1} << (to_signed ? bits - 1 : bits)) - 1;
    const std::int64_t low = to_signed ? -high - 1 : 0;
    const auto* a = slot<std::int32_t>(warp, op.a);
    const auto* b = slot<std::int32_t>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto field = [&](std::int32_t v) {
        const std::int64_t clamped = v < low ? low : v > high ? high : v;
        return static_cast<std::uint32_t>(clamped) & static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    };
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint32_t above = bits == 16 ? 0 : c[l] << (2 * bits);
        const std::uint32_t value = above | field(a[l]) << bits | field(b[l]);
        d[l] = blend(mask, l, value, d[l]);
    }
}

} // namespace

void add_convert_any_forms(FormTable& table) {
    using ptx::Type;
    table.add({"cvt.any", convert_any, convert_any, Type::none, Type::none, Type::none, Type::none, OpClass::convert});
    table.add({"cvt.pack", convert_pack, convert_pack, Type::b32, Type::s32, Type::s32, Type::b32, OpClass::convert});
}

} // namespace apod::emu::APOD_LANES
