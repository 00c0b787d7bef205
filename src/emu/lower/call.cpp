// call: of a function of the module, of one of the device's runtime library, or through a pointer.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::SymbolKind;
using ptx::Type;

// call [(results),] target [, (arguments)] [, prototype or list of targets]
struct CallParts {
    const Operand* results = nullptr;
    const Operand* target = nullptr;
    const Operand* arguments = nullptr;
    const Operand* prototype = nullptr;
};

Result<CallParts> take_apart(const Lowering& lowering, const ptx::Instruction& instruction) {
    const std::vector<Operand>& operands = instruction.operands;
    CallParts parts;
    std::size_t at = 0;
    if (at < operands.size() && operands[at].kind == OperandKind::list) parts.results = &operands[at++];
    if (at < operands.size()) parts.target = &operands[at++];
    if (at < operands.size() && operands[at].kind == OperandKind::list) parts.arguments = &operands[at++];
    if (at < operands.size() && operands[at].kind == OperandKind::symbol) parts.prototype = &operands[at++];
    if (parts.target == nullptr || at != operands.size())
        return malformed(lowering, instruction, "a call is (results), function, (arguments), prototype");
    return parts;
}

struct Formals {
    const std::vector<ptx::Variable>* parameters = nullptr;
    const std::vector<ptx::Variable>* returns = nullptr;
};

template<class F> Formals formals_of(const F& function) { return {&function.parameters, &function.returns}; }

Result<Formals> pointer_formals(const Lowering& lowering, const ptx::Instruction& instruction, const CallParts& parts) {
    if (parts.prototype != nullptr && parts.prototype->symbol == SymbolKind::prototype)
        return formals_of(lowering.function.prototypes[parts.prototype->index]);
    if (parts.prototype != nullptr && parts.prototype->symbol == SymbolKind::label_list) {
        const auto& targets = lowering.function.label_lists[parts.prototype->index].targets;
        if (!targets.empty() && targets[0].symbol == SymbolKind::function) return formals_of(lowering.module.functions[targets[0].index]);
    }
    return malformed(lowering, instruction, "a call through a pointer names a .callprototype or .calltargets");
}

Type slot_type(const ptx::Variable& variable) {
    const std::uint32_t bits = ptx::type_bits(variable.type);
    return bits > 64 ? Type::b128 : bits > 32 ? Type::b64 : Type::b32;
}

Result<ValuePlace> actual(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand, const ptx::Variable& formal,
                          bool result) {
    const auto bytes = static_cast<std::uint32_t>(formal.size_bytes());
    if (const auto offset = frame_offset(lowering, operand)) {
        const auto place = static_cast<std::uint32_t>(*offset + static_cast<std::uint64_t>(operand.integer));
        if (std::uint64_t{place} + bytes > lowering.layout.frames.at(&lowering.function).bytes)
            return malformed(lowering, instruction, fmt::format("'{}' is smaller than what the function takes", operand.name));
        return ValuePlace{false, bytes, place, 0};
    }
    if (formal.elements * formal.vector != 1)
        return malformed(lowering, instruction, "an aggregate is passed in a variable of .param space");
    auto slot = result ? destination_or_sink(lowering, instruction, operand, slot_type(formal))
                       : source(lowering, instruction, operand, slot_type(formal));
    if (!slot) return slot.error();
    return ValuePlace{true, *slot == sink_ref ? 0 : bytes, 0, *slot};
}

Result<std::vector<ValuePlace>> actuals(Lowering& lowering, const ptx::Instruction& instruction, const Operand* list,
                                        const std::vector<ptx::Variable>& formals, bool results) {
    const std::size_t given = list != nullptr ? list->children.size() : 0;
    if (given != formals.size())
        return malformed(lowering, instruction,
                         fmt::format("{} {} given, {} are needed", given, results ? "results are" : "arguments are", formals.size()));
    std::vector<ValuePlace> places;
    for (std::size_t i = 0; i < given; ++i) {
        auto place = actual(lowering, instruction, list->children[i], formals[i], results);
        if (!place) return place.error();
        places.push_back(*place);
    }
    return places;
}

struct BuiltinName {
    std::string_view name;
    Builtin builtin;
    std::size_t parameters;
    std::size_t returns;
};
constexpr BuiltinName builtins[] = {
    {"vprintf", Builtin::print, 2, 1},
    {"__assertfail", Builtin::assert_fail, 5, 0},
    {"malloc", Builtin::allocate, 1, 1},
    {"free", Builtin::release, 1, 0},
};

Result<void> find_target(const Lowering& lowering, const ptx::Instruction& instruction, std::uint32_t index, CallSite& call) {
    const ptx::Function& function = lowering.module.functions[index];
    call.function = lowering.code.function_at[index];
    if (call.function != ptx::none) return {};
    for (const BuiltinName& known : builtins)
        if (known.name == function.name && known.parameters == function.parameters.size() && known.returns == function.returns.size())
            call.builtin = known.builtin;
    if (call.builtin != Builtin::none) return {};
    if (function.is_entry) return cannot_run(lowering, instruction, "it calls a kernel");
    Diagnostic missing = bad_input(
        lowering.module.position(instruction.position),
        fmt::format("{} calls '{}', which this module declares and does not define", lowering.function.name, ptx::demangle(function.name)),
        "link the module that defines it (nvcc -rdc=false compiles a program into one module)");
    return missing;
}

} // namespace

Result<ValuePlace> value_place(const Lowering& lowering, const ptx::Variable& variable) {
    const auto bytes = static_cast<std::uint32_t>(variable.size_bytes());
    if (variable.space != ptx::Space::reg) {
        const auto placed = lowering.layout.offset.find(&variable);
        return ValuePlace{false, bytes, placed != lowering.layout.offset.end() ? static_cast<std::uint32_t>(placed->second) : 0, 0};
    }
    const std::vector<ptx::Register>& registers = lowering.function.registers;
    for (std::size_t r = 0; r < registers.size(); ++r)
        if (registers[r].name == variable.name && registers[r].type != Type::pred)
            return ValuePlace{true, bytes, 0, lowering.slots.slot[r] | region_registers};
    return bad_input(lowering.module.position(variable.position),
                     fmt::format("parameter '{}' of function {} cannot be passed in a register", variable.name, lowering.function.name));
}

Result<bool> lower_call(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block) {
    if (const auto unknown = unknown_modifier(instruction, {"uni"}); !unknown.empty())
        return cannot_run_modifier(lowering, instruction, unknown);
    auto parts = take_apart(lowering, instruction);
    if (!parts) return parts.error();
    CallSite call;
    Formals formals;
    if (parts->target->kind == OperandKind::symbol && parts->target->symbol == SymbolKind::function) {
        if (auto found = find_target(lowering, instruction, parts->target->index, call); !found) return found.error();
        formals = formals_of(lowering.module.functions[parts->target->index]);
    } else {
        auto pointer = source(lowering, instruction, *parts->target, Type::b64);
        if (!pointer) return pointer.error();
        call.target = *pointer;
        auto found = pointer_formals(lowering, instruction, *parts);
        if (!found) return found.error();
        formals = *found;
    }
    auto arguments = actuals(lowering, instruction, parts->arguments, *formals.parameters, false);
    if (!arguments) return arguments.error();
    auto results = actuals(lowering, instruction, parts->results, *formals.returns, true);
    if (!results) return results.error();
    call.arguments = *std::move(arguments);
    call.results = *std::move(results);
    set_control(lowered, OpClass::call);
    lowered.op.imm = static_cast<std::int64_t>(lowering.code.calls.size());
    lowering.code.calls.push_back(std::move(call));
    lowering.code.uses_stack = lowering.code.uses_stack || lowering.code.calls.back().builtin == Builtin::none;
    block.terminator = Terminator::call;
    return true;
}

} // namespace apod::emu
