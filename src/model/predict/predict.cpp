#include "model/predict/predict.hpp"

#include "model/predict/chip_time.hpp"
#include "model/predict/sm_time.hpp"
#include "model/predict/warp_time.hpp"

#include <algorithm>
#include <cmath>

namespace apod::model {

namespace {

// Resources that are busy together hide each other, but not wholly: between their maximum and their sum. The exponent fits the transpose
// kernels of workloads/ on an H200.
double combine(std::initializer_list<double> clocks) {
    constexpr double exponent = 4;
    double sum = 0;
    for (const double clk : clocks) sum += std::pow(std::max(0.0, clk), exponent);
    return std::pow(sum, 1 / exponent);
}

double total_clk(const SmTime& sm, const ChipTime& chip) {
    return combine({sm.total_clk, std::max({chip.l2_read_clk, chip.l2_write_clk, chip.atomic_clk}), chip.dram_clk, chip.dispatch_clk});
}

struct Solution {
    WarpWork work;
    SmTime sm;
    double clk = 0;
};

// A busy DRAM answers later: l = l0 (1 + 0.4 u / (1 - u)), u its share of the time, which in turn depends on l. Three rounds settle it.
Solution solve(const LaunchFacts& facts, const ChipTime& chip) {
    Solution solution;
    double dram_latency = facts.gpu.latency.dram;
    for (int round = 0; round < 3; ++round) {
        solution.work = warp_work(facts, chip.hot, dram_latency);
        solution.sm = sm_time(facts, solution.work);
        solution.clk = total_clk(solution.sm, chip);
        const double use = std::min(0.8, solution.clk > 0 ? chip.dram_clk / solution.clk : 0);
        const double loaded = facts.gpu.latency.dram * (1 + 0.4 * use / (1 - use));
        if (chip.dram_clk == 0 || std::abs(loaded - dram_latency) < 1) break;
        dram_latency = loaded;
    }
    return solution;
}

void add_share(Prediction& prediction, std::string name, double clk, double ghz) {
    if (clk <= 0) return;
    const double ns = clk / ghz;
    prediction.shares.push_back({std::move(name), ns, prediction.time_ns > 0 ? ns / prediction.time_ns : 0});
}

// The largest share; the launch's own cost only when it is more than half of the time.
std::string limiter_of(const Prediction& prediction) {
    for (const LimiterShare& share : prediction.shares)
        if (share.name != "launch" || share.fraction > 0.5) return share.name;
    return {};
}

void add_shares(Prediction& prediction, const LaunchFacts& facts, const Solution& solution, const ChipTime& chip) {
    const double ghz = facts.gpu.clock_ghz();
    add_share(prediction, "issue", solution.sm.issue_clk, ghz);
    if (solution.sm.pipe != Pipe::none) add_share(prediction, std::string(pipe_name(solution.sm.pipe)), solution.sm.pipe_clk, ghz);
    const bool mostly_shared = solution.work.shared_lsu_clk > 0.5 * solution.work.lsu_clk;
    add_share(prediction, mostly_shared ? "shared" : "lsu", solution.sm.lsu_clk, ghz);
    add_share(prediction, "port", solution.sm.port_clk, ghz);
    add_share(prediction, "latency", solution.sm.latency_clk, ghz);
    add_share(prediction, "l2 reads", chip.l2_read_clk, ghz);
    add_share(prediction, "l2 writes", chip.l2_write_clk, ghz);
    add_share(prediction, "atomics", chip.atomic_clk, ghz);
    add_share(prediction, "dram", chip.dram_clk, ghz);
    add_share(prediction, "dispatch", chip.dispatch_clk, ghz);
    const double overhead = facts.gpu.launch.fixed_ns + facts.gpu.launch.event_ns;
    add_share(prediction, "launch", overhead * ghz, ghz);
    std::stable_sort(prediction.shares.begin(), prediction.shares.end(),
                     [](const LimiterShare& a, const LimiterShare& b) { return a.time_ns > b.time_ns; });
    prediction.limiter = limiter_of(prediction);
}

} // namespace

Prediction predict(const LaunchFacts& facts) {
    Prediction prediction;
    const double ghz = facts.gpu.clock_ghz();
    if (ghz <= 0 || facts.execution.warps_run == 0) return prediction;
    const ChipTime chip = chip_time(facts, Start::warm);
    const Solution solution = solve(facts, chip);
    prediction.kernel_ns = facts.gpu.launch.fixed_ns + solution.clk / ghz;
    prediction.cold_ns =
        chip.hot ? facts.gpu.launch.fixed_ns + solve(facts, chip_time(facts, Start::cold)).clk / ghz : prediction.kernel_ns;
    prediction.time_ns = prediction.kernel_ns + facts.gpu.launch.event_ns;
    prediction.waves = solution.sm.waves;
    const double most = std::max(1u, facts.gpu.limits.max_warps_per_sm);
    prediction.warps_active_percent = 100 * std::min(1.0, solution.sm.warps_resident / most);
    add_shares(prediction, facts, solution, chip);
    return prediction;
}

} // namespace apod::model
