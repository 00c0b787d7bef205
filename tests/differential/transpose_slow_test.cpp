// The same at n = 16384, where most launches are sampled.
#include "recording.hpp"
#include "transpose_run.hpp"

#include <gtest/gtest.h>

namespace apod::differential {
namespace {

TEST(Transpose16384, PredictedTimesAreWithinAQuarterOfTheMeasured) {
    auto run = TransposeRun::make(16384);
    ASSERT_TRUE(run.ok()) << to_text(run.error());
    for (const Row& row : read_recording("h200/transpose_times.csv")) {
        if (number(row, "n") != 16384) continue;
        const auto record = (*run)->launch(row.at("kernel"), 20000000);
        ASSERT_TRUE(record.ok()) << to_text(record.error());
        const double measured = number(row, "single_median_ms") * 1e6;
        const double predicted = record->time_ns.value + (*run)->gpu().launch.event_ns; // events were around each launch
        EXPECT_NEAR(predicted / measured, 1, 0.25) << row.at("kernel");
    }
}

} // namespace
} // namespace apod::differential
