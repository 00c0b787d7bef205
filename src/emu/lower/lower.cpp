// Drives the lowering of a kernel and of what it calls, function by function and block by block.
#include "emu/lower/lowering.hpp"
#include "emu/lower/reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

constexpr SpecialKind all_specials[] = {SpecialKind::tid_x,           SpecialKind::tid_y,
                                        SpecialKind::tid_z,           SpecialKind::laneid,
                                        SpecialKind::warpid,          SpecialKind::lanemask_eq,
                                        SpecialKind::lanemask_lt,     SpecialKind::lanemask_le,
                                        SpecialKind::lanemask_gt,     SpecialKind::lanemask_ge,
                                        SpecialKind::ctaid_x,         SpecialKind::ctaid_y,
                                        SpecialKind::ctaid_z,         SpecialKind::smid,
                                        SpecialKind::cluster_ctaid_x, SpecialKind::cluster_ctaid_y,
                                        SpecialKind::cluster_ctaid_z, SpecialKind::cluster_ctarank,
                                        SpecialKind::clusterid_x,     SpecialKind::clusterid_y,
                                        SpecialKind::clusterid_z};

// Every special register has its slot: in the warp's region, or in the block's.
std::map<SpecialKind, OperandRef> place_specials(Code& code) {
    std::map<SpecialKind, OperandRef> placed;
    for (const SpecialKind kind : all_specials) {
        std::uint32_t& top = is_warp_lane_special(kind) ? code.warp_bytes : code.block_bytes;
        const OperandRef ref = top | (is_warp_lane_special(kind) ? region_warp : region_block);
        placed[kind] = ref;
        code.specials.push_back({kind, ref});
        top += slot32_bytes;
    }
    return placed;
}

// Whether nobody reads what `instruction` writes to `reg` (an atomic whose result is unused is a reduction).
bool is_dead_after(const Lowering& lowering, std::uint32_t block_index, std::uint32_t instruction, std::uint32_t reg) {
    const ptx::BasicBlock& block = lowering.flow.blocks[block_index];
    for (std::uint32_t i = instruction + 1; i < block.last; ++i) {
        const ptx::Effects effects = ptx::effects(lowering.function.instructions[i]);
        if (std::find(effects.reads.begin(), effects.reads.end(), reg) != effects.reads.end()) return false;
        if (!effects.may_keep_old && std::find(effects.writes.begin(), effects.writes.end(), reg) != effects.writes.end()) return true;
    }
    const std::vector<std::uint32_t>& live = lowering.live.live_out[block_index];
    return !std::binary_search(live.begin(), live.end(), reg);
}

bool result_unused(const Lowering& lowering, std::uint32_t block, std::uint32_t index) {
    const ptx::Instruction& instruction = lowering.function.instructions[index];
    if (instruction.opcode != "atom" || instruction.operands.empty() || instruction.operands[0].kind != ptx::OperandKind::reg) return false;
    return is_dead_after(lowering, block, index, instruction.operands[0].index);
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
    if (auto done = lower_scalar_video(lowering, instruction, lowered); !done || *done) return done;
    return lower_video(lowering, instruction, lowered);
}

Result<void> lower_instruction(Lowering& lowering, std::uint32_t block_index, std::uint32_t index, CodeBlock& block, LoweredOp& lowered) {
    const ptx::Instruction& instruction = lowering.function.instructions[index];
    lowered.info.function = &lowering.function;
    lowered.info.instruction = index;
    lowered.info.block = lowering.first_block + block_index;
    lowered.info.location = instruction.location;
    auto family = lower_control(lowering, instruction, lowered, block);
    const bool control = family && *family;
    bool warp = false;
    if (family && !*family) {
        family = lower_warp(lowering, instruction, lowered);
        warp = family && *family;
    }
    if (family && !*family) family = lower_cluster(lowering, instruction, lowered);
    if (family && !*family) family = lower_memory(lowering, instruction, lowered);
    if (family && !*family) family = lower_atomic(lowering, instruction, lowered, result_unused(lowering, block_index, index));
    if (family && !*family) family = lower_async(lowering, instruction, lowered);
    if (family && !*family) family = lower_image(lowering, instruction, lowered);
    if (family && !*family) family = lower_matrix(lowering, instruction, lowered);
    if (family && !*family) family = lower_move(lowering, instruction, lowered);
    if (family && !*family) family = lower_arithmetic(lowering, instruction, lowered);
    if (!family) return family.error();
    if (!*family)
        if (auto done = lower_simple(lowering, instruction, lowered); !done) return done.error();
    if (warp) block.terminator = Terminator::warp_sync;
    return lower_guard(lowering, instruction, lowered.op, control || warp);
}

void link_block(const ptx::BasicBlock& from, std::uint32_t first_block, CodeBlock& block) {
    const auto linked = [first_block](std::uint32_t to) { return to != ptx::none ? first_block + to : ptx::none; };
    const auto successor = [&](std::size_t i) { return i < from.successors.size() ? linked(from.successors[i]) : ptx::none; };
    block.reconverge = linked(from.reconvergence);
    if (block.terminator == Terminator::branch) block.taken = successor(0);
    block.next = successor(block.terminator == Terminator::branch ? 1 : 0);
}

Result<void> lower_targets(Lowering& lowering, const ptx::Instruction& instruction, Op& op) {
    const ptx::Operand& list = instruction.operands[1];
    if (list.symbol != ptx::SymbolKind::label_list || list.index >= lowering.function.label_lists.size())
        return malformed(lowering, instruction, "the list of targets is not a .branchtargets label");
    op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    for (const ptx::Operand& target : lowering.function.label_lists[list.index].targets) {
        const std::uint32_t at = lowering.function.labels[target.index].instruction;
        lowering.code.extra.push_back(lowering.first_block + lowering.flow.block_of[at]);
    }
    op.count = static_cast<std::uint16_t>(lowering.code.extra.size() - op.extra);
    return {};
}

bool may_wait(const ptx::Instruction& instruction) {
    if (instruction.opcode == "atom" || instruction.opcode == "red" || instruction.opcode == "mbarrier") return true;
    return instruction.opcode == "ld" && (instruction.has("volatile") || instruction.has("acquire") || instruction.has("relaxed"));
}

Result<void> lower_block(Lowering& lowering, std::uint32_t index) {
    const ptx::BasicBlock& from = lowering.flow.blocks[index];
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
    link_block(from, lowering.first_block, block);
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

// Results in registers are read by the caller: they stay live to the end.
void keep_results(const ptx::Function& function, ptx::Liveness& live) {
    for (const ptx::Variable& result : function.returns) {
        if (result.space != ptx::Space::reg) continue;
        for (std::uint32_t r = 0; r < function.registers.size(); ++r) {
            if (function.registers[r].name != result.name) continue;
            for (auto* table : {&live.live_in, &live.live_out})
                for (std::vector<std::uint32_t>& registers : *table)
                    if (const auto at = std::lower_bound(registers.begin(), registers.end(), r); at == registers.end() || *at != r)
                        registers.insert(at, r);
        }
    }
}

// What the functions of a program share while they are lowered.
struct Shared {
    std::shared_ptr<const Image> image;
    Program& program;
    Code& code;
    PoolBuilder pool;
    Layout layout;
    std::map<SpecialKind, OperandRef> specials;
};

Result<void> lower_function(Shared& shared, const ptx::Function& function, const ptx::ControlFlow& flow, const ptx::Liveness& live) {
    const std::uint32_t reserved = function.is_entry ? 0 : slot64_bytes; // frame_base_ref
    Lowering lowering{shared.image,
                      shared.image->module(),
                      function,
                      flow,
                      live,
                      shared.program,
                      shared.code,
                      shared.pool,
                      shared.layout,
                      shared.specials,
                      allocate_slots(function, flow, live, reserved, fixed_predicates),
                      static_cast<std::uint32_t>(shared.code.blocks.size())};
    FunctionCode code{&function,
                      lowering.first_block,
                      lowering.slots.register_bytes,
                      lowering.slots.predicates,
                      shared.layout.frames.at(&function).bytes,
                      shared.layout.frames.at(&function).align,
                      {},
                      {},
                      lowering.slots.slot};
    if (!function.is_entry) {
        for (const auto& [from, to] : {std::pair(&function.parameters, &code.parameters), std::pair(&function.returns, &code.returns)})
            for (const ptx::Variable& variable : *from) {
                auto place = value_place(lowering, variable);
                if (!place) return place.error();
                to->push_back(*place);
            }
    }
    shared.code.functions.push_back(std::move(code));
    for (std::uint32_t b = 0; b < flow.blocks.size(); ++b)
        if (auto done = lower_block(lowering, b); !done) return done;
    return {};
}

Result<void> lower_callee(Shared& shared, const ptx::Function& function) {
    auto flow = ptx::control_flow(shared.image->module(), function);
    if (!flow) return flow.error();
    ptx::Liveness live = ptx::liveness(function, *flow);
    keep_results(function, live);
    shared.program.registers_estimate = std::max(shared.program.registers_estimate, estimate_registers(live));
    return lower_function(shared, function, *flow, live);
}

} // namespace

Result<std::shared_ptr<const Program>> lower(std::shared_ptr<const Image> image, std::string_view kernel) {
    if (auto present = check_lanes(); !present) return present.error();
    const ptx::Module& module = image->module();
    auto function = find_kernel(module, kernel);
    if (!function) return function.error();
    auto program = std::make_shared<Program>();
    auto code = std::make_shared<Code>();
    program->image = std::move(image);
    program->function = *function;
    auto flow = ptx::control_flow(module, **function);
    if (!flow) return flow.error();
    program->flow = std::move(*flow);
    program->live = ptx::liveness(**function, program->flow);
    const std::vector<const ptx::Function*> functions = reachable_functions(module, **function);
    auto layout = lay_out(module, functions);
    if (!layout) return layout.error();
    program->static_shared_bytes = layout->shared_bytes;
    program->local_bytes = layout->local_bytes;
    program->uses_dynamic_shared = layout->dynamic_shared;
    program->registers_estimate = estimate_registers(program->live);
    describe_parameters(*program, *layout);
    code->function_at.assign(module.functions.size(), ptx::none);
    for (std::uint32_t f = 1; f < functions.size(); ++f)
        code->function_at[static_cast<std::size_t>(functions[f] - module.functions.data())] = f;
    Shared shared{program->image, *program, *code, PoolBuilder(*code), std::move(*layout), place_specials(*code)};
    if (auto done = lower_function(shared, **function, program->flow, program->live); !done) return done.error();
    for (std::size_t f = 1; f < functions.size(); ++f)
        if (auto done = lower_callee(shared, *functions[f]); !done) return done.error();
    code->register_bytes = code->functions[0].register_bytes;
    code->predicates = code->functions[0].predicates;
    code->isa = lanes_isa();
    program->code = code;
    return std::shared_ptr<const Program>(program);
}

const ptx::SourceLocation* Program::source(std::uint32_t op) const {
    const std::uint32_t location = ops[op].location;
    return location != ptx::none ? &image->module().locations[location] : nullptr;
}

} // namespace apod::emu
