#include "report/delimited.hpp"
#include "report/transfer_view.hpp"

#include <array>

namespace apod::report {
namespace {

using namespace transfer;

// One figure; what does not apply stays empty.
struct Row {
    std::string part, kind, direction, name;
    std::optional<std::uint64_t> bytes;
    std::optional<std::uint32_t> multiplications, streams, chunks;
    std::optional<double> event_ns, host_ns, gbs;
    std::optional<double> noise; // relative half width of the 95 % interval of the time that the rate is from
};

std::string whole(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : ""; }
std::string whole(const std::optional<std::uint32_t>& value) { return value ? std::to_string(*value) : ""; }

std::string line(const Row& row) {
    return csv_row({row.part, row.kind, row.direction, whole(row.bytes), whole(row.multiplications), whole(row.streams), whole(row.chunks),
                    row.name, plain_number(row.event_ns), plain_number(row.host_ns), plain_number(row.gbs), plain_number(row.noise)});
}

std::string copies(const Findings& findings) {
    std::string out;
    for (const CopyCurve& curve : findings.curves)
        for (const CopyPoint& point : curve.points)
            out += line({.part = "copy",
                         .kind = std::string(to_text(curve.kind)),
                         .direction = std::string(to_text(curve.direction)),
                         .bytes = point.bytes,
                         .event_ns = point.event_ns ? std::optional(point.event_ns->median) : std::nullopt,
                         .host_ns = point.host_ns.median,
                         .gbs = point.gbs(),
                         .noise = (point.event_ns ? *point.event_ns : point.host_ns).noise()});
    return out;
}

std::string pipeline(const Pipeline& pipeline) {
    std::string out;
    for (const auto& [name, time] : {std::pair{"copy in", pipeline.in_ns}, {"kernel", pipeline.kernel_ns}, {"copy out", pipeline.out_ns}})
        out += line({.part = "pipeline", .name = name, .bytes = pipeline.bytes, .event_ns = time});
    for (const PipelinePoint& point : pipeline.points)
        out += line({.part = "pipeline",
                     .name = "all",
                     .bytes = pipeline.bytes,
                     .streams = point.streams,
                     .chunks = point.chunks,
                     .event_ns = point.time_ns});
    return out;
}

std::string pinning(const Findings& findings) {
    std::string out;
    for (const PinningPoint& point : findings.pinning)
        for (const auto& [name, time] : {std::pair{"pageable", point.plain_ns},
                                         {"allocate", point.allocate_ns},
                                         {"free", point.free_ns},
                                         {"pin", point.pin_ns},
                                         {"unpin", point.unpin_ns}})
            out += line({.part = "pinning", .name = name, .bytes = point.bytes, .host_ns = time});
    return out;
}

std::string stages(const Findings& findings) {
    std::string out;
    for (const Breakdown& breakdown : findings.breakdowns) {
        for (const Stage& stage : breakdown.stages)
            out += line(
                {.part = "stages", .name = stage.name, .bytes = breakdown.bytes, .event_ns = stage.event_ns, .host_ns = stage.host_ns});
        for (const auto& [name, time] :
             {std::pair{"other", breakdown.other_ns()}, {"elapsed", breakdown.elapsed_ns}, {"unobserved", breakdown.unobserved_ns}})
            out += line({.part = "stages", .name = name, .bytes = breakdown.bytes, .host_ns = time});
    }
    return out;
}

std::string versus(const Findings& findings) {
    std::string out;
    for (const Versus& versus : findings.versus) {
        for (const VersusPoint& point : versus.points) {
            const std::array<std::pair<const char*, std::optional<double>>, 5> times = {{{"one core", point.one_core_ns},
                                                                                         {"all cores", point.all_cores_ns},
                                                                                         {"kernel", point.kernel_ns},
                                                                                         {"pinned", point.pinned_ns},
                                                                                         {"pageable", point.pageable_ns}}};
            for (const auto& [name, time] : times)
                if (time)
                    out += line(
                        {.part = "versus", .name = name, .bytes = point.bytes, .multiplications = versus.multiplications, .host_ns = time});
        }
    }
    return out;
}

} // namespace

std::string transfer_csv(const Findings& findings) {
    std::string out = csv_row(
        {"part", "kind", "direction", "bytes", "multiplications", "streams", "chunks", "name", "event_ns", "host_ns", "gbs", "noise"});
    const StartUp& start = findings.start_up;
    for (const auto& [name, time] : {std::pair{"open", start.open_ns},
                                     {"load", start.load_ns},
                                     {"first call", start.first_call_ns},
                                     {"next call", start.next_call_ns}})
        out += line({.part = "start-up", .name = name, .host_ns = time});
    out += copies(findings);
    if (findings.pipeline) out += pipeline(*findings.pipeline);
    return out + pinning(findings) + stages(findings) + versus(findings);
}

} // namespace apod::report
