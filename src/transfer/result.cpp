#include "transfer/result.hpp"

#include <algorithm>
#include <iterator>

namespace apod::transfer {

std::string_view to_text(HostKind kind) {
    switch (kind) {
    case HostKind::pageable: return "pageable";
    case HostKind::pinned: return "pinned";
    case HostKind::write_combined: return "write-combined";
    case HostKind::mapped: return "mapped";
    case HostKind::managed: return "managed";
    case HostKind::none: return "device";
    }
    return "";
}

std::string_view to_text(Direction direction) {
    switch (direction) {
    case Direction::to_device: return "host to device";
    case Direction::to_host: return "device to host";
    case Direction::within_device: return "device to device";
    case Direction::both_ways: return "both ways at once";
    case Direction::between_devices: return "to another GPU";
    }
    return "";
}

CurveFacts facts_of(const CopyCurve& curve) {
    CurveFacts facts;
    if (curve.points.empty()) return facts;
    facts.latency_ns = curve.points.front().best_ns();
    for (const CopyPoint& point : curve.points) {
        if (point.gbs() <= facts.peak_gbs) continue;
        facts.peak_gbs = point.gbs();
        facts.peak_bytes = point.bytes;
    }
    const auto enough =
        std::find_if(curve.points.begin(), curve.points.end(), [&](const CopyPoint& point) { return point.gbs() >= 0.9 * facts.peak_gbs; });
    facts.enough_bytes = enough->bytes;
    return facts;
}

std::optional<double> host_time_at(const CopyCurve& curve, std::uint64_t bytes) {
    const auto above = std::find_if(curve.points.begin(), curve.points.end(), [&](const CopyPoint& point) { return point.bytes >= bytes; });
    if (above == curve.points.end()) return std::nullopt;
    if (above->bytes == bytes) return above->host_ns.median;
    if (above == curve.points.begin()) return std::nullopt;
    const auto below = std::prev(above);
    const double part = static_cast<double>(bytes - below->bytes) / static_cast<double>(above->bytes - below->bytes);
    return below->host_ns.median + part * (above->host_ns.median - below->host_ns.median);
}

double Breakdown::stages_ns() const {
    double sum = 0;
    for (const Stage& stage : stages) sum += stage.host_ns;
    return sum;
}

double Breakdown::waits_ns() const {
    double sum = 0;
    for (const Stage& stage : stages) sum += stage.wait_ns();
    return sum;
}

} // namespace apod::transfer
