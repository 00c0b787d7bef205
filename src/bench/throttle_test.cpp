#include "bench/throttle.hpp"

#include <gtest/gtest.h>

namespace apod::bench {
namespace {

std::vector<Sample> samples(std::size_t count, std::size_t throttled, double slow_mhz = 0) {
    std::vector<Sample> all(count, Sample{.time_ns = 100, .clock_mhz = 1980});
    for (std::size_t i = 0; i < throttled; ++i) {
        all[i].throttled = slow_mhz == 0;
        if (slow_mhz != 0) all[i].clock_mhz = slow_mhz;
    }
    return all;
}

} // namespace

TEST(Throttle, NothingIsDroppedAndSaidWhereNothingThrottled) {
    const Kept kept = drop_throttled(samples(10, 0));
    EXPECT_EQ(kept.samples.size(), 10U);
    EXPECT_EQ(kept.note, "");
}

TEST(Throttle, SamplesThatTheDriverCallsThrottledAreDroppedAndCounted) {
    const Kept kept = drop_throttled(samples(10, 3));
    EXPECT_EQ(kept.samples.size(), 7U);
    EXPECT_EQ(kept.dropped, 3U);
    EXPECT_NE(kept.note.find("3 of 10"), std::string::npos) << kept.note;
}

TEST(Throttle, AClockFarBelowTheUsualIsThrottling) {
    EXPECT_EQ(drop_throttled(samples(10, 2, 1500)).dropped, 2U);
    EXPECT_EQ(drop_throttled(samples(10, 2, 1900)).dropped, 0U); // the clock moves by itself
}

TEST(Throttle, WhereMostSamplesThrottleAllAreKeptAndThatIsSaid) {
    const Kept kept = drop_throttled(samples(10, 8));
    EXPECT_EQ(kept.samples.size(), 10U);
    EXPECT_EQ(kept.dropped, 0U);
    EXPECT_NE(kept.note.find("normal state"), std::string::npos) << kept.note;
    EXPECT_EQ(drop_throttled(samples(1, 1)).samples.size(), 1U); // never empty
}

TEST(Throttle, UnknownClocksAreNoReasonToDrop) {
    std::vector<Sample> unknown(10, Sample{.time_ns = 100});
    EXPECT_EQ(drop_throttled(unknown).dropped, 0U);
}

} // namespace apod::bench
