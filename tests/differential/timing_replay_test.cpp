// apod's timing of ten kernels on an H200, held against CUDA-graph replay of the same kernels there (bench/device/timing_reference.cu), and
// raw samples judged again.
#include "recording.hpp"

#include "bench/sampler.hpp"
#include "bench/stopping.hpp"
#include "bench/throttle.hpp"
#include "bench/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace apod::differential {
namespace {

std::map<std::string, std::vector<double>> by_kernel(const std::string& file, const std::string& column) {
    std::map<std::string, std::vector<double>> figures;
    for (const Row& row : read_recording(file)) figures[row.at("kernel")].push_back(number(row, column));
    return figures;
}

double spread(const std::vector<double>& figures) {
    const auto [low, high] = std::minmax_element(figures.begin(), figures.end());
    return (*high - *low) / bench::median(figures);
}

// The raw samples of one kernel as a measurement.
bench::Measurement recorded_samples(const std::string& kernel, const std::string& caches) {
    bench::Measurement measurement;
    for (const Row& row : read_recording("h200/timing_samples.csv")) {
        if (row.at("kernel") != kernel || row.at("caches") != caches) continue;
        bench::Sample sample;
        sample.round = static_cast<std::uint32_t>(number(row, "round"));
        sample.runs = static_cast<std::uint32_t>(number(row, "runs"));
        sample.time_ns = number(row, "time_ns");
        sample.clock_mhz = number(row, "clock_mhz");
        sample.throttled = number(row, "throttled") != 0;
        measurement.samples.push_back(sample);
    }
    return measurement;
}

// Two versions out of one: every other sample, the second scaled.
std::vector<bench::Round> halves(const bench::Measurement& all, double factor) {
    bench::Measurement base, other;
    for (std::size_t i = 0; i < all.samples.size(); ++i) {
        bench::Sample sample = all.samples[i];
        sample.round = static_cast<std::uint32_t>(i / 8);
        if (i % 2 != 0) sample.time_ns *= factor;
        (i % 2 == 0 ? base : other).samples.push_back(sample);
    }
    return bench::rounds_of(base, other);
}

const std::vector<std::pair<std::string, std::string>> sampled = {
    {"copy_4mb", "hot"}, {"copy_4mb", "cold"}, {"transpose_4096", "hot"}, {"transpose_4096", "cold"}};

} // namespace

TEST(TimingReplay, TenKernelsAreWithinOnePercentOfCudaGraphReplay) {
    const auto apod = by_kernel("h200/timing_agreement.csv", "apod_ns");
    const auto reference = by_kernel("h200/timing_agreement.csv", "graph_ns");
    ASSERT_EQ(apod.size(), 10U);
    for (const auto& [kernel, figures] : apod) {
        EXPECT_EQ(figures.size(), 5U);
        const double expected = bench::median(reference.at(kernel));
        EXPECT_NEAR(bench::median(figures), expected, 0.01 * expected) << kernel;
    }
    EXPECT_LT(bench::median(apod.at("fma_2us")), 2.5e3);
    EXPECT_GT(bench::median(apod.at("fma_20ms")), 19e6);
}

TEST(TimingReplay, FiveRepetitionsSpreadByLessThanOnePercent) {
    for (const auto& [kernel, figures] : by_kernel("h200/timing_agreement.csv", "apod_ns")) EXPECT_LT(spread(figures), 0.01) << kernel;
}

TEST(TimingReplay, IdenticalVersionsWereNeverFasterOrSlower) {
    std::size_t identical = 0;
    for (const Row& row : read_recording("h200/timing_compare.csv")) {
        const std::string& verdict = row.at("verdict");
        if (row.at("other") != "identical") {
            EXPECT_EQ(verdict, "SLOWER");
            continue;
        }
        EXPECT_TRUE(verdict == "SAME" || verdict == "UNDECIDED") << row.at("kernel") << ": " << verdict;
        ++identical;
    }
    EXPECT_EQ(identical, 40U); // 20 of each of two kernels
}

TEST(TimingReplay, RawSamplesOfOneKernelAreTheSameAsEachOther) {
    for (const auto& [kernel, caches] : sampled) {
        const std::vector<bench::Round> rounds = halves(recorded_samples(kernel, caches), 1);
        ASSERT_GE(rounds.size(), 10U) << kernel;
        const bench::Judgement judgement = bench::judge(rounds);
        EXPECT_TRUE(judgement.verdict == bench::Verdict::same || judgement.verdict == bench::Verdict::undecided)
            << kernel << ", " << caches << ": " << judgement.reason;
    }
}

TEST(TimingReplay, RawSamplesOfAVersionThatTakesTenPercentLessAreFaster) {
    for (const auto& [kernel, caches] : sampled)
        EXPECT_EQ(bench::judge(halves(recorded_samples(kernel, caches), 0.9)).verdict, bench::Verdict::faster) << kernel << ", " << caches;
}

TEST(TimingReplay, EveryMeasurementSaysWhatStoppedItAndNoSampleIsBelowItsFloor) {
    for (const Row& row : read_recording("h200/timing_agreement.csv"))
        EXPECT_TRUE(row.at("stop") == "low-noise" || row.at("stop") == "settled") << row.at("kernel") << ": " << row.at("stop");
    for (const auto& [kernel, caches] : sampled)
        for (const bench::Sample& sample : recorded_samples(kernel, caches).samples) EXPECT_NEAR(sample.clock_mhz, 1980, 60) << kernel;
    // 64 MiB there and 64 MiB back cannot take less than at the memory's peak, 4814 GB/s.
    for (const bench::Sample& sample : recorded_samples("transpose_4096", "cold").samples) EXPECT_GT(sample.time_ns, 134217728 / 4814.0);
}

TEST(TimingReplay, TheStoppingRulesAreContentWithTheRecordedSamples) {
    for (const auto& [kernel, caches] : sampled) {
        const auto rules = bench::usual_rules({.shortest_s = 0, .most_samples = 1000});
        double elapsed_s = 0;
        std::string stopped;
        for (const bench::Sample& sample : recorded_samples(kernel, caches).samples) {
            elapsed_s += sample.time_ns * 1e-9 * sample.runs * 3;
            for (const auto& rule : rules) {
                rule->add(sample, elapsed_s);
                if (stopped.empty() && !rule->reason().empty()) stopped = rule->name();
            }
        }
        EXPECT_NE(stopped, "") << kernel << ", " << caches;
        EXPECT_NE(stopped, "timeout");
    }
}

} // namespace apod::differential
