#include "ladder/estimate.hpp"

#include <algorithm>

namespace apod::ladder {

namespace {

constexpr double near = 0.25; // of what was said

bool has_time(const RungResult& rung) {
    return !rung.error && rung.time_ns.value > 0 &&
           (rung.verification == Verification::correct || rung.verification == Verification::sampled);
}

double estimate_of(const RungResult& rung, const std::string& rule) {
    double gain = 0;
    for (const Finding& finding : rung.findings)
        if (finding.rule == rule) gain = std::max(gain, finding.gain_ns.value_or(0));
    return gain;
}

struct Said {
    const Finding* finding = nullptr;
    bool repaired = false;
};

Said what_was_said(const RungResult& before, const RungResult& after) {
    Said said;
    for (const Finding& finding : before.findings) {
        if (!finding.gain_ns) continue;
        const bool repaired = estimate_of(after, finding.rule) < *finding.gain_ns / 2;
        const bool larger = said.finding == nullptr || *finding.gain_ns > *said.finding->gain_ns;
        if ((repaired && !said.repaired) || (repaired == said.repaired && larger)) said = {&finding, repaired};
    }
    return said;
}

// The saving is what was said, so the saving is judged: beside a time that a small saving hardly changes, any would be right.
EstimateOutcome outcome_of(double said_ns, double saved_ns) {
    if (saved_ns > said_ns * (1 + near)) return EstimateOutcome::saved_more;
    return saved_ns < said_ns * (1 - near) ? EstimateOutcome::saved_less : EstimateOutcome::came_true;
}

} // namespace

std::string_view outcome_word(EstimateOutcome outcome) {
    switch (outcome) {
    case EstimateOutcome::came_true: return "came_true";
    case EstimateOutcome::saved_more: return "saved_more";
    case EstimateOutcome::saved_less: return "saved_less";
    case EstimateOutcome::not_tried: return "not_tried";
    case EstimateOutcome::nothing: return "nothing";
    }
    return "nothing";
}

std::vector<Estimate> estimates(const ClimbResult& climb) {
    std::vector<Estimate> all;
    const RungResult* before = nullptr;
    for (const RungResult& after : climb.rungs) {
        if (!has_time(after)) continue;
        if (before != nullptr) {
            Estimate estimate;
            estimate.before = before->name;
            estimate.after = after.name;
            estimate.time_ns = after.time_ns;
            estimate.saved_ns = before->time_ns.value - after.time_ns.value;
            if (const Said said = what_was_said(*before, after); said.finding != nullptr) {
                estimate.rule = said.finding->rule;
                estimate.title = said.finding->title;
                estimate.said_ns = *said.finding->gain_ns;
                estimate.forecast_ns = std::max(before->time_ns.value - estimate.said_ns, 0.0);
                estimate.outcome = said.repaired ? outcome_of(estimate.said_ns, estimate.saved_ns) : EstimateOutcome::not_tried;
            }
            all.push_back(std::move(estimate));
        }
        before = &after;
    }
    return all;
}

} // namespace apod::ladder
