#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace apod {
namespace {

constexpr std::array<std::string_view, 4> time_units = {"ns", "us", "ms", "s"};
constexpr std::array<std::string_view, 6> byte_units = {"B", "kB", "MB", "GB", "TB", "PB"};
constexpr std::array<std::string_view, 5> binary_units = {"B", "KiB", "MiB", "GiB", "TiB"};
constexpr std::array<std::string_view, 4> rate_units = {"B/s", "kB/s", "MB/s", "GB/s"};
constexpr std::array<std::string_view, 5> count_units = {"", "k", "M", "G", "T"};
constexpr std::array<std::string_view, 7> operation_units = {"", "k", "M", "G", "T", "P", "E"};

bool is_whole(double value) { return std::floor(value) == value; }

// What is left of the value after rounding to `digits` significant digits.
double rounded(double value, int digits) {
    if (value == 0 || !std::isfinite(value)) return value;
    const double scale = std::pow(10.0, digits - 1 - std::floor(std::log10(std::fabs(value))));
    return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

struct Scaled {
    double value = 0;
    std::size_t unit = 0;
};

// The unit is chosen by the rounded number: "1.000 us", never "1000 ns". The largest unit takes everything above.
Scaled scale(double value, double step, std::size_t units, int digits) {
    Scaled scaled{value, 0};
    while (scaled.unit + 1 < units && std::fabs(rounded(scaled.value, digits)) >= step) {
        scaled.value /= step;
        ++scaled.unit;
    }
    return scaled;
}

std::string with_unit(const std::string& number, std::string_view unit) {
    return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

std::string scaled_text(double value, double step, std::span<const std::string_view> units, int digits, bool whole_without_fraction) {
    if (std::isnan(value)) return "n/a";
    if (value == 0) return with_unit("0", units[0]);
    const Scaled scaled = scale(value, step, units.size(), digits);
    const bool short_form = is_whole(scaled.value) && (whole_without_fraction || scaled.unit == 0) && std::fabs(scaled.value) < step;
    return with_unit(short_form ? fmt::format("{:.0f}", scaled.value) : format_significant(scaled.value, digits), units[scaled.unit]);
}

std::string grouped(std::string digits) {
    for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
    return digits;
}

} // namespace

std::string format_significant(double value, int digits) {
    if (std::isnan(value)) return "n/a";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    digits = std::clamp(digits, 1, 15);
    if (value == 0) return "0";
    const double magnitude = std::fabs(value);
    if (magnitude < 1e-4 || magnitude >= 1e15) return fmt::format("{:.{}e}", value, digits - 1);
    const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(rounded(value, digits)))));
    return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

std::string format_time_ns(double nanoseconds, int digits) { return scaled_text(nanoseconds, 1000, time_units, digits, false); }

std::string format_bytes(double bytes, int digits) { return scaled_text(bytes, 1000, byte_units, digits, false); }

std::string format_bytes_binary(double bytes, int digits) { return scaled_text(bytes, 1024, binary_units, digits, true); }

std::string format_rate(double bytes_per_second, int digits) { return scaled_text(bytes_per_second, 1000, rate_units, digits, false); }

std::string format_operation_rate(double operations_per_second, int digits, const std::string& unit) {
    if (std::isnan(operations_per_second)) return "n/a";
    const Scaled scaled = scale(operations_per_second, 1000, operation_units.size(), digits);
    return fmt::format("{} {}{}/s", format_significant(scaled.value, digits), operation_units[scaled.unit], unit);
}

std::string format_percent(double fraction, int decimals) {
    if (std::isnan(fraction)) return "n/a";
    return fmt::format("{:.{}f} %", fraction * 100, std::clamp(decimals, 0, 15));
}

std::string format_factor(double factor, int digits) { return std::isnan(factor) ? "n/a" : format_significant(factor, digits) + "x"; }

std::string detail::grouped_unsigned(std::uint64_t count) { return grouped(std::to_string(count)); }

std::string detail::grouped_signed(std::int64_t count) {
    const auto magnitude = count < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
    return (count < 0 ? "-" : "") + grouped_unsigned(magnitude);
}

std::string format_count_short(double count, int digits) { return scaled_text(count, 1000, count_units, digits, false); }

} // namespace apod
