// A climb made by hand for the tests of the views: every status, one launch a rung, source lines, findings, and text that needs escaping.
#pragma once

#include "ladder/climb.hpp"
#include "model/metric_registry.hpp"

namespace apod::report::sample {

inline arch::Gpu gpu() {
    arch::Gpu gpu;
    gpu.id = "h200";
    gpu.name = "NVIDIA H200";
    gpu.architecture = "Hopper";
    gpu.cc = {9, 0};
    gpu.sm_count = 132;
    gpu.boost_mhz = 1980;
    gpu.throughput.fp32 = 128;
    gpu.throughput.fp64 = 64;
    gpu.memory.type = "HBM3e";
    gpu.memory.peak_gbs = 4814;
    gpu.memory.size_bytes = std::uint64_t{141} << 30;
    gpu.caches.l2_bytes = std::uint64_t{60} << 20;
    gpu.provenance["memory.peak_gbs"] = {"measured by a driver", "M"};
    gpu.provenance["sm_count"] = {"data sheet", "V"};
    return gpu;
}

struct Counts {
    double load_requests = 0;
    double store_requests = 0;
    double load_sectors = 0;
    double store_sectors = 0;
    double conflicts = 0;
    double warp_instructions = 0;
    double lanes = 32;
};

inline MetricMap metrics(const Counts& counts) {
    namespace metric = model::metric;
    MetricMap map;
    const auto put = [&map](std::string_view name, double value) { map[std::string(name)] = {value, Source::counted, std::nullopt}; };
    put(metric::global_load_requests, counts.load_requests);
    put(metric::global_store_requests, counts.store_requests);
    put(metric::global_load_sectors, counts.load_sectors);
    put(metric::global_store_sectors, counts.store_sectors);
    put(metric::shared_load_conflicts, counts.conflicts);
    put(metric::warp_instructions, counts.warp_instructions);
    put(metric::thread_instructions, counts.warp_instructions * counts.lanes);
    model::recompute_ratios(map);
    return map;
}

inline LaunchRecord launch(const std::string& kernel, double time_ns, const Counts& counts) {
    LaunchRecord record;
    record.kernel = kernel;
    record.mangled = "_Z" + std::to_string(kernel.size()) + kernel + "PfPKfi";
    record.grid = {32, 32, 1};
    record.block = {32, 32, 1};
    record.registers_per_thread = {12, Source::predicted, std::nullopt};
    record.occupancy = {2, 64, 64, "warps"};
    record.time_ns = {time_ns, Source::predicted, std::nullopt};
    record.floor_ns = {1742.5, Source::theoretical, std::nullopt};
    record.limiter = "l2";
    record.shares = {{"l2", 0.8 * time_ns, 0.8}, {"dram", 0.25 * time_ns, 0.25}, {"issue", 0.001 * time_ns, 0.001}};
    record.metrics = metrics(counts);
    Counts line = counts;
    line.warp_instructions /= 2;
    record.lines.push_back({"workloads/transpose/transpose.cu", 12, "", metrics(line)});
    record.lines.push_back({"workloads/transpose/transpose.cu", 13, "", metrics({0, 0, 0, 0, 0, line.warp_instructions, 32})});
    return record;
}

inline ladder::RungResult rung(std::string name, std::string what, double time_ns, const Counts& counts) {
    ladder::RungResult result;
    result.name = std::move(name);
    result.what = std::move(what);
    result.verification = ladder::Verification::correct;
    result.launches.push_back(launch(result.name, time_ns, counts));
    result.time_ns = result.launches.front().time_ns;
    result.floor_ns = result.launches.front().floor_ns;
    result.limiter = result.launches.front().limiter;
    result.metrics = result.launches.front().metrics;
    return result;
}

inline Finding finding() {
    Finding finding;
    finding.rule = "uncoalesced-store";
    finding.title = "Stores use 4 of each 32 bytes they move";
    finding.evidence = "32.00 sectors a store request, 4 would do; 1,048,576 sectors in all";
    finding.file = "workloads/transpose/transpose.cu";
    finding.line = 12;
    finding.gain_ns = 14000;
    finding.advice = "stage a tile in shared memory, so that neighbouring threads store to neighbouring addresses";
    return finding;
}

inline ladder::ClimbResult climb() {
    ladder::ClimbResult result;
    result.ladder = "transpose";
    result.title = "out = transpose of in";
    result.device = "emu:h200";
    result.gpu = gpu();
    result.parameters["n"] = 1024;
    result.useful_bytes = 8388608;
    result.rungs.push_back(rung("one_thread", "one thread does everything", 36.4e6, {1048576, 1048576, 1048576, 1048576, 0, 9437184, 1}));
    result.rungs.push_back(
        rung("per_element", "one thread an element, 32x32 blocks", 21200, {32768, 32768, 131072, 1048576, 0, 655360, 32}));
    result.rungs.back().findings.push_back(finding());
    result.rungs.back().launches.back().findings.push_back(finding());
    result.rungs.push_back(rung("tiled", "a tile, \"32x32\" | in shared memory", 0, {32768, 32768, 131072, 131072, 1015808, 983040, 32}));
    result.rungs.back().verification = ladder::Verification::wrong;
    result.rungs.back().mismatch = ladder::Mismatch{"out", 3072, {3, 0}, "3", "3072", 1047552, 1048576};
    result.rungs.push_back(rung("padded", "a padded row", 7100.25, {32768, 32768, 131072, 131072, 0, 983040, 32}));
    result.rungs.back().verification = ladder::Verification::sampled;
    result.rungs.back().launches.front().sample = SampleNote{264, 1024};
    result.rungs.back().findings.push_back(finding());
    ladder::RungResult skipped;
    skipped.name = "tma";
    skipped.what = "bulk copies";
    skipped.skipped_because = "needs compute capability 9.0";
    result.rungs.push_back(skipped);
    ladder::RungResult fault;
    fault.name = "overrun";
    fault.what = "reads past the end";
    fault.error = check_failed("kernel overrun reads 4 bytes at 0x7f0000400000, past the end of 'in'", "compare the index with n * n");
    fault.error->where = {"workloads/transpose/transpose.cu", 40, 0};
    fault.error->notes.push_back("block (31,31,0), thread (31,31,0)");
    result.rungs.push_back(fault);
    ladder::RungResult copy = rung("copy", "copies the same bytes", 6400, {32768, 32768, 131072, 131072, 0, 327680, 32});
    copy.verification = ladder::Verification::not_run;
    result.yardstick = copy;
    return result;
}

} // namespace apod::report::sample
