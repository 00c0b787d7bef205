// Instructions: guard, opcode, modifiers, operands as a list.
#include "ptx/opcodes.hpp"
#include "ptx/parser.hpp"

#include <iterator>

namespace apod::ptx {

// @[!]p instruction
bool Parser::parse_guarded() {
    next();
    Guard guard;
    guard.negated = accept('!');
    const TextPosition at = here();
    std::string_view name;
    if (!expect_identifier(name, "a predicate register after '@'")) return false;
    Binding binding;
    if (!names_.find(name, binding) || binding.kind != Binding::Kind::reg) return fail(at, in_quotes(name) + " is not a declared register");
    if (function_->registers[binding.index].type != Type::pred)
        return fail(at, "guard " + in_quotes(name) + " is not a predicate register");
    guard.reg = binding.index;
    const TextPosition place = here();
    std::string_view opcode;
    if (!expect_identifier(opcode, "an instruction after the guard")) return false;
    return parse_instruction(guard, opcode, place);
}

bool Parser::parse_instruction(Guard guard, std::string_view opcode, TextPosition at) {
    if (!is_opcode(opcode)) {
        const auto nearest = nearest_opcode(opcode);
        return fail(at, "unknown instruction " + in_quotes(opcode), nearest ? "did you mean " + in_quotes(*nearest) + "?" : "");
    }
    opcode_ = opcode;
    has_pending_ = false;
    operands_.clear();
    if (!parse_modifiers() || !parse_operands()) return false;
    Instruction& instruction = function_->instructions.emplace_back();
    instruction.opcode = opcode;
    instruction.modifiers.assign(modifiers_.begin(), modifiers_.end());
    instruction.guard = guard;
    instruction.operands.assign(std::make_move_iterator(operands_.begin()), std::make_move_iterator(operands_.end()));
    instruction.location = location_;
    instruction.position = at;
    if (has_pending_) note_pending(instruction.operands);
    return true;
}

bool Parser::parse_modifiers() {
    modifiers_.clear();
    while (token().kind == TokenKind::directive) {
        modifiers_.push_back(token().text);
        next();
    }
    return true;
}

bool Parser::parse_operands() {
    if (accept(';')) return true;
    do {
        if (!parse_operand(operands_.emplace_back(), 0)) return false;
    } while (accept(','));
    if (accept(';')) return true;
    return unexpected("',' or ';' after an operand of " + in_quotes(opcode_));
}

// The operands lie in their final place now: it is safe to keep pointers to them until the body ends.
void Parser::note_pending(std::vector<Operand>& operands) {
    for (Operand& operand : operands) {
        const bool label = operand.kind == OperandKind::label && operand.index == none;
        const bool name = operand.kind == OperandKind::symbol && operand.symbol == SymbolKind::unresolved;
        if (label || name) pending_.push_back({&operand, scope_});
        if (!operand.children.empty()) note_pending(operand.children);
    }
}

} // namespace apod::ptx
