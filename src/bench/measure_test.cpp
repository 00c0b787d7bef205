#include "apod/measure.hpp"

#include <gtest/gtest.h>

namespace apod {
namespace {

MeasureOptions quick() {
    MeasureOptions options;
    options.warm_up_s = 0;
    options.shortest_s = 0;
    options.timeout_s = 5;
    options.deviation = 1;
    return options;
}

} // namespace

TEST(MeasureProgram, TimesRepeatedRunsOfAProgram) {
    const Timing timing = measure_program({"/bin/sh", "-c", "exit 0"}, quick());
    EXPECT_GE(timing.samples.size(), 10U);
    EXPECT_GT(timing.median_ns, 1000);
    EXPECT_LE(timing.minimum_ns, timing.median_ns);
    EXPECT_LE(timing.low_ns, timing.median_ns);
    EXPECT_TRUE(timing.stopped_by == "low-noise" || timing.stopped_by == "settled") << timing.stopped_by; // as quiet as the machine is
    EXPECT_EQ(timing.source, Source::measured);
    EXPECT_NE(to_text(timing).find("/bin/sh -c exit 0: "), std::string::npos) << to_text(timing);
}

TEST(MeasureProgram, AProgramThatFailsThrowsWithItsOutput) {
    try {
        measure_program({"/bin/sh", "-c", "echo broken; exit 3"}, quick());
        FAIL() << "nothing was thrown";
    } catch (const MeasureError& error) {
        EXPECT_NE(std::string(error.what()).find("exit status 3"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("broken"), std::string::npos) << error.what();
    }
}

TEST(MeasureProgram, AResultBelowItsFloorIsRefused) {
    MeasureOptions options = quick();
    options.floor_ns = 1e12;
    EXPECT_THROW(measure_program({"/bin/true"}, options), MeasureError);
}

TEST(CompareProgram, ALongerProgramIsSlower) {
    MeasureOptions options = quick();
    options.smallest_effect = 0.2;
    const Comparison compared = compare_programs({"/bin/sleep", "0.02"}, {"/bin/sleep", "0.2"}, options);
    EXPECT_EQ(compared.verdict, "SLOWER") << to_text(compared);
    EXPECT_GT(compared.ratio, 2);
}

TEST(Measure, WithoutAGpuThrowsAndSaysWhy) {
    int runs = 0;
    try {
        measure([&](void*) { ++runs; }, quick());
    } catch (const MeasureError& error) {
        EXPECT_EQ(runs, 0);
        EXPECT_NE(std::string(error.what()), "");
        return;
    }
    GTEST_SKIP() << "there is a GPU";
}

} // namespace apod
