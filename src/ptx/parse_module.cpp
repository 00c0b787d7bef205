// Errors, tokens, and what stands at module scope.
#include "ptx/parser.hpp"

#include <charconv>

namespace apod::ptx {

bool Parser::fail(TextPosition at, std::string message, std::string hint) {
    if (!error_) error_ = bad_input(module_.position(at), std::move(message), std::move(hint));
    return false;
}

bool Parser::unexpected(std::string_view wanted) {
    std::string found;
    switch (token().kind) {
    case TokenKind::end: found = "the end of the text"; break;
    case TokenKind::bad: found = std::string{token().text}; break;
    case TokenKind::directive: found = in_quotes("." + std::string{token().text.substr(0, 100)}); break;
    case TokenKind::string: found = "a string"; break;
    default: found = in_quotes(token().text); break;
    }
    return fail(here(), "expected " + std::string{wanted} + ", found " + found);
}

bool Parser::accept(char c) {
    if (!token().is(c)) return false;
    next();
    return true;
}

bool Parser::expect(char c, std::string_view where) {
    if (accept(c)) return true;
    return unexpected(std::string{"'"} + c + "' " + std::string{where});
}

bool Parser::expect_identifier(std::string_view& name, std::string_view what) {
    if (token().kind != TokenKind::identifier) return unexpected(what);
    name = token().text;
    next();
    return true;
}

bool Parser::expect_u32(std::uint32_t& value, std::string_view what) {
    if (token().kind != TokenKind::number) return unexpected(what);
    const auto number = constant_from_text(token().text);
    if (!number || number->is_real || number->bits > 0xffffffffu) return unexpected(std::string{what} + ", a 32-bit number");
    value = static_cast<std::uint32_t>(number->bits);
    next();
    return true;
}

bool Parser::parse_module() {
    if (!parse_header()) return false;
    while (token().kind != TokenKind::end) {
        if (!parse_module_item()) return false;
    }
    resolve_aliases();
    resolve_location_names();
    return true;
}

bool Parser::parse_header() {
    if (!token().is_directive("version")) {
        unexpected(".version");
        error_->hint = "PTX text begins with .version, .target and .address_size; nvcc -ptx writes such a file";
        return false;
    }
    if (!parse_version()) return false;
    if (!token().is_directive("target")) return unexpected(".target after .version");
    return parse_target();
}

bool Parser::parse_version() {
    next();
    const std::string_view text = token().text;
    const std::size_t point = text.find('.');
    const auto read = [](std::string_view digits, std::uint32_t& value) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc{} && end == digits.data() + digits.size();
    };
    if (token().kind != TokenKind::number || point == std::string_view::npos || !read(text.substr(0, point), module_.version_major) ||
        !read(text.substr(point + 1), module_.version_minor)) {
        return unexpected("a version such as 9.0");
    }
    next();
    return true;
}

bool Parser::parse_target() {
    next();
    if (!expect_identifier(module_.target, "a target such as sm_90")) return false;
    while (accept(',')) {
        std::string_view option;
        if (!expect_identifier(option, "a target option")) return false;
        module_.target_options.push_back(option);
    }
    return true;
}

bool Parser::parse_module_item() {
    if (accept(';')) return true;
    if (token().kind != TokenKind::directive) return unexpected("a directive");
    const std::string_view name = token().text;
    if (name == "file") return parse_file();
    if (name == "loc") return parse_location();
    if (name == "section") return parse_section();
    if (name == "pragma") return parse_pragma(nullptr);
    if (name == "alias") return parse_alias();
    if (name == "version") return parse_version();
    if (name == "target") return parse_target();
    if (name == "address_size") {
        next();
        if (token().text != "32" && token().text != "64") return unexpected("an address size of 32 or 64");
        return expect_u32(module_.address_size, "an address size of 32 or 64");
    }
    Linkage linkage = Linkage::internal;
    if (!parse_linkage(linkage)) return false;
    if (token().is_directive("entry")) return parse_function(linkage, true);
    if (token().is_directive("func")) return parse_function(linkage, false);
    return parse_module_variables(linkage);
}

bool Parser::parse_linkage(Linkage& linkage) {
    while (true) {
        if (token().is_directive("visible")) {
            linkage = Linkage::visible;
        } else if (token().is_directive("extern")) {
            linkage = Linkage::external;
        } else if (token().is_directive("weak")) {
            linkage = Linkage::weak;
        } else if (token().is_directive("common")) {
            linkage = Linkage::common;
        } else {
            return true;
        }
        next();
    }
}

bool Parser::parse_module_variables(Linkage linkage) {
    const auto space = token().kind == TokenKind::directive ? variable_space(token().text) : std::nullopt;
    if (!space || *space == Space::reg || *space == Space::param || *space == Space::local) {
        return unexpected("a function, a variable or another directive of module scope");
    }
    Declaration declaration;
    declaration.variable.space = *space;
    declaration.variable.linkage = linkage;
    const bool texture = token().text == "tex"; // ".tex .u32 name", as PTX 1 wrote it
    next();
    if (!parse_declaration(declaration)) return false;
    if (texture) declaration.variable.type = Type::texref;
    do {
        Variable variable;
        if (!parse_variable(declaration, variable) || !add_module_variable(std::move(variable))) return false;
    } while (accept(','));
    return expect(';', "after the declaration");
}

// A declaration with .extern may meet its definition, in either order.
bool Parser::add_module_variable(Variable&& variable) {
    const auto index = static_cast<std::uint32_t>(module_.variables.size());
    const auto [entry, fresh] = module_names_.emplace(variable.name, ModuleName{SymbolKind::module_variable, index});
    if (fresh) {
        module_.variables.push_back(std::move(variable));
        return true;
    }
    if (entry->second.kind == SymbolKind::module_variable) {
        Variable& earlier = module_.variables[entry->second.index];
        if (variable.linkage == Linkage::external) return true;
        if (earlier.linkage == Linkage::external) {
            earlier = std::move(variable);
            return true;
        }
    }
    return fail(variable.position, in_quotes(variable.name) + " is already declared");
}

// .pragma "text" {, "text"} ;
bool Parser::parse_pragma(std::vector<std::string_view>* into) {
    next();
    do {
        if (token().kind != TokenKind::string) return unexpected("a pragma in quotes");
        if (into) into->push_back(token().text);
        next();
    } while (accept(','));
    return expect(';', "after .pragma");
}

// .alias name, function ;
bool Parser::parse_alias() {
    next();
    std::uint32_t ends[2] = {0, 0};
    for (std::uint32_t& end : ends) {
        if (&end != ends && !expect(',', "between the names of .alias")) return false;
        const TextPosition at = here();
        std::string_view name;
        if (!expect_identifier(name, "a function's name")) return false;
        const auto found = module_names_.find(name);
        if (found == module_names_.end() || found->second.kind != SymbolKind::function) {
            return fail(at, in_quotes(name) + " is not a declared function");
        }
        end = found->second.index;
    }
    aliases_.push_back({ends[0], ends[1]});
    return expect(';', "after .alias");
}

// What names an alias is made to name the function behind it; a function without a body then stays behind, unused.
void Parser::resolve_aliases() {
    if (aliases_.empty()) return;
    std::unordered_map<std::uint32_t, std::uint32_t> to;
    for (const Alias& alias : aliases_) to[alias.from] = alias.to;
    std::unordered_map<std::string_view, std::string_view> renamed;
    for (const Alias& alias : aliases_) renamed[module_.functions[alias.from].name] = module_.functions[alias.to].name;
    const auto redirect = [&](Operand& operand) {
        const auto found = operand.symbol == SymbolKind::function ? to.find(operand.index) : to.end();
        if (found == to.end()) return;
        operand.index = found->second;
        operand.name = module_.functions[found->second].name;
    };
    for (Function& function : module_.functions) {
        for (Instruction& instruction : function.instructions)
            for (Operand& operand : instruction.operands) redirect(operand);
        for (LabelList& list : function.label_lists)
            for (Operand& operand : list.targets) redirect(operand);
    }
    for (Variable& variable : module_.variables) {
        for (Relocation& relocation : variable.relocations) {
            if (const auto found = renamed.find(relocation.symbol); found != renamed.end()) relocation.symbol = found->second;
        }
    }
}

} // namespace apod::ptx
