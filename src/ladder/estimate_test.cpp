#include "ladder/estimate.hpp"

#include <gtest/gtest.h>

namespace apod::ladder {
namespace {

Finding finding(std::string rule, std::optional<double> gain_ns) {
    Finding made;
    made.rule = std::move(rule);
    made.title = "title of " + made.rule;
    made.gain_ns = gain_ns;
    return made;
}

RungResult rung(std::string name, double time_ns, std::vector<Finding> findings = {}) {
    RungResult made;
    made.name = std::move(name);
    made.verification = Verification::correct;
    made.time_ns = {time_ns, Source::measured, {}};
    made.findings = std::move(findings);
    return made;
}

Estimate only(RungResult before, RungResult after) {
    ClimbResult climb;
    climb.rungs = {std::move(before), std::move(after)};
    const std::vector<Estimate> all = estimates(climb);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Estimate() : all.front();
}

TEST(Estimates, what_a_repaired_finding_promised_is_held_against_the_time_that_came) {
    const Estimate made = only(rung("slow", 100, {finding("stores", 60)}), rung("fast", 45));
    EXPECT_EQ(made.before, "slow");
    EXPECT_EQ(made.after, "fast");
    EXPECT_EQ(made.rule, "stores");
    EXPECT_EQ(made.title, "title of stores");
    EXPECT_EQ(made.said_ns, 60);
    EXPECT_EQ(made.forecast_ns, 40);
    EXPECT_EQ(made.saved_ns, 55);
    EXPECT_EQ(made.outcome, EstimateOutcome::came_true);
}

TEST(Estimates, a_quarter_more_or_less_saved_than_said_is_near_enough) {
    const auto outcome = [](double time_ns) { return only(rung("a", 100, {finding("x", 40)}), rung("b", time_ns)).outcome; };
    EXPECT_EQ(outcome(50), EstimateOutcome::came_true);
    EXPECT_EQ(outcome(49.9), EstimateOutcome::saved_more);
    EXPECT_EQ(outcome(70), EstimateOutcome::came_true);
    EXPECT_EQ(outcome(70.1), EstimateOutcome::saved_less);
    EXPECT_EQ(outcome(140), EstimateOutcome::saved_less);
}

// 6 us of 100 were said and 8 came: a third more, though the time is nearly what was forecast.
TEST(Estimates, a_small_saving_is_judged_by_itself) {
    EXPECT_EQ(only(rung("a", 100, {finding("x", 6)}), rung("b", 92)).outcome, EstimateOutcome::saved_more);
}

TEST(Estimates, a_finding_that_is_still_there_was_not_tried) {
    const Estimate made = only(rung("a", 100, {finding("x", 60)}), rung("b", 40, {finding("x", 30)}));
    EXPECT_EQ(made.outcome, EstimateOutcome::not_tried);
    EXPECT_EQ(made.rule, "x");
    // Less than half of it is left: repaired.
    EXPECT_EQ(only(rung("a", 100, {finding("x", 60)}), rung("b", 40, {finding("x", 29)})).outcome, EstimateOutcome::came_true);
}

TEST(Estimates, the_largest_of_those_that_were_repaired_counts_even_where_a_larger_one_stays) {
    const Estimate made = only(rung("a", 100, {finding("stays", 90), finding("small", 10), finding("goes", 50), finding("none", {})}),
                               rung("b", 50, {finding("stays", 45)}));
    EXPECT_EQ(made.rule, "goes");
    EXPECT_EQ(made.outcome, EstimateOutcome::came_true);
}

TEST(Estimates, without_an_estimate_nothing_was_said) {
    const Estimate made = only(rung("a", 100, {finding("x", {})}), rung("b", 50));
    EXPECT_EQ(made.outcome, EstimateOutcome::nothing);
    EXPECT_TRUE(made.rule.empty());
    EXPECT_EQ(made.saved_ns, 50);
}

TEST(Estimates, rungs_without_a_time_are_left_out) {
    ClimbResult climb;
    RungResult wrong = rung("wrong", 70, {finding("x", 60)});
    wrong.verification = Verification::wrong;
    RungResult skipped = rung("skipped", 0);
    skipped.verification = Verification::not_run;
    RungResult faulted = rung("faulted", 10);
    faulted.error = check_failed("fault");
    climb.rungs = {wrong, rung("a", 100, {finding("x", 60)}), skipped, faulted, rung("b", 40)};
    const std::vector<Estimate> all = estimates(climb);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all.front().before, "a");
    EXPECT_EQ(all.front().after, "b");
    EXPECT_TRUE(estimates({}).empty());
}

} // namespace
} // namespace apod::ladder
