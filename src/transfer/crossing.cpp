#include "transfer/crossing.hpp"

#include <cmath>
#include <vector>

namespace apod::transfer {
namespace {

// Where log(challenger / champion) is zero between two sizes, in log size.
double between(const Race& slower, const Race& faster) {
    const double before = std::log(*slower.challenger_ns / *slower.champion_ns); // > 0, or 0
    const double after = std::log(*faster.challenger_ns / *faster.champion_ns);  // < 0
    const double part = before / (before - after);
    return slower.bytes * std::pow(faster.bytes / slower.bytes, part);
}

} // namespace

Crossing crossing(std::span<const Race> races) {
    std::vector<Race> known;
    for (const Race& race : races)
        if (race.challenger_ns && race.champion_ns) known.push_back(race);
    Crossing result;
    std::size_t first = known.size(); // of those from which on the challenger always wins
    while (first > 0 && *known[first - 1].challenger_ns < *known[first - 1].champion_ns) --first;
    if (first == known.size()) return result;
    result.always = first == 0;
    result.bytes = result.always ? known.front().bytes : between(known[first - 1], known[first]);
    return result;
}

void find_crossings(Versus& versus) {
    using Time = std::function<std::optional<double>(const VersusPoint&)>;
    const auto cross = [&](const Time& challenger, const Time& champion) {
        std::vector<Race> races;
        for (const VersusPoint& point : versus.points)
            races.push_back({static_cast<double>(point.bytes), challenger(point), champion(point)});
        return crossing(races);
    };
    const Time one = [](const VersusPoint& point) { return point.one_core_ns; };
    const Time all = [](const VersusPoint& point) { return point.all_cores_ns; };
    const Time kernel = [](const VersusPoint& point) { return std::optional<double>(point.kernel_ns); };
    const Time pageable = [](const VersusPoint& point) { return point.pageable_ns; };
    const Time pinned = [](const VersusPoint& point) { return point.pinned_ns; };
    versus.kernel_over_one = cross(kernel, one);
    versus.kernel_over_all = cross(kernel, all);
    versus.pageable_over_one = cross(pageable, one);
    versus.pageable_over_all = cross(pageable, all);
    versus.pinned_over_one = cross(pinned, one);
    versus.pinned_over_all = cross(pinned, all);
}

} // namespace apod::transfer
