#include "bench/stopping.hpp"

#include "bench/synthetic.hpp"

#include <gtest/gtest.h>

namespace apod::bench {
namespace {

struct Outcome {
    std::string rule;
    std::string reason;
    std::size_t samples = 0;
    double elapsed_s = 0;
};

Outcome run_until_stopped(const testing::Shape& shape, std::uint64_t seed, const StoppingOptions& options = {}) {
    testing::FakeTime time;
    testing::FakeTarget target("fake", shape, seed, time);
    const auto rules = usual_rules(options);
    for (std::size_t i = 1; i <= 1000000; ++i) {
        const Sample sample = *target.sample(1);
        for (const auto& rule : rules) rule->add(sample, time.now_s);
        for (const auto& rule : rules)
            if (!rule->reason().empty()) return {std::string(rule->name()), rule->reason(), i, time.now_s};
    }
    return {};
}

} // namespace

TEST(Stopping, QuietSamplesStopByLowNoiseOnceTheTimeIsUp) {
    const Outcome outcome = run_until_stopped({.base_ns = 1e6, .noise = 0.001}, 1);
    EXPECT_EQ(outcome.rule, "low-noise");
    EXPECT_NEAR(outcome.elapsed_s, 0.5, 0.01);
}

TEST(Stopping, LongRunsAreSampledAtLeastTenTimes) {
    const Outcome outcome = run_until_stopped({.base_ns = 200e6, .noise = 0.001}, 1);
    EXPECT_EQ(outcome.rule, "low-noise");
    EXPECT_EQ(outcome.samples, 10U);
}

TEST(Stopping, NoisySamplesStopWhenTheNoiseHasSettled) {
    const Outcome outcome = run_until_stopped({.base_ns = 1e6, .noise = 0.03}, 2);
    EXPECT_EQ(outcome.rule, "settled");
    EXPECT_LT(outcome.elapsed_s, 10);
    EXPECT_NE(outcome.reason.find("samples"), std::string::npos);
}

TEST(Stopping, RareOutliersDoNotKeepItGoingForEver) {
    const Outcome outcome = run_until_stopped({.base_ns = 100e3, .noise = 0.001, .outliers = 0.02}, 3, {.most_samples = 1000000});
    EXPECT_EQ(outcome.rule, "settled");
}

TEST(Stopping, ADriftIsNotTakenForSettled) {
    // The deviation grows while the drift lasts (a second); the rule must not be content before it ends.
    const Outcome outcome = run_until_stopped({.base_ns = 1e6, .noise = 0.001, .drift = 0.2}, 4);
    EXPECT_GT(outcome.elapsed_s, 1.0);
}

TEST(Stopping, WhatNeverSettlesStopsByTheTimeoutAndSaysSo) {
    StoppingOptions options;
    options.settled_change = 0;
    options.timeout_s = 2;
    const Outcome outcome = run_until_stopped({.base_ns = 1e6, .noise = 0.03}, 5, options);
    EXPECT_EQ(outcome.rule, "timeout");
    EXPECT_NE(outcome.reason.find("relative deviation"), std::string::npos) << outcome.reason;
}

TEST(Stopping, TheNumberOfSamplesIsBounded) {
    StoppingOptions options;
    options.most_samples = 100;
    options.shortest_s = 1000;
    EXPECT_EQ(run_until_stopped({}, 6, options).rule, "samples");
}

TEST(Stopping, OneSampleIsNeverEnough) {
    StoppingOptions options;
    options.fewest_samples = 1;
    options.shortest_s = 0;
    const auto rule = low_noise_rule(options);
    rule->add(Sample{.time_ns = 5}, 1);
    EXPECT_EQ(rule->reason(), "");
}

} // namespace apod::bench
