#include "model/predict/op_costs.hpp"

#include "model/machine/machine_work.hpp"
#include "model/predict/chip_time.hpp"
#include "model/predict/fusion.hpp"
#include "model/predict/op_cost.hpp"
#include "model/predict/warp_time.hpp"

namespace apod::model {

namespace {

std::vector<double> issued_by_op(const LaunchFacts& facts) {
    const emu::Program& program = facts.program;
    std::vector<double> issued(program.ops.size() + 1, 0);
    if (facts.machine) {
        issued = machine_instructions_by_op(facts);
        for (double& value : issued) value *= static_cast<double>(facts.execution.warps_run);
        return issued;
    }
    const std::vector<bool> merged = merged_ops(program);
    for (std::uint32_t op = 0; op < program.ops.size(); ++op) {
        if (merged[op]) continue;
        const emu::OpInfo& info = program.ops[op];
        const ptx::Instruction& instruction = info.function->instructions[info.instruction];
        const bool by_constant = info.op_class == emu::OpClass::int_div && divides_by_constant(instruction);
        const OpCost cost = by_constant ? constant_division_cost(facts.gpu) : op_cost(info.op_class, instruction.name(), facts.gpu);
        issued[op] = cost.slots * static_cast<double>(facts.execution.counts[op].warps);
    }
    return issued;
}

} // namespace

Purpose purpose_of(emu::OpClass op_class) {
    using enum emu::OpClass;
    switch (op_class) {
    case int_add:
    case int_mul:
    case logic:
    case popc: return Purpose::integer;
    case compare:
    case select:
    case vote:
    case barrier:
    case branch:
    case exit:
    case call:
    case fence: return Purpose::control;
    case convert:
    case convert64: return Purpose::conversion;
    case fp16:
    case fp32:
    case fp64:
    case special:
    case matrix: return Purpose::arithmetic;
    case fp32_div:
    case fp32_sqrt:
    case fp64_div:
    case fp64_sqrt:
    case int_div: return Purpose::division;
    case move:
    case shuffle:
    case load_param:
    case other: return Purpose::other;
    default: return Purpose::memory;
    }
}

std::optional<WaitKind> wait_kind_of(emu::OpClass op_class) {
    using enum emu::OpClass;
    switch (op_class) {
    case load_global:
    case load_generic:
    case load_local:
    case load_constant:
    case texture: return WaitKind::memory;
    case load_shared:
    case shuffle: return WaitKind::shared;
    case atomic_global:
    case atomic_shared:
    case atomic_generic: return WaitKind::atomics;
    case barrier: return WaitKind::barriers;
    case special:
    case popc:
    case convert:
    case convert64:
    case fp32_div:
    case fp32_sqrt:
    case fp64_div:
    case fp64_sqrt:
    case int_div: return WaitKind::special;
    default: return std::nullopt;
    }
}

OpCosts op_costs(const LaunchFacts& facts) {
    OpCosts costs;
    if (facts.execution.warps_run == 0) return costs;
    costs.issued = issued_by_op(facts);
    costs.waits = waits_by_op(facts, chip_time(facts, Start::warm).hot);
    for (double& value : costs.waits) value *= static_cast<double>(facts.execution.warps_run);
    return costs;
}

} // namespace apod::model
