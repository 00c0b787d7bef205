#include "tests/emu/reference/exact.hpp"

namespace apod::reference {

namespace {

int top_bit(Wide v) {
    int bit = -1;
    for (; v != 0; v >>= 1) ++bit;
    return bit;
}

// The mantissa's top bit moved to bit 124, so that sums have room above and sticky bits below.
Exact aligned(Exact a) {
    const int shift = 124 - top_bit(a.mantissa);
    a.mantissa <<= shift;
    a.exponent -= shift;
    return a;
}

// Drops `count` low bits into the sticky bit.
void shift_right(Exact& a, int count) {
    if (count <= 0) return;
    if (count > 127) {
        a.sticky = a.sticky || a.mantissa != 0;
        a.mantissa = 0;
    } else {
        a.sticky = a.sticky || (a.mantissa & ((Wide{1} << count) - 1)) != 0;
        a.mantissa >>= count;
    }
    a.exponent += count;
}

Exact nan() {
    Exact r;
    r.kind = Exact::Kind::nan;
    return r;
}
Exact infinity(bool negative) {
    Exact r;
    r.kind = Exact::Kind::infinite;
    r.negative = negative;
    return r;
}
Exact zero(bool negative) {
    Exact r;
    r.negative = negative;
    return r;
}

Exact add_finite(Exact a, Exact b, Mode mode) {
    if (a.is_zero() && b.is_zero()) return zero(a.negative == b.negative ? a.negative : mode == Mode::down);
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    a = aligned(a);
    b = aligned(b);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.mantissa < b.mantissa)) {
        const Exact t = a;
        a = b;
        b = t;
    }
    shift_right(b, a.exponent - b.exponent);
    Exact r = a;
    r.sticky = b.sticky;
    if (a.negative == b.negative)
        r.mantissa = a.mantissa + b.mantissa;
    else
        r.mantissa = a.mantissa - b.mantissa - (b.sticky ? 1 : 0);
    if (r.mantissa == 0 && !r.sticky) return zero(mode == Mode::down);
    return r;
}

bool grows(Mode mode, bool negative, bool odd, int against_half, bool anything) {
    switch (mode) {
    case Mode::nearest: return against_half > 0 || (against_half == 0 && odd);
    case Mode::away: return against_half >= 0;
    case Mode::down: return negative && anything;
    case Mode::up: return !negative && anything;
    case Mode::zero: break;
    }
    return false;
}

// In units of 2^unit.
Wide rounded(const Exact& a, int unit, Mode mode) {
    const int shift = unit - a.exponent;
    if (shift <= 0) return a.mantissa << -shift;
    Exact kept = a;
    kept.sticky = false;
    shift_right(kept, shift);
    int against_half = -1;
    if (shift <= 127) {
        const Wide rest = a.mantissa & ((Wide{1} << shift) - 1);
        const Wide half = Wide{1} << (shift - 1);
        against_half = rest > half ? 1 : rest < half ? -1 : a.sticky ? 1 : 0;
    }
    const bool anything = kept.sticky || a.sticky;
    return kept.mantissa + (grows(mode, a.negative, (kept.mantissa & 1) != 0, against_half, anything) ? 1 : 0);
}

std::uint64_t infinity_bits(const Format& format) { return ((1ull << format.exponent_bits) - 1) << format.fraction_bits; }
std::uint64_t largest_bits(const Format& format) { return format.infinities ? infinity_bits(format) - 1 : infinity_bits(format) | 6; }

} // namespace

Exact decode(std::uint64_t bits, const Format& format) {
    const std::uint64_t fraction = bits & ((1ull << format.fraction_bits) - 1);
    const int field = static_cast<int>((bits >> format.fraction_bits) & ((1ull << format.exponent_bits) - 1));
    const bool top = field == (1 << format.exponent_bits) - 1;
    const bool negative = ((bits >> (format.width() - 1)) & 1) != 0;
    if (top && format.infinities) return fraction == 0 ? infinity(negative) : nan();
    if (top && fraction == (1ull << format.fraction_bits) - 1) return nan();
    Exact r;
    r.negative = negative;
    r.mantissa = field == 0 ? fraction : fraction + (1ull << format.fraction_bits);
    r.exponent = (field == 0 ? 1 : field) - format.bias() - format.fraction_bits;
    return r;
}

Exact from_unsigned(std::uint64_t value) {
    Exact r;
    r.mantissa = value;
    return r;
}
Exact from_integer(std::int64_t value) {
    Exact r = from_unsigned(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
    r.negative = value < 0;
    return r;
}

Exact negated(Exact a) {
    a.negative = !a.negative;
    return a;
}

Exact add(const Exact& a, const Exact& b, Mode mode) {
    if (a.is_nan() || b.is_nan()) return nan();
    if (a.is_infinite()) return b.is_infinite() && a.negative != b.negative ? nan() : a;
    if (b.is_infinite()) return b;
    return add_finite(a, b, mode);
}

Exact multiply(const Exact& a, const Exact& b) {
    if (a.is_nan() || b.is_nan()) return nan();
    const bool negative = a.negative != b.negative;
    if (a.is_infinite() || b.is_infinite()) return a.is_zero() || b.is_zero() ? nan() : infinity(negative);
    Exact r;
    r.negative = negative;
    r.mantissa = a.mantissa * b.mantissa; // both below 2^64
    r.exponent = a.exponent + b.exponent;
    return r;
}

Exact divide(const Exact& a, const Exact& b) {
    if (a.is_nan() || b.is_nan()) return nan();
    const bool negative = a.negative != b.negative;
    if (a.is_infinite()) return b.is_infinite() ? nan() : infinity(negative);
    if (b.is_infinite()) return zero(negative);
    if (b.is_zero()) return a.is_zero() ? nan() : infinity(negative);
    if (a.is_zero()) return zero(negative);
    const Exact wide = aligned(a);
    Exact r;
    r.negative = negative;
    r.mantissa = wide.mantissa / b.mantissa;
    r.sticky = wide.mantissa % b.mantissa != 0;
    r.exponent = wide.exponent - b.exponent;
    return r;
}

Exact square_root(const Exact& a) {
    if (a.is_nan()) return nan();
    if (a.is_zero()) return a;
    if (a.negative) return nan();
    if (a.is_infinite()) return a;
    Exact wide = aligned(a);
    if (wide.exponent % 2 != 0) {
        wide.mantissa <<= 1;
        --wide.exponent;
    }
    Wide root = 0;
    for (Wide bit = Wide{1} << 63; bit != 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= wide.mantissa) root |= bit;
    Exact r;
    r.mantissa = root;
    r.sticky = root * root != wide.mantissa;
    r.exponent = wide.exponent / 2;
    return r;
}

Exact to_whole(const Exact& a, Mode mode) {
    if (a.kind != Exact::Kind::finite || (a.exponent >= 0 && !a.sticky)) return a;
    Exact r;
    r.negative = a.negative;
    r.mantissa = rounded(a, 0, mode);
    return r;
}

int compare(const Exact& a, const Exact& b) {
    if (a.is_infinite() || b.is_infinite()) {
        const int left = a.is_infinite() ? (a.negative ? -1 : 1) : 0;
        const int right = b.is_infinite() ? (b.negative ? -1 : 1) : 0;
        return left < right ? -1 : left > right ? 1 : 0;
    }
    const Exact difference = add_finite(a, negated(b), Mode::nearest);
    return difference.is_zero() ? 0 : difference.negative ? -1 : 1;
}

std::uint64_t encode(const Exact& a, const Format& format, Mode mode, bool finite) {
    const std::uint64_t sign = static_cast<std::uint64_t>(a.negative) << (format.width() - 1);
    if (a.is_nan()) return (1ull << (format.width() - 1)) - 1;
    const std::uint64_t no_infinity = finite || !format.infinities ? 1 : 0;
    if (a.is_infinite()) return sign | (no_infinity != 0 ? largest_bits(format) : infinity_bits(format));
    if (a.is_zero()) return sign;
    const int top = top_bit(a.mantissa) + a.exponent;
    const int smallest = 1 - format.bias();
    const int unit = (top < smallest ? smallest : top) - format.fraction_bits;
    Wide units = rounded(a, unit, mode);
    int field = top < smallest ? 0 : top + format.bias();
    const Wide one = Wide{1} << format.fraction_bits; // what a normal number's leading bit counts
    if (field == 0 && units == one) field = 1;        // rounded up to the smallest normal number
    if (units == 2 * one) {
        units = one;
        ++field;
    }
    const std::uint64_t bits =
        (static_cast<std::uint64_t>(field) << format.fraction_bits) + static_cast<std::uint64_t>(field == 0 ? units : units - one);
    if (field < (1 << format.exponent_bits) && bits <= largest_bits(format)) return sign | bits;
    const bool inward = mode == Mode::zero || mode == (a.negative ? Mode::up : Mode::down);
    return sign | (inward || no_infinity != 0 ? largest_bits(format) : infinity_bits(format));
}

std::int64_t clamp_signed(const Exact& a, std::int64_t low, std::int64_t high) {
    if (compare(a, from_integer(low)) <= 0) return low;
    if (compare(a, from_integer(high)) >= 0) return high;
    const auto magnitude = static_cast<std::int64_t>(a.exponent >= 0 ? a.mantissa << a.exponent : a.mantissa >> -a.exponent);
    return a.negative ? -magnitude : magnitude;
}
std::uint64_t clamp_unsigned(const Exact& a, std::uint64_t high) {
    if (compare(a, from_unsigned(0)) <= 0) return 0;
    if (compare(a, from_unsigned(high)) >= 0) return high;
    return static_cast<std::uint64_t>(a.exponent >= 0 ? a.mantissa << a.exponent : a.mantissa >> -a.exponent);
}

std::uint64_t flush(std::uint64_t bits, const Format& format) {
    const std::uint64_t exponent = ((1ull << format.exponent_bits) - 1) << format.fraction_bits;
    return (bits & exponent) == 0 ? bits & (1ull << (format.width() - 1)) : bits;
}
bool is_nan(std::uint64_t bits, const Format& format) { return decode(bits, format).is_nan(); }
bool is_negative(std::uint64_t bits, const Format& format) { return ((bits >> (format.width() - 1)) & 1) != 0; }

} // namespace apod::reference
