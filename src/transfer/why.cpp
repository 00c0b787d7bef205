#include "transfer/why.hpp"

#include "base/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace apod::transfer {
namespace {

std::string gbs(double rate) { return format_rate(rate * 1e9, 3); }
std::string size(double bytes) { return format_bytes_binary(bytes, 4); }

const CopyCurve* find(const Findings& findings, HostKind kind, Direction direction) {
    for (const CopyCurve& curve : findings.curves)
        if (curve.kind == kind && curve.direction == direction && !curve.points.empty()) return &curve;
    return nullptr;
}

// "PCIe 5.0 x16 carries 63.0 GB/s each way; pinned copies reach 55.3 (88 %) in and 55.1 (87 %) out."
void link(const Findings& findings, std::vector<std::string>& why) {
    const device::DeviceFacts& facts = findings.facts;
    const double peak = facts.pcie_gbs();
    if (peak <= 0 || !facts.pcie_generation_max || !facts.pcie_width_max) {
        why.emplace_back("The link's generation and width are not told (no NVML), so nothing is said of what it could carry.");
        return;
    }
    std::string text = fmt::format("PCIe {}.0 x{} carries {} each way", *facts.pcie_generation_max, *facts.pcie_width_max, gbs(peak));
    for (const auto& [direction, words] : {std::pair{Direction::to_device, "in"}, std::pair{Direction::to_host, "out"}}) {
        const CopyCurve* curve = find(findings, HostKind::pinned, direction);
        if (curve == nullptr) continue;
        const CurveFacts reached = facts_of(*curve);
        text +=
            fmt::format("; pinned copies {} reach {} ({} of it)", words, gbs(reached.peak_gbs), format_percent(reached.peak_gbs / peak, 0));
    }
    why.push_back(text + ". The rest is packet headers (a 128 or 256 byte payload has 20 to 28 bytes around it) and acknowledgements.");
    const std::uint32_t width = facts.pcie_width.value_or(*facts.pcie_width_max);
    if (width < *facts.pcie_width_max)
        why.push_back(fmt::format("The link runs with {} of its {} lanes: look at the slot and the riser.", width, *facts.pcie_width_max));
}

void staging(const Findings& findings, std::vector<std::string>& why) {
    const CopyCurve* pageable = find(findings, HostKind::pageable, Direction::to_device);
    const CopyCurve* pinned = find(findings, HostKind::pinned, Direction::to_device);
    if (pageable == nullptr || pinned == nullptr) return;
    const double slow = pageable->points.back().gbs();
    const double fast = pinned->points.back().gbs();
    if (slow <= 0 || fast < 1.1 * slow) return;
    std::string text =
        fmt::format("Pageable memory copies {} of it at {}, pinned memory at {}: the driver cannot let the GPU read pages that may "
                    "move, so it copies them through a pinned buffer of its own",
                    size(static_cast<double>(pageable->points.back().bytes)), gbs(slow), gbs(fast));
    if (findings.host.memcpy_gbs > 0)
        text += fmt::format(" (one core's memcpy of {} reaches {} here)", size(static_cast<double>(findings.host.memcpy_bytes)),
                            gbs(findings.host.memcpy_gbs));
    why.push_back(text + ".");
}

void latency(const Findings& findings, std::vector<std::string>& why) {
    const CopyCurve* pinned = find(findings, HostKind::pinned, Direction::to_device);
    if (pinned == nullptr) return;
    const CurveFacts facts = facts_of(*pinned);
    why.push_back(
        fmt::format("A copy of {} takes {} on the GPU and {} for the host: that is latency, and below {} it weighs more than a tenth. "
                    "Gather small copies into one.",
                    size(static_cast<double>(pinned->points.front().bytes)), format_time_ns(facts.latency_ns, 3),
                    format_time_ns(pinned->points.front().host_ns.median, 3), size(static_cast<double>(facts.enough_bytes))));
}

void within_device(const Findings& findings, std::vector<std::string>& why) {
    const CopyCurve* curve = find(findings, HostKind::none, Direction::within_device);
    const double peak = findings.facts.peak_gbs();
    if (curve == nullptr || peak <= 0) return;
    const double traffic = 2 * curve->points.back().gbs(); // the largest: smaller ones stay in L2
    why.push_back(
        fmt::format("A copy within the device reads and writes: {} copied are {} of traffic, {} of the {} that the memory's clock and "
                    "width allow.",
                    gbs(traffic / 2), gbs(traffic), format_percent(traffic / peak, 0), gbs(peak)));
}

void nodes(const Findings& findings, std::vector<std::string>& why) {
    const std::vector<int>& own = findings.host.nodes;
    if (!findings.facts.numa_node || *findings.facts.numa_node < 0) {
        why.emplace_back("The GPU's NUMA node is not told (or the host has one node only).");
        return;
    }
    const int node = *findings.facts.numa_node;
    if (std::find(own.begin(), own.end(), node) == own.end()) {
        why.push_back(
            fmt::format("The GPU hangs on NUMA node {}, but this process runs on node {}: every copy crosses the sockets' link. Start it "
                        "with numactl --cpunodebind={} --membind={}.",
                        node, fmt::join(own, ", "), node, node));
    } else if (own.size() > 1) {
        why.push_back(
            fmt::format("The GPU hangs on NUMA node {}; this process may run on nodes {}, and memory comes from the node that touches it "
                        "first.",
                        node, fmt::join(own, ", ")));
    } else {
        why.push_back(fmt::format("The GPU hangs on NUMA node {}, on which this process runs.", node));
    }
}

// 1.83 on an H200: 256 bytes a packet, and a request for as many coming in (docs/transfer.md).
std::string_view duplex_remark(double ratio) {
    if (ratio >= 1.9) return "";
    return ratio >= 1.7 ? ", but the requests for what comes in share the way out"
                        : ", but each way's acknowledgements and the host's memory share it";
}

void overlap(const Findings& findings, std::vector<std::string>& why) {
    const CopyCurve* both = find(findings, HostKind::pinned, Direction::both_ways);
    const CopyCurve* in = find(findings, HostKind::pinned, Direction::to_device);
    if (both != nullptr && in != nullptr) {
        const double ratio = facts_of(*both).peak_gbs / facts_of(*in).peak_gbs;
        why.push_back(fmt::format("Both ways at once carry {}, {} one way alone: the link is duplex{}.", gbs(facts_of(*both).peak_gbs),
                                  format_factor(ratio), duplex_remark(ratio)));
    }
    if (!findings.pipeline || findings.pipeline->points.empty()) return;
    const Pipeline& pipeline = *findings.pipeline;
    const auto best = std::min_element(pipeline.points.begin(), pipeline.points.end(),
                                       [](const PipelinePoint& a, const PipelinePoint& b) { return a.time_ns < b.time_ns; });
    const double longest = std::max({pipeline.in_ns, pipeline.kernel_ns, pipeline.out_ns});
    std::string text = fmt::format(
        "Copy in, kernel and copy out of {} take {} in a row; the best of the pipelines, {} chunk(s) over {} stream(s), takes {} "
        "({}). The longest part alone takes {}, which no overlap can go below",
        size(static_cast<double>(pipeline.bytes)), format_time_ns(pipeline.in_a_row_ns(), 3), best->chunks, best->streams,
        format_time_ns(best->time_ns, 3), format_factor(pipeline.in_a_row_ns() / best->time_ns), format_time_ns(longest, 3));
    if (both != nullptr)
        text += fmt::format("; the two copies at once take {}",
                            format_time_ns(2 * static_cast<double>(pipeline.bytes) / facts_of(*both).peak_gbs, 3));
    why.push_back(text + ".");
}

void managed(const Findings& findings, std::vector<std::string>& why) {
    const CopyCurve* curve = find(findings, HostKind::managed, Direction::to_device);
    if (curve == nullptr) return;
    why.push_back(
        fmt::format("Managed memory moves at {} at {} when a kernel touches it: each page that is missing stops the warps that want it "
                    "until the driver has moved it.",
                    gbs(curve->points.back().gbs()), size(static_cast<double>(curve->points.back().bytes))));
}

} // namespace

std::vector<std::string> explain(const Findings& findings) {
    std::vector<std::string> why;
    if (findings.source == Source::predicted)
        why.emplace_back(
            "The driver is apod's own, over the emulator: the GPU's times are predictions, the host's are those of the emulation.");
    link(findings, why);
    staging(findings, why);
    latency(findings, why);
    managed(findings, why);
    within_device(findings, why);
    nodes(findings, why);
    overlap(findings, why);
    return why;
}

} // namespace apod::transfer
