// Function bodies: nested scopes, declarations, labels; and the names that can only be resolved once the body is read.
#include "ptx/opcodes.hpp"
#include "ptx/parser.hpp"

namespace apod::ptx {

bool Parser::parse_body(Function& function) {
    function_ = &function;
    names_.clear();
    scope_parents_.clear();
    scope_ = none;
    labels_.clear();
    pending_.clear();
    location_ = none;
    if (!open_scope()) return false;
    if (!declare_parameters(function.returns, Binding::Kind::return_parameter) ||
        !declare_parameters(function.parameters, Binding::Kind::parameter)) {
        return false;
    }
    next();
    std::uint32_t depth = 1;
    while (depth > 0) {
        if (token().is('{')) {
            if (++depth > max_scope_depth) return fail(here(), "scopes are nested too deeply");
            if (!open_scope()) return false;
            next();
        } else if (token().is('}')) {
            names_.close();
            scope_ = scope_parents_[scope_];
            --depth;
            next();
        } else if (!parse_statement()) {
            return false;
        }
    }
    const bool resolved = resolve_pending();
    function_ = nullptr;
    return resolved;
}

bool Parser::open_scope() {
    names_.open();
    scope_parents_.push_back(scope_);
    scope_ = static_cast<std::uint32_t>(scope_parents_.size() - 1);
    return true;
}

bool Parser::parse_statement() {
    if (token().kind == TokenKind::identifier) {
        const std::string_view name = token().text;
        const TextPosition at = here();
        next();
        if (token().is(':')) {
            next();
            return parse_label(name, at);
        }
        return parse_instruction({}, name, at);
    }
    if (token().is('@')) return parse_guarded();
    if (token().kind == TokenKind::directive) return parse_body_directive();
    if (accept(';')) return true;
    return unexpected("an instruction, a declaration or '}' in function " + in_quotes(function_->name));
}

bool Parser::parse_body_directive() {
    const std::string_view name = token().text;
    if (name == "loc") return parse_location();
    if (name == "pragma") return parse_pragma(&function_->pragmas);
    if (name == "file") return parse_file();
    const auto space = variable_space(name);
    if (!space) return unexpected("an instruction, a declaration or '}' in function " + in_quotes(function_->name));
    next();
    return *space == Space::reg ? parse_registers() : parse_function_variables(*space);
}

bool Parser::parse_function_variables(Space space) {
    Declaration declaration;
    declaration.variable.space = space;
    if (!parse_declaration(declaration)) return false;
    do {
        Variable variable;
        if (!parse_variable(declaration, variable)) return false;
        const auto index = static_cast<std::uint32_t>(function_->variables.size());
        if (!names_.declare(variable.name, {Binding::Kind::function_variable, index, 1})) {
            return fail(variable.position, in_quotes(variable.name) + " is already declared in this scope");
        }
        function_->variables.push_back(std::move(variable));
    } while (accept(','));
    return expect(';', "after the declaration");
}

// What follows "name:".
bool Parser::parse_label(std::string_view name, TextPosition at) {
    if (token().is_directive("branchtargets") || token().is_directive("calltargets")) {
        const auto index = static_cast<std::uint32_t>(function_->label_lists.size());
        return declare_label(name, at, {LabelValue::Kind::list, index}) && parse_label_list(name);
    }
    if (token().is_directive("callprototype")) {
        const auto index = static_cast<std::uint32_t>(function_->prototypes.size());
        return declare_label(name, at, {LabelValue::Kind::prototype, index}) && parse_prototype(name);
    }
    const auto index = static_cast<std::uint32_t>(function_->labels.size());
    function_->labels.push_back({name, static_cast<std::uint32_t>(function_->instructions.size()), at});
    return declare_label(name, at, {LabelValue::Kind::label, index});
}

bool Parser::declare_label(std::string_view name, TextPosition at, LabelValue value) {
    if (labels_.emplace(LabelKey{name, scope_}, value).second) return true;
    return fail(at, "label " + in_quotes(name) + " is already used in this scope");
}

bool Parser::parse_label_list(std::string_view name) {
    const bool branches = token().is_directive("branchtargets");
    next();
    LabelList list;
    list.name = name;
    do {
        Operand& target = list.targets.emplace_back();
        target.position = here();
        if (!expect_identifier(target.name, branches ? "a label" : "a function's name")) return false;
        if (branches) {
            target.kind = OperandKind::label;
            continue;
        }
        const auto found = module_names_.find(target.name);
        if (found == module_names_.end() || found->second.kind != SymbolKind::function) {
            return fail(target.position, in_quotes(target.name) + " is not a declared function");
        }
        target.kind = OperandKind::symbol;
        target.symbol = SymbolKind::function;
        target.index = found->second.index;
    } while (accept(','));
    function_->label_lists.push_back(std::move(list));
    if (branches) { // the elements stay where they are when the list moves
        for (Operand& target : function_->label_lists.back().targets) pending_.push_back({&target, scope_});
    }
    return expect(';', "after the targets");
}

bool Parser::resolve_pending() {
    for (PendingName& pending : pending_) {
        if (!resolve_pending(pending)) return false;
    }
    return true;
}

bool Parser::resolve_pending(PendingName& pending) {
    Operand& operand = *pending.operand;
    const bool branch = operand.kind == OperandKind::label;
    for (std::uint32_t scope = pending.scope; scope != none; scope = scope_parents_[scope]) {
        const auto found = labels_.find({operand.name, scope});
        if (found == labels_.end()) continue;
        operand.index = found->second.index;
        if (found->second.kind == LabelValue::Kind::label) {
            operand.kind = OperandKind::label;
        } else {
            operand.kind = OperandKind::symbol;
            operand.symbol = found->second.kind == LabelValue::Kind::list ? SymbolKind::label_list : SymbolKind::prototype;
        }
        return true;
    }
    if (branch)
        return fail(operand.position, "there is no label " + in_quotes(operand.name) + " in function " + in_quotes(function_->name));
    const bool special = operand.name.starts_with('%');
    return fail(operand.position,
                in_quotes(operand.name) + (special ? " is neither a declared register nor a special one" : " is not declared"),
                special ? "declare it with .reg before its use" : "declare the variable, function or label");
}

} // namespace apod::ptx
