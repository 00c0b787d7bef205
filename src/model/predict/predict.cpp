#include "model/predict/predict.hpp"

#include "model/machine/machine_work.hpp"
#include "model/predict/chip_time.hpp"
#include "model/predict/limiter.hpp"
#include "model/predict/sm_time.hpp"
#include "model/predict/warp_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <unordered_map>

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

// A busy DRAM answers later (loaded_latency), by its share of the time, which in turn depends on the latency. Three rounds settle it.
Solution solve(const LaunchFacts& facts, const ChipTime& chip, Start start) {
    Solution solution;
    if (facts.machine) {
        MachineTime time = machine_time(facts, chip, start);
        solution.work = time.work;
        solution.sm = sm_time(facts, solution.work);
        // What no unit is busy in: waiting.
        const SmTime& sm = solution.sm;
        const double busiest = std::max({sm.issue_clk, sm.lsu_clk, sm.port_clk, sm.pipe_clk, chip.l2_read_clk, chip.l2_write_clk,
                                         chip.atomic_clk, chip.dram_clk, chip.dispatch_clk});
        solution.sm.latency_clk = std::max(0.0, time.clk - busiest);
        solution.clk = time.clk;
        return solution;
    }
    double dram_latency = facts.gpu.latency.dram;
    for (int round = 0; round < 3; ++round) {
        solution.work = warp_work(facts, chip.hot, dram_latency);
        solution.sm = sm_time(facts, solution.work);
        solution.clk = total_clk(solution.sm, chip);
        const double use = std::min(0.8, solution.clk > 0 ? chip.dram_clk / solution.clk : 0);
        const double loaded = facts.gpu.latency.dram * loaded_latency(use);
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
    sort_shares(prediction.shares);
    prediction.limiter = limiter_of(prediction.shares);
}

Prediction compute(const LaunchFacts& facts) {
    Prediction prediction;
    const double ghz = facts.gpu.clock_ghz();
    if (ghz <= 0 || facts.execution.warps_run == 0) return prediction;
    const ChipTime chip = chip_time(facts, Start::warm);
    const Solution solution = solve(facts, chip, Start::warm);
    prediction.kernel_ns = facts.gpu.launch.fixed_ns + solution.clk / ghz;
    const bool differs = chip.hot || facts.machine != nullptr;
    const double cold_clk = differs ? solve(facts, chip_time(facts, Start::cold), Start::cold).clk : solution.clk;
    prediction.cold_ns = facts.gpu.launch.fixed_ns + cold_clk / ghz;
    prediction.time_ns = prediction.kernel_ns + facts.gpu.launch.event_ns;
    prediction.waves = solution.sm.waves;
    const double most = std::max(1u, facts.gpu.limits.max_warps_per_sm);
    prediction.warps_active_percent = 100 * std::min(1.0, solution.sm.warps_resident / most);
    add_shares(prediction, facts, solution, chip);
    return prediction;
}

// All that the prediction depends on, mixed into one number (FNV-1a, 64 bits).
class Fingerprint {
public:
    template<typename T> void add(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        for (const unsigned char byte : bytes) value_ = (value_ ^ byte) * 0x100000001b3u;
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::uint64_t fingerprint(const LaunchFacts& facts) {
    Fingerprint print;
    print.add(facts.machine.get());
    print.add(&facts.gpu);
    for (const std::uint32_t value : {facts.grid.x, facts.grid.y, facts.grid.z, facts.block.x, facts.block.y, facts.block.z,
                                      facts.dynamic_shared_bytes, facts.registers_per_thread})
        print.add(value);
    print.add(facts.scale);
    for (const emu::OpCount& count : facts.execution.counts) print.add(count.warps);
    for (const Traffic& traffic : facts.traffic) {
        if (traffic.requests == 0) continue;
        for (const std::uint64_t value : {traffic.requests, traffic.bytes, traffic.sectors, traffic.lines, traffic.wavefronts,
                                          traffic.atomic_addresses, traffic.atomic_max_lanes})
            print.add(value);
    }
    for (const OpCache& op : facts.cache.ops)
        for (const double value : {op.load_sectors, op.l1_hits, op.l2_hits, op.l2_reads}) print.add(value);
    for (const double value : {facts.cache.l2_read_sectors, facts.cache.l2_read_lines, facts.cache.dram_read_bytes,
                               facts.cache.dram_written_back_bytes, facts.cache.dram_dirty_bytes, facts.cache.footprint_bytes})
        print.add(value);
    for (const std::uint64_t value : {facts.atomics.turns, facts.atomics.hottest_sector, facts.atomics.hottest_chunk}) print.add(value);
    return print.value();
}

} // namespace

// Programs launch the same work again and again, and a run of an SM takes some milliseconds: the last answers are kept.
Prediction predict(const LaunchFacts& facts) {
    if (!facts.machine) return compute(facts);
    constexpr std::size_t most_kept = 4096;
    static std::mutex mutex;
    static std::unordered_map<std::uint64_t, Prediction> known;
    const std::uint64_t key = fingerprint(facts);
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(key); found != known.end()) return found->second;
    }
    Prediction prediction = compute(facts);
    const std::lock_guard lock(mutex);
    if (known.size() >= most_kept) known.clear();
    known.emplace(key, prediction);
    return prediction;
}

} // namespace apod::model
