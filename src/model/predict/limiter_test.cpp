#include "model/predict/limiter.hpp"

#include "model/predict/op_cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace apod::model {

TEST(Limiter, TheLargestShareIsItTheLaunchToo) {
    EXPECT_EQ(limiter_of({{"launch", 5100, 0.785}, {"latency", 1000, 0.154}, {"dram", 400, 0.062}}), "launch");
    EXPECT_EQ(limiter_of({{"launch", 1500, 0.42}, {"lsu", 1300, 0.36}}), "launch");
    EXPECT_EQ(limiter_of({{"dram", 50, 0.5}, {"launch", 20, 0.2}}), "dram");
    EXPECT_EQ(limiter_of({}), "");
}

TEST(Limiter, EveryPipeHasAName) {
    const auto known = [](std::string_view name) {
        return std::find(std::begin(limiter_names), std::end(limiter_names), name) != std::end(limiter_names);
    };
    for (std::size_t pipe = 0; pipe < pipe_count; ++pipe) EXPECT_TRUE(known(pipe_name(static_cast<Pipe>(pipe)))) << pipe;
}

} // namespace apod::model
