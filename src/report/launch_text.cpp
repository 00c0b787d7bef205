#include "report/launch_text.hpp"

#include "base/units.hpp"
#include "report/names.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

namespace apod::report {
namespace {

std::string launch_time(const LaunchRecord& launch, const TextStyle& style) {
    const std::string error = launch.time_error ? fmt::format(" (likely within {})", format_percent(*launch.time_error, 0)) : "";
    std::string time = fmt::format("time {} {}{}, floor {} {}", format_time_ns(launch.time_ns.value), source_name(launch.time_ns.source),
                                   error, format_time_ns(launch.floor_ns.value), source_name(launch.floor_ns.source));
    if (!launch.limiter.empty()) time += ", limited by " + launch.limiter;
    std::string out = paragraph("  ", "    ", time, style);
    if (const std::string shares = shares_text(launch.shares); !shares.empty())
        out += paragraph("  ", "    ", "time that each resource alone would need, of the launch's: " + shares, style);
    return out;
}

// How far the sample may be off.
std::string sampling_text(const LaunchRecord& launch) {
    const auto found = launch.metrics.find("smsp__inst_executed.sum");
    if (found == launch.metrics.end() || !found->second.noise) return {};
    return fmt::format(" (warp instructions within {}, 95 % interval)", format_percent(*found->second.noise));
}

} // namespace

std::string launch_facts(const LaunchRecord& launch, bool timed, const TextStyle& style) {
    std::string out;
    const OccupancyRecord& occupancy = launch.occupancy;
    const std::uint64_t shared = launch.static_shared_bytes + launch.dynamic_shared_bytes;
    out += paragraph("  ", "    ",
                     fmt::format("{:.0f} registers a thread ({}), {} shared memory a block, {} of {} warps an SM (theoretical occupancy, "
                                 "limited by {})",
                                 launch.registers_per_thread.value, source_name(launch.registers_per_thread.source),
                                 format_bytes_binary(static_cast<double>(shared)), occupancy.warps_per_sm, occupancy.max_warps_per_sm,
                                 occupancy.limiter),
                     style);
    if (timed) out += launch_time(launch, style);
    if (launch.sample)
        out +=
            paragraph("  ", "    ",
                      fmt::format("{} of {} blocks were run; counters are scaled up from them{}", format_count(launch.sample->blocks_run),
                                  format_count(launch.sample->blocks_total), sampling_text(launch)),
                      style);
    return out;
}

} // namespace apod::report
