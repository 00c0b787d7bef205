#include "explain/gain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace apod::explain {

namespace {

struct Parts {
    double latency = 0;
    double busiest = 0; // unit of the SM
    double l2 = 0;
    double dram = 0;
    double dispatch = 0;
    double launch = 0;
};

Parts parts_of(const LaunchRecord& launch, const Changes& changes) {
    Parts parts;
    for (const LimiterShare& share : launch.shares) {
        const auto change = changes.find(share.name);
        const double ns = share.time_ns * (change == changes.end() ? 1 : change->second);
        if (share.name == "latency") {
            parts.latency = ns;
        } else if (share.name.starts_with("l2") || share.name == "atomics") {
            parts.l2 = std::max(parts.l2, ns);
        } else if (share.name == "dram") {
            parts.dram = ns;
        } else if (share.name == "dispatch") {
            parts.dispatch = ns;
        } else if (share.name == "launch") {
            parts.launch = ns;
        } else {
            parts.busiest = std::max(parts.busiest, ns);
        }
    }
    return parts;
}

// `hidden`: how much of the smaller of latency and busiest unit the larger hides.
double total(const Parts& parts, double hidden) {
    const double sm = std::max(parts.latency, parts.busiest) + (1 - hidden) * std::min(parts.latency, parts.busiest);
    double sum = 0;
    for (const double ns : {sm, parts.l2, parts.dram, parts.dispatch}) sum += std::pow(ns, 4);
    return parts.launch + std::pow(sum, 0.25);
}

double hidden_share(const Parts& parts, double time) {
    double low = 0;
    double high = 1;
    for (int step = 0; step < 30; ++step) {
        const double middle = (low + high) / 2;
        (total(parts, middle) > time ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace

void largest_first(std::vector<Finding>& findings) {
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.gain_ns.value_or(-1) > b.gain_ns.value_or(-1); });
}

double share_ns(const LaunchRecord& launch, std::string_view name) {
    for (const LimiterShare& share : launch.shares)
        if (share.name == name) return share.time_ns;
    return 0;
}

std::optional<double> gain_ns(const LaunchRecord& launch, const Changes& changes) {
    const double time = launch.time_ns.value;
    if (launch.shares.empty() || time <= 0) return std::nullopt;
    const Parts before = parts_of(launch, {});
    const double hidden = hidden_share(before, time);
    const double now = total(before, hidden);
    const double then = total(parts_of(launch, changes), hidden);
    if (now <= 0) return std::nullopt;
    const double saved = std::min(time * (1 - then / now), time - launch.floor_ns.value);
    if (saved < worth_telling * time) return std::nullopt;
    return saved;
}

} // namespace apod::explain
