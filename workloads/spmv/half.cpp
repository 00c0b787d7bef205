#include "apod/spmv.hpp"

#include <bit>
#include <cmath>

namespace apod::spmv {

Half to_half(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000);
    if (std::isnan(value)) return {static_cast<std::uint16_t>(sign | 0x7e00)};
    const double magnitude = std::abs(value);
    if (magnitude >= 65520) return {static_cast<std::uint16_t>(sign | 0x7c00)}; // rounds beyond the largest, 65504
    if (magnitude < 0x1p-14) {
        // Subnormal: a multiple of 2^-24; the result may round up to the smallest normal number, whose bits follow.
        return {static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1p24)))};
    }
    int exponent = 0;
    const double fraction = std::frexp(magnitude, &exponent);                                 // in [0.5, 1)
    const auto mantissa = static_cast<std::uint32_t>(std::nearbyint(fraction * 2048)) - 1024; // 0 to 1024, the last carries
    return {static_cast<std::uint16_t>(sign | ((static_cast<std::uint32_t>(exponent + 14) << 10) + mantissa))};
}

float to_float(Half value) {
    const int exponent = value.bits >> 10 & 31;
    const int mantissa = value.bits & 1023;
    float result = 0;
    if (exponent == 31) {
        result = mantissa != 0 ? std::nanf("") : INFINITY;
    } else if (exponent == 0) {
        result = std::ldexp(static_cast<float>(mantissa), -24);
    } else {
        result = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    }
    return (value.bits & 0x8000) != 0 ? -result : result;
}

} // namespace apod::spmv
