#include "model/predict/limiter.hpp"

#include <gtest/gtest.h>

namespace apod::model {

TEST(Limiter, TheLargestShareIsItTheLaunchToo) {
    EXPECT_EQ(limiter_of({{"launch", 5100, 0.785}, {"latency", 1000, 0.154}, {"dram", 400, 0.062}}), "launch");
    EXPECT_EQ(limiter_of({{"launch", 1500, 0.42}, {"lsu", 1300, 0.36}}), "launch");
    EXPECT_EQ(limiter_of({{"dram", 50, 0.5}, {"launch", 20, 0.2}}), "dram");
    EXPECT_EQ(limiter_of({}), "");
}

} // namespace apod::model
