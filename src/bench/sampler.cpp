#include "bench/sampler.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace apod::bench {
namespace {

double steady_seconds() {
    using Seconds = std::chrono::duration<double>;
    return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median_clock(const std::vector<Sample>& samples) {
    std::vector<double> clocks;
    for (const Sample& sample : samples)
        if (sample.clock_mhz > 0) clocks.push_back(sample.clock_mhz);
    return clocks.empty() ? 0 : median(std::move(clocks));
}

// One target on its way.
class Run {
public:
    Run(Target& target, const Plan& plan) : target_(target), plan_(plan), rules_(plan.rules ? plan.rules() : usual_rules(plan.stopping)) {}

    Result<void> first() {
        const Result<double> took = target_.first_run();
        if (!took) return took.error();
        first_run_ns_ = *took;
        return {};
    }

    // By time; what is learnt is how many runs a sample takes, and how many samples a round.
    Result<void> warm_up(const std::function<double()>& now_s) {
        const double begin = now_s();
        double shortest = 0;
        do {
            const double before = now_s();
            const Result<Sample> sample = target_.sample(runs_);
            if (!sample) return sample.error();
            const double cost = now_s() - before;
            shortest = shortest == 0 ? sample->time_ns : std::min(shortest, sample->time_ns);
            runs_ = runs_for(shortest);
            sample_cost_s_ = cost;
        } while (now_s() - begin < plan_.warm_up_s);
        return {};
    }

    Result<void> round(std::uint32_t round, double begin_s, const std::function<double()>& now_s) {
        const double wanted = sample_cost_s_ > 0 ? plan_.round_s / sample_cost_s_ : static_cast<double>(plan_.most_in_round);
        const auto count = static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(plan_.most_in_round)));
        for (std::size_t i = 0; i < count; ++i) {
            Result<Sample> sample = target_.sample(std::min(runs_, target_.most_runs()));
            if (!sample) return sample.error();
            sample->round = round;
            samples_.push_back(*sample);
            const double elapsed = now_s() - begin_s;
            for (const std::unique_ptr<StoppingRule>& rule : rules_) rule->add(*sample, elapsed);
            if (count > 1 && stop()) break;
        }
        return {};
    }

    [[nodiscard]] std::optional<Stop> stop() const {
        for (const std::unique_ptr<StoppingRule>& rule : rules_)
            if (std::string reason = rule->reason(); !reason.empty()) return Stop{std::string(rule->name()), std::move(reason)};
        return std::nullopt;
    }

    [[nodiscard]] Measurement measurement() const {
        Measurement result;
        result.name = target_.name();
        result.first_run_ns = first_run_ns_;
        result.notes = target_.notes();
        Kept kept = drop_throttled(samples_, plan_.throttle);
        if (!kept.note.empty()) result.notes.push_back(kept.note);
        result.dropped = kept.dropped;
        result.samples = std::move(kept.samples);
        std::vector<double> times;
        for (const Sample& sample : result.samples) times.push_back(sample.time_ns);
        result.time_ns = summarise(times);
        result.clock_mhz = median_clock(result.samples);
        result.runs = result.samples.back().runs;
        result.stop = stop().value_or(Stop{"turns", "the other version had samples enough"});
        if (result.time_ns.two_modes) result.notes.emplace_back("the samples fall into two groups: see the quartiles and the raw samples");
        return result;
    }

private:
    [[nodiscard]] std::uint32_t runs_for(double run_ns) const {
        const double wanted = run_ns > 0 ? std::ceil(plan_.sample_ns / run_ns) : static_cast<double>(plan_.most_runs);
        const auto most = static_cast<double>(std::min(plan_.most_runs, target_.most_runs()));
        // A power of two: what is prepared for a number of runs is not prepared again for one more.
        return std::bit_floor(static_cast<std::uint32_t>(std::clamp(1.5 * wanted - 0.5, 1.0, std::max(most, 1.0))));
    }

    Target& target_;
    const Plan& plan_;
    std::vector<std::unique_ptr<StoppingRule>> rules_;
    double first_run_ns_ = 0;
    double sample_cost_s_ = 0;
    std::uint32_t runs_ = 1;
    std::vector<Sample> samples_;
};

bool all_content(const std::vector<Run>& runs) {
    return std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.stop().has_value(); });
}

// What has run out of time or samples ends the whole: the others' rules may never be content.
bool one_is_over(const std::vector<Run>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const Run& run) {
        const std::optional<Stop> stop = run.stop();
        return stop && (stop->rule == "timeout" || stop->rule == "samples");
    });
}

std::map<std::uint32_t, std::pair<double, double>> by_round(const Measurement& measurement) {
    std::map<std::uint32_t, std::pair<std::vector<double>, std::vector<double>>> grouped;
    for (const Sample& sample : measurement.samples) {
        grouped[sample.round].first.push_back(sample.time_ns);
        grouped[sample.round].second.push_back(sample.clock_mhz);
    }
    std::map<std::uint32_t, std::pair<double, double>> medians;
    for (auto& [round, values] : grouped) medians[round] = {median(std::move(values.first)), median(std::move(values.second))};
    return medians;
}

} // namespace

Result<std::vector<Measurement>> sample_in_turns(std::span<Target* const> targets, const Plan& plan) {
    const std::function<double()> now_s = plan.now_s ? plan.now_s : steady_seconds;
    std::vector<Run> runs;
    for (Target* target : targets) runs.emplace_back(*target, plan);
    for (Run& run : runs)
        if (const Result<void> done = run.first(); !done) return done.error();
    for (Run& run : runs)
        if (const Result<void> done = run.warm_up(now_s); !done) return done.error();
    const double begin_s = now_s();
    for (std::uint32_t round = 0; !runs.empty(); ++round) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            Run& run = runs[round % 2 == 0 ? i : runs.size() - 1 - i];
            if (const Result<void> done = run.round(round, begin_s, now_s); !done) return done.error();
        }
        if (one_is_over(runs) || (round + 1 >= plan.fewest_rounds && all_content(runs))) break;
    }
    std::vector<Measurement> measurements;
    for (const Run& run : runs) measurements.push_back(run.measurement());
    return measurements;
}

Result<Measurement> sample_one(Target& target, const Plan& plan) {
    Target* const one[] = {&target};
    Result<std::vector<Measurement>> measured = sample_in_turns(one, plan);
    if (!measured) return measured.error();
    return std::move(measured->front());
}

std::vector<Round> rounds_of(const Measurement& base, const Measurement& other) {
    const auto others = by_round(other);
    std::vector<Round> rounds;
    for (const auto& [round, values] : by_round(base)) {
        const auto found = others.find(round);
        if (found == others.end()) continue;
        rounds.push_back({values.first, found->second.first, values.second, found->second.second});
    }
    return rounds;
}

Result<Comparison> compare(Target& base, Target& other, Plan plan, const VerdictOptions& options) {
    plan.fewest_rounds = std::max(plan.fewest_rounds, options.fewest_rounds);
    Target* const both[] = {&base, &other};
    Result<std::vector<Measurement>> measured = sample_in_turns(both, plan);
    if (!measured) return measured.error();
    Comparison comparison;
    comparison.base = std::move((*measured)[0]);
    comparison.other = std::move((*measured)[1]);
    comparison.rounds = rounds_of(comparison.base, comparison.other);
    comparison.judgement = judge(comparison.rounds, options);
    return comparison;
}

} // namespace apod::bench
