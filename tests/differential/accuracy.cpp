#include "accuracy.hpp"

#include "model/inputs.hpp"
#include "model/launch_metrics.hpp"
#include "model/machine/machine_work.hpp"
#include "model/metric_registry.hpp"
#include "model/predict/predict.hpp"

#include <algorithm>
#include <fstream>
#include <set>

namespace apod::differential {

namespace {

constexpr double least_ns = 5000;

// A set's recording, and which of its kernels informed the model: by reading their times while a rule was made (docs/model.md).
struct Kept {
    const char* name;
    const char* file; // below tests/replay/h200, without .csv and .inputs
    std::set<std::string> informed;
};

const std::vector<Kept>& kept_sets() {
    static const std::vector<Kept> sets = {{"public programs", "public_programs", {}},
                                           {"own kernels", "own_kernels", {"softmax_rows", "chase"}},
                                           {"unseen kernels", "unseen_kernels", {"halves"}},
                                           {"kernels predicted first", "untried_kernels", {"find_bytes", "matmul_tensor"}}};
    return sets;
}

Result<std::vector<Figures>> predictions(const std::string& file, const arch::Gpu& gpu) {
    std::ifstream in(std::string(APOD_SOURCE_DIR) + "/tests/replay/h200/" + file + ".inputs");
    model::InputReader reader(in, gpu);
    std::vector<Figures> all;
    for (;;) {
        const Result<model::KeptLaunch> launch = reader.next();
        if (!launch) return launch.error();
        if (!launch->facts) return all;
        const model::LaunchFacts& facts = *launch->facts;
        const model::Prediction prediction = model::predict(facts);
        const MetricMap metrics = model::launch_metrics(facts, {});
        const auto sum = [&metrics](std::string_view a, std::string_view b) {
            return model::value_or_zero(metrics, a) + model::value_or_zero(metrics, b);
        };
        const double warps = static_cast<double>(facts.execution.warps_run) * facts.scale;
        all.push_back({prediction.cold_ns, model::machine_instructions(facts) * warps,
                       sum(model::metric::l2_read_sectors, model::metric::l2_write_sectors),
                       sum(model::metric::dram_read_bytes, model::metric::dram_write_bytes), bound_by_shares(prediction.cold_shares),
                       bound_of(prediction.cold_limiter)});
    }
}

// "void softmax_rows<256>(float *, int)" -> "softmax_rows"
std::string bare_name(std::string kernel) {
    kernel = kernel.substr(0, kernel.find_first_of("(<"));
    const std::size_t space = kernel.rfind(' ');
    return space == std::string::npos ? kernel : kernel.substr(space + 1);
}

Result<Set> judge(const Kept& kept, const arch::Gpu& gpu) {
    const Result<std::vector<Figures>> predicted = predictions(kept.file, gpu);
    if (!predicted) return predicted.error();
    const std::vector<Row> rows = read_recording("h200/" + std::string(kept.file) + ".csv");
    Set set{kept.name, {}};
    for (const Row& row : rows) {
        const double time = number(row, "gpu__time_duration.sum");
        if (time < least_ns || !row.contains("input")) continue;
        const auto input = static_cast<std::size_t>(number(row, "input"));
        if (input >= predicted->size())
            return bad_input({std::string(kept.file) + ".csv", 0, 0}, "names an input that is not kept",
                             "run tools/public_programs/keep.py");
        const std::string kernel = row.contains("kernel") ? bare_name(row.at("kernel")) : "";
        const bool own = row.at("program").starts_with("bench/");
        Figures measured{time,
                         number(row, "smsp__inst_executed.sum"),
                         number(row, "lts__t_sectors_op_read.sum") + number(row, "lts__t_sectors_op_write.sum"),
                         number(row, "dram__bytes_read.sum") + number(row, "dram__bytes_write.sum"),
                         bound_by_counters(row, gpu),
                         Bound::latency};
        set.launches.push_back(
            {own ? kernel : row.at("program"), row.at("launch"), input, kept.informed.contains(kernel), (*predicted)[input], measured});
    }
    if (set.launches.empty()) return bad_input({std::string(kept.file) + ".csv", 0, 0}, "has no launches with kept inputs");
    return set;
}

} // namespace

std::string_view bound_name(Bound bound) {
    constexpr std::array<std::string_view, bound_count> names = {"DRAM", "L2", "L1 and shared", "issue and pipes", "latency", "atomics"};
    return names[static_cast<std::size_t>(bound)];
}

Bound bound_by_counters(const Row& counters, const arch::Gpu& gpu) {
    constexpr double busy = 60;
    constexpr double near = 5;
    const double memory = number(counters, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
    const double sm = number(counters, "sm__throughput.avg.pct_of_peak_sustained_elapsed");
    if (std::max(memory, sm) < busy) return Bound::latency;
    if (sm >= memory) return Bound::sm;
    double dram = number(counters, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
    double l1 = number(counters, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed");
    const double l2 = number(counters, "lts__throughput.avg.pct_of_peak_sustained_elapsed");
    if (l2 > 0) return dram >= std::max(l1, l2) ? Bound::dram : l1 >= l2 ? Bound::l1 : Bound::l2;
    const double bytes = number(counters, "dram__bytes_read.sum") + number(counters, "dram__bytes_write.sum");
    dram = 100 * bytes / (number(counters, "gpu__time_duration.sum") * gpu.memory.peak_gbs);
    l1 = 100 * number(counters, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum") /
         (gpu.sm_count * number(counters, "sm__cycles_elapsed.max"));
    if (std::max(dram, l1) < memory - near) return Bound::l2;
    return dram >= l1 ? Bound::dram : Bound::l1;
}

Bound bound_by_shares(const std::vector<LimiterShare>& shares) {
    constexpr double busy = 0.6;
    Bound bound = Bound::latency;
    double most = busy;
    for (const LimiterShare& share : shares) {
        if (bound_of(share.name) == Bound::latency || share.fraction < most) continue;
        most = share.fraction;
        bound = bound_of(share.name);
    }
    return bound;
}

Bound bound_of(std::string_view share) {
    if (share == "dram") return Bound::dram;
    if (share == "l2 reads" || share == "l2 writes") return Bound::l2;
    if (share == "atomics") return Bound::atomics;
    if (share == "lsu" || share == "shared" || share == "port") return Bound::l1;
    if (share == "latency" || share == "dispatch" || share == "launch") return Bound::latency;
    return Bound::sm;
}

Result<std::vector<Set>> judged_sets(std::string_view only) {
    const Result<arch::Gpu> gpu = arch::find_gpu("h200");
    if (!gpu) return gpu.error();
    std::vector<Set> sets;
    for (const Kept& kept : kept_sets()) {
        if (!only.empty() && kept.name != only) continue;
        Result<Set> set = judge(kept, *gpu);
        if (!set) return set.error();
        sets.push_back(*std::move(set));
    }
    return sets;
}

} // namespace apod::differential
