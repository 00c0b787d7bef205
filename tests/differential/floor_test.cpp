// No kept launch (tests/replay/h200/*.inputs) is predicted to be faster than its floor.
#include "arch/gpu.hpp"
#include "model/floor.hpp"
#include "model/inputs.hpp"
#include "model/predict/predict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace apod::differential {
namespace {

TEST(Floor, NoKeptLaunchIsPredictedBelowIt) {
    const auto gpu = arch::find_gpu("h200");
    ASSERT_TRUE(gpu.ok());
    std::size_t launches = 0;
    for (const char* name : {"own_kernels", "public_programs", "unseen_kernels"}) {
        std::ifstream in(std::string(APOD_SOURCE_DIR) + "/tests/replay/h200/" + name + ".inputs");
        model::InputReader reader(in, *gpu);
        for (;;) {
            const auto kept = reader.next();
            ASSERT_TRUE(kept.ok()) << name << ": " << to_text(kept.error());
            if (!kept->facts) break;
            const model::Prediction prediction = model::predict(*kept->facts);
            const double floor_ns = model::floor_ns(*kept->facts, {});
            EXPECT_GE(std::min(prediction.time_ns, prediction.cold_ns) - gpu->launch.fixed_ns + 1, floor_ns)
                << name << ", launch " << launches;
            ++launches;
        }
    }
    EXPECT_GE(launches, 100u);
}

} // namespace
} // namespace apod::differential
