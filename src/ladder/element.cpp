#include "ladder/element.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace apod::ladder {

namespace {

struct TypeInfo {
    std::string_view name;
    std::size_t bytes;
    bool floating;
    bool is_signed;
};

// In the order of the enumeration.
constexpr std::array<TypeInfo, 12> types = {{{"u8", 1, false, false},
                                             {"s8", 1, false, true},
                                             {"u16", 2, false, false},
                                             {"s16", 2, false, true},
                                             {"u32", 4, false, false},
                                             {"s32", 4, false, true},
                                             {"u64", 8, false, false},
                                             {"s64", 8, false, true},
                                             {"f16", 2, true, true},
                                             {"bf16", 2, true, true},
                                             {"f32", 4, true, true},
                                             {"f64", 8, true, true}}};

const TypeInfo& info(ElementType type) { return types[static_cast<std::size_t>(type)]; }

std::uint64_t load_bits(std::size_t bytes, const std::byte* from) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, bytes); // little-endian hosts only, as CUDA's are
    return bits;
}

std::int64_t sign_extended(std::uint64_t bits, std::size_t bytes) {
    const unsigned shift = static_cast<unsigned>(64 - 8 * bytes);
    return static_cast<std::int64_t>(bits << shift) >> shift;
}

// A small float of `fraction` fraction bits and `exponent` exponent bits in 16 bits.
std::uint16_t small_float_from_real(double value, int fraction, int exponent) {
    const int bias = (1 << (exponent - 1)) - 1;
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000u : 0u);
    const auto infinity = static_cast<std::uint16_t>(((1 << exponent) - 1) << fraction);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinity | (1u << (fraction - 1)));
    const double magnitude = std::abs(value);
    if (magnitude == 0) return sign;
    if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
    // Scaled so that one unit is the last place; nearbyint rounds to even. A carry runs into the exponent by itself.
    const int power = std::max(std::ilogb(magnitude), 1 - bias);
    const double scaled = std::nearbyint(std::ldexp(magnitude, fraction - power));
    const double encoded = scaled + std::ldexp(static_cast<double>(power + bias - 1), fraction);
    if (encoded >= infinity) return static_cast<std::uint16_t>(sign | infinity);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(encoded));
}

double real_from_small_float(std::uint16_t bits, int fraction, int exponent) {
    const int bias = (1 << (exponent - 1)) - 1;
    const double sign = (bits & 0x8000u) != 0 ? -1 : 1;
    const int stored = (bits & 0x7fff) >> fraction;
    const int rest = bits & ((1 << fraction) - 1);
    if (stored == (1 << exponent) - 1) {
        return rest != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    }
    if (stored == 0) return sign * std::ldexp(rest, 1 - bias - fraction);
    return sign * std::ldexp(rest + (1 << fraction), stored - bias - fraction);
}

// Maps the bits of a float so that neighbouring values are neighbouring integers, and both zeros are one.
std::int64_t ordered(std::uint64_t bits, std::size_t bytes) {
    const std::uint64_t sign_bit = std::uint64_t{1} << (8 * bytes - 1);
    const auto magnitude = static_cast<std::int64_t>(bits & (sign_bit - 1));
    return (bits & sign_bit) != 0 ? -magnitude : magnitude;
}

} // namespace

std::optional<ElementType> element_type_from_name(std::string_view name) {
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].name == name) return static_cast<ElementType>(i);
    }
    return std::nullopt;
}

std::string_view element_type_name(ElementType type) { return info(type).name; }

const std::vector<std::string>& element_type_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(types.size());
        for (const TypeInfo& type : types) all.emplace_back(type.name);
        return all;
    }();
    return names;
}

std::size_t element_bytes(ElementType type) { return info(type).bytes; }
bool is_floating(ElementType type) { return info(type).floating; }
bool is_signed(ElementType type) { return info(type).is_signed; }

double element_as_real(ElementType type, const std::byte* from) {
    const std::uint64_t bits = load_bits(info(type).bytes, from);
    switch (type) {
    case ElementType::f16: return real_from_half(static_cast<std::uint16_t>(bits));
    case ElementType::bf16: return real_from_bfloat(static_cast<std::uint16_t>(bits));
    case ElementType::f32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ElementType::f64: return std::bit_cast<double>(bits);
    default: break;
    }
    return info(type).is_signed ? static_cast<double>(sign_extended(bits, info(type).bytes)) : static_cast<double>(bits);
}

std::string element_as_text(ElementType type, const std::byte* from) {
    const std::uint64_t bits = load_bits(info(type).bytes, from);
    if (type == ElementType::f32) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (info(type).floating) return fmt::format("{}", element_as_real(type, from));
    return info(type).is_signed ? fmt::format("{}", sign_extended(bits, info(type).bytes)) : fmt::format("{}", bits);
}

void store_integer(ElementType type, std::int64_t value, std::byte* to) {
    if (info(type).floating) {
        store_real(type, static_cast<double>(value), to);
    } else {
        std::memcpy(to, &value, info(type).bytes);
    }
}

void store_real(ElementType type, double value, std::byte* to) {
    std::uint64_t bits = 0;
    switch (type) {
    case ElementType::f16: bits = half_from_real(value); break;
    case ElementType::bf16: bits = bfloat_from_real(value); break;
    case ElementType::f32: bits = std::bit_cast<std::uint32_t>(static_cast<float>(value)); break;
    case ElementType::f64: bits = std::bit_cast<std::uint64_t>(value); break;
    default:
        // Values outside 64 bits have no integer to wrap: they become 0, as NaN does.
        if (value >= 0 && value < 0x1p64) bits = static_cast<std::uint64_t>(value);
        if (value < 0 && value >= -0x1p63) bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    }
    std::memcpy(to, &bits, info(type).bytes);
}

std::uint64_t distance_in_ulp(ElementType type, const std::byte* a, const std::byte* b) {
    const std::size_t bytes = info(type).bytes;
    const std::uint64_t a_bits = load_bits(bytes, a);
    const std::uint64_t b_bits = load_bits(bytes, b);
    if (a_bits == b_bits) return 0;
    if (info(type).floating) {
        const bool a_nan = std::isnan(element_as_real(type, a));
        const bool b_nan = std::isnan(element_as_real(type, b));
        if (a_nan || b_nan) return a_nan && b_nan ? 0 : std::numeric_limits<std::uint64_t>::max();
        const std::int64_t x = ordered(a_bits, bytes);
        const std::int64_t y = ordered(b_bits, bytes);
        return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                     : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
    }
    if (!info(type).is_signed) return a_bits > b_bits ? a_bits - b_bits : b_bits - a_bits;
    const std::int64_t x = sign_extended(a_bits, bytes);
    const std::int64_t y = sign_extended(b_bits, bytes);
    return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                 : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

std::uint16_t half_from_real(double value) { return small_float_from_real(value, 10, 5); }
double real_from_half(std::uint16_t bits) { return real_from_small_float(bits, 10, 5); }
std::uint16_t bfloat_from_real(double value) { return small_float_from_real(value, 7, 8); }
double real_from_bfloat(std::uint16_t bits) { return real_from_small_float(bits, 7, 8); }

} // namespace apod::ladder
