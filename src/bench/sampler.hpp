// Takes samples until the stopping rules are content. It knows no GPU: what is timed is a Target, and the time is a function.
#pragma once

#include "base/result.hpp"
#include "bench/measurement.hpp"
#include "bench/stopping.hpp"
#include "bench/target.hpp"
#include "bench/throttle.hpp"
#include "bench/verdict.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace apod::bench {

struct Plan {
    double warm_up_s = 0.1;        // by time: a count would be too few for short kernels and too many for long ones
    double sample_ns = 500e3;      // a sample has as many runs as last this long,
    std::uint32_t most_runs = 256; // but at most these; 1: each run has time stamps of its own
    double round_s = 2e-3;         // in turns: each version is sampled for about this long, then the next
    std::size_t most_in_round = 16;
    std::size_t fewest_rounds = 1; // a comparison needs more
    StoppingOptions stopping;
    ThrottleOptions throttle;
    // Rules in place of the usual ones.
    std::function<std::vector<std::unique_ptr<StoppingRule>>()> rules;
    std::function<double()> now_s; // empty: the steady clock
};

// Every target is run once, warmed up and sampled, all in turns: A B B A A B B A ... One measurement a target, in their order. Fails when a
// target does; never returns a measurement without samples.
Result<std::vector<Measurement>> sample_in_turns(std::span<Target* const> targets, const Plan& plan);

Result<Measurement> sample_one(Target& target, const Plan& plan);

// Both in turns, and the verdict on `other`.
Result<Comparison> compare(Target& base, Target& other, Plan plan, const VerdictOptions& options = {});

// Medians of the kept samples by round; rounds in which one version has none are left out.
[[nodiscard]] std::vector<Round> rounds_of(const Measurement& base, const Measurement& other);

} // namespace apod::bench
