// Numbers for people, always with their unit: "9.472 us", "1.074 GB", "48 KiB", "4262 GB/s", "87.3 %", "1,048,576".
// Not for JSON or CSV, which carry plain numbers. The output is ASCII and does not depend on the locale. NaN gives "n/a".
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

namespace apod {

namespace detail {
std::string grouped_unsigned(std::uint64_t count);
std::string grouped_signed(std::int64_t count);
} // namespace detail

// `digits` significant decimal digits (1 to 15), without an exponent where 1e-4 <= |value| < 1e15; trailing zeros stay: (1.5, 4) ->
// "1.500".
[[nodiscard]] std::string format_significant(double value, int digits = 4);

// The largest of ns, us, ms, s that keeps the rounded number at or above 1: 999.96 ns is "1.000 us". Zero is "0 ns".
[[nodiscard]] std::string format_time_ns(double nanoseconds, int digits = 4);

// Decimal: B, kB, MB, GB, TB, PB of 1000 each. Whole bytes below 1000 have no fraction.
[[nodiscard]] std::string format_bytes(double bytes, int digits = 4);

// Binary: B, KiB, MiB, GiB, TiB of 1024 each; whole numbers of the unit have no fraction: "48 KiB", "1.500 MiB".
[[nodiscard]] std::string format_bytes_binary(double bytes, int digits = 4);

// Bytes per second with the field's largest unit GB/s: "4262 GB/s", "54.30 GB/s", "981.0 MB/s".
[[nodiscard]] std::string format_rate(double bytes_per_second, int digits = 4);

// Floating-point (or other) operations per second: "66.91 TFLOP/s"; `unit` names the operation ("FLOP", "op", "update").
[[nodiscard]] std::string format_operation_rate(double operations_per_second, int digits = 4, const std::string& unit = "FLOP");

// 0.8731 -> "87.3 %".
[[nodiscard]] std::string format_percent(double fraction, int decimals = 1);

// 3.2 -> "3.20x": how many times.
[[nodiscard]] std::string format_factor(double factor, int digits = 3);

// Groups of three: 1048576 -> "1,048,576".
template<std::integral Count> [[nodiscard]] std::string format_count(Count count) {
    if constexpr (std::signed_integral<Count>) return detail::grouped_signed(count);
    return detail::grouped_unsigned(static_cast<std::uint64_t>(count));
}

// k, M, G, T of 1000 each for tight columns: 1048576 -> "1.05 M"; below 1000 as it is: "512".
[[nodiscard]] std::string format_count_short(double count, int digits = 3);

} // namespace apod
