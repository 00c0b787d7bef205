#include "ladder/summary.hpp"

#include "arch/link.hpp"
#include "arch/memory_bound.hpp"
#include "explain/explain.hpp"
#include "explain/gain.hpp"
#include "explain/pipeline.hpp"
#include "model/metric_registry.hpp"
#include "model/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::ladder {

namespace {

double rate_per_ns(const std::string& type, const arch::Gpu& gpu) {
    if (type == "fp64") return gpu.fp64_gflops();
    if (type == "int32") return gpu.sm_count * gpu.throughput.int_add * gpu.clock_ghz();
    return gpu.fp32_gflops();
}

void add_time(Quantity& sum, const Quantity& part, bool first) {
    sum.value += part.value;
    sum.source = first ? part.source : model::weaker(sum.source, part.source);
    // Independent errors would add up to less; without knowing that they are, the largest stands.
    if (part.noise) sum.noise = std::max(sum.noise.value_or(0), *part.noise);
}

void sum_metrics(RungResult& rung) {
    if (rung.launches.size() == 1) {
        rung.metrics = rung.launches[0].metrics;
        return;
    }
    for (const LaunchRecord& launch : rung.launches) model::add_metrics(rung.metrics, launch.metrics);
    model::recompute_ratios(rung.metrics);
}

bool alike(const LaunchRecord& a, const LaunchRecord& b) {
    return a.mangled == b.mangled && a.grid == b.grid && a.block == b.block && a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

std::string longest_part(const PipelineRecord& pipeline) {
    if (pipeline.shape.host == HostKind::mapped) return "link";
    std::string name;
    double longest = -1;
    for (const auto& [part, time] :
         {std::pair{"copy in", &pipeline.copy_in_ns}, {"copy out", &pipeline.copy_out_ns}, {"kernels", &pipeline.kernel_ns}}) {
        if (!*time || (*time)->value <= longest) continue;
        longest = (*time)->value;
        name = part;
    }
    return name;
}

// Several launches: their findings are told apart by the kernel's name.

} // namespace

bool is_sampled(const std::vector<LaunchRecord>& launches) {
    return std::any_of(launches.begin(), launches.end(), [](const LaunchRecord& launch) { return launch.sample.has_value(); });
}

double problem_floor_ns(const ProblemWork& work, const arch::Gpu& gpu) {
    double floor = arch::memory_bound(gpu, static_cast<double>(work.bytes), static_cast<double>(work.distinct_bytes)).ns();
    if (work.operations > 0) {
        const double rate = rate_per_ns(work.operation_type, gpu);
        if (rate > 0) floor = std::max(floor, work.operations / rate);
    }
    return floor;
}

void summarise(RungResult& rung, const ProblemWork& work, const arch::Gpu& gpu) {
    double longest = -1;
    double launch_floors = 0;
    bool first = true;
    for (LaunchRecord& launch : rung.launches) {
        launch.findings = explain::explain(launch, gpu);
        launch.roofline = model::roofline(launch, gpu);
        add_time(rung.time_ns, launch.time_ns, first);
        first = false;
        launch_floors += launch.floor_ns.value;
        if (launch.time_ns.value > longest) {
            longest = launch.time_ns.value;
            rung.limiter = launch.limiter;
        }
    }
    const double floor = problem_floor_ns(work, gpu);
    rung.floor_ns = {floor > 0 ? floor : launch_floors, Source::theoretical, {}};
    sum_metrics(rung);
    collect_findings(rung);
}

void collect_findings(RungResult& rung) {
    rung.findings.clear();
    for (const LaunchRecord& launch : rung.launches) {
        for (Finding finding : launch.findings) {
            if (rung.launches.size() > 1) finding.title = fmt::format("launch {} ({}): {}", launch.index + 1, launch.kernel, finding.title);
            rung.findings.push_back(std::move(finding));
        }
    }
    explain::largest_first(rung.findings);
}

void summarise_pipeline(RungResult& rung, const arch::Gpu& gpu) {
    sum_metrics(rung);
    std::vector<LaunchRecord> all = std::move(rung.launches);
    rung.launches.clear();
    for (LaunchRecord& launch : all) {
        const auto like = [&](const LaunchRecord& kept) { return alike(kept, launch); };
        if (std::any_of(rung.launches.begin(), rung.launches.end(), like)) continue;
        launch.findings = explain::explain(launch, gpu);
        launch.roofline = model::roofline(launch, gpu);
        rung.launches.push_back(std::move(launch));
    }
    const PipelineRecord& pipeline = *rung.pipeline;
    rung.limiter = longest_part(pipeline);
    if (rung.limiter == "kernels") collect_findings(rung); // else they hide behind copies, and nothing is gained by faster ones
    for (Finding& finding : explain::explain_pipeline(pipeline, gpu)) rung.findings.push_back(std::move(finding));
    explain::largest_first(rung.findings);
    rung.time_ns = pipeline.time_ns;
    const double link = arch::pcie_gbs(gpu);
    const double bytes = static_cast<double>(std::max(pipeline.shape.bytes_in, pipeline.shape.bytes_out));
    rung.floor_ns = {link > 0 ? bytes / link : 0, Source::theoretical, {}};
}

} // namespace apod::ladder
