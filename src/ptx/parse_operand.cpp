// One operand: registers, constants, names, addresses, vectors, pairs, lists.
#include "ptx/parser.hpp"
#include "ptx/special_registers.hpp"

#include <algorithm>

namespace apod::ptx {

namespace {

bool is_component(std::string_view text) {
    return text.size() == 1 && std::string_view{"xyzwrgba"}.find(text[0]) != std::string_view::npos;
}

// Selectors of video instructions: .b0 to .b3, .h0, .h1, and .b3210 of vabsdiff4 and its like.
bool is_selector(std::string_view text) {
    if (text.size() < 2 || text.size() > 5 || (text[0] != 'b' && text[0] != 'h')) return false;
    return std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '7'; });
}

} // namespace

// single | single '|' single
bool Parser::parse_operand(Operand& operand, std::uint32_t depth) {
    if (!parse_single(operand, depth)) return false;
    if (!token().is('|')) return true;
    const TextPosition at = operand.position;
    Operand pair;
    pair.kind = OperandKind::pair;
    pair.position = at;
    pair.children.reserve(2);
    pair.children.push_back(std::move(operand));
    next();
    if (!parse_single(pair.children.emplace_back(), depth)) return false;
    operand = std::move(pair);
    return true;
}

bool Parser::parse_single(Operand& operand, std::uint32_t depth) {
    constexpr std::uint32_t deepest = 8;
    if (depth > deepest) return fail(here(), "operands are nested too deeply");
    operand.position = here();
    if (token().kind == TokenKind::identifier) return parse_name(operand);
    if (token().kind == TokenKind::number) return parse_number(operand);
    if (token().is('[')) return parse_address(operand, depth);
    if (token().is('{')) return parse_group(operand, OperandKind::vector, '}', depth);
    if (token().is('(') && opcode_ == "call") return parse_group(operand, OperandKind::list, ')', depth);
    if (token().is('!') || token().is('-')) {
        const std::size_t after = token().end;
        const char following = after < module_.text.size() ? module_.text[after] : '\0';
        const bool name = following == '%' || (is_identifier_character(following) && (following < '0' || following > '9'));
        if (name && !std::string_view{module_.text}.substr(after).starts_with("WARP_SZ")) return parse_negated(operand);
    }
    return parse_number(operand);
}

// !p of a predicate, or -r of a video instruction
bool Parser::parse_negated(Operand& operand) {
    const bool minus = token().is('-');
    const TextPosition at = here();
    next();
    operand.negated = true;
    if (!parse_name(operand)) return false;
    const bool reg = operand.kind == OperandKind::reg;
    const bool predicate = reg && function_->registers[operand.index].type == Type::pred;
    if (minus ? reg && !predicate && opcode_.front() == 'v' : predicate) return true;
    return fail(at, minus ? "only registers of video instructions take a minus sign" : "'!' goes before a predicate register only",
                minus ? "use neg, or subtract" : "use not for other registers");
}

// {a, b} or (a, b), perhaps empty
bool Parser::parse_group(Operand& operand, OperandKind kind, char close, std::uint32_t depth) {
    operand.kind = kind;
    next();
    if (accept(close)) return true;
    operand.children.reserve(4);
    do {
        if (!parse_single(operand.children.emplace_back(), depth + 1)) return false;
    } while (accept(','));
    return expect(close, "at the end of the group");
}

// [base {+ offset} {, coordinate}]
bool Parser::parse_address(Operand& operand, std::uint32_t depth) {
    operand.kind = OperandKind::address;
    next();
    Operand& base = operand.children.emplace_back();
    if (!parse_single(base, depth + 1)) return false;
    if (base.kind == OperandKind::symbol) { // the offset belongs to the address
        operand.integer = base.integer;
        base.integer = 0;
    }
    if (!parse_offset(operand.integer)) return false;
    while (accept(',')) {
        if (!parse_single(operand.children.emplace_back(), depth + 1)) return false;
    }
    return expect(']', "at the end of the address");
}

// {(+|-) constant}, as in +8 and +-8
bool Parser::parse_offset(std::int64_t& offset) {
    while (token().is('+') || token().is('-')) {
        const bool minus = token().is('-');
        const TextPosition at = here();
        next();
        Constant value;
        if (!parse_binary(value, 10, 0)) return false; // up to the next + or -
        if (value.is_real) return fail(at, "an offset must be a whole number");
        offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) + (minus ? 0 - value.bits : value.bits));
    }
    return true;
}

bool Parser::parse_number(Operand& operand) {
    Constant value;
    if (!parse_constant(value)) return false;
    operand.kind = value.is_real ? OperandKind::real : OperandKind::integer;
    operand.real_is_f32 = value.is_f32;
    if (value.is_real) {
        operand.real_bits = value.bits;
    } else {
        operand.integer = value.integer();
    }
    return true;
}

bool Parser::parse_name(Operand& operand) {
    if (token().kind != TokenKind::identifier) return unexpected("a register or name");
    const std::string_view name = token().text;
    if (name == "_") {
        next();
        return true;
    }
    operand.name = name;
    if (opcode_ == "bra") {
        operand.kind = OperandKind::label;
        has_pending_ = true;
        next();
        return true;
    }
    Binding binding;
    if (names_.find(name, binding)) return parse_bound_name(operand, binding);
    if (name[0] == '%' && is_special_register(name.substr(1))) return parse_special(operand);
    if (name == "WARP_SZ") return parse_number(operand);
    operand.kind = OperandKind::symbol;
    next();
    const auto found = module_names_.find(name);
    if (found == module_names_.end()) { // a label, target list or prototype, perhaps further down
        has_pending_ = true;
        return true;
    }
    operand.symbol = found->second.kind;
    operand.index = found->second.index;
    return parse_symbol_suffix(operand);
}

bool Parser::parse_bound_name(Operand& operand, const Binding& binding) {
    next();
    operand.index = binding.index;
    switch (binding.kind) {
    case Binding::Kind::reg:
        operand.kind = OperandKind::reg;
        operand.name = {};
        return token().kind != TokenKind::directive || parse_register_suffix(operand);
    case Binding::Kind::reg_vector: {
        operand.name = {};
        if (token().kind == TokenKind::directive && is_component(token().text)) {
            const std::size_t component = std::string_view{"xyzwrgba"}.find(token().text[0]) % 4;
            if (component >= binding.count) return unexpected("a component of the vector register");
            operand.kind = OperandKind::reg;
            operand.index += static_cast<std::uint32_t>(component);
            next();
            return true;
        }
        operand.kind = OperandKind::vector;
        operand.index = none;
        for (std::uint32_t i = 0; i < binding.count; ++i) {
            Operand& child = operand.children.emplace_back();
            child.kind = OperandKind::reg;
            child.index = binding.index + i;
            child.position = operand.position;
        }
        return true;
    }
    case Binding::Kind::function_variable: operand.symbol = SymbolKind::function_variable; break;
    case Binding::Kind::parameter: operand.symbol = SymbolKind::parameter; break;
    default: operand.symbol = SymbolKind::return_parameter; break;
    }
    operand.kind = OperandKind::symbol;
    return parse_symbol_suffix(operand);
}

bool Parser::parse_register_suffix(Operand& operand) {
    if (!is_selector(token().text)) return unexpected("',' or ';' or a selector such as .b0");
    operand.name = token().text;
    next();
    return true;
}

// %tid.x: the component is part of the name, which must therefore stand in one piece.
bool Parser::parse_special(Operand& operand) {
    const std::size_t begin = token().begin + 1;
    std::size_t end = token().end;
    operand.kind = OperandKind::special;
    next();
    if (token().kind == TokenKind::directive) {
        if (token().begin != end || !is_component(token().text)) return unexpected("a component such as .x");
        end = token().end;
        next();
    }
    operand.name = std::string_view{module_.text}.substr(begin, end - begin);
    return true;
}

std::uint64_t Parser::element_bytes(const Operand& symbol) const {
    const auto bytes = [](const Variable& variable) { return std::max<std::uint64_t>(1, type_bits(variable.type) / 8) * variable.vector; };
    switch (symbol.symbol) {
    case SymbolKind::module_variable: return bytes(module_.variables[symbol.index]);
    case SymbolKind::function_variable: return bytes(function_->variables[symbol.index]);
    case SymbolKind::parameter: return bytes(function_->parameters[symbol.index]);
    case SymbolKind::return_parameter: return bytes(function_->returns[symbol.index]);
    default: return 1;
    }
}

// symbol+8, or symbol[2]: the address of an element for mov, its contents for everything else.
bool Parser::parse_symbol_suffix(Operand& operand) {
    if (!token().is('[')) return parse_offset(operand.integer);
    next();
    Constant value;
    const TextPosition at = here();
    if (!parse_constant(value)) return false;
    if (value.is_real) return fail(at, "an index must be a whole number");
    operand.integer = static_cast<std::int64_t>(value.bits * element_bytes(operand));
    if (!expect(']', "after the index")) return false;
    if (opcode_ == "mov") return true;
    Operand address;
    address.kind = OperandKind::address;
    address.position = operand.position;
    address.integer = operand.integer;
    operand.integer = 0;
    address.children.push_back(std::move(operand));
    operand = std::move(address);
    return true;
}

} // namespace apod::ptx
