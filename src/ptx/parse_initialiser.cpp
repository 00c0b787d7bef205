// Initialisers of variables. Only the bytes that the text spells out are kept: what follows them is zero.
#include "ptx/parser.hpp"

#include <algorithm>
#include <bit>

namespace apod::ptx {

bool Parser::parse_initialiser(Variable& variable, const std::vector<std::uint64_t>& dimensions) {
    if (type_bits(variable.type) % 8 != 0 || type_bits(variable.type) == 0) {
        return fail(here(), "a variable of type ." + std::string{type_name(variable.type)} + " takes no initialiser");
    }
    const bool opaque = variable.type == Type::texref || variable.type == Type::samplerref || variable.type == Type::surfref;
    if (opaque && token().is('{')) { // "{ addr_mode_0 = clamp_to_edge, ... }" sets up a sampler; it has no bytes
        lexer_.skip_braces();
        return expect('}', "after the initialiser");
    }
    Extent extent;
    extent.bytes = type_bits(variable.type) / 8;
    extent.position = here();
    const auto fixed = dimensions.begin() + (variable.unsized_array && !dimensions.empty() ? 1 : 0);
    if (std::find(fixed, dimensions.end(), 0) != dimensions.end())
        return fail(extent.position, in_quotes(variable.name) + " has no elements to initialise");
    std::vector<std::uint64_t> items = dimensions;
    if (variable.vector != 1) items.push_back(variable.vector);
    extent.strides.assign(items.size(), 1);
    for (std::size_t level = items.size(); level-- > 1;) extent.strides[level - 1] = extent.strides[level] * items[level];
    extent.limit = variable.unsized_array ? 0 : variable.elements * variable.vector;
    if (items.empty() || !token().is('{')) {
        if (!parse_element(variable, extent, 0)) return false;
    } else if (!parse_initialiser_list(variable, extent, 0, 0)) {
        return false;
    }
    if (variable.unsized_array && dimensions.size() > 0) {
        const std::uint64_t row = extent.strides[0]; // vectors included
        variable.elements = row == 0 ? 0 : (extent.count + row - 1) / row * row / variable.vector;
        variable.unsized_array = false;
    }
    return true;
}

// '{' [item {, item}] '}': an item is an element, or the list of one row.
bool Parser::parse_initialiser_list(Variable& variable, Extent& extent, std::size_t level, std::uint64_t base) {
    next();
    std::uint64_t at = base;
    while (!accept('}')) {
        if (at != base && !expect(',', "between the values of an initialiser")) return false;
        if (token().is('}')) continue; // a comma before the brace
        if (token().is('{')) {
            if (level + 1 >= extent.strides.size()) return fail(here(), "more nested braces than dimensions");
            const std::uint64_t stride = extent.strides[level];
            if (stride == 0) return fail(here(), "values for an array of no elements");
            if (!parse_initialiser_list(variable, extent, level + 1, at)) return false;
            at += stride;
            if (at > max_variable_bytes) return fail(here(), in_quotes(variable.name) + " is larger than the address space");
        } else if (!parse_element(variable, extent, at++)) {
            return false;
        }
    }
    return true;
}

bool Parser::parse_element(Variable& variable, Extent& extent, std::uint64_t at) {
    if (token().kind == TokenKind::identifier && !token().is_identifier("WARP_SZ")) return parse_relocation(variable, extent, at);
    const TextPosition place = here();
    Constant value;
    if (!parse_constant(value)) return false;
    if (!accept('(')) {
        extent.position = place;
        return write_element(variable, extent, at, value);
    }
    // 0xff00(symbol): one byte of an address.
    const int shift = std::countr_zero(value.bits);
    if (value.is_real || value.bits == 0 || shift % 8 != 0 || value.bits >> shift != 0xff) {
        return fail(place, "a mask of an address must select one byte, as 0xff00 does");
    }
    if (!reserve_element(variable, extent, at)) return false;
    Relocation relocation{.offset = at * extent.bytes, .bytes = 1, .mask_shift = static_cast<std::uint32_t>(shift / 8)};
    if (!parse_relocated_symbol(relocation) || !expect(')', "after the masked address") || !parse_addend(relocation)) return false;
    variable.relocations.push_back(relocation);
    return true;
}

bool Parser::parse_relocation(Variable& variable, Extent& extent, std::uint64_t at) {
    extent.position = here();
    if (extent.bytes < 4) return fail(here(), "an address does not fit in ." + std::string{type_name(variable.type)});
    Relocation relocation{.offset = at * extent.bytes, .bytes = static_cast<std::uint32_t>(extent.bytes)};
    if (!reserve_element(variable, extent, at) || !parse_relocated_symbol(relocation)) return false;
    variable.relocations.push_back(relocation);
    return true;
}

// symbol [+ n] or generic(symbol [+ n]) [+ n]
bool Parser::parse_relocated_symbol(Relocation& relocation) {
    TextPosition at = here();
    std::string_view name;
    if (!expect_identifier(name, "a variable's or function's name")) return false;
    if (name == "generic" && !relocation.generic && accept('(')) {
        relocation.generic = true;
        at = here();
        return parse_relocated_symbol(relocation) && expect(')', "after generic(") && parse_addend(relocation);
    }
    const auto found = module_names_.find(name);
    if (found == module_names_.end()) {
        return fail(at, in_quotes(name) + " is not declared", "declare the variable or function before its address is used");
    }
    relocation.symbol = name;
    return parse_addend(relocation);
}

bool Parser::parse_addend(Relocation& relocation) {
    while (token().is('+') || token().is('-')) {
        const bool minus = token().is('-');
        const TextPosition at = here();
        next();
        Constant value;
        if (!parse_binary(value, 10, 0)) return false; // up to the next + or -
        if (value.is_real) return fail(at, "an offset must be a whole number");
        const std::uint64_t sum = static_cast<std::uint64_t>(relocation.addend) + (minus ? 0 - value.bits : value.bits);
        relocation.addend = static_cast<std::int64_t>(sum);
    }
    return true;
}

// Grows the bytes to hold the element; those of elements left out are zero.
bool Parser::reserve_element(Variable& variable, Extent& extent, std::uint64_t at) {
    if (extent.limit != 0 || !variable.unsized_array) {
        if (at >= extent.limit) {
            return fail(extent.position, in_quotes(variable.name) + " has " + std::to_string(extent.limit) + " elements, but more values");
        }
    }
    extent.count = std::max(extent.count, at + 1);
    const std::size_t needed = (at + 1) * extent.bytes;
    if (needed <= variable.initial.size()) return true;
    initialiser_bytes_ += needed - variable.initial.size();
    if (initialiser_bytes_ > max_initialiser_gaps + 16 * module_.text.size()) {
        return fail(extent.position, "the initialisers skip over too much", "initialise such large arrays at run time");
    }
    variable.initial.resize(needed);
    return true;
}

bool Parser::write_element(Variable& variable, Extent& extent, std::uint64_t at, const Constant& value) {
    if (!reserve_element(variable, extent, at)) return false;
    std::uint64_t bits = value.bits;
    if (variable.type == Type::f32) {
        const bool is_pattern = value.is_real && value.is_f32;
        bits = is_pattern ? bits : std::bit_cast<std::uint32_t>(static_cast<float>(value.real()));
    } else if (variable.type == Type::f64) {
        bits = std::bit_cast<std::uint64_t>(value.real());
    } else if (value.is_real && (is_float(variable.type) || extent.bytes != (value.is_f32 ? 4u : 8u))) {
        return fail(extent.position, "a real of " + std::string{value.is_f32 ? "32" : "64"} + " bits does not initialise ." +
                                         std::string{type_name(variable.type)});
    }
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(extent.bytes, 8); ++i) {
        variable.initial[at * extent.bytes + i] = static_cast<std::byte>(bits >> (8 * i) & 0xff);
    }
    return true;
}

} // namespace apod::ptx
