#include "device/async.hpp"

#include <gtest/gtest.h>

namespace apod::device {

TEST(ThrottleNames, OnlyLimitsThatAMeasurementRanIntoAreNamed) {
    EXPECT_TRUE(throttle_names(0).empty());
    EXPECT_TRUE(throttle_names(0x1 | 0x2 | 0x10 | 0x100).empty()); // idle, set clocks, sync boost, display clocks
    EXPECT_EQ(throttle_names(0x4), std::vector<std::string>{"power limit"});
    EXPECT_EQ(throttle_names(0x40 | 0x1 | 0x8), (std::vector<std::string>{"hardware slowdown", "heat (hardware limit)"}));
}

} // namespace apod::device
