#include "model/predict/sm_time.hpp"

#include <algorithm>
#include <cmath>

namespace apod::model {

namespace {

// Clocks in which one SM can do what `warps` warps ask of its units: the busiest unit counts.
struct Demand {
    double issue = 0;
    double lsu = 0;
    double port = 0;
    double pipe = 0;
    Pipe busiest = Pipe::none;
    [[nodiscard]] double largest() const { return std::max({issue, lsu, port, pipe}); }
};

Demand demand_of(const WarpWork& work, double warps, const arch::Gpu& gpu) {
    Demand demand;
    const double schedulers = std::max(1u, gpu.limits.sub_partitions);
    // Warps are dealt to schedulers; the one with the most sets the time.
    demand.issue = work.slots * std::ceil(warps / schedulers);
    const double requests_rate = gpu.caches.lsu_requests_per_clk > 0 ? gpu.caches.lsu_requests_per_clk : 1;
    demand.lsu = warps * work.lsu_clk / std::min(1.0, requests_rate);
    demand.port = warps * work.port_clk;
    for (std::size_t p = 0; p < pipe_count; ++p) {
        double clk = warps * work.pipe_clk[p];
        // One of the two halves of the FP32 path is also the integer path: they share the slots of both.
        if (gpu.throughput.shared_fp32_int_path && static_cast<Pipe>(p) == Pipe::fma)
            clk += 0.5 * warps * work.pipe_clk[static_cast<std::size_t>(Pipe::alu)];
        if (clk <= demand.pipe) continue;
        demand.pipe = clk;
        demand.busiest = static_cast<Pipe>(p);
    }
    return demand;
}

// How much of the smaller of latency and demand is hidden behind the larger. Straight-line code has its warps wait together and then work
// together, so nothing is hidden; a loop staggers them; more than two resident blocks stagger each other; a barrier in the loop leaves the
// staggering to the other blocks.
double hidden_share(const WarpWork& work, double blocks, const arch::Model& model) {
    const double by_blocks = blocks > 2 ? model.hidden_by_blocks * (1 - 2 / blocks) : 0;
    double by_loops = 1 - 1 / std::max(1.0, work.rounds);
    if (work.barrier_in_loop) by_loops *= 1 - 1 / std::max(1.0, blocks + 1);
    return std::clamp(by_loops + (1 - by_loops) * by_blocks, 0.0, 1.0);
}

// Clocks between two blocks in one place of an SM: what one warp sees, and the starting of a block's warps one after the other.
double turnaround_clk(const LaunchFacts& facts) {
    return facts.gpu.launch.block_turnaround_clk + facts.gpu.model.warp_start_clk * facts.warps_per_block();
}

// `first_clk`: what the first wave must also wait for, behind which its work hides.
double wave_clk(const LaunchFacts& facts, const WarpWork& work, double blocks, double first_clk) {
    const Demand demand = demand_of(work, blocks * facts.warps_per_block(), facts.gpu);
    const double latency = work.latency_clk;
    const double busy = std::max(demand.largest(), first_clk);
    const double visible = std::min(latency, busy) * (1 - hidden_share(work, blocks, facts.gpu.model));
    return turnaround_clk(facts) + std::max(latency, busy) + visible;
}

// Instructions come from L2 the first time, in lines of 8, which the SM's warps wait for together.
double cold_code_clk(const WarpWork& work, const arch::Model& model) { return work.static_slots / 8 * model.code_miss_clk; }

} // namespace

SmTime sm_time(const LaunchFacts& facts, const WarpWork& work) {
    SmTime time;
    const double grid = static_cast<double>(facts.grid.count());
    const double sms = std::max(1u, facts.gpu.sm_count);
    const double resident = std::max(1u, facts.occupancy.blocks_per_sm);
    const double wave_blocks = sms * resident;
    time.waves = grid / wave_blocks;
    const double full_waves = std::floor(time.waves);
    const double rest_blocks = std::ceil((grid - full_waves * wave_blocks) / sms);

    const double ramp = std::min(grid, wave_blocks) / std::max(1e-9, facts.gpu.launch.blocks_per_clk);
    const double first_clk = std::max(ramp, cold_code_clk(work, facts.gpu.model));
    for (double wave = 0; wave < std::min(full_waves, 1.0); ++wave) time.total_clk += wave_clk(facts, work, resident, first_clk);
    if (full_waves > 1) time.total_clk += (full_waves - 1) * wave_clk(facts, work, resident, 0);
    if (rest_blocks > 0) time.total_clk += wave_clk(facts, work, rest_blocks, full_waves > 0 ? 0 : first_clk);

    time.total_clk *= facts.imbalance;
    const double longest_clk = turnaround_clk(facts) + work.latency_clk * facts.longest_warp;
    time.total_clk = std::max(time.total_clk, longest_clk);

    const double all_waves = full_waves + (rest_blocks > 0 ? 1 : 0);
    time.latency_clk = std::max(longest_clk, all_waves * (work.latency_clk + turnaround_clk(facts)));
    const double busiest_sm_blocks = full_waves * resident + rest_blocks;
    const Demand demand = demand_of(work, busiest_sm_blocks * facts.warps_per_block(), facts.gpu);
    time.issue_clk = demand.issue;
    time.lsu_clk = demand.lsu;
    time.port_clk = demand.port;
    time.pipe_clk = demand.pipe;
    time.pipe = demand.busiest;
    time.warps_resident = facts.warps_per_block() * (full_waves > 0 ? resident : std::max(1.0, grid / std::min(grid, sms)));
    return time;
}

} // namespace apod::model
