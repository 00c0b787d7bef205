#include "report/transfer_tables.hpp"

#include "base/units.hpp"
#include "report/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace apod::report {
namespace {

using namespace transfer;

constexpr const char* none = "-";

std::string size_text(std::uint64_t bytes) { return format_bytes_binary(static_cast<double>(bytes), 4); }
std::string time_text(double ns) { return format_time_ns(ns, 3); }
std::string time_text(std::optional<double> ns) { return ns ? time_text(*ns) : none; }
std::string rate_text(double gbs) { return gbs > 0 ? format_significant(gbs, 3) : none; }

std::string curve_title(const CopyCurve& curve) {
    switch (curve.direction) {
    case Direction::to_device: return fmt::format("{} in", to_text(curve.kind));
    case Direction::to_host: return fmt::format("{} out", to_text(curve.kind));
    case Direction::both_ways: return "both ways";
    case Direction::within_device: return "in device";
    case Direction::between_devices: return "other GPU";
    }
    return {};
}

TransferTable copies(const Findings& findings) {
    TransferTable table;
    table.title = "Copies, GB/s (1e9 bytes a second) by size: in is host to device, out is device to host; both ways counts both";
    table.header = {"size"};
    table.units = {""};
    std::set<std::uint64_t> sizes;
    for (const CopyCurve& curve : findings.curves) {
        if (curve.points.empty()) continue;
        table.header.push_back(curve_title(curve));
        table.units.emplace_back(curve.points.front().event_ns ? "events" : "host");
        for (const CopyPoint& point : curve.points) sizes.insert(curve.direction == Direction::both_ways ? point.bytes / 2 : point.bytes);
    }
    for (const std::uint64_t size : sizes) {
        std::vector<std::string> row = {size_text(size)};
        for (const CopyCurve& curve : findings.curves) {
            if (curve.points.empty()) continue;
            const std::uint64_t wanted = curve.direction == Direction::both_ways ? 2 * size : size;
            const auto found =
                std::find_if(curve.points.begin(), curve.points.end(), [&](const CopyPoint& point) { return point.bytes == wanted; });
            row.push_back(found == curve.points.end() ? none : rate_text(found->gbs()));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

TransferTable summary(const Findings& findings) {
    TransferTable table;
    table.title = "What each comes down to";
    table.header = {"copy", "latency", "best", "from", "90 % from", "host waits", "remark"};
    table.units = {"", "", "GB/s", "", "", "at the smallest", ""};
    for (const CopyCurve& curve : findings.curves) {
        if (curve.points.empty()) {
            table.rows.push_back({curve_title(curve), none, none, none, none, none, curve.problem});
            continue;
        }
        const CurveFacts facts = facts_of(curve);
        table.rows.push_back({curve_title(curve), time_text(facts.latency_ns), rate_text(facts.peak_gbs), size_text(facts.peak_bytes),
                              size_text(facts.enough_bytes), time_text(curve.points.front().host_ns.median), curve.problem});
    }
    return table;
}

TransferTable pipeline(const Findings& findings) {
    TransferTable table;
    if (!findings.pipeline) return table;
    const Pipeline& pipeline = *findings.pipeline;
    table.title = fmt::format("Copy in ({}), kernel ({}), copy out ({}) of {}: in chunks over streams, pinned", time_text(pipeline.in_ns),
                              time_text(pipeline.kernel_ns), time_text(pipeline.out_ns), size_text(pipeline.bytes));
    table.header = {"streams"};
    std::set<std::uint32_t> chunks, streams;
    for (const PipelinePoint& point : pipeline.points) {
        chunks.insert(point.chunks);
        streams.insert(point.streams);
    }
    for (const std::uint32_t count : chunks) table.header.push_back(fmt::format("{} chunk{}", count, count == 1 ? "" : "s"));
    for (const std::uint32_t stream : streams) {
        std::vector<std::string> row = {std::to_string(stream)};
        for (const std::uint32_t count : chunks) {
            const auto found = std::find_if(pipeline.points.begin(), pipeline.points.end(),
                                            [&](const PipelinePoint& point) { return point.streams == stream && point.chunks == count; });
            row.push_back(found == pipeline.points.end() ? none : time_text(found->time_ns));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

TransferTable pinning(const Findings& findings) {
    TransferTable table;
    table.title = "Page-locked memory, by the host's clock";
    table.header = {"size", "pageable", "allocate", "free", "pin", "unpin", "pays after"};
    table.units = {"", "got and touched", "pinned", "pinned", "own pages", "own pages", "copies in"};
    for (const PinningPoint& point : findings.pinning)
        table.rows.push_back({size_text(point.bytes), time_text(point.plain_ns), time_text(point.allocate_ns), time_text(point.free_ns),
                              time_text(point.pin_ns), time_text(point.unpin_ns),
                              point.copies_to_pay ? format_significant(*point.copies_to_pay, 2) : none});
    return table;
}

TransferTable stages(const Findings& findings) {
    TransferTable table;
    table.title =
        "The simplest program, one multiplication an element: what the host sees of each stage, and what the GPU does of it; the stages "
        "and `other` add up to the elapsed time";
    table.header = {"size"};
    table.units = {"in and out each"};
    if (findings.breakdowns.empty()) return table;
    for (const Stage& stage : findings.breakdowns.front().stages) {
        table.header.push_back(stage.name);
        table.units.emplace_back("host");
        if (!stage.event_ns) continue;
        table.header.emplace_back("");
        table.units.emplace_back("GPU");
    }
    for (const char* name : {"other", "elapsed", "waits", "elapsed"}) table.header.emplace_back(name);
    for (const char* unit : {"host", "host", "beyond the GPU", "unobserved"}) table.units.emplace_back(unit);
    for (const Breakdown& breakdown : findings.breakdowns) {
        std::vector<std::string> row = {size_text(breakdown.bytes)};
        for (const Stage& stage : breakdown.stages) {
            row.push_back(time_text(stage.host_ns));
            if (stage.event_ns) row.push_back(time_text(*stage.event_ns));
        }
        for (const double time : {breakdown.other_ns(), breakdown.elapsed_ns, breakdown.waits_ns(), breakdown.unobserved_ns})
            row.push_back(time_text(time));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string crossing_text(const Crossing& crossing, std::uint64_t largest) {
    if (!crossing.bytes) return fmt::format("not up to {}", size_text(largest));
    return crossing.always ? fmt::format("always ({})", size_text(static_cast<std::uint64_t>(*crossing.bytes)))
                           : format_bytes_binary(*crossing.bytes, 3);
}

TransferTable crossings(const Findings& findings) {
    TransferTable table;
    table.title = fmt::format("Where the GPU starts to win: the size of input from which on it is faster than one core, and than all {}",
                              findings.host.cores);
    table.header = {"multiplications", "kernel alone", "", "pinned copies", "", "pageable copies", ""};
    table.units = {"an element", "one core", "all cores", "one core", "all cores", "one core", "all cores"};
    for (const Versus& versus : findings.versus) {
        const std::uint64_t largest = versus.points.empty() ? 0 : versus.points.back().bytes;
        std::vector<std::string> row = {std::to_string(versus.multiplications)};
        for (const Crossing* crossing : {&versus.kernel_over_one, &versus.kernel_over_all, &versus.pinned_over_one, &versus.pinned_over_all,
                                         &versus.pageable_over_one, &versus.pageable_over_all})
            row.push_back(crossing_text(*crossing, largest));
        table.rows.push_back(std::move(row));
    }
    return table;
}

TransferTable versus_points(const Versus& versus) {
    TransferTable table;
    table.title =
        fmt::format("{} multiplication{} an element, by the host's clock", versus.multiplications, versus.multiplications == 1 ? "" : "s");
    table.header = {"size", "one core", "all cores", "kernel", "with pinned copies", "with pageable copies"};
    for (const VersusPoint& point : versus.points)
        table.rows.push_back({size_text(point.bytes), time_text(point.one_core_ns), time_text(point.all_cores_ns),
                              time_text(point.kernel_ns), time_text(point.pinned_ns), time_text(point.pageable_ns)});
    return table;
}

TransferTable start_up(const Findings& findings) {
    TransferTable table;
    table.title = "Once a process";
    table.header = {"context start-up", "module", "first call", "next call"};
    const StartUp& start = findings.start_up;
    table.rows.push_back(
        {time_text(start.open_ns), time_text(start.load_ns), time_text(start.first_call_ns), time_text(start.next_call_ns)});
    return table;
}

} // namespace

std::vector<TransferTable> transfer_tables(const Findings& findings, bool verbose) {
    std::vector<TransferTable> tables = {start_up(findings), copies(findings), summary(findings),  pipeline(findings),
                                         pinning(findings),  stages(findings), crossings(findings)};
    if (verbose)
        for (const Versus& versus : findings.versus) tables.push_back(versus_points(versus));
    std::erase_if(tables, [](const TransferTable& table) { return table.rows.empty(); });
    return tables;
}

std::string transfer_device_line(const Findings& findings) {
    const device::DeviceFacts& facts = findings.facts;
    std::string line = fmt::format("{}: {}", findings.device_id, facts.name);
    if (!facts.driver_version.empty()) line += ", driver " + facts.driver_version;
    if (facts.pcie_generation_max && facts.pcie_width_max)
        line += fmt::format(", PCIe {}.0 x{} ({} GB/s each way)", *facts.pcie_generation_max, *facts.pcie_width_max,
                            format_significant(facts.pcie_gbs(), 3));
    if (facts.numa_node && *facts.numa_node >= 0) line += fmt::format(", NUMA node {}", *facts.numa_node);
    return line + fmt::format("; {} host cores; the GPU's times are {}", findings.host.cores, source_name(findings.source));
}

} // namespace apod::report
