#include "bench/verdict.hpp"

#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace apod::bench {
namespace {

struct Spread {
    double minimum = 0;
    double median = 0;
    double upper_quartile = 0;
    double noise = 0; // between the quartiles, over the median
};

Spread spread_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const double middle = quantile(values, 0.5);
    return {values.front(), middle, quantile(values, 0.75), middle > 0 ? (quantile(values, 0.75) - quantile(values, 0.25)) / middle : 0};
}

// The same tests on times and on cycles.
struct Evidence {
    double ratio = 0;
    Interval interval;
    double threshold = 0;
    double gap = 0;
};

Evidence weigh(const std::vector<double>& base, const std::vector<double>& other, const VerdictOptions& options) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < base.size(); ++i) ratios.push_back(other[i] / base[i]);
    const double correlation = neighbour_correlation(ratios);
    std::sort(ratios.begin(), ratios.end());
    const Spread a = spread_of(base);
    const Spread b = spread_of(other);
    Evidence evidence;
    evidence.ratio = quantile(ratios, 0.5);
    evidence.interval = median_interval(ratios, options.confidence, correlation);
    evidence.threshold = std::max({options.smallest_effect, a.noise, b.noise});
    evidence.gap = std::max(a.minimum - b.upper_quartile, b.minimum - a.upper_quartile) / std::max(a.median, b.median);
    return evidence;
}

std::string percent_apart(double ratio) { return format_percent(std::abs(ratio - 1), 2); }

std::string direction(double ratio) { return ratio < 1 ? "faster" : "slower"; }

bool beyond(const Interval& interval, double threshold) { return interval.high < 1 - threshold || interval.low > 1 + threshold; }

bool within(const Interval& interval, double limit) { return interval.low >= 1 - limit && interval.high <= 1 + limit; }

// A difference in time that cycles do not show was made by the clock.
bool cycles_agree(const Evidence& time, const Evidence& cycles) {
    return time.ratio < 1 ? cycles.interval.high < 1 : cycles.interval.low > 1;
}

std::string why_undecided(const Evidence& time, const VerdictOptions& options) {
    const std::string apart = fmt::format("the medians are {} apart", percent_apart(time.ratio));
    if (!beyond(time.interval, time.threshold) && time.threshold > options.smallest_effect)
        return fmt::format("{}, and the noise of the rounds is {}", apart, format_percent(time.threshold, 2));
    if (!beyond(time.interval, time.threshold))
        return fmt::format("{}, the interval of the ratio is {:.4f} to {:.4f}, and the smallest effect that counts is {}", apart,
                           time.interval.low, time.interval.high, format_percent(options.smallest_effect, 2));
    return fmt::format("{}, but the versions' intervals from minimum to upper quartile are not {} apart", apart,
                       format_percent(time.threshold, 2));
}

} // namespace

std::string_view to_text(Verdict verdict) {
    switch (verdict) {
    case Verdict::faster: return "FASTER";
    case Verdict::slower: return "SLOWER";
    case Verdict::same: return "SAME";
    case Verdict::undecided: return "UNDECIDED";
    }
    return "UNDECIDED";
}

Judgement judge(std::span<const Round> rounds, const VerdictOptions& options) {
    Judgement judgement;
    if (rounds.size() < options.fewest_rounds) {
        judgement.reason = fmt::format("{} rounds were sampled and {} are needed", rounds.size(), options.fewest_rounds);
        return judgement;
    }
    std::vector<double> base, other, base_cycles, other_cycles;
    bool clocks = true;
    for (const Round& round : rounds) {
        base.push_back(round.base_ns);
        other.push_back(round.other_ns);
        base_cycles.push_back(round.base_ns * round.base_mhz / 1000);
        other_cycles.push_back(round.other_ns * round.other_mhz / 1000);
        clocks = clocks && round.base_mhz > 0 && round.other_mhz > 0;
    }
    const Evidence time = weigh(base, other, options);
    judgement.ratio = time.ratio;
    judgement.ratio_interval = time.interval;
    judgement.threshold = time.threshold;
    judgement.gap = time.gap;
    const Evidence cycles = clocks ? weigh(base_cycles, other_cycles, options) : Evidence{};
    judgement.cycle_ratio = cycles.ratio;

    if (beyond(time.interval, time.threshold) && time.gap >= time.threshold) {
        if (clocks && !cycles_agree(time, cycles)) {
            judgement.reason =
                fmt::format("{} {} in time but not in cycles: the clock was another one", percent_apart(time.ratio), direction(time.ratio));
            return judgement;
        }
        judgement.verdict = time.ratio < 1 ? Verdict::faster : Verdict::slower;
        judgement.reason = fmt::format("{} {}{}", percent_apart(time.ratio), direction(time.ratio),
                                       clocks ? fmt::format(", and {} in cycles", percent_apart(cycles.ratio)) : std::string());
        return judgement;
    }
    if (!within(time.interval, options.smallest_effect)) {
        judgement.reason = why_undecided(time, options);
        return judgement;
    }
    if (clocks && beyond(cycles.interval, options.smallest_effect)) {
        judgement.reason = fmt::format("the same time, but {} apart in cycles: the clock was another one", percent_apart(cycles.ratio));
        return judgement;
    }
    judgement.verdict = Verdict::same;
    judgement.reason = fmt::format("the interval of the ratio, {:.4f} to {:.4f}, lies within {} of 1", time.interval.low,
                                   time.interval.high, format_percent(options.smallest_effect, 2));
    return judgement;
}

} // namespace apod::bench
