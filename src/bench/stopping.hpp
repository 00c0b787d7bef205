// When there are samples enough. A rule watches the samples as they come and says when it is content, and why; the sampler stops at the
// first rule that is. Other rules can be added without a change here.
#pragma once

#include "bench/sample.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apod::bench {

class StoppingRule {
public:
    virtual ~StoppingRule() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    // A kept sample; `elapsed_s` is the time since sampling began.
    virtual void add(const Sample& sample, double elapsed_s) = 0;
    // Why it is content, for people; empty: it is not.
    [[nodiscard]] virtual std::string reason() const = 0;
};

// Why sampling stopped.
struct Stop {
    std::string rule;   // low-noise, settled, timeout, samples
    std::string reason; // "relative deviation 0.21 %, under 0.5 %, after 0.52 s"
};

struct StoppingOptions {
    double relative_deviation = 0.005; // low noise: below this,
    std::size_t fewest_samples = 10;   // with at least these
    double shortest_s = 0.5;           // after at least this time
    double settled_change = 0.02;      // settled: the noise itself varies by less than this, relatively
    double timeout_s = 15;
    std::size_t most_samples = 20000;
};

// Relative standard deviation under the limit, with enough samples and time.
std::unique_ptr<StoppingRule> low_noise_rule(const StoppingOptions& options);
// The relative deviation no longer changes: more samples would repeat what is known. For kernels that are noisy by nature.
std::unique_ptr<StoppingRule> settled_rule(const StoppingOptions& options);
std::unique_ptr<StoppingRule> timeout_rule(const StoppingOptions& options);
std::unique_ptr<StoppingRule> samples_rule(const StoppingOptions& options);

// All of the above, in this order.
std::vector<std::unique_ptr<StoppingRule>> usual_rules(const StoppingOptions& options);

} // namespace apod::bench
