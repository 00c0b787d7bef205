#include "model/predict/chip_time.hpp"

#include "model/predict/memory_cost.hpp"

#include <algorithm>

namespace apod::model {

namespace {

// What DRAM reaches of its theoretical rate, by the share of writes: between the measured points for none, a third, a half, and all.
double dram_efficiency(const arch::Memory& memory, double write_share) {
    const auto between = [](double from, double to, double at) { return from + (to - from) * at; };
    if (write_share <= 1.0 / 3) return between(memory.efficiency_read, memory.efficiency_triad, write_share * 3);
    if (write_share <= 0.5) return between(memory.efficiency_triad, memory.efficiency_mix, (write_share - 1.0 / 3) * 6);
    return between(memory.efficiency_mix, memory.efficiency_write, (write_share - 0.5) * 2);
}

bool fits_l2(const LaunchFacts& facts) { return facts.cache.footprint_bytes * facts.scale <= usable_l2_bytes(facts.gpu); }

double written_bytes(const LaunchFacts& facts) {
    return (facts.cache.dram_written_back_bytes + (fits_l2(facts) ? 0 : facts.cache.dram_dirty_bytes)) * facts.scale;
}

// Of what loads ask for (`amount` of an op's simulated traffic), the share of requests whose lines lie anywhere.
template<typename Amount> double random_reads(const LaunchFacts& facts, const Amount& amount) {
    double all = 0;
    double random = 0;
    for (std::uint32_t op = 0; op < std::min(facts.cache.ops.size(), facts.program.ops.size()); ++op) {
        const Traffic& traffic = facts.of(op, emu::MemorySpace::global);
        const double part = amount(facts.cache.ops[op]);
        all += part;
        if (traffic.lines > 0) random += part * static_cast<double>(traffic.random_lines) / static_cast<double>(traffic.lines);
    }
    return all > 0 ? random / all : 0;
}

// Of the sectors that are stored, the share of those that lie anywhere and are written in part.
double random_part_stores(const LaunchFacts& facts) {
    double all = 0;
    double random = 0;
    for (std::uint32_t op = 0; op < facts.program.ops.size(); ++op)
        for (const emu::MemorySpace space : {emu::MemorySpace::global, emu::MemorySpace::local}) {
            const Traffic& traffic = facts.of(op, space);
            if (traffic.requests == 0 || traffic.kind != emu::AccessKind::store) continue;
            all += static_cast<double>(traffic.sectors);
            if (traffic.lines > 0 && has_part_sectors(traffic))
                random +=
                    static_cast<double>(traffic.sectors) * static_cast<double>(traffic.random_lines) / static_cast<double>(traffic.lines);
        }
    return all > 0 ? random / all : 0;
}

// L2 answers a read a line in about 1.4 times the time that the line's four sectors would take one by one.
// Lines that lie anywhere meet in slices, and take longer still.
double l2_read_clk(const LaunchFacts& facts) {
    const double per_clk = facts.gpu.caches.l2_bytes_per_clk / sector_bytes;
    if (per_clk <= 0) return 0;
    const double share = random_reads(facts, [](const OpCache& op) { return op.l2_reads; });
    const double slower = 1 + share * (facts.gpu.model.l2_line_share / facts.gpu.model.l2_random_line_share - 1);
    return facts.scale *
           std::max(facts.cache.l2_read_sectors / per_clk, slower * facts.cache.l2_read_lines / (facts.gpu.model.l2_line_share * per_clk));
}

bool adds_floats(const LaunchFacts& facts) {
    for (std::uint32_t op = 0; op < facts.program.ops.size(); ++op) {
        const emu::OpInfo& info = facts.program.ops[op];
        if (facts.of(op, emu::MemorySpace::global).atomic_addresses == 0) continue;
        const ptx::Instruction& instruction = info.function->instructions[info.instruction];
        if (works_on_floats(instruction)) return true;
    }
    return false;
}

double l2_write_clk(const LaunchFacts& facts) {
    double packets = 0;
    for (std::uint32_t op = 0; op < facts.program.ops.size(); ++op) {
        const double executions = static_cast<double>(facts.execution.counts[op].warps);
        if (executions > 0) packets += memory_cost(facts, op, true, 0).l2_packets * executions;
    }
    double per_clk = facts.gpu.caches.l2_write_sectors_per_clk;
    if (per_clk <= 0) per_clk = facts.gpu.model.store_packets_per_sm * facts.gpu.sm_count;
    return facts.scale * packets / per_clk;
}

// A slice takes its time for a turn of a sector; the same sector can be done again later, one of floats later still; the slices work at
// once (bench/device/atomics.cu: within a tenth of what was measured from one address to four million).
double atomic_ns(const LaunchFacts& facts) {
    const arch::Model& model = facts.gpu.model;
    const double again_ns = adds_floats(facts) ? model.atomic_again_float_ns : model.atomic_again_ns;
    const double in_slices = model.atomic_turn_ns * (static_cast<double>(facts.atomics.hottest_chunk) +
                                                     static_cast<double>(facts.atomics.turns) / model.atomic_slices);
    return facts.scale * std::max(in_slices, again_ns * static_cast<double>(facts.atomics.hottest_sector));
}

} // namespace

double dram_bytes(const LaunchFacts& facts, bool hot) { return hot ? 0 : facts.cache.dram_read_bytes * facts.scale + written_bytes(facts); }

ChipTime chip_time(const LaunchFacts& facts, Start start) {
    ChipTime time;
    time.hot = start == Start::warm && fits_l2(facts);
    time.l2_read_clk = l2_read_clk(facts);
    time.l2_write_clk = l2_write_clk(facts);
    if (facts.atomics.turns > 0) time.atomic_clk = atomic_ns(facts) * facts.gpu.clock_ghz();
    const double bytes = dram_bytes(facts, time.hot);
    if (bytes > 0 && facts.gpu.memory.peak_gbs > 0) {
        const double efficiency = dram_efficiency(facts.gpu.memory, written_bytes(facts) / bytes);
        // Reads that lie anywhere open a row of the memory for each; sectors that were written in part are read before they are written.
        const arch::Model& model = facts.gpu.model;
        const double random = random_reads(facts, [](const OpCache& op) { return op.l2_reads - op.l2_hits; });
        const double read = facts.cache.dram_read_bytes * facts.scale / bytes;
        const double slower = 1 + read * random * std::max(0.0, efficiency / model.dram_random_share - 1) +
                              (1 - read) * random_part_stores(facts) * std::max(0.0, efficiency / model.dram_part_share - 1);
        time.dram_clk = slower * bytes / (facts.gpu.memory.peak_gbs * efficiency) * facts.gpu.clock_ghz();
    }
    if (facts.gpu.launch.blocks_per_clk > 0) time.dispatch_clk = static_cast<double>(facts.grid.count()) / facts.gpu.launch.blocks_per_clk;
    return time;
}

} // namespace apod::model
