#include "model/likely_error.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

Prediction limited_by(const char* resource) {
    Prediction prediction;
    prediction.time_ns = 100000;
    prediction.shares = {{resource, 90000, 0.9}, {"issue", 20000, 0.2}, {"launch", 5000, 0.05}};
    return prediction;
}

TEST(LikelyError, IsTheModelsOwnWhereEveryNumberWasMeasured) {
    const arch::Gpu gpu = *arch::find_gpu("h200");
    EXPECT_NEAR(likely_error(gpu, limited_by("dram"), true), gpu.model.error_machine, 0.01);
    EXPECT_NEAR(likely_error(gpu, limited_by("dram"), false), gpu.model.error_ptx, 0.01);
}

TEST(LikelyError, GrowsWithTheDoubtAboutWhatLimits) {
    const arch::Gpu l4 = *arch::find_gpu("l4");
    ASSERT_EQ(l4.provenance.at("caches.l2_bytes_per_clk").confidence, "?");
    ASSERT_EQ(l4.provenance.at("memory.peak_gbs").confidence, "V");
    const double by_dram = likely_error(l4, limited_by("dram"), true);
    const double by_l2 = likely_error(l4, limited_by("l2 reads"), true);
    EXPECT_GT(by_dram, l4.model.error_machine);
    EXPECT_GT(by_l2, by_dram + 0.1);
    EXPECT_LT(by_l2, 0.5);
}

TEST(LikelyError, OfAShareThatNobodyKnowsIsThatOfTheModel) {
    const arch::Gpu gpu = *arch::find_gpu("a100");
    EXPECT_NEAR(likely_error(gpu, limited_by("something"), true), gpu.model.error_machine, 0.02);
    EXPECT_NEAR(likely_error(gpu, {}, true), gpu.model.error_machine, 1e-12);
}

TEST(LikelyError, GrowsWithWhatASampleLeavesOpen) {
    const arch::Gpu gpu = *arch::find_gpu("h200");
    const double whole = likely_error(gpu, limited_by("dram"), true);
    EXPECT_GT(likely_error(gpu, limited_by("dram"), true, {0.2, {}}), whole + 0.05);
    EXPECT_GT(likely_error(gpu, limited_by("dram"), true, {0, {0, 0, 0, 0.2, 0}}), whole + 0.05);
    EXPECT_NEAR(likely_error(gpu, limited_by("dram"), true, {0, {0.2, 0.2, 0.2, 0, 0}}), whole, 1e-12) << "L2 does not set its time";
}

} // namespace
} // namespace apod::model
