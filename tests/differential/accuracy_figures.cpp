// The statistics of accuracy.hpp.
#include "accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apod::differential {

namespace {

double value_of(const Figures& figures, Quality quality) {
    switch (quality) {
    case Quality::time: return figures.time_ns;
    case Quality::instructions: return figures.instructions;
    case Quality::l2_sectors: return figures.l2_sectors;
    case Quality::dram_bytes: return figures.dram_bytes;
    }
    return 0;
}

// Below it a counter says more about the driver and the profiler than about the kernel.
double noise_of(Quality quality) {
    if (quality == Quality::l2_sectors) return 20000;
    return quality == Quality::dram_bytes ? 1048576 : 0;
}

// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&values](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> result(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first + 1;
        while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
        for (std::size_t i = first; i < last; ++i) result[order[i]] = 0.5 * static_cast<double>(first + last + 1);
        first = last;
    }
    return result;
}

std::vector<double> times(const std::vector<Judged>& launches, Figures Judged::*which) {
    std::vector<double> all;
    for (const Judged& launch : launches) all.push_back((launch.*which).time_ns);
    return all;
}

// Launches with the same input become one.
std::vector<Judged> averaged(const std::vector<Judged>& launches) {
    std::vector<Judged> different;
    std::vector<double> count;
    for (const Judged& launch : launches) {
        std::size_t i = 0;
        while (i < different.size() && different[i].input != launch.input) ++i;
        if (i == different.size()) {
            different.push_back(launch);
            count.push_back(1);
            continue;
        }
        count[i] += 1;
        different[i].measured.time_ns += (launch.measured.time_ns - different[i].measured.time_ns) / count[i];
    }
    return different;
}

int sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

} // namespace

std::string_view quality_name(Quality quality) {
    constexpr std::array<std::string_view, 4> names = {"time", "warp instructions", "L2 sectors", "DRAM bytes"};
    return names[static_cast<std::size_t>(quality)];
}

Errors errors_of(const std::vector<Judged>& launches, Quality quality) {
    std::vector<double> errors;
    for (const Judged& launch : launches) {
        const double measured = value_of(launch.measured, quality);
        if (measured > noise_of(quality)) errors.push_back(std::fabs(value_of(launch.predicted, quality) - measured) / measured);
    }
    if (errors.empty()) return {};
    std::sort(errors.begin(), errors.end());
    const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
    return {errors.size(), mean, errors[errors.size() / 2], errors[errors.size() * 9 / 10], errors.back()};
}

// The correlation of the ranks, which is right with equal values too.
double spearman(const std::vector<Judged>& launches) {
    const std::vector<double> a = ranks(times(launches, &Judged::predicted));
    const std::vector<double> b = ranks(times(launches, &Judged::measured));
    const double middle = 0.5 * static_cast<double>(launches.size() + 1);
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - middle) * (b[i] - middle);
        aa += (a[i] - middle) * (a[i] - middle);
        bb += (b[i] - middle) * (b[i] - middle);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

// Tau-b: pairs in the same order less those in the other, over all that are not equal.
double kendall(const std::vector<Judged>& launches) {
    double both = 0;
    double in_a = 0;
    double in_b = 0;
    for (std::size_t i = 0; i < launches.size(); ++i)
        for (std::size_t j = i + 1; j < launches.size(); ++j) {
            const int a = sign(launches[i].predicted.time_ns - launches[j].predicted.time_ns);
            const int b = sign(launches[i].measured.time_ns - launches[j].measured.time_ns);
            both += a * b;
            in_a += a * a;
            in_b += b * b;
        }
    return in_a > 0 && in_b > 0 ? both / std::sqrt(in_a * in_b) : 0;
}

Confusion confusion_of(const std::vector<Judged>& launches) {
    Confusion confusion{};
    for (const Judged& launch : launches)
        ++confusion[static_cast<std::size_t>(launch.measured.bound)][static_cast<std::size_t>(launch.predicted.bound)];
    return confusion;
}

bool agree(Bound counters, Bound model) {
    return counters == model || (model == Bound::atomics && (counters == Bound::l2 || counters == Bound::latency));
}

double agreement(const Confusion& confusion) {
    std::size_t both = 0;
    std::size_t all = 0;
    for (std::size_t counters = 0; counters < bound_count; ++counters)
        for (std::size_t model = 0; model < bound_count; ++model) {
            all += confusion[counters][model];
            if (agree(static_cast<Bound>(counters), static_cast<Bound>(model))) both += confusion[counters][model];
        }
    return all > 0 ? static_cast<double>(both) / static_cast<double>(all) : 0;
}

double limiter_agreement(const std::vector<Judged>& launches) {
    std::size_t both = 0;
    for (const Judged& launch : launches) both += agree(launch.measured.bound, launch.predicted.limiter) ? 1 : 0;
    return launches.empty() ? 0 : static_cast<double>(both) / static_cast<double>(launches.size());
}

std::vector<Ladder> ladders_of(const std::vector<Judged>& launches) {
    std::vector<Ladder> ladders;
    for (const Judged& launch : launches) {
        auto found =
            std::find_if(ladders.begin(), ladders.end(), [&launch](const Ladder& ladder) { return ladder.name == launch.program; });
        if (found == ladders.end()) found = ladders.insert(found, {launch.program, {}});
        found->launches.push_back(launch);
    }
    for (Ladder& ladder : ladders) ladder.launches = averaged(ladder.launches);
    std::erase_if(ladders, [](const Ladder& ladder) { return ladder.launches.size() < 3; });
    return ladders;
}

} // namespace apod::differential
