#include "bench/sampler.hpp"

#include "bench/synthetic.hpp"

#include <gtest/gtest.h>

namespace apod::bench {
namespace {

using testing::FakeTarget;
using testing::FakeTime;

Plan plan_in(FakeTime& time) {
    Plan plan;
    plan.now_s = [&time] { return time.now_s; };
    return plan;
}

// Fails at its n-th sample; all its samples before are throttled.
class FailingTarget final : public Target {
public:
    explicit FailingTarget(std::size_t good) : good_(good) {}
    [[nodiscard]] std::string name() const override { return "failing"; }
    Result<double> first_run() override {
        if (good_ == 0) return unavailable("no first run");
        return 1e6;
    }
    Result<Sample> sample(std::uint32_t) override {
        if (taken_++ >= good_) return check_failed("the kernel failed");
        return Sample{.time_ns = 1000};
    }

private:
    std::size_t good_;
    std::size_t taken_ = 0;
};

} // namespace

TEST(Sampler, MeasuresATargetAndSaysWhatStoppedIt) {
    FakeTime time;
    FakeTarget target("kernel", {.base_ns = 20e3, .noise = 0.001}, 1, time);
    const Result<Measurement> measured = sample_one(target, plan_in(time));
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->name, "kernel");
    EXPECT_NEAR(measured->time_ns.median, 20e3, 20);
    EXPECT_EQ(measured->stop.rule, "low-noise");
    EXPECT_EQ(measured->first_run_ns, 50e6);
    EXPECT_NEAR(measured->clock_mhz, 1980, 1);
    EXPECT_EQ(measured->time_ns.samples, measured->samples.size());
    EXPECT_EQ(measured->runs, 32U); // of 20 us, for 500 us: 25, the nearest power of two
    EXPECT_LT(time.now_s, 0.7);     // 0.1 s to warm up and 0.5 s of samples
}

TEST(Sampler, TheFirstRunAndTheWarmUpAreInNoSample) {
    FakeTime time;
    FakeTarget target("kernel", {.base_ns = 1e6}, 1, time);
    const Result<Measurement> measured = sample_one(target, plan_in(time));
    ASSERT_TRUE(measured);
    EXPECT_LT(measured->samples.size() + 90, target.samples());
    EXPECT_LT(measured->time_ns.maximum, 2e6);
}

TEST(Sampler, EachRunHasItsOwnTimeStampsWhereThatIsAsked) {
    FakeTime time;
    FakeTarget target("kernel", {.base_ns = 2000}, 1, time);
    Plan plan = plan_in(time);
    plan.most_runs = 1;
    EXPECT_EQ(sample_one(target, plan)->runs, 1U);
}

TEST(Sampler, AMedianOfNoisySamplesIsStillClose) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        FakeTime time;
        FakeTarget target("kernel", {.base_ns = 5000, .noise = 0.01, .outliers = 0.05}, seed, time);
        EXPECT_NEAR(sample_one(target, plan_in(time))->time_ns.median, 5000, 50) << "seed " << seed;
    }
}

TEST(Sampler, TwoModesAreTold) {
    FakeTime time;
    FakeTarget target("kernel", {.base_ns = 5000, .second_mode = 0.4, .mode_distance = 0.2}, 1, time);
    const Result<Measurement> measured = sample_one(target, plan_in(time));
    ASSERT_TRUE(measured);
    EXPECT_TRUE(measured->time_ns.two_modes);
    ASSERT_FALSE(measured->notes.empty());
    EXPECT_NE(measured->notes.back().find("two groups"), std::string::npos);
}

TEST(Sampler, AFailureOfTheTargetIsTheResult) {
    FailingTarget late(30);
    const Result<Measurement> failed = sample_one(late, {});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "the kernel failed");
    FailingTarget at_once(0);
    EXPECT_FALSE(sample_one(at_once, {}));
}

TEST(Sampler, RulesOfOnesOwnTakeThePlaceOfTheUsualOnes) {
    class Three final : public StoppingRule {
    public:
        [[nodiscard]] std::string_view name() const override { return "three"; }
        void add(const Sample&, double) override { ++count_; }
        [[nodiscard]] std::string reason() const override { return count_ >= 3 ? "three samples" : ""; }

    private:
        int count_ = 0;
    };
    FakeTime time;
    FakeTarget target("kernel", {}, 1, time);
    Plan plan = plan_in(time);
    plan.rules = [] {
        std::vector<std::unique_ptr<StoppingRule>> rules;
        rules.push_back(std::make_unique<Three>());
        return rules;
    };
    const Result<Measurement> measured = sample_one(target, plan);
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->samples.size(), 3U);
    EXPECT_EQ(measured->stop.rule, "three");
}

TEST(Compare, IdenticalVersionsAreSame) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        FakeTime time;
        const testing::Shape shape = {.base_ns = 12e3, .noise = 0.004, .drift = seed % 2 == 0 ? 0.05 : 0, .outliers = 0.02, .sway = 0.01};
        FakeTarget base("a", shape, 2 * seed, time);
        FakeTarget other("b", shape, 2 * seed + 1, time);
        const Result<Comparison> compared = compare(base, other, plan_in(time));
        ASSERT_TRUE(compared);
        EXPECT_EQ(compared->judgement.verdict, Verdict::same) << "seed " << seed << ": " << compared->judgement.reason;
        EXPECT_GE(compared->rounds.size(), 10U);
    }
}

TEST(Compare, TheSwingOfTheClockDoesNotHideAFasterVersion) {
    FakeTime time;
    FakeTarget base("a", {.base_ns = 12e3, .sway = 0.01}, 1, time);
    FakeTarget other("b", {.base_ns = 11e3, .sway = 0.01}, 2, time);
    const Result<Comparison> compared = compare(base, other, plan_in(time));
    ASSERT_TRUE(compared);
    EXPECT_EQ(compared->judgement.verdict, Verdict::faster) << compared->judgement.reason;
    EXPECT_NEAR(compared->judgement.ratio, 11.0 / 12, 0.01);
}

TEST(Compare, TurnsAreTakenInChangingOrder) {
    // A target that notes when it was sampled.
    class Noting final : public Target {
    public:
        Noting(char mark, std::string& log) : mark_(mark), log_(log) {}
        [[nodiscard]] std::string name() const override { return {mark_}; }
        Result<double> first_run() override { return 1.0; }
        Result<Sample> sample(std::uint32_t) override {
            log_ += mark_;
            return Sample{.time_ns = 1000};
        }

    private:
        char mark_;
        std::string& log_;
    };
    std::string log;
    double now = 0;
    Noting a('a', log), b('b', log);
    Plan plan;
    plan.warm_up_s = 0;
    plan.most_in_round = 1;
    plan.stopping.most_samples = 4;
    plan.stopping.shortest_s = 1e9;
    plan.now_s = [&now] { return now += 1e-3; };
    Target* const both[] = {&a, &b};
    ASSERT_TRUE(sample_in_turns(both, plan));
    EXPECT_EQ(log, "ab"         // warming up
                   "abbaabba"); // in turns
}

} // namespace apod::bench
