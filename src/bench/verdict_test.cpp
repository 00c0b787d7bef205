#include "bench/verdict.hpp"

#include <gtest/gtest.h>

#include <random>

namespace apod::bench {
namespace {

struct Versions {
    double ratio = 1; // other over base, in cycles
    double noise = 0.002;
    double drift = 0; // of both, over the rounds
    double outliers = 0;
    double base_mhz = 1980;
    double other_mhz = 1980;
    std::size_t rounds = 40;
};

std::vector<Round> make_rounds(const Versions& versions, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<Round> rounds;
    for (std::size_t i = 0; i < versions.rounds; ++i) {
        const double drift = 1 + versions.drift * static_cast<double>(i) / static_cast<double>(versions.rounds);
        const auto time = [&](double mhz, double factor) {
            const double outlier = uniform(random) < versions.outliers ? 1.5 : 1;
            return 1e4 * 1980 / mhz * factor * drift * outlier * (1 + versions.noise * normal(random));
        };
        Round round;
        round.base_mhz = versions.base_mhz;
        round.other_mhz = versions.other_mhz;
        round.base_ns = time(versions.base_mhz, 1);
        round.other_ns = time(versions.other_mhz, versions.ratio);
        rounds.push_back(round);
    }
    return rounds;
}

Verdict verdict_of(const Versions& versions, std::uint64_t seed = 1) { return judge(make_rounds(versions, seed)).verdict; }

} // namespace

TEST(Verdict, IdenticalVersionsAreNeverFasterOrSlower) {
    std::size_t same = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const double noise = 0.0005 * static_cast<double>(1 + seed % 20); // to 1 %
        const Verdict verdict = verdict_of({.noise = noise, .drift = seed % 3 == 0 ? 0.05 : 0, .outliers = seed % 5 == 0 ? 0.05 : 0}, seed);
        EXPECT_TRUE(verdict == Verdict::same || verdict == Verdict::undecided) << "seed " << seed;
        same += verdict == Verdict::same ? 1 : 0;
    }
    EXPECT_GT(same, 340U);
}

TEST(Verdict, ADifferenceOfThreePercentIsSeen) {
    EXPECT_EQ(verdict_of({.ratio = 0.97}), Verdict::faster);
    EXPECT_EQ(verdict_of({.ratio = 1.03}), Verdict::slower);
    const Judgement judgement = judge(make_rounds({.ratio = 0.97}, 1));
    EXPECT_NEAR(judgement.ratio, 0.97, 0.002);
    EXPECT_NE(judgement.reason.find("faster"), std::string::npos);
    EXPECT_NE(judgement.reason.find("in cycles"), std::string::npos);
}

TEST(Verdict, ADifferenceInTheNoiseIsUndecidedAndSaysSo) {
    const Judgement judgement = judge(make_rounds({.ratio = 0.98, .noise = 0.05}, 3));
    EXPECT_EQ(judgement.verdict, Verdict::undecided);
    EXPECT_NE(judgement.reason.find("noise"), std::string::npos) << judgement.reason;
}

TEST(Verdict, ADifferenceThatOnlyTheClockMadeIsUndecided) {
    const Judgement judgement = judge(make_rounds({.other_mhz = 1800}, 1));
    EXPECT_EQ(judgement.verdict, Verdict::undecided);
    EXPECT_NE(judgement.reason.find("clock"), std::string::npos) << judgement.reason;
}

TEST(Verdict, TheSameTimeWithFewerCyclesIsUndecidedToo) {
    EXPECT_EQ(verdict_of({.ratio = 0.9, .other_mhz = 1980 * 0.9}), Verdict::undecided);
}

TEST(Verdict, ADriftOfBothDoesNotHideNorMakeADifference) {
    EXPECT_EQ(verdict_of({.ratio = 1, .drift = 0.1}), Verdict::same);
    EXPECT_NE(verdict_of({.ratio = 0.95, .drift = 0.1}), Verdict::slower);
    EXPECT_EQ(verdict_of({.ratio = 0.5, .drift = 0.1}), Verdict::faster);
}

TEST(Verdict, WithoutClocksTimeAloneDecides) {
    EXPECT_EQ(verdict_of({.ratio = 0.9, .base_mhz = 1980, .other_mhz = 1980}), Verdict::faster);
    std::vector<Round> rounds = make_rounds({.ratio = 0.9}, 1);
    for (Round& round : rounds) round.base_mhz = 0;
    const Judgement judgement = judge(rounds);
    EXPECT_EQ(judgement.verdict, Verdict::faster);
    EXPECT_EQ(judgement.cycle_ratio, 0);
}

TEST(Verdict, TooFewRoundsAreUndecided) {
    EXPECT_EQ(verdict_of({.ratio = 0.5, .rounds = 9}), Verdict::undecided);
    EXPECT_EQ(judge({}).verdict, Verdict::undecided);
}

TEST(Verdict, OverlappingIntervalsAreUndecidedHoweverManyRoundsThereAre) {
    // One round in which the slower version was quick: the minimum says that it can be.
    std::vector<Round> rounds = make_rounds({.ratio = 0.97, .rounds = 200}, 1);
    rounds[17].base_ns *= 0.96;
    EXPECT_EQ(judge(rounds).verdict, Verdict::undecided);
}

} // namespace apod::bench
