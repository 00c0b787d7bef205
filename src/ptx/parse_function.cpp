// Functions: headers, tuning directives, prototypes.
#include "ptx/parser.hpp"

namespace apod::ptx {

// (.entry | .func [attribute] [(returns)]) name [(parameters)] {directive} (';' | body)
bool Parser::parse_function(Linkage linkage, bool entry) {
    next();
    Function function;
    function.is_entry = entry;
    function.linkage = linkage;
    Variable attributes;
    while (token().is_directive("attribute")) {
        if (!parse_attribute(attributes)) return false;
    }
    if (!entry && token().is('(') && !parse_parameters(function.returns)) return false;
    function.position = here();
    if (!expect_identifier(function.name, entry ? "the kernel's name" : "the function's name")) return false;
    if (token().is('(') && !parse_parameters(function.parameters)) return false;
    if (!parse_function_directives(function)) return false;
    function.has_body = token().is('{');
    std::uint32_t index = 0;
    if (!reserve_function(function, index)) return false;
    if (function.has_body) {
        if (!parse_body(function)) return false;
        module_.functions[index] = std::move(function);
        return true;
    }
    return expect(';', "or a body after the function's header");
}

// Gives the function its place in the table before its body is read, so that it can call itself. A definition takes its declaration's
// place.
bool Parser::reserve_function(const Function& header, std::uint32_t& index) {
    index = static_cast<std::uint32_t>(module_.functions.size());
    const auto [entry, fresh] = module_names_.emplace(header.name, ModuleName{SymbolKind::function, index});
    if (fresh) {
        module_.functions.push_back(header);
        return true;
    }
    if (entry->second.kind != SymbolKind::function)
        return fail(header.position, in_quotes(header.name) + " is already declared as a variable");
    index = entry->second.index;
    Function& earlier = module_.functions[index];
    if (earlier.has_body && header.has_body) return fail(header.position, "function " + in_quotes(header.name) + " is already defined");
    if (!earlier.has_body) {
        const bool noreturn = earlier.noreturn || header.noreturn;
        earlier = header;
        earlier.noreturn = noreturn;
    }
    return true;
}

bool Parser::parse_parameters(std::vector<Variable>& parameters) {
    if (!expect('(', "before the parameters")) return false;
    if (accept(')')) return true;
    do {
        if (!parse_parameter(parameters)) return false;
    } while (accept(','));
    return expect(')', "after the parameters");
}

bool Parser::parse_parameter(std::vector<Variable>& parameters) {
    const bool reg = token().is_directive("reg");
    if (!reg && !token().is_directive("param")) return unexpected(".param or .reg");
    next();
    Declaration declaration;
    declaration.variable.space = reg ? Space::reg : Space::param;
    if (!parse_declaration(declaration)) return false;
    return parse_variable(declaration, parameters.emplace_back());
}

bool Parser::parse_function_directives(Function& function) {
    while (token().kind == TokenKind::directive) {
        const std::string_view name = token().text;
        if (name == "pragma") {
            if (!parse_pragma(&function.pragmas)) return false;
            continue;
        }
        if (name == "attribute") {
            Variable ignored;
            if (!parse_attribute(ignored)) return false;
            continue;
        }
        next();
        if (name == "noreturn") {
            function.noreturn = true;
        } else if (name == "explicitcluster") {
            function.tuning.explicit_cluster = true;
        } else if (name == "blocksareclusters") {
            continue; // the grid counts clusters; the launch says so too
        } else if (name == "abi_preserve" || name == "abi_preserve_control") {
            std::uint64_t registers = 0; // a matter of ptxas
            if (!parse_count(registers, "a number of registers")) return false;
        } else if (!parse_tuning(function, name)) {
            return false;
        }
    }
    return true;
}

bool Parser::parse_tuning(Function& function, std::string_view directive) {
    Tuning& tuning = function.tuning;
    if (directive == "maxntid") return parse_up_to_three(tuning.max_threads);
    if (directive == "reqntid") return parse_up_to_three(tuning.required_threads);
    if (directive == "reqnctapercluster") return parse_up_to_three(tuning.required_cluster);
    if (directive == "minnctapersm" || directive == "maxnctapersm") return expect_u32(tuning.min_blocks_per_sm, "a number of blocks");
    if (directive == "maxnreg") return expect_u32(tuning.max_registers, "a number of registers");
    if (directive == "maxclusterrank") return expect_u32(tuning.max_cluster_rank, "a number of blocks");
    return fail(here(), "unknown directive " + in_quotes("." + std::string{directive.substr(0, 100)}) + " after the header of " +
                            in_quotes(function.name));
}

// What is not given is 1.
bool Parser::parse_up_to_three(std::uint32_t (&values)[3]) {
    for (std::uint32_t& value : values) value = 1;
    std::size_t given = 0;
    do {
        if (given == 3) return unexpected("at most three dimensions");
        if (!expect_u32(values[given++], "a number")) return false;
    } while (accept(','));
    return true;
}

// Parameters in register space are registers of the body too, under the same name.
bool Parser::declare_parameters(const std::vector<Variable>& parameters, Binding::Kind kind) {
    for (std::uint32_t i = 0; i < parameters.size(); ++i) {
        const Variable& parameter = parameters[i];
        if (parameter.space == Space::reg) {
            if (!declare_registers(parameter.name, parameter.position, parameter.type, parameter.vector, std::nullopt)) return false;
        } else if (!names_.declare(parameter.name, {kind, i, 1})) {
            return fail(parameter.position, "parameter " + in_quotes(parameter.name) + " is already declared");
        }
    }
    return true;
}

// name: .callprototype [(returns)] _ [(parameters)] [.noreturn] ;
bool Parser::parse_prototype(std::string_view name) {
    next();
    Prototype prototype;
    prototype.name = name;
    if (token().is('(') && !parse_parameters(prototype.returns)) return false;
    std::string_view placeholder;
    if (!expect_identifier(placeholder, "'_' in place of the function's name")) return false;
    if (token().is('(') && !parse_parameters(prototype.parameters)) return false;
    Function directives;
    if (!parse_function_directives(directives)) return false;
    prototype.noreturn = directives.noreturn;
    function_->prototypes.push_back(std::move(prototype));
    return expect(';', "after the prototype");
}

} // namespace apod::ptx
