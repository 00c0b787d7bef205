// Holds how good the predictions are (docs/results/model_accuracy.md; the program model_accuracy prints all of it): a change of the model
// that lets an error grow, or an order or a limiter go wrong, fails here.
#include "accuracy.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apod::differential {
namespace {

void expect_errors(const Set& set, Quality quality, std::size_t count, double mean, double ninth_decile) {
    const Errors errors = errors_of(set.launches, quality);
    EXPECT_GE(errors.count, count) << set.name << ", " << quality_name(quality);
    EXPECT_LE(errors.mean, mean) << set.name << ", " << quality_name(quality);
    EXPECT_LE(errors.ninth_decile, ninth_decile) << set.name << ", " << quality_name(quality);
}

double mean_rank(const Set& set) {
    double sum = 0;
    const std::vector<Ladder> ladders = ladders_of(set.launches);
    for (const Ladder& ladder : ladders) sum += spearman(ladder.launches) / static_cast<double>(ladders.size());
    return sum;
}

// Each test judges its own set: they are processes of their own. In every set the order is kept too.
Set judged(const std::string& name) {
    auto sets = judged_sets(name);
    EXPECT_TRUE(sets.ok()) << to_text(sets.error());
    if (!sets.ok() || sets->size() != 1) {
        ADD_FAILURE() << "no set " << name;
        return {};
    }
    const Set& set = sets->front();
    EXPECT_GE(spearman(set.launches), 0.9) << name;
    if (!ladders_of(set.launches).empty()) EXPECT_GE(mean_rank(set), 0.8) << name;
    return set;
}

TEST(AccuracyFigures, RanksAgreeDisagreeAndShare) {
    const auto launch = [](double predicted, double measured) {
        Judged judged;
        judged.predicted.time_ns = predicted;
        judged.measured.time_ns = measured;
        return judged;
    };
    const std::vector<Judged> same = {launch(1, 10), launch(2, 20), launch(3, 30)};
    EXPECT_DOUBLE_EQ(spearman(same), 1);
    EXPECT_DOUBLE_EQ(kendall(same), 1);
    const std::vector<Judged> opposite = {launch(3, 10), launch(2, 20), launch(1, 30)};
    EXPECT_DOUBLE_EQ(spearman(opposite), -1);
    EXPECT_DOUBLE_EQ(kendall(opposite), -1);
    const std::vector<Judged> one_pair = {launch(1, 10), launch(3, 20), launch(2, 30)};
    EXPECT_DOUBLE_EQ(spearman(one_pair), 0.5);
    EXPECT_DOUBLE_EQ(kendall(one_pair), 1.0 / 3);
    const std::vector<Judged> equal = {launch(1, 10), launch(1, 20)};
    EXPECT_DOUBLE_EQ(spearman(equal), 0);
}

TEST(AccuracyFigures, ErrorsAreRelativeAndLeaveNoiseOut) {
    Judged quiet;
    quiet.predicted = {110, 50, 0, 0, Bound::dram, Bound::dram};
    quiet.measured = {100, 100, 10, 10, Bound::dram, Bound::dram};
    const Errors time = errors_of({quiet}, Quality::time);
    EXPECT_NEAR(time.mean, 0.1, 1e-12);
    EXPECT_NEAR(errors_of({quiet}, Quality::instructions).worst, 0.5, 1e-12);
    EXPECT_EQ(errors_of({quiet}, Quality::l2_sectors).count, 0u);
    EXPECT_EQ(errors_of({quiet}, Quality::dram_bytes).count, 0u);
}

TEST(AccuracyFigures, TheCountersRuleIsNsightComputes) {
    const arch::Gpu gpu = *arch::find_gpu("h200");
    const auto row = [](const char* memory, const char* sm, const char* dram, const char* l2, const char* l1) {
        return Row{{"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", memory},
                   {"sm__throughput.avg.pct_of_peak_sustained_elapsed", sm},
                   {"dram__throughput.avg.pct_of_peak_sustained_elapsed", dram},
                   {"lts__throughput.avg.pct_of_peak_sustained_elapsed", l2},
                   {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", l1}};
    };
    EXPECT_EQ(bound_by_counters(row("59", "50", "59", "10", "10"), gpu), Bound::latency);
    EXPECT_EQ(bound_by_counters(row("65", "70", "65", "10", "10"), gpu), Bound::sm);
    EXPECT_EQ(bound_by_counters(row("90", "20", "90", "40", "30"), gpu), Bound::dram);
    EXPECT_EQ(bound_by_counters(row("80", "20", "50", "80", "30"), gpu), Bound::l2);
    EXPECT_EQ(bound_by_counters(row("80", "20", "50", "60", "80"), gpu), Bound::l1);
}

TEST(Accuracy, OfPublicProgramsIsAsGoodAsItWas) {
    const Set programs = judged("public programs");
    expect_errors(programs, Quality::time, 100, 0.1, 0.22);
    expect_errors(programs, Quality::instructions, 100, 0.03, 0.05);
    expect_errors(programs, Quality::l2_sectors, 70, 0.06, 0.16);
    expect_errors(programs, Quality::dram_bytes, 70, 0.03, 0.12);
    EXPECT_GE(agreement(confusion_of(programs.launches)), 0.64);
}

TEST(Accuracy, OfOwnKernelsIsAsGoodAsItWas) {
    const Set kernels = judged("own kernels");
    expect_errors(kernels, Quality::time, 30, 0.10, 0.27);
    expect_errors(kernels, Quality::instructions, 30, 0.07, 0.12);
    expect_errors(kernels, Quality::l2_sectors, 25, 0.07, 0.25);
    EXPECT_GE(agreement(confusion_of(kernels.launches)), 0.85);
}

TEST(Accuracy, OfUnseenKernelsIsAsGoodAsItWas) {
    const Set kernels = judged("unseen kernels");
    EXPECT_GE(std::count_if(kernels.launches.begin(), kernels.launches.end(), [](const Judged& launch) { return !launch.informed; }), 60);
    expect_errors(kernels, Quality::time, 60, 0.145, 0.31);
    expect_errors(kernels, Quality::instructions, 60, 0.04, 0.06);
    expect_errors(kernels, Quality::l2_sectors, 60, 0.11, 0.26);
    expect_errors(kernels, Quality::dram_bytes, 40, 0.05, 0.2);
    EXPECT_GE(agreement(confusion_of(kernels.launches)), 0.7);
}

// With the model as it was when they were measured for the first time: mean 14.3 %, P90 28.3 % (docs/results/h200_untried_first.csv).
TEST(Accuracy, OfKernelsPredictedBeforeTheyWereMeasuredIsAsGoodAsItWas) {
    const Set kernels = judged("kernels predicted first");
    expect_errors(kernels, Quality::time, 50, 0.13, 0.25);
    expect_errors(kernels, Quality::instructions, 50, 0.03, 0.07);
    expect_errors(kernels, Quality::l2_sectors, 45, 0.15, 0.48);
    expect_errors(kernels, Quality::dram_bytes, 40, 0.08, 0.25);
}

} // namespace
} // namespace apod::differential
