#include "model/machine/machine_work.hpp"

#include "model/machine/frequency.hpp"
#include "model/machine/sm_run.hpp"
#include "model/predict/chip_time.hpp"
#include "model/predict/memory_cost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace apod::model {

namespace {

using sass::Unit;

// Warp instructions that a run may issue; longer ones are cut short and extrapolated.
constexpr double run_budget = 200000;

class MachineTimes {
public:
    MachineTimes(const LaunchFacts& facts, const ChipTime& chip, Start start) :
        facts_(facts),
        code_(*facts.machine),
        chip_(chip),
        start_(start),
        frequency_(block_frequencies(facts)),
        of_op_(facts.program.ops.size(), 0) {
        const double grid = static_cast<double>(facts.grid.count());
        active_ = std::min<double>(std::max(1u, facts.gpu.sm_count), grid);
        blocks_ = std::ceil(grid / active_);
        for (std::uint32_t b = 0; b < code_.flow.blocks.size(); ++b)
            for (std::uint32_t i = code_.flow.blocks[b].first; i < code_.flow.blocks[b].last; ++i)
                if (is_access(i)) of_op_[code_.op[i]] += frequency_[b];
        set_costs();
    }

    // A busy DRAM answers later, as in predict.cpp: its share of the time decides the latency, and the latency the time.
    MachineTime find() {
        MachineTime time;
        add_demand(time.work);
        const SmShape shape = shape_of();
        time.clk = busiest(shape);
        for (int round = 0; round < 2 && chip_.dram_clk > 0 && time.clk > 0; ++round) {
            const double loaded = loaded_latency(facts_.gpu, std::min(0.8, chip_.dram_clk / time.clk));
            if (std::abs(loaded - loaded_) < 0.02) break;
            loaded_ = loaded;
            set_costs();
            time.clk = busiest(shape);
        }
        return time;
    }

private:
    void set_costs() {
        costs_.clear();
        for (std::uint32_t i = 0; i < code_.kernel.instructions.size(); ++i) costs_.push_back(cost_of(i));
        share_chip();
    }

    // Parameters come from constant memory; what uses them may access another.
    bool is_access(std::uint32_t i) const {
        const sass::Instruction& instruction = code_.kernel.instructions[i];
        if (code_.op[i] == no_op || instruction.access == sass::Access::none) return false;
        return instruction.space != sass::Space::constant || facts_.program.ops[code_.op[i]].op_class == emu::OpClass::load_constant;
    }

    SmShape shape_of() const {
        SmShape shape;
        shape.warps_per_block = facts_.warps_per_block();
        shape.resident_blocks = std::max(1u, facts_.occupancy.blocks_per_sm);
        shape.sub_partitions = std::max(1u, facts_.gpu.limits.sub_partitions);
        shape.dispatch_clk = facts_.gpu.launch.blocks_per_clk > 0 ? active_ / facts_.gpu.launch.blocks_per_clk : 0;
        shape.turnaround_clk = facts_.gpu.model.block_start_clk;
        shape.warp_start_clk = facts_.gpu.model.warp_start_clk;
        const double per_warp = facts_.gpu.throughput.barrier > 0 ? emu::lanes / facts_.gpu.throughput.barrier : 2;
        shape.barrier_clk = facts_.gpu.latency.barrier + per_warp * facts_.warps_per_block();
        shape.code_line_clk = facts_.gpu.model.code_line_clk;
        shape.lsu_queue_clk = facts_.gpu.model.lsu_queue_clk;
        shape.outstanding_clk = facts_.gpu.model.outstanding_clk;
        shape.operands_read_clk = facts_.gpu.model.operands_read_clk;
        shape.code_start_clk = start_ == Start::cold ? facts_.gpu.model.code_cold_clk : 0;
        return shape;
    }

    double instructions_of(const std::vector<double>& frequency) const {
        double sum = 0;
        for (std::uint32_t b = 0; b < frequency.size(); ++b) sum += frequency[b] * (code_.flow.blocks[b].last - code_.flow.blocks[b].first);
        return sum;
    }

    // Loops cut to a part of their rounds, at least two where there were.
    std::vector<double> shortened(double part) const {
        std::vector<double> ratio(code_.flow.loops.size(), 1);
        for (std::uint32_t l = 0; l < code_.flow.loops.size(); ++l) {
            const sass::Loop& loop = code_.flow.loops[l];
            double rounds = 0;
            for (const std::uint32_t b : loop.blocks) rounds = std::max(rounds, code_.flow.blocks[b].loop == l ? frequency_[b] : 0);
            const double outer = loop.parent == sass::nowhere ? 1 : ratio[loop.parent];
            // Outer loops are cut first; what is inside them is cut with them.
            const double now = rounds * outer;
            const double wanted = std::max(2.0, rounds * part);
            ratio[l] = now > wanted ? outer * wanted / now : outer;
        }
        std::vector<double> result = frequency_;
        for (std::uint32_t b = 0; b < result.size(); ++b)
            if (code_.flow.blocks[b].loop != sass::nowhere) result[b] *= ratio[code_.flow.blocks[b].loop];
        return result;
    }

    // Of the SM with the most work, where blocks differ; and no sooner than the longest warp is done, though it be alone.
    double busiest(const SmShape& shape) {
        std::vector<double> average = std::exchange(frequency_, of_busiest_sm());
        const double busiest = whole(shape);
        frequency_ = std::move(average);
        return facts_.longest_warp > 1 ? std::max(busiest, lone_warp(shape)) : busiest;
    }

    // Either more of its warps do what only a part of all does, or they do it longer. The first costs nothing where the warps only wait.
    std::vector<double> of_busiest_sm() const {
        std::vector<double> result = frequency_;
        for (std::uint32_t b = 0; b < result.size(); ++b) {
            const double more = result[b] * facts_.imbalance;
            result[b] = code_.flow.blocks[b].loop != sass::nowhere ? more : std::min(more, std::max(1.0, result[b]));
        }
        return result;
    }

    double lone_warp(SmShape shape) {
        shape.warps_per_block = 1;
        const double blocks = std::exchange(blocks_, 1);
        std::vector<double> average = std::exchange(frequency_, of_longest_warp());
        const double alone = whole(shape);
        frequency_ = std::move(average);
        blocks_ = blocks;
        return alone;
    }

    // What the longest warp executes more than the average one it does in loops; code outside of them runs once, if it is the longest that
    // does.
    std::vector<double> of_longest_warp() const {
        std::vector<double> result = longest_frequencies(facts_);
        const bool is_known = !result.empty();
        if (!is_known) result = frequency_;
        double straight = 0;
        double loops = 0;
        for (std::uint32_t b = 0; b < result.size(); ++b) {
            const double instructions = code_.flow.blocks[b].last - code_.flow.blocks[b].first;
            if (code_.flow.blocks[b].loop == sass::nowhere) {
                result[b] = std::max(result[b], std::min(1.0, result[b] * facts_.longest_warp));
                straight += result[b] * instructions;
            } else {
                loops += result[b] * instructions;
            }
        }
        if (loops <= 0) return result;
        // Where its requests told which loops it runs, these may come out too long as well.
        const double longer = std::max(is_known ? 0.1 : 1.0, (facts_.longest_warp * instructions_of(frequency_) - straight) / loops);
        for (std::uint32_t b = 0; b < result.size(); ++b)
            if (code_.flow.blocks[b].loop != sass::nowhere) result[b] *= longer;
        return result;
    }

    // An average SM's whole time. Long grids: some waves, and the others at the pace of these. Long loops: two cuts of them, and on along
    // the line through both.
    double whole(const SmShape& shape) {
        const double resident = shape.resident_blocks;
        const double rest = std::fmod(blocks_, resident);
        const double full = instructions_of(frequency_);
        double run_blocks = blocks_;
        for (const double waves : {3.0, 2.0})
            if (run_blocks > waves * resident + rest && full * run_blocks * shape.warps_per_block > run_budget)
                run_blocks = waves * resident + rest;
        const double budget = run_budget / (run_blocks * shape.warps_per_block);
        if (full <= budget) return extended(shape, frequency_, run_blocks);
        double part = budget / full;
        std::vector<double> shorter = shortened(part);
        for (int i = 0; i < 6 && instructions_of(shorter) > 1.5 * budget && part > 1e-9; ++i) shorter = shortened(part /= 3);
        const std::vector<double> shortest = shortened(part / 2);
        const double n2 = instructions_of(shorter);
        const double n1 = instructions_of(shortest);
        const double t2 = extended(shape, shorter, run_blocks);
        if (n2 - n1 < 0.05 * n2) return t2 * full / n2;
        const double t1 = extended(shape, shortest, run_blocks);
        return t2 + (t2 - t1) / (n2 - n1) * (full - n2);
    }

    double extended(const SmShape& shape, const std::vector<double>& frequency, double run_blocks) const {
        const SmRun run = run_sm(code_, costs_, frequency, shape, static_cast<std::uint32_t>(run_blocks));
        // Where the paths came out shorter or longer than what is counted, the time goes with the instructions.
        const double wanted = instructions_of(frequency) * run_blocks * shape.warps_per_block;
        const double longer = run.instructions > 0 ? std::clamp(wanted / run.instructions, 0.1, 10.0) : 1;
        const std::size_t resident = shape.resident_blocks;
        if (run_blocks >= blocks_ || run.ends.size() < 2 * resident) return longer * run.clk;
        // From the end of a wave to the end of the next.
        const double pace = (run.ends[2 * resident - 1] - run.ends[resident - 1]) / static_cast<double>(resident);
        return longer * (run.clk + (blocks_ - run_blocks) * pace);
    }

    double issue_clk(Unit unit) const {
        const arch::Throughput& rate = facts_.gpu.throughput;
        const double parts = std::max(1u, facts_.gpu.limits.sub_partitions);
        const auto clk = [parts](double results) { return results > 0 ? emu::lanes * parts / results : 1; };
        switch (unit) {
        case Unit::alu: return clk(rate.int_add);
        case Unit::fma: return clk(rate.fp32);
        case Unit::fma_heavy: return clk(rate.int_mul);
        case Unit::fp64: return clk(rate.fp64);
        case Unit::special: return clk(rate.special);
        case Unit::uniform: return 2;
        case Unit::constant: return facts_.gpu.model.indexed_constant_clk * parts;
        case Unit::memory:
        case Unit::shuffle: return 2;
        default: return 1;
        }
    }

    InstructionCost cost_of(std::uint32_t i) const {
        const sass::Instruction& instruction = code_.kernel.instructions[i];
        const arch::Latency& latency = facts_.gpu.latency;
        InstructionCost cost;
        cost.issue_clk = issue_clk(instruction.unit);
        switch (instruction.unit) {
        case Unit::memory: add_memory(i, cost); break;
        case Unit::special: cost.latency = latency.special; break;
        case Unit::shuffle:
            cost.latency = latency.shared - 5;
            cost.lsu_clk = 1;
            break;
        case Unit::constant: cost.latency = latency.l1_hit; break;
        case Unit::registers:
            cost.latency = latency.shared;
            cost.lsu_clk = 1;
            break;
        default: cost.latency = instruction.write_barrier != sass::no_barrier ? latency.special : latency.alu;
        }
        return cost;
    }

    void add_memory(std::uint32_t i, InstructionCost& cost) const {
        const sass::Instruction& instruction = code_.kernel.instructions[i];
        cost.lsu_clk = 1;
        cost.latency = facts_.gpu.latency.l1_hit;
        if (code_.op[i] == no_op) { // spilled registers: four sectors of local memory, which stay in L1
            if (instruction.access == sass::Access::store) cost.port_clk = 4;
            return;
        }
        const MemoryCost memory = memory_cost(facts_, code_.op[i], chip_.hot, dram_latency());
        cost.latency = std::max(memory.latency, facts_.gpu.latency.alu);
        if (memory.l2_share > 0) {
            cost.latency = memory.nearest;
            cost.l2_share = memory.l2_share;
            cost.l2_more_clk = memory.l2_more_clk;
            cost.dram_share = memory.dram_share;
            cost.dram_more_clk = memory.dram_more_clk;
            cost.phase = phase_of(code_.op[i]);
        }
        if (is_loop_of_swaps(i)) {
            cost.latency = facts_.gpu.latency.shared + (instruction.access == sass::Access::atomic ? facts_.gpu.latency.shared : 0);
            return;
        }
        const double part = part_of_op(code_.op[i]);
        if (memory.requests > 0) cost.lsu_clk = memory.lsu_clk * part;
        cost.port_clk = memory.port_clk * part;
    }

    // Of what an op does, what one of its instructions does: a load of a matrix' tile becomes several.
    double part_of_op(std::uint32_t op) const {
        if (requests_each(facts_, op) < 1.5 || of_op_[op] <= 0) return 1;
        const double warps = std::max<double>(1, static_cast<double>(facts_.execution.warps_run));
        return std::min(1.0, static_cast<double>(facts_.execution.counts[op].warps) / warps / of_op_[op]);
    }

    // Loads that walk through memory together come to new sectors together, neighbours one after the other; others know nothing of each
    // other.
    double phase_of(std::uint32_t op) const {
        const auto& apart = facts_.of(op, emu::MemorySpace::global).apart;
        const auto most = std::max_element(apart.begin(), apart.end());
        const std::uint64_t all = std::accumulate(apart.begin(), apart.end(), std::uint64_t{0});
        if (all == 0) return 0;
        constexpr double nearly_all = 0.9;
        if (static_cast<double>(*most) >= nearly_all * static_cast<double>(all))
            return static_cast<double>(most - apart.begin()) / static_cast<double>(apart.size());
        const double any = op * 0.7548776662466927; // the plastic number's inverse: neither all equal nor in step with the turns
        return any - std::floor(any);
    }

    double dram_latency() const {
        const arch::Latency& latency = facts_.gpu.latency;
        return loaded_ * (start_ == Start::warm ? latency.dram : facts_.gpu.model.cold_dram_latency * latency.dram);
    }

    // An atomic that shared memory cannot do: load, compute, compare and swap, again until nobody came between.
    bool is_loop_of_swaps(std::uint32_t i) const {
        const emu::OpClass kind = facts_.program.ops[code_.op[i]].op_class;
        return kind == emu::OpClass::atomic_shared && code_.in_loop_of_swaps(i);
    }

    // Hands the chip's clocks out to the instructions that cause them, so that this SM's blocks together take exactly those.
    void share_chip() {
        const std::size_t ops = facts_.program.ops.size();
        double reads = 0;
        double misses = 0;
        double packets = 0;
        double stored = 0;
        double atomics = 0;
        std::vector<double> packets_of(ops, 0);
        for (std::uint32_t op = 0; op < ops; ++op) {
            if (facts_.execution.counts[op].warps == 0) continue;
            const Traffic& traffic = beyond_l1(op);
            packets_of[op] = memory_cost(facts_, op, true, 0).l2_packets * static_cast<double>(facts_.execution.counts[op].warps);
            packets += packets_of[op];
            const OpCache cache = op < facts_.cache.ops.size() ? facts_.cache.ops[op] : OpCache{};
            reads += cache.l2_reads;
            misses += cache.l2_reads - cache.l2_hits;
            if (is_store(traffic)) stored += static_cast<double>(traffic.sectors);
            if (is_atomic(traffic)) atomics += static_cast<double>(traffic.lanes);
        }
        const double written = dram_written_share();
        const double warps = blocks_ * facts_.warps_per_block();
        for (std::uint32_t i = 0; i < costs_.size(); ++i) {
            const std::uint32_t op = code_.op[i];
            if (!is_access(i) || of_op_[op] <= 0) continue;
            const Traffic& traffic = beyond_l1(op);
            const OpCache cache = op < facts_.cache.ops.size() ? facts_.cache.ops[op] : OpCache{};
            const auto each = [&](double total, double part, double whole) {
                return whole > 0 ? total * part / whole / (of_op_[op] * warps) : 0;
            };
            costs_[i].l2_clk = each(chip_.l2_read_clk, cache.l2_reads, reads);
            costs_[i].l2_write_clk = each(chip_.l2_write_clk, packets_of[op], packets);
            costs_[i].dram_clk = each(chip_.dram_clk * (1 - written), cache.l2_reads - cache.l2_hits, misses);
            if (is_store(traffic)) costs_[i].dram_clk += each(chip_.dram_clk * written, static_cast<double>(traffic.sectors), stored);
            if (is_atomic(traffic)) costs_[i].atomic_clk = each(chip_.atomic_clk, static_cast<double>(traffic.lanes), atomics);
        }
    }

    // What an op asks of L2: local memory goes there too.
    const Traffic& beyond_l1(std::uint32_t op) const {
        const Traffic& global = facts_.of(op, emu::MemorySpace::global);
        return global.requests > 0 ? global : facts_.of(op, emu::MemorySpace::local);
    }

    double dram_written_share() const {
        const double read = facts_.cache.dram_read_bytes * facts_.scale;
        const double all = dram_bytes(facts_, chip_.hot);
        return all > 0 ? std::clamp(1 - read / all, 0.0, 1.0) : 0;
    }

    static bool is_store(const Traffic& traffic) { return traffic.requests > 0 && traffic.kind == emu::AccessKind::store; }
    static bool is_atomic(const Traffic& traffic) {
        return traffic.requests > 0 && (traffic.kind == emu::AccessKind::atomic || traffic.kind == emu::AccessKind::reduction);
    }

    static std::pair<Pipe, double> pipe_of(Unit unit, const arch::Throughput& rate) {
        const auto clk = [](double results) { return results > 0 ? emu::lanes / results : 0; };
        switch (unit) {
        case Unit::alu: return {Pipe::alu, clk(rate.int_add)};
        case Unit::fma: return {Pipe::fma, clk(rate.fp32)};
        case Unit::fma_heavy: return {Pipe::fma_heavy, clk(rate.int_mul)};
        case Unit::fp64: return {Pipe::fp64, clk(rate.fp64)};
        case Unit::special: return {Pipe::special, clk(rate.special)};
        case Unit::shuffle: return {Pipe::shuffle, clk(rate.shuffle)};
        case Unit::barrier: return {Pipe::barrier, clk(rate.barrier)};
        default: return {Pipe::none, 0};
        }
    }

    void add_demand(WarpWork& work) const {
        for (std::uint32_t b = 0; b < code_.flow.blocks.size(); ++b) {
            const double times = frequency_[b];
            if (times <= 0) continue;
            const sass::Block& block = code_.flow.blocks[b];
            for (std::uint32_t i = block.first; i < block.last; ++i) {
                const sass::Instruction& instruction = code_.kernel.instructions[i];
                work.slots += times;
                work.static_slots += 1;
                work.lsu_clk += times * costs_[i].lsu_clk;
                work.port_clk += times * costs_[i].port_clk;
                if (instruction.space == sass::Space::shared) work.shared_lsu_clk += times * costs_[i].lsu_clk;
                const auto [pipe, clk] = pipe_of(instruction.unit, facts_.gpu.throughput);
                work.pipe_clk[static_cast<std::size_t>(pipe)] += times * clk;
            }
        }
    }

    const LaunchFacts& facts_;
    const MachineCode& code_;
    const ChipTime& chip_;
    Start start_;
    double active_ = 1; // SMs that get a block
    double blocks_ = 1; // of the busiest SM
    std::vector<double> frequency_;
    std::vector<double> of_op_; // executions of all its instructions that access memory, of an average warp
    std::vector<InstructionCost> costs_;
    double loaded_ = 1; // latency of DRAM as busy as it is, over that of an idle one
};

} // namespace

MachineTime machine_time(const LaunchFacts& facts, const ChipTime& chip, Start start) { return MachineTimes(facts, chip, start).find(); }

std::vector<double> machine_instructions_by_op(const LaunchFacts& facts) {
    const MachineCode& code = *facts.machine;
    const std::vector<double> frequency = block_frequencies(facts);
    std::vector<double> by_op(facts.program.ops.size() + 1, 0);
    for (std::uint32_t b = 0; b < frequency.size(); ++b)
        for (std::uint32_t i = code.flow.blocks[b].first; i < code.flow.blocks[b].last; ++i)
            by_op[std::min<std::size_t>(code.op[i], by_op.size() - 1)] += frequency[b];
    return by_op;
}

double machine_instructions(const LaunchFacts& facts) {
    const std::vector<double> by_op = machine_instructions_by_op(facts);
    return std::accumulate(by_op.begin(), by_op.end(), 0.0);
}

} // namespace apod::model
