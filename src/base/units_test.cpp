#include "base/units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace apod {
namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

TEST(Units, SignificantDigitsKeepTrailingZerosAndDropTheFractionOfLargeNumbers) {
    EXPECT_EQ(format_significant(1.5), "1.500");
    EXPECT_EQ(format_significant(99.995), "100.0");
    EXPECT_EQ(format_significant(99.999, 4), "100.0");
    EXPECT_EQ(format_significant(123456), "123456");
    EXPECT_EQ(format_significant(-0.012345, 3), "-0.0123");
    EXPECT_EQ(format_significant(0), "0");
    EXPECT_EQ(format_significant(1e-9, 3), "1.00e-09");
    EXPECT_EQ(format_significant(2e20, 2), "2.0e+20");
}

TEST(Units, NotANumberAndInfinityAreNamed) {
    for (const auto& text : {format_significant(nan_value), format_time_ns(nan_value), format_bytes(nan_value), format_rate(nan_value),
                             format_percent(nan_value), format_factor(nan_value), format_operation_rate(nan_value)})
        EXPECT_EQ(text, "n/a");
    EXPECT_EQ(format_significant(infinity), "inf");
    EXPECT_EQ(format_time_ns(infinity), "inf s");
    EXPECT_EQ(format_time_ns(-infinity), "-inf s");
}

TEST(Units, TimesTakeTheLargestUnitThatKeepsTheNumberAboveOne) {
    EXPECT_EQ(format_time_ns(0), "0 ns");
    EXPECT_EQ(format_time_ns(512), "512 ns");
    EXPECT_EQ(format_time_ns(0.25), "0.2500 ns");
    EXPECT_EQ(format_time_ns(9472), "9.472 us");
    EXPECT_EQ(format_time_ns(1.08e6), "1.080 ms");
    EXPECT_EQ(format_time_ns(36.4e6, 3), "36.4 ms");
    EXPECT_EQ(format_time_ns(2.5e9), "2.500 s");
    EXPECT_EQ(format_time_ns(86400e9), "86400 s");
    EXPECT_EQ(format_time_ns(-1500), "-1.500 us");
}

TEST(Units, RoundingCarriesIntoTheNextUnit) {
    EXPECT_EQ(format_time_ns(999.96), "1.000 us");
    EXPECT_EQ(format_time_ns(999.94), "999.9 ns");
    EXPECT_EQ(format_time_ns(999999.9), "1.000 ms");
    EXPECT_EQ(format_bytes(999999), "1.000 MB");
}

TEST(Units, BytesAreDecimalOrBinaryAsAsked) {
    EXPECT_EQ(format_bytes(0), "0 B");
    EXPECT_EQ(format_bytes(999), "999 B");
    EXPECT_EQ(format_bytes(1073741824), "1.074 GB");
    EXPECT_EQ(format_bytes(1e15), "1.000 PB");
    EXPECT_EQ(format_bytes_binary(1023), "1023 B");
    EXPECT_EQ(format_bytes_binary(49152), "48 KiB");
    EXPECT_EQ(format_bytes_binary(1.5 * 1048576), "1.500 MiB");
    EXPECT_EQ(format_bytes_binary(50.0 * 1048576), "50 MiB");
}

TEST(Units, RatesStayInGigabytesHoweverLarge) {
    EXPECT_EQ(format_rate(4262e9), "4262 GB/s");
    EXPECT_EQ(format_rate(54.3e9), "54.30 GB/s");
    EXPECT_EQ(format_rate(981.5e6), "981.5 MB/s");
    EXPECT_EQ(format_operation_rate(66.908e12), "66.91 TFLOP/s");
    EXPECT_EQ(format_operation_rate(2.5e9, 3, "update"), "2.50 Gupdate/s");
    EXPECT_EQ(format_operation_rate(0), "0 FLOP/s");
}

TEST(Units, PercentsAndFactors) {
    EXPECT_EQ(format_percent(0.8731), "87.3 %");
    EXPECT_EQ(format_percent(1, 0), "100 %");
    EXPECT_EQ(format_percent(-0.05), "-5.0 %");
    EXPECT_EQ(format_factor(3.2), "3.20x");
    EXPECT_EQ(format_factor(0.998), "0.998x");
}

TEST(Units, CountsAreGroupedByThree) {
    EXPECT_EQ(format_count(std::uint64_t{0}), "0");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(std::uint32_t{1000}), "1,000");
    EXPECT_EQ(format_count(std::uint64_t{1048576}), "1,048,576");
    EXPECT_EQ(format_count(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
    EXPECT_EQ(format_count(std::int64_t{-1000}), "-1,000");
    EXPECT_EQ(format_count(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Units, ShortCountsFitTightColumns) {
    EXPECT_EQ(format_count_short(512), "512");
    EXPECT_EQ(format_count_short(1048576), "1.05 M");
    EXPECT_EQ(format_count_short(999999), "1.00 M");
    EXPECT_EQ(format_count_short(0), "0");
}

} // namespace
} // namespace apod
