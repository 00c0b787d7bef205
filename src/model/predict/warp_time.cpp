#include "model/predict/warp_time.hpp"

#include "model/predict/block_schedule.hpp"
#include "model/predict/fusion.hpp"
#include "model/predict/memory_cost.hpp"
#include "model/predict/op_costs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace apod::model {

namespace {

using Memory = ScheduledOp::Memory;

struct PreparedOp {
    std::uint32_t op = 0;
    OpCost cost;
    MemoryCost memory;
};

struct PreparedBlock {
    std::vector<PreparedOp> ops;
    double executions = 0; // a warp
    std::uint32_t loop_depth = 0;
    bool loops_to_itself = false;
    bool has_barrier = false;
    bool waits_for_memory = false;
};

Memory memory_kind(emu::OpClass op_class, const ptx::Instruction& instruction) {
    using enum emu::OpClass;
    switch (op_class) {
    case load_global:
    case load_generic: return instruction.has("nc") ? Memory::read_only_load : Memory::load;
    case load_shared:
    case load_local: return Memory::load;
    case load_constant: return Memory::read_only_load;
    case store_global:
    case store_shared:
    case store_local:
    case store_generic:
    case async_copy:
    case atomic_global:
    case atomic_shared:
    case atomic_generic: return Memory::store;
    case fence:
    case barrier: return Memory::fence;
    default: return Memory::none;
    }
}

std::uint32_t space_of(emu::OpClass op_class) {
    using enum emu::OpClass;
    switch (op_class) {
    case load_shared:
    case store_shared:
    case atomic_shared: return 1;
    case load_local:
    case store_local: return 2;
    default: return 0; // global; generic accesses are nearly always global
    }
}

// A barrier costs its latency and some clocks for every warp of the block (13 + 2 W on an H200, for 1 to 32 warps).
double barrier_latency(const LaunchFacts& facts) {
    const double per_warp = facts.gpu.throughput.barrier > 0 ? emu::lanes / facts.gpu.throughput.barrier : 2;
    return facts.gpu.latency.barrier + per_warp * facts.warps_per_block();
}

// Thread indices come through the load/store unit (S2R): l1tex__lsuin_requests counts one a read.
bool reads_thread_index(const ptx::Instruction& instruction) {
    for (const ptx::Operand& operand : instruction.operands)
        if (operand.kind == ptx::OperandKind::special && operand.name.starts_with("tid")) return true;
    return false;
}

// Division and square root to nearest look at their operands and branch to a subroutine for unusual ones.
bool has_slow_path(emu::OpClass op_class) {
    using enum emu::OpClass;
    return op_class == fp32_div || op_class == fp32_sqrt || op_class == fp64_div || op_class == fp64_sqrt;
}

ScheduledOp to_scheduled(const LaunchFacts& facts, const PreparedOp& prepared) {
    const emu::OpInfo& info = facts.program.ops[prepared.op];
    const ptx::Instruction& instruction = facts.program.function->instructions[info.instruction];
    ScheduledOp result;
    result.slots = prepared.cost.slots;
    result.latency = std::max(prepared.cost.latency, prepared.memory.latency);
    result.busy = std::max(prepared.memory.lsu_clk, prepared.memory.port_clk);
    if (info.op_class == emu::OpClass::barrier) result.slots = barrier_latency(facts);
    result.branches = has_slow_path(info.op_class);
    result.slots = std::max(result.slots, prepared.memory.blocking_clk);
    result.memory = memory_kind(info.op_class, instruction);
    result.space = space_of(info.op_class);
    ptx::Effects effects = ptx::effects(instruction);
    result.reads = std::move(effects.reads);
    result.writes = std::move(effects.writes);
    return result;
}

std::vector<PreparedBlock> prepare(const LaunchFacts& facts, bool hot, double dram_latency) {
    const emu::Program& program = facts.program;
    std::vector<PreparedBlock> blocks(program.flow.blocks.size());
    const double warps = std::max<double>(1, static_cast<double>(facts.execution.warps_run));
    const std::vector<bool> merged = merged_ops(program);
    for (std::uint32_t op = 0; op < program.ops.size(); ++op) {
        const emu::OpInfo& info = program.ops[op];
        if (info.block >= blocks.size() || facts.execution.counts[op].warps == 0) continue;
        const std::string name = program.function->instructions[info.instruction].name();
        PreparedBlock& block = blocks[info.block];
        PreparedOp prepared{op, op_cost(info.op_class, name, facts.gpu), memory_cost(facts, op, hot, dram_latency)};
        if (info.op_class == emu::OpClass::int_div && divides_by_constant(program.function->instructions[info.instruction]))
            prepared.cost = constant_division_cost(facts.gpu);
        if (merged[op]) prepared.cost = {0, Pipe::none, 0, 0};
        if (reads_thread_index(program.function->instructions[info.instruction])) prepared.memory.lsu_clk += 1;
        // Guarded ops run less often than their block.
        block.executions = std::max(block.executions, static_cast<double>(facts.execution.counts[op].warps) / warps);
        block.has_barrier = block.has_barrier || info.op_class == emu::OpClass::barrier;
        block.waits_for_memory = block.waits_for_memory || prepared.memory.latency > facts.gpu.latency.special;
        block.ops.push_back(prepared);
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const ptx::BasicBlock& flow = program.flow.blocks[b];
        blocks[b].loop_depth = flow.loop_depth;
        blocks[b].loops_to_itself = std::find(flow.successors.begin(), flow.successors.end(), b) != flow.successors.end();
    }
    return blocks;
}

// ptxas turns short branches into predicates and schedules across them. So blocks that follow each other and run equally often are
// scheduled as one; barriers and loops end such a region.
std::vector<PreparedBlock> join_regions(std::vector<PreparedBlock> blocks) {
    std::vector<PreparedBlock> regions;
    for (PreparedBlock& block : blocks) {
        if (block.ops.empty()) continue;
        const bool joins = !regions.empty() && !regions.back().has_barrier && !regions.back().loops_to_itself && !block.loops_to_itself &&
                           regions.back().loop_depth == block.loop_depth &&
                           std::abs(regions.back().executions - block.executions) <= 0.05 * block.executions;
        if (!joins) {
            regions.push_back(std::move(block));
            continue;
        }
        PreparedBlock& region = regions.back();
        region.ops.insert(region.ops.end(), block.ops.begin(), block.ops.end());
        region.executions = std::max(region.executions, block.executions);
        region.has_barrier = block.has_barrier;
        region.waits_for_memory = region.waits_for_memory || block.waits_for_memory;
    }
    return regions;
}

void add_demand(WarpWork& work, const LaunchFacts& facts, const PreparedBlock& block) {
    const double warps = std::max<double>(1, static_cast<double>(facts.execution.warps_run));
    for (const PreparedOp& op : block.ops) {
        const double executions = static_cast<double>(facts.execution.counts[op.op].warps) / warps;
        work.slots += executions * op.cost.slots;
        work.static_slots += op.cost.slots;
        work.lsu_clk += executions * op.memory.lsu_clk;
        work.port_clk += executions * op.memory.port_clk;
        work.pipe_clk[static_cast<std::size_t>(op.cost.pipe)] += executions * op.cost.pipe_clk;
        const Traffic& shared = facts.of(op.op, emu::MemorySpace::shared);
        if (shared.requests > 0) work.shared_lsu_clk += static_cast<double>(shared.wavefronts) / warps;
    }
}

std::vector<BlockSchedule> pieces_of(const std::vector<ScheduledOp>& ops) {
    std::vector<BlockSchedule> pieces;
    std::vector<ScheduledOp> piece;
    for (const ScheduledOp& op : ops) {
        piece.push_back(op);
        if (!op.branches) continue;
        pieces.emplace_back(std::move(piece));
        piece.clear();
    }
    if (!piece.empty()) pieces.emplace_back(std::move(piece));
    return pieces;
}

// Clocks of all executions of the block by one warp: the first from the state that it finds, the others from that which it leaves itself.
double block_time(const std::vector<ScheduledOp>& ops, const PreparedBlock& block, WarpState& state) {
    const std::vector<BlockSchedule> pieces = pieces_of(ops);
    const auto run = [&] {
        double clk = 0;
        for (const BlockSchedule& piece : pieces) clk += piece.run(state);
        return clk;
    };
    const double first = run();
    if (block.executions <= 1 || !block.loops_to_itself) return block.executions * first;
    return first + (block.executions - 1) * run();
}

// The op answers as fast as an addition.
void answer_at_once(ScheduledOp& op, const arch::Latency& latency) {
    op.latency = std::min(op.latency, latency.alu);
    if (op.memory == Memory::fence || op.memory == Memory::store) op.slots = std::min(op.slots, 1.0);
}

// What a warp alone takes for all blocks, were the ops of one kind there at once.
double lone_clk(const LaunchFacts& facts, const std::vector<PreparedBlock>& blocks, std::optional<WaitKind> at_once) {
    WarpState state(facts.program.function->registers.size());
    double clk = 0;
    for (const PreparedBlock& block : blocks) {
        std::vector<ScheduledOp> ops;
        ops.reserve(block.ops.size());
        for (const PreparedOp& op : block.ops) {
            ops.push_back(to_scheduled(facts, op));
            if (at_once && wait_kind_of(facts.program.ops[op.op].op_class) == at_once) answer_at_once(ops.back(), facts.gpu.latency);
        }
        clk += block_time(ops, block, state);
    }
    return clk;
}

} // namespace

bool divides_by_constant(const ptx::Instruction& instruction) {
    return instruction.operands.size() > 2 && instruction.operands[2].kind == ptx::OperandKind::integer;
}

std::vector<double> waits_by_op(const LaunchFacts& facts, bool hot) {
    const std::vector<PreparedBlock> blocks = join_regions(prepare(facts, hot, facts.gpu.latency.dram));
    const double warps = std::max<double>(1, static_cast<double>(facts.execution.warps_run));
    std::vector<double> waits(facts.program.ops.size(), 0);
    std::array<double, wait_kinds> weights{};
    for (const PreparedBlock& block : blocks)
        for (const PreparedOp& op : block.ops) {
            const std::optional<WaitKind> kind = wait_kind_of(facts.program.ops[op.op].op_class);
            if (!kind) continue;
            const ScheduledOp scheduled = to_scheduled(facts, op);
            ScheduledOp without = scheduled;
            answer_at_once(without, facts.gpu.latency);
            const double clk = scheduled.latency - without.latency + scheduled.slots - without.slots;
            waits[op.op] = clk * static_cast<double>(facts.execution.counts[op.op].warps) / warps;
            weights[static_cast<std::size_t>(*kind)] += waits[op.op];
        }
    const double all = lone_clk(facts, blocks, std::nullopt);
    std::array<double, wait_kinds> part{};
    for (std::size_t kind = 0; kind < wait_kinds; ++kind)
        if (weights[kind] > 0) part[kind] = std::max(0.0, all - lone_clk(facts, blocks, static_cast<WaitKind>(kind))) / weights[kind];
    for (std::uint32_t op = 0; op < waits.size(); ++op)
        if (waits[op] > 0) waits[op] *= part[static_cast<std::size_t>(*wait_kind_of(facts.program.ops[op].op_class))];
    return waits;
}

WarpWork warp_work(const LaunchFacts& facts, bool hot, double dram_latency) {
    WarpWork work;
    WarpState state(facts.program.function->registers.size());
    WarpState without_memory(facts.program.function->registers.size());
    double compute_clk = 0;
    for (const PreparedBlock& block : join_regions(prepare(facts, hot, dram_latency))) {
        add_demand(work, facts, block);
        std::vector<ScheduledOp> ops;
        ops.reserve(block.ops.size());
        for (const PreparedOp& op : block.ops) ops.push_back(to_scheduled(facts, op));
        work.latency_clk += block_time(ops, block, state);
        for (ScheduledOp& op : ops)
            if (op.memory != Memory::none && op.memory != Memory::fence) op.latency = facts.gpu.latency.alu;
        compute_clk += block_time(ops, block, without_memory);
        if (block.waits_for_memory) work.rounds = std::max(work.rounds, block.executions);
        if (block.has_barrier && block.executions > 1.5) work.barrier_in_loop = true;
    }
    work.memory_clk = std::max(0.0, work.latency_clk - compute_clk);
    return work;
}

} // namespace apod::model
