// Drives the lowering of one kernel, block by block.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::emu {

namespace {

Result<const ptx::Function*> find_kernel(const ptx::Module& module, std::string_view kernel) {
    const ptx::Function* function = module.find_function(kernel);
    if (function != nullptr && function->is_entry && function->has_body) return function;
    std::string known;
    for (const ptx::Function& candidate : module.functions)
        if (candidate.is_entry && candidate.has_body) known += fmt::format("{}{}", known.empty() ? "" : ", ", candidate.name);
    return bad_input({module.file, 0, 0}, fmt::format("there is no kernel '{}' in this module", kernel),
                     known.empty() ? "the module has no kernels at all" : "it has " + known);
}

bool is_warp_lane_special(SpecialKind kind) { return kind < SpecialKind::ctaid_x; }

constexpr SpecialKind all_specials[] = {
    SpecialKind::tid_x,       SpecialKind::tid_y,       SpecialKind::tid_z,       SpecialKind::laneid,      SpecialKind::warpid,
    SpecialKind::lanemask_eq, SpecialKind::lanemask_lt, SpecialKind::lanemask_le, SpecialKind::lanemask_gt, SpecialKind::lanemask_ge,
    SpecialKind::ctaid_x,     SpecialKind::ctaid_y,     SpecialKind::ctaid_z,     SpecialKind::smid};

// Every special register has its slot: at the start of the warp's registers, or in the block's region.
void place_specials(Lowering& lowering, std::uint32_t& warp_bytes) {
    for (const SpecialKind kind : all_specials) {
        std::uint32_t& top = is_warp_lane_special(kind) ? warp_bytes : lowering.code.block_bytes;
        const OperandRef ref = top | (is_warp_lane_special(kind) ? region_registers : region_block);
        lowering.specials[kind] = ref;
        lowering.code.specials.push_back({kind, ref});
        top += slot32_bytes;
    }
}

// Whether nobody reads what `instruction` writes to `reg` (an atomic whose result is unused is a reduction).
bool is_dead_after(const Program& program, std::uint32_t block_index, std::uint32_t instruction, std::uint32_t reg) {
    const ptx::BasicBlock& block = program.flow.blocks[block_index];
    for (std::uint32_t i = instruction + 1; i < block.last; ++i) {
        const ptx::Effects effects = ptx::effects(program.function->instructions[i]);
        if (std::find(effects.reads.begin(), effects.reads.end(), reg) != effects.reads.end()) return false;
        if (!effects.may_keep_old && std::find(effects.writes.begin(), effects.writes.end(), reg) != effects.writes.end()) return true;
    }
    return !std::binary_search(program.live.live_out[block_index].begin(), program.live.live_out[block_index].end(), reg);
}

bool result_unused(const Program& program, std::uint32_t block, std::uint32_t index) {
    const ptx::Instruction& instruction = program.function->instructions[index];
    if (instruction.opcode != "atom" || instruction.operands.empty() || instruction.operands[0].kind != ptx::OperandKind::reg) return false;
    return is_dead_after(program, block, index, instruction.operands[0].index);
}

Result<void> lower_guard(Lowering& lowering, const ptx::Instruction& instruction, Op& op, bool control) {
    if (instruction.guard.reg == ptx::none) return {};
    op.guard = lowering.slots.slot[instruction.guard.reg] << 1 | static_cast<PredicateRef>(instruction.guard.negated);
    if (!control) op.full = op.masked = guarded_full;
    return {};
}

// Arithmetic whose operands or modifiers need more than the form table says.
Result<bool> lower_arithmetic(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.opcode == "cvt") return lower_convert(lowering, instruction, lowered);
    if (instruction.opcode == "set") return lower_set(lowering, instruction, lowered);
    if (instruction.opcode == "lop3") return lower_lop3(lowering, instruction, lowered);
    return lower_video(lowering, instruction, lowered);
}

Result<void> lower_instruction(Lowering& lowering, std::uint32_t block_index, std::uint32_t index, CodeBlock& block, LoweredOp& lowered) {
    const ptx::Instruction& instruction = lowering.function.instructions[index];
    lowered.info.instruction = index;
    lowered.info.block = block_index;
    lowered.info.location = instruction.location;
    auto family = lower_control(lowering, instruction, lowered, block);
    const bool control = family && *family;
    bool warp = false;
    if (family && !*family) {
        family = lower_warp(lowering, instruction, lowered);
        warp = family && *family;
    }
    if (family && !*family) family = lower_memory(lowering, instruction, lowered);
    if (family && !*family) family = lower_atomic(lowering, instruction, lowered, result_unused(lowering.program, block_index, index));
    if (family && !*family) family = lower_move(lowering, instruction, lowered);
    if (family && !*family) family = lower_arithmetic(lowering, instruction, lowered);
    if (!family) return family.error();
    if (!*family)
        if (auto done = lower_simple(lowering, instruction, lowered); !done) return done.error();
    if (warp) block.terminator = Terminator::warp_sync;
    return lower_guard(lowering, instruction, lowered.op, control || warp);
}

void link_block(const ptx::BasicBlock& from, CodeBlock& block) {
    block.reconverge = from.reconvergence;
    if (block.terminator == Terminator::branch) {
        block.taken = from.successors.empty() ? ptx::none : from.successors[0];
        block.next = from.successors.size() > 1 ? from.successors[1] : ptx::none;
    } else if (!from.successors.empty()) {
        block.next = from.successors[0];
    }
}

Result<void> lower_targets(Lowering& lowering, const ptx::Instruction& instruction, Op& op) {
    const ptx::Operand& list = instruction.operands[1];
    if (list.symbol != ptx::SymbolKind::label_list || list.index >= lowering.function.label_lists.size())
        return malformed(lowering, instruction, "the list of targets is not a .branchtargets label");
    op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    for (const ptx::Operand& target : lowering.function.label_lists[list.index].targets) {
        const std::uint32_t at = lowering.function.labels[target.index].instruction;
        lowering.code.extra.push_back(at < lowering.program.flow.block_of.size() ? lowering.program.flow.block_of[at] : ptx::none);
    }
    op.count = static_cast<std::uint16_t>(lowering.code.extra.size() - op.extra);
    return {};
}

bool may_wait(const ptx::Instruction& instruction) {
    if (instruction.opcode == "atom" || instruction.opcode == "red") return true;
    return instruction.opcode == "ld" && (instruction.has("volatile") || instruction.has("acquire") || instruction.has("relaxed"));
}

Result<void> lower_block(Lowering& lowering, std::uint32_t index) {
    const ptx::BasicBlock& from = lowering.program.flow.blocks[index];
    CodeBlock block;
    block.first = static_cast<std::uint32_t>(lowering.code.ops.size());
    for (std::uint32_t i = from.first; i < from.last; ++i) {
        block.terminator = Terminator::fall_through;
        LoweredOp lowered;
        if (auto done = lower_instruction(lowering, index, i, block, lowered); !done) return done;
        if (block.terminator == Terminator::indexed)
            if (auto done = lower_targets(lowering, lowering.function.instructions[i], lowered.op); !done) return done;
        block.may_wait = block.may_wait || may_wait(lowering.function.instructions[i]);
        block.is_warp_barrier = block.terminator == Terminator::warp_sync && lowering.function.instructions[i].opcode == "bar";
        lowered.op.index = static_cast<std::uint32_t>(lowering.code.ops.size());
        lowering.code.ops.push_back(lowered.op);
        lowering.program.ops.push_back(lowered.info);
    }
    const auto end = static_cast<std::uint32_t>(lowering.code.ops.size());
    block.op_count = end - block.first;
    block.last = block.terminator == Terminator::fall_through ? end : end - 1;
    link_block(from, block);
    lowering.code.blocks.push_back(block);
    return {};
}

void describe_parameters(Program& program, const Layout& layout) {
    for (const ptx::Variable& parameter : program.function->parameters)
        program.parameters.push_back({parameter.name, parameter.type, static_cast<std::uint32_t>(layout.offset.at(&parameter)),
                                      static_cast<std::uint32_t>(parameter.size_bytes()), parameter.pointer});
    program.parameter_bytes = layout.parameter_bytes;
}

// ptxas keeps a few registers beside the values that PTX shows (addresses in pairs, the ABI's), and allocates no fewer than 16.
std::uint32_t estimate_registers(const ptx::Liveness& live) { return std::clamp(live.max_pressure_32 + 4, 16u, 255u); }

} // namespace

Result<std::shared_ptr<const Program>> lower(std::shared_ptr<const Image> image, std::string_view kernel) {
    const ptx::Module& module = image->module();
    auto function = find_kernel(module, kernel);
    if (!function) return function.error();
    auto program = std::make_shared<Program>();
    auto code = std::make_shared<Code>();
    program->image = image;
    program->function = *function;
    auto flow = ptx::control_flow(module, **function);
    if (!flow) return flow.error();
    program->flow = std::move(*flow);
    program->live = ptx::liveness(**function, program->flow);
    auto layout = lay_out(module, **function);
    if (!layout) return layout.error();
    program->static_shared_bytes = layout->shared_bytes;
    program->local_bytes = layout->local_bytes;
    program->uses_dynamic_shared = layout->dynamic_shared;
    program->registers_estimate = estimate_registers(program->live);
    describe_parameters(*program, *layout);

    Lowering lowering{image, module, **function, *program, *code, PoolBuilder(*code), std::move(*layout), {}, {}};
    std::uint32_t reserved = 0;
    place_specials(lowering, reserved);
    lowering.slots = allocate_slots(**function, program->flow, program->live, reserved, fixed_predicates);
    code->register_bytes = lowering.slots.register_bytes;
    code->predicates = lowering.slots.predicates;
    code->isa = lanes_isa();
    for (std::uint32_t b = 0; b < program->flow.blocks.size(); ++b)
        if (auto done = lower_block(lowering, b); !done) return done.error();
    program->code = code;
    return std::shared_ptr<const Program>(program);
}

const ptx::SourceLocation* Program::source(std::uint32_t op) const {
    const std::uint32_t location = ops[op].location;
    return location != ptx::none ? &image->module().locations[location] : nullptr;
}

} // namespace apod::emu
