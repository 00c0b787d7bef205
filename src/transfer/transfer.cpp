#include "transfer/transfer.hpp"

#include "transfer/copies.hpp"
#include "transfer/host_version.hpp"
#include "transfer/pinning.hpp"
#include "transfer/pipeline.hpp"
#include "transfer/stages.hpp"
#include "transfer/versus.hpp"
#include "transfer/why.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace apod::transfer {
namespace {

constexpr std::uint64_t largest_pipeline = std::uint64_t{256} << 20;
constexpr std::uint64_t largest_memcpy = std::uint64_t{256} << 20;
constexpr std::uint64_t smallest_pinning = std::uint64_t{1} << 20;
constexpr std::uint64_t smallest_stages = 4096;

// What the driver's staging copy can reach.
Result<void> measure_host(const Session& session, Host& host) {
    host.cores = usable_cores();
    host.nodes = usable_nodes();
    host.memcpy_bytes = std::min(session.options().largest, largest_memcpy);
    std::vector<std::byte> from(host.memcpy_bytes, std::byte{1});
    std::vector<std::byte> to(host.memcpy_bytes, std::byte{2});
    const Result<bench::Summary> took = session.by_host("memcpy", [&]() -> Result<void> {
        std::memcpy(to.data(), from.data(), from.size());
        return {};
    });
    if (!took) return took.error();
    host.memcpy_gbs = static_cast<double>(host.memcpy_bytes) / took->median;
    return {};
}

void measure_all_copies(const Session& session, const std::vector<device::Device*>& others, Findings& findings) {
    for (const HostKind kind : {HostKind::pageable, HostKind::pinned, HostKind::write_combined, HostKind::mapped, HostKind::managed})
        for (const Direction direction : {Direction::to_device, Direction::to_host})
            findings.curves.push_back(measure_copies(session, kind, direction));
    findings.curves.push_back(measure_copies(session, HostKind::pinned, Direction::both_ways));
    findings.curves.push_back(measure_copies(session, HostKind::none, Direction::within_device));
    for (device::Device* other : others) findings.curves.push_back(measure_between(session, *other));
}

// The host against the GPU needs copies in and out, whether or not they are to be shown.
void measure_needed_copies(const Session& session, Findings& findings) {
    for (const HostKind kind : {HostKind::pageable, HostKind::pinned})
        for (const Direction direction : {Direction::to_device, Direction::to_host})
            findings.curves.push_back(measure_copies(session, kind, direction));
}

std::optional<double> copy_in_ns(const Findings& findings, HostKind kind, std::uint64_t bytes) {
    for (const CopyCurve& curve : findings.curves)
        if (curve.kind == kind && curve.direction == Direction::to_device) return host_time_at(curve, bytes);
    return std::nullopt;
}

Result<void> measure_all_pinning(const Session& session, Findings& findings) {
    const Options& options = session.options();
    for (const std::uint64_t bytes : sizes_of(std::min(smallest_pinning, options.largest), options.largest, options.step)) {
        Result<PinningPoint> point = measure_pinning(session, bytes);
        if (!point) return point.error();
        point->copies_to_pay =
            copies_to_pay(*point, copy_in_ns(findings, HostKind::pageable, bytes), copy_in_ns(findings, HostKind::pinned, bytes));
        findings.pinning.push_back(*point);
    }
    return {};
}

Result<void> measure_all_stages(const Session& session, Findings& findings) {
    const Options& options = session.options();
    for (const std::uint64_t bytes : sizes_of(std::min(smallest_stages, options.largest), options.largest, options.step)) {
        Result<Breakdown> breakdown = measure_stages(session, bytes);
        if (!breakdown) return breakdown.error();
        findings.breakdowns.push_back(*std::move(breakdown));
    }
    return {};
}

} // namespace

Result<Findings> measure(device::Device& device, double open_ns, const device::DeviceFacts& facts,
                         const std::vector<device::Device*>& others, const Options& options, const Parts& parts) {
    Findings findings;
    findings.device_id = device.id();
    findings.facts = facts;
    findings.start_up.open_ns = open_ns;
    if (device.async() != nullptr)
        if (const Result<void> done = measure_start_up(device, findings.start_up); !done) return done.error();
    Result<std::unique_ptr<Session>> made = Session::make(device, options);
    if (!made) return made.error();
    const Session& session = **made;
    findings.source = session.async().clock_source();
    if (const Result<void> done = measure_host(session, findings.host); !done) return done.error();
    if (parts.copies) measure_all_copies(session, others, findings);
    if (!parts.copies && (parts.versus || parts.pinning)) measure_needed_copies(session, findings);
    if (parts.pipeline) {
        Result<Pipeline> pipeline = measure_pipeline(session, std::min(options.largest, largest_pipeline));
        if (!pipeline) return pipeline.error();
        findings.pipeline = *std::move(pipeline);
    }
    if (parts.pinning)
        if (const Result<void> done = measure_all_pinning(session, findings); !done) return done.error();
    if (parts.stages)
        if (const Result<void> done = measure_all_stages(session, findings); !done) return done.error();
    if (parts.versus) {
        Result<std::vector<Versus>> versus = measure_versus(session, findings.curves, findings.host.cores);
        if (!versus) return versus.error();
        findings.versus = *std::move(versus);
    }
    findings.why = explain(findings);
    return findings;
}

} // namespace apod::transfer
