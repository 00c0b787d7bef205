// Declarations: spaces, types, vectors, arrays, registers.
#include "ptx/parser.hpp"

#include <algorithm>

namespace apod::ptx {

std::optional<Space> Parser::variable_space(std::string_view directive) {
    if (directive == "reg") return Space::reg;
    if (directive == "param") return Space::param;
    if (directive == "shared") return Space::shared;
    if (directive == "local") return Space::local;
    if (directive == "global" || directive == "tex") return Space::global;
    if (directive == "const") return Space::const_;
    return std::nullopt;
}

// {.attribute(..) | .align n | .v2 | .type | .ptr ..} in any order; a type is needed.
bool Parser::parse_declaration(Declaration& declaration) {
    Variable& variable = declaration.variable;
    if (variable.space == Space::const_ && accept('[')) { // ".const[2]": the bank, as PTX 2 wrote it
        std::uint64_t bank = 0;
        if (!parse_count(bank, "a constant bank") || !expect(']', "after the constant bank")) return false;
    }
    while (token().kind == TokenKind::directive) {
        const std::string_view name = token().text;
        const TextPosition at = here();
        if (const auto type = type_from_name(name)) {
            variable.type = *type;
            next();
        } else if (name == "v2" || name == "v4" || name == "v8") {
            variable.vector = static_cast<std::uint32_t>(name[1] - '0');
            next();
        } else if (name == "align") {
            next();
            if (!parse_count(variable.align, "an alignment")) return false;
            const bool power_of_two = variable.align != 0 && (variable.align & (variable.align - 1)) == 0;
            if (!power_of_two || variable.align > (1u << 20)) return fail(at, "an alignment must be a power of two, at most 1048576");
        } else if (name == "attribute") {
            if (!parse_attribute(variable)) return false;
        } else if (name == "ptr") {
            if (!parse_pointer(variable)) return false;
        } else {
            return unexpected("a type");
        }
    }
    if (variable.type == Type::none) return unexpected("a type");
    if (variable.type == Type::pred && variable.space != Space::reg) return fail(here(), "predicates live in registers only");
    return true;
}

// .attribute(.managed) or .attribute(.managed, .unified(1, 2))
bool Parser::parse_attribute(Variable& variable) {
    next();
    if (!expect('(', "after .attribute")) return false;
    do {
        if (token().kind != TokenKind::directive) return unexpected("an attribute such as .managed");
        if (token().text == "managed") variable.managed = true;
        next();
        if (!accept('(')) continue;
        do {
            std::uint64_t value = 0;
            if (!parse_count(value, "an attribute's value")) return false;
        } while (accept(','));
        if (!expect(')', "after the attribute's values")) return false;
    } while (accept(','));
    return expect(')', "after .attribute");
}

// .ptr [.space] [.align n]: what a kernel's parameter points to. The alignment is the target's, not the parameter's.
bool Parser::parse_pointer(Variable& variable) {
    variable.pointer = true;
    next();
    while (token().kind == TokenKind::directive) {
        if (token().text == "align") {
            next();
            std::uint64_t ignored = 0;
            if (!parse_count(ignored, "an alignment")) return false;
        } else if (variable_space(token().text)) {
            next();
        } else {
            return true;
        }
    }
    return true;
}

// name [dimensions] [= initialiser]
bool Parser::parse_variable(const Declaration& declaration, Variable& variable) {
    variable = declaration.variable;
    variable.position = here();
    if (!expect_identifier(variable.name, "a name")) return false;
    std::vector<std::uint64_t> dimensions;
    if (!parse_dimensions(variable, dimensions)) return false;
    if (!token().is('=')) return true;
    if (variable.space != Space::global && variable.space != Space::const_) {
        return fail(here(), "only .global and .const variables take an initialiser");
    }
    next();
    return parse_initialiser(variable, dimensions);
}

// Sets elements: 1 without dimensions, 0 for name[] until an initialiser says how many there are.
bool Parser::parse_dimensions(Variable& variable, std::vector<std::uint64_t>& dimensions) {
    constexpr std::size_t most = 16;
    std::uint64_t bytes = std::max<std::uint64_t>(1, (type_bits(variable.type) + 7) / 8) * variable.vector; // open dimension left out
    while (token().is('[')) {
        const TextPosition at = here();
        next();
        std::uint64_t dimension = 0;
        if (token().is(']')) {
            if (!dimensions.empty()) return fail(at, "only the first dimension can be left open");
            variable.unsized_array = true;
        } else if (!parse_count(dimension, "a dimension")) {
            return false;
        }
        if (!expect(']', "after the dimension")) return false;
        dimensions.push_back(dimension);
        if (dimensions.size() > most) return fail(at, "too many dimensions");
        if (dimension > max_variable_bytes / bytes) return fail(at, in_quotes(variable.name) + " is larger than the address space");
        bytes *= std::max<std::uint64_t>(1, dimension);
        variable.elements *= dimension;
    }
    return true;
}

// .reg [.v2] .type name | name<count> {, ...} ;
bool Parser::parse_registers() {
    Declaration declaration;
    declaration.variable.space = Space::reg;
    if (!parse_declaration(declaration)) return false;
    do {
        const TextPosition at = here();
        std::string_view name;
        if (!expect_identifier(name, "a register's name")) return false;
        std::optional<std::uint64_t> count;
        if (accept('<')) {
            std::uint32_t number = 0;
            if (!expect_u32(number, "the number of registers") || !expect('>', "after the number of registers")) return false;
            count = number;
        }
        if (!declare_registers(name, at, declaration.variable.type, declaration.variable.vector, count)) return false;
    } while (accept(','));
    return expect(';', "after the registers");
}

bool Parser::declare_registers(std::string_view name, TextPosition at, Type type, std::uint32_t vector,
                               std::optional<std::uint64_t> count) {
    const std::uint64_t many = count.value_or(1) * vector;
    if (many > max_registers - registers_) {
        return fail(at, "more than " + std::to_string(max_registers) + " registers in one module");
    }
    if (count && vector != 1) return fail(at, "vector registers cannot be numbered: declare them one by one");
    registers_ += static_cast<std::uint32_t>(many);
    const auto first = static_cast<std::uint32_t>(function_->registers.size());
    Binding binding{Binding::Kind::reg, first, static_cast<std::uint32_t>(many)};
    if (count) binding.kind = Binding::Kind::reg_range;
    if (vector != 1) binding.kind = Binding::Kind::reg_vector;
    if (!names_.declare(name, binding)) return fail(at, in_quotes(name) + " is already declared in this scope");
    if (binding.kind == Binding::Kind::reg) {
        function_->registers.push_back({name, type});
        return true;
    }
    // The members' names are not in the text. They share one string, sized beforehand so that views into it stay good.
    constexpr std::string_view components = "xyzwabcd";
    auto& spelled = *module_.names.emplace_back(std::make_unique<std::string>());
    spelled.reserve(many * (name.size() + 8));
    auto& registers = function_->registers;
    if (first + many > registers.capacity()) registers.reserve(std::max<std::size_t>(first + many, 2 * registers.capacity()));
    for (std::uint64_t i = 0; i < many; ++i) {
        const std::size_t begin = spelled.size();
        spelled += name;
        spelled += count ? std::to_string(i) : std::string{'.', components[i]};
        registers.push_back({std::string_view{spelled}.substr(begin), type});
    }
    return true;
}

} // namespace apod::ptx
