#include "model/predict/predict.hpp"

#include "arch/fields.hpp"
#include "model/machine/machine_work.hpp"
#include "model/predict/chip_time.hpp"
#include "model/predict/limiter.hpp"
#include "model/predict/sm_time.hpp"
#include "model/predict/warp_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <optional>
#include <type_traits>
#include <unordered_map>

namespace apod::model {

namespace {

// Resources that are busy together hide each other, but not wholly: between their maximum and their sum.
double combine(double exponent, std::initializer_list<double> clocks) {
    double sum = 0;
    for (const double clk : clocks) sum += std::pow(std::max(0.0, clk), exponent);
    return std::pow(sum, 1 / exponent);
}

double total_clk(const arch::Gpu& gpu, const SmTime& sm, const ChipTime& chip) {
    return combine(gpu.model.overlap_exponent,
                   {sm.total_clk, std::max({chip.l2_read_clk, chip.l2_write_clk, chip.atomic_clk}), chip.dram_clk, chip.dispatch_clk});
}

struct Solution {
    WarpWork work;
    SmTime sm;
    double clk = 0;
};

// A line that a warp prints is thousands of instructions, in which it goes alone; the lanes of all warps wait for each other at the buffer.
double print_clk(const LaunchFacts& facts) {
    const arch::Model& model = facts.gpu.model;
    const double each = facts.prints / static_cast<double>(facts.execution.warps_run);
    return (model.print_start_ns * each + model.print_lane_ns * facts.print_lanes * facts.scale) * facts.gpu.clock_ghz();
}

// A busy DRAM answers later (loaded_latency), by its share of the time, which in turn depends on the latency. Three rounds settle it.
Solution solve_without_prints(const LaunchFacts& facts, const ChipTime& chip, Start start) {
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
        solution.clk = total_clk(facts.gpu, solution.sm, chip);
        const double use = std::min(0.8, solution.clk > 0 ? chip.dram_clk / solution.clk : 0);
        const double loaded = facts.gpu.latency.dram * loaded_latency(facts.gpu, use);
        if (chip.dram_clk == 0 || std::abs(loaded - dram_latency) < 1) break;
        dram_latency = loaded;
    }
    return solution;
}

Solution solve(const LaunchFacts& facts, const ChipTime& chip, Start start) {
    Solution solution = solve_without_prints(facts, chip, start);
    const double prints = print_clk(facts);
    solution.clk += prints;
    solution.sm.latency_clk += prints;
    return solution;
}

// The shares of one time, warm or cold.
struct Limits {
    std::string limiter;
    std::vector<LimiterShare> shares;
};

void add_share(Limits& limits, std::string name, double ns, double of_ns) {
    if (ns <= 0) return;
    limits.shares.push_back({std::move(name), ns, of_ns > 0 ? ns / of_ns : 0});
}

Limits limits_of(const LaunchFacts& facts, const Solution& solution, const ChipTime& chip, double overhead_ns, double time_ns) {
    Limits limits;
    const auto add = [&](std::string name, double clk) { add_share(limits, std::move(name), clk / facts.gpu.clock_ghz(), time_ns); };
    add("issue", solution.sm.issue_clk);
    if (solution.sm.pipe != Pipe::none) add(std::string(pipe_name(solution.sm.pipe)), solution.sm.pipe_clk);
    const bool mostly_shared = solution.work.shared_lsu_clk > 0.5 * solution.work.lsu_clk;
    add(mostly_shared ? "shared" : "lsu", solution.sm.lsu_clk);
    add("port", solution.sm.port_clk);
    add("latency", solution.sm.latency_clk);
    add("l2 reads", chip.l2_read_clk);
    add("l2 writes", chip.l2_write_clk);
    add("atomics", chip.atomic_clk);
    add("dram", chip.dram_clk);
    add("dispatch", chip.dispatch_clk);
    add_share(limits, "launch", overhead_ns, time_ns);
    sort_shares(limits.shares);
    limits.limiter = limiter_of(limits.shares);
    return limits;
}

Prediction compute(const LaunchFacts& facts) {
    Prediction prediction;
    const double ghz = facts.gpu.clock_ghz();
    if (ghz <= 0 || facts.execution.warps_run == 0) return prediction;
    const ChipTime chip = chip_time(facts, Start::warm);
    const Solution solution = solve(facts, chip, Start::warm);
    const double fixed_ns = facts.gpu.launch.fixed_ns;
    prediction.time_ns = fixed_ns + solution.clk / ghz;
    const bool differs = chip.hot || facts.machine != nullptr;
    const ChipTime cold_chip = differs ? chip_time(facts, Start::cold) : chip;
    const Solution cold = differs ? solve(facts, cold_chip, Start::cold) : solution;
    prediction.cold_ns = fixed_ns + cold.clk / ghz;
    prediction.waves = solution.sm.waves;
    const double most = std::max(1u, facts.gpu.limits.max_warps_per_sm);
    prediction.warps_active_percent = 100 * std::min(1.0, solution.sm.warps_resident / most);
    Limits warm_limits = limits_of(facts, solution, chip, fixed_ns, prediction.time_ns);
    prediction.limiter = std::move(warm_limits.limiter);
    prediction.shares = std::move(warm_limits.shares);
    Limits cold_limits = limits_of(facts, cold, cold_chip, fixed_ns, prediction.cold_ns);
    prediction.cold_limiter = std::move(cold_limits.limiter);
    prediction.cold_shares = std::move(cold_limits.shares);
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

// Every number: what-if changes single ones of an otherwise equal description.
void add_gpu(Fingerprint& print, const arch::Gpu& gpu) {
    print.add(gpu.cc.number());
    for (const arch::NumberField& field : arch::number_fields()) print.add(arch::number_of(gpu, field));
}

std::uint64_t fingerprint(const LaunchFacts& facts) {
    Fingerprint print;
    print.add(facts.machine.get());
    add_gpu(print, facts.gpu);
    for (const std::uint32_t value : {facts.grid.x, facts.grid.y, facts.grid.z, facts.block.x, facts.block.y, facts.block.z,
                                      facts.dynamic_shared_bytes, facts.registers_per_thread})
        print.add(value);
    print.add(facts.scale);
    print.add(facts.imbalance);
    print.add(facts.longest_warp);
    for (const std::uint32_t requests : facts.longest_requests) print.add(requests);
    print.add(facts.prints);
    print.add(facts.print_lanes);
    print.add(facts.occupancy.blocks_per_sm);
    for (const emu::OpCount& count : facts.execution.counts) print.add(count.warps);
    for (const Traffic& traffic : facts.traffic) {
        if (traffic.requests == 0) continue;
        for (const std::uint64_t value : {traffic.requests, traffic.bytes, traffic.sectors, traffic.lines, traffic.random_lines,
                                          traffic.wavefronts, traffic.atomic_addresses, traffic.atomic_max_lanes})
            print.add(value);
        for (const std::uint64_t value : traffic.apart) print.add(value);
    }
    for (const OpCache& op : facts.cache.ops)
        for (const double value : {op.load_sectors, op.l1_hits, op.l2_hits, op.l2_reads, op.lines, op.l2_lines, op.dram_lines, op.requests,
                                   op.l2_requests, op.dram_requests})
            print.add(value);
    for (const double value : {facts.cache.l2_read_sectors, facts.cache.l2_read_lines, facts.cache.dram_read_bytes,
                               facts.cache.dram_written_back_bytes, facts.cache.dram_dirty_bytes, facts.cache.footprint_bytes})
        print.add(value);
    for (const std::uint64_t value : {facts.atomics.turns, facts.atomics.hottest_sector, facts.atomics.hottest_chunk}) print.add(value);
    return print.value();
}

// Programs launch the same work again and again, and a run of an SM takes some milliseconds.
class Kept {
public:
    std::optional<Prediction> find(std::uint64_t key) {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(key);
        return found == known_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(std::uint64_t key, const Prediction& prediction) {
        constexpr std::size_t most = 4096;
        const std::lock_guard lock(mutex_);
        if (known_.size() >= most) known_.clear();
        known_.emplace(key, prediction);
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        known_.clear();
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Prediction> known_;
};

Kept& kept() {
    static Kept predictions;
    return predictions;
}

} // namespace

Prediction predict(const LaunchFacts& facts) {
    if (!facts.machine) return compute(facts);
    const std::uint64_t key = fingerprint(facts);
    if (auto known = kept().find(key)) return *std::move(known);
    Prediction prediction = compute(facts);
    kept().add(key, prediction);
    return prediction;
}

void forget_predictions() { kept().clear(); }

} // namespace apod::model
