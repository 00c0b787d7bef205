#include "model/predict/memory_cost.hpp"

#include <algorithm>
#include <cmath>

namespace apod::model {

namespace {

double per(std::uint64_t total, double executions) { return executions > 0 ? static_cast<double>(total) / executions : 0; }

// Flits of 32 B that a store sends out of its SM: one a sector, and one more a line where bytes need a mask.
double store_flits(const Traffic& stores) {
    const double masks = has_part_sectors(stores) ? static_cast<double>(stores.lines) : 0;
    return static_cast<double>(stores.sectors) + masks;
}

// Shares of an op's requests that wait for L2 at least, and for DRAM.
struct Waits {
    double l2 = 1;
    double dram = 1;
};

// Of a sample of lines: a request of few lines finds them together in one place; of one with many scattered lines any may be the furthest.
Waits waits_of(const OpCache& cache, const Traffic& traffic) {
    if (cache.requests > 0) return {cache.l2_requests / cache.requests, cache.dram_requests / cache.requests};
    if (cache.lines > 0) {
        constexpr double scattered = 8;
        constexpr double often = 0.1; // what is rarer comes together: lines that nobody had touched before
        const double lines = per(traffic.lines, static_cast<double>(traffic.requests));
        const auto any = [lines](double share) { return lines < scattered || share < often ? share : 1 - std::pow(1 - share, lines); };
        return {any(cache.l2_lines / cache.lines), any(cache.dram_lines / cache.lines)};
    }
    const double l1_miss = cache.load_sectors > 0 ? 1 - cache.l1_hits / cache.load_sectors : 1;
    return {l1_miss, l1_miss * (cache.l2_reads <= 0 ? 0 : 1 - cache.l2_hits / cache.l2_reads)};
}

// Of a load whose data passes in `more_clk` beyond the first wavefront.
void set_load_latency(MemoryCost& cost, const LaunchFacts& facts, std::uint32_t op, const Traffic& traffic, bool hot, double dram_latency,
                      double more_clk) {
    const arch::Latency& latency = facts.gpu.latency;
    const OpCache& cache = facts.cache.ops[std::min<std::size_t>(op, facts.cache.ops.size() - 1)];
    const Waits waits = waits_of(cache, traffic);
    cost.nearest = latency.l1_hit + more_clk;
    cost.l2_share = waits.l2;
    cost.l2_more_clk = latency.l2_hit - latency.l1_hit;
    cost.dram_share = hot ? 0 : waits.dram;
    cost.dram_more_clk = dram_latency - latency.l2_hit;
    cost.latency = std::max(cost.latency, cost.nearest + cost.l2_share * cost.l2_more_clk + cost.dram_share * cost.dram_more_clk);
}

void add_global(MemoryCost& cost, const LaunchFacts& facts, std::uint32_t op, double executions, bool hot, double dram_latency) {
    const Traffic& traffic = facts.of(op, emu::MemorySpace::global);
    if (traffic.requests == 0) return;
    const double wavefronts = per(traffic.wavefronts, executions);
    const double lines = per(traffic.lines, executions);
    const double requests = per(traffic.requests, executions);
    switch (traffic.kind) {
    case emu::AccessKind::load:
        // Tag stage: some tags a clock and a constant part.
        cost.lsu_clk +=
            std::max({wavefronts, (lines + facts.gpu.model.load_tags_more * requests) / facts.gpu.model.load_tags_per_clk, requests});
        set_load_latency(cost, facts, op, traffic, hot, dram_latency, wavefronts - 1);
        break;
    case emu::AccessKind::store:
        // The data stage is held until the store has left: a coalesced store costs four clocks (docs/model.md).
        cost.lsu_clk += std::max({wavefronts, lines, store_flits(traffic) / executions});
        cost.port_clk += store_flits(traffic) / executions;
        cost.l2_packets += store_packets(traffic, facts.gpu.model) / executions;
        break;
    case emu::AccessKind::atomic:
    case emu::AccessKind::reduction: {
        const double turns = per(traffic.atomic_max_lanes, executions);
        cost.lsu_clk += std::max(lines, wavefronts);
        cost.port_clk += 2 * lines;
        cost.l2_packets += lines; // what its slices take for it: chip_time
        if (traffic.kind == emu::AccessKind::atomic) cost.latency = std::max(cost.latency, facts.gpu.latency.atomic + turns);
        break;
    }
    }
    cost.requests += requests;
}

// Shared memory adds integers itself; for floats ptxas emits a loop.
bool is_compare_and_swap_loop(const LaunchFacts& facts, std::uint32_t op) {
    const emu::OpInfo& info = facts.program.ops[op];
    const ptx::Instruction& instruction = info.function->instructions[info.instruction];
    return (instruction.has("add") || instruction.has("min") || instruction.has("max")) && works_on_floats(instruction);
}

void add_shared(MemoryCost& cost, const LaunchFacts& facts, std::uint32_t op, double executions) {
    const Traffic& traffic = facts.of(op, emu::MemorySpace::shared);
    if (traffic.requests == 0) return;
    const double wavefronts = per(traffic.wavefronts, executions);
    const bool is_atomic = traffic.kind == emu::AccessKind::atomic || traffic.kind == emu::AccessKind::reduction;
    const double turns = is_atomic ? per(traffic.atomic_max_lanes, executions) : 0;
    cost.lsu_clk += std::max(wavefronts, turns);
    if (is_atomic && is_compare_and_swap_loop(facts, op)) {
        cost.blocking_clk = facts.gpu.model.swap_round_clk * per(traffic.requests, executions) * swap_rounds(facts, op);
        cost.requests += per(traffic.requests, executions);
        return;
    }
    if (traffic.kind == emu::AccessKind::load || traffic.kind == emu::AccessKind::atomic)
        cost.latency = std::max(cost.latency, facts.gpu.latency.shared + std::max(wavefronts, turns) * (is_atomic ? 4 : 2) - 2);
    cost.requests += per(traffic.requests, executions);
}

void add_local(MemoryCost& cost, const LaunchFacts& facts, std::uint32_t op, double executions, bool hot, double dram_latency) {
    const Traffic& traffic = facts.of(op, emu::MemorySpace::local);
    if (traffic.requests == 0) return;
    const double sectors = per(traffic.sectors, executions);
    cost.lsu_clk += std::max(per(traffic.requests, executions), sectors / 4);
    if (traffic.kind == emu::AccessKind::load) {
        const bool is_known = op < facts.cache.ops.size() && facts.cache.ops[op].lines > 0;
        if (is_known) set_load_latency(cost, facts, op, traffic, hot, dram_latency, 0);
        cost.latency = std::max(cost.latency, facts.gpu.latency.l1_hit);
    } else {
        cost.port_clk += sectors;
        cost.l2_packets += store_packets(traffic, facts.gpu.model) / executions; // lanes at different words leave parts of sectors
    }
    cost.requests += per(traffic.requests, executions);
}

} // namespace

bool has_part_sectors(const Traffic& stores) {
    return stores.sectors > 0 && static_cast<double>(stores.bytes) < 0.99 * static_cast<double>(stores.sectors) * sector_bytes;
}

bool works_on_floats(const ptx::Instruction& instruction) {
    return instruction.has("f32") || instruction.has("f64") || instruction.has("f16x2") || instruction.has("bf16x2");
}

double swap_rounds(const LaunchFacts& facts, std::uint32_t op) {
    const Traffic& traffic = facts.of(op, emu::MemorySpace::shared);
    if (traffic.requests == 0) return 1;
    const bool one_address = traffic.atomic_addresses <= traffic.requests;
    const double warps = one_address ? facts.warps_per_block() : 1;
    return per(traffic.atomic_max_lanes, static_cast<double>(traffic.requests)) * warps;
}

double requests_each(const LaunchFacts& facts, std::uint32_t op) {
    const std::uint64_t requests = facts.of(op, emu::MemorySpace::global).requests + facts.of(op, emu::MemorySpace::shared).requests;
    return per(requests, static_cast<double>(facts.execution.counts[op].warps));
}

double store_packets(const Traffic& stores, const arch::Model& model) {
    if (stores.lines == 0) return 0;
    const double lines = static_cast<double>(stores.lines);
    const double sectors = static_cast<double>(stores.sectors);
    if (!has_part_sectors(stores)) return std::max(model.whole_line_packets * lines, sectors / 4);
    const double spread = lines / static_cast<double>(stores.requests) / emu::lanes;
    const double packets = model.part_line_packets * lines + model.part_sector_packets * sectors;
    return packets * (model.few_lines_packets + (1 - model.few_lines_packets) * spread);
}

MemoryCost memory_cost(const LaunchFacts& facts, std::uint32_t op, bool hot, double dram_latency) {
    MemoryCost cost;
    const double executions = static_cast<double>(facts.execution.counts[op].warps);
    if (executions <= 0) return cost;
    add_global(cost, facts, op, executions, hot, dram_latency);
    add_shared(cost, facts, op, executions);
    add_local(cost, facts, op, executions, hot, dram_latency);
    const Traffic& constant = facts.of(op, emu::MemorySpace::constant);
    if (constant.requests > 0) {
        cost.requests += per(constant.requests, executions);
        cost.latency = std::max(cost.latency, facts.gpu.latency.l1_hit);
    }
    return cost;
}

} // namespace apod::model
