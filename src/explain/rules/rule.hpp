// A rule looks at one launch and adds a finding for what it knows to be wrong.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "model/metric_registry.hpp"

#include <string_view>
#include <vector>

namespace apod::explain {

struct Context {
    const LaunchRecord& launch;
    const arch::Gpu& gpu;

    [[nodiscard]] double metric(std::string_view name) const { return model::value_or_zero(launch.metrics, name); }
};

using Findings = std::vector<Finding>;
using Rule = void (*)(const Context&, Findings&);

// The line with the largest value of `measure`; nullptr without lines or when none has any.
template<class Measure> const LineRecord* worst_line(const LaunchRecord& launch, Measure measure) {
    const LineRecord* worst = nullptr;
    double most = 0;
    for (const LineRecord& line : launch.lines) {
        const double value = measure(line.metrics);
        if (value <= most) continue;
        most = value;
        worst = &line;
    }
    return worst;
}

// Where the reader can change something: the line, or its call where the line was inlined from a header elsewhere, as the toolkit's are.
void place(Finding& finding, const LineRecord* line);

// Of a launch with shares: the largest but the launch's own, which is told by itself; that where there is no other.
[[nodiscard]] LimiterShare largest_share(const Context& context);

// All passes of the load/store unit, of shared and global memory.
[[nodiscard]] double all_wavefronts(const Context& context);

// In the order in which they run; a rule a file.
void uncoalesced_load(const Context& context, Findings& findings);
void uncoalesced_store(const Context& context, Findings& findings);
void misaligned_load(const Context& context, Findings& findings);
void misaligned_store(const Context& context, Findings& findings);
void bank_conflicts(const Context& context, Findings& findings);
void local_memory(const Context& context, Findings& findings);
void divergence(const Context& context, Findings& findings);
void grid_too_small(const Context& context, Findings& findings);
void tail_wave(const Context& context, Findings& findings);
void uneven_warps(const Context& context, Findings& findings);
void occupancy_limit(const Context& context, Findings& findings);
void latency_bound(const Context& context, Findings& findings);
void block_shape(const Context& context, Findings& findings);
void atomic_contention(const Context& context, Findings& findings);
void global_atomics(const Context& context, Findings& findings);
void shared_atomic_conflicts(const Context& context, Findings& findings);
void unused_bytes(const Context& context, Findings& findings);
void launch_overhead(const Context& context, Findings& findings);
void slow_fp64(const Context& context, Findings& findings);
bool converts_all_the_time(const Context& context); // between float and double, a twentieth of what threads execute
void accidental_double(const Context& context, Findings& findings);
void special_functions(const Context& context, Findings& findings);
void reloads(const Context& context, Findings& findings);
void issue_bound(const Context& context, Findings& findings);
void dispatch_bound(const Context& context, Findings& findings);
void many_barriers(const Context& context, Findings& findings);
// Not among the others: where they have nothing to say. One of the two rules below, without an estimate.
void what_limits(const Context& context, Findings& findings);
inline constexpr const char* at_its_peak = "at-its-peak";
inline constexpr const char* limited_by = "limited-by";

} // namespace apod::explain
