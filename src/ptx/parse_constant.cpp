// Constant expressions: C's operators on 64-bit integers, signed unless a U suffix or the size says otherwise, and + - * / on reals.
#include "ptx/parser.hpp"

#include <bit>

namespace apod::ptx {

namespace {

Constant from_integer(std::int64_t value) { return {.bits = static_cast<std::uint64_t>(value)}; }
Constant from_bool(bool value) { return from_integer(value ? 1 : 0); }
Constant from_real(double value) { return {.is_real = true, .bits = std::bit_cast<std::uint64_t>(value)}; }

Constant negated(const Constant& value) {
    Constant result = value;
    if (!value.is_real) {
        result.bits = 0 - value.bits;
        result.is_unsigned = false;
    } else {
        result.bits ^= value.is_f32 ? 0x80000000ull : 0x8000000000000000ull; // the sign, so that NaN patterns survive
    }
    return result;
}

// C's precedence; 0: not a binary operator. `||` is 1.
int precedence(std::string_view op) {
    if (op == "*" || op == "/" || op == "%") return 10;
    if (op == "+" || op == "-") return 9;
    if (op == "<<" || op == ">>") return 8;
    if (op == "<" || op == ">" || op == "<=" || op == ">=") return 7;
    if (op == "==" || op == "!=") return 6;
    if (op == "&") return 5;
    if (op == "^") return 4;
    if (op == "|") return 3;
    if (op == "&&") return 2;
    if (op == "||") return 1;
    return 0;
}

std::optional<Constant> combine_reals(double a, double b, std::string_view op) {
    if (op == "+") return from_real(a + b);
    if (op == "-") return from_real(a - b);
    if (op == "*") return from_real(a * b);
    if (op == "/") return from_real(a / b);
    if (op == "<") return from_bool(a < b);
    if (op == ">") return from_bool(a > b);
    if (op == "<=") return from_bool(a <= b);
    if (op == ">=") return from_bool(a >= b);
    if (op == "==") return from_bool(a == b);
    if (op == "!=") return from_bool(a != b);
    return std::nullopt;
}

bool less(const Constant& a, const Constant& b, bool as_unsigned) { return as_unsigned ? a.bits < b.bits : a.integer() < b.integer(); }

std::uint64_t divide(const Constant& a, const Constant& b, bool as_unsigned, bool remainder) {
    if (as_unsigned) return remainder ? a.bits % b.bits : a.bits / b.bits;
    if (b.integer() == -1) return remainder ? 0 : 0 - a.bits; // the smallest integer over -1 wraps
    return static_cast<std::uint64_t>(remainder ? a.integer() % b.integer() : a.integer() / b.integer());
}

std::uint64_t shift(const Constant& a, const Constant& b, bool left) {
    const bool negative = !a.is_unsigned && a.integer() < 0;
    if (b.bits >= 64) return !left && negative ? ~0ull : 0;
    if (left) return a.bits << b.bits;
    return a.is_unsigned ? a.bits >> b.bits : static_cast<std::uint64_t>(a.integer() >> b.bits);
}

// Division by zero is the caller's to exclude.
Constant combine_integers(const Constant& a, const Constant& b, std::string_view op) {
    const bool as_unsigned = a.is_unsigned || b.is_unsigned;
    const auto value = [&](std::uint64_t bits) { return Constant{.is_unsigned = as_unsigned, .bits = bits}; };
    if (op == "+") return value(a.bits + b.bits);
    if (op == "-") return value(a.bits - b.bits);
    if (op == "*") return value(a.bits * b.bits);
    if (op == "/") return value(divide(a, b, as_unsigned, false));
    if (op == "%") return value(divide(a, b, as_unsigned, true));
    if (op == "<<" || op == ">>") return {.is_unsigned = a.is_unsigned, .bits = shift(a, b, op == "<<")};
    if (op == "&") return value(a.bits & b.bits);
    if (op == "^") return value(a.bits ^ b.bits);
    if (op == "|") return value(a.bits | b.bits);
    if (op == "&&") return from_bool(a.bits != 0 && b.bits != 0);
    if (op == "||") return from_bool(a.bits != 0 || b.bits != 0);
    if (op == "==") return from_bool(a.bits == b.bits);
    if (op == "!=") return from_bool(a.bits != b.bits);
    if (op == "<") return from_bool(less(a, b, as_unsigned));
    if (op == ">") return from_bool(less(b, a, as_unsigned));
    if (op == "<=") return from_bool(!less(b, a, as_unsigned));
    return from_bool(!less(a, b, as_unsigned)); // >=
}

} // namespace

bool Parser::combine(Constant& left, const Constant& right, std::string_view op, TextPosition at) {
    if (left.is_real || right.is_real) {
        const auto value = combine_reals(left.real(), right.real(), op);
        if (!value) return fail(at, "operator " + in_quotes(op) + " does not take reals");
        left = *value;
        return true;
    }
    if ((op == "/" || op == "%") && right.bits == 0) return fail(at, "division by zero in a constant expression");
    left = combine_integers(left, right, op);
    return true;
}

bool Parser::parse_constant(Constant& value) { return parse_conditional(value, 0); }

bool Parser::parse_conditional(Constant& value, std::uint32_t depth) {
    if (depth > max_expression_depth) return fail(here(), "the expression is nested too deeply");
    if (!parse_binary(value, 1, depth)) return false;
    if (!accept('?')) return true;
    Constant yes;
    Constant no;
    if (!parse_conditional(yes, depth + 1) || !expect(':', "between the values of '?'") || !parse_conditional(no, depth + 1)) return false;
    value = value.bits != 0 ? yes : no;
    return true;
}

bool Parser::parse_binary(Constant& value, int weakest, std::uint32_t depth) {
    if (!parse_unary(value, depth)) return false;
    while (token().kind == TokenKind::punctuation) {
        const Token first = token();
        const char following = first.end < module_.text.size() ? module_.text[first.end] : '\0';
        const std::string_view two = std::string_view{module_.text}.substr(first.begin, 2);
        const bool doubled = following != '\0' && precedence(two) != 0;
        const std::string_view op = doubled ? two : first.text;
        const int strength = precedence(op);
        if (strength < weakest || strength == 0) return true;
        next();
        if (doubled) next();
        Constant right;
        if (!parse_binary(right, strength + 1, depth + 1) || !combine(value, right, op, first.position)) return false;
    }
    return true;
}

bool Parser::parse_unary(Constant& value, std::uint32_t depth) {
    if (depth > max_expression_depth) return fail(here(), "the expression is nested too deeply");
    const Token first = token();
    if (!first.is('-') && !first.is('+') && !first.is('~') && !first.is('!')) return parse_primary(value, depth);
    next();
    if (!parse_unary(value, depth + 1)) return false;
    if (first.is('-')) {
        value = negated(value);
    } else if (first.is('!')) {
        value = from_bool(value.is_real ? value.real() == 0 : value.bits == 0);
    } else if (first.is('~')) {
        if (value.is_real) return fail(first.position, "operator '~' does not take reals");
        value.bits = ~value.bits;
    }
    return true;
}

bool Parser::parse_primary(Constant& value, std::uint32_t depth) {
    if (token().kind == TokenKind::number) {
        const auto number = constant_from_text(token().text);
        if (!number) return fail(here(), in_quotes(token().text) + " is not a number that fits in 64 bits");
        value = *number;
        next();
        return true;
    }
    if (token().is_identifier("WARP_SZ")) {
        value = from_integer(32);
        next();
        return true;
    }
    if (!accept('(')) return unexpected("a constant");
    if (token().kind == TokenKind::directive) return parse_cast(value, depth);
    return parse_conditional(value, depth + 1) && expect(')', "at the end of the expression");
}

// "(.s64)" or "(.u64)" and what it applies to; the parenthesis is already read.
bool Parser::parse_cast(Constant& value, std::uint32_t depth) {
    const bool to_unsigned = token().is_directive("u64");
    if (!to_unsigned && !token().is_directive("s64")) return unexpected(".s64 or .u64");
    const TextPosition at = here();
    next();
    if (!expect(')', "after the type of a cast") || !parse_unary(value, depth + 1)) return false;
    if (value.is_real) return fail(at, "a cast does not take reals");
    value.is_unsigned = to_unsigned;
    return true;
}

bool Parser::parse_count(std::uint64_t& value, std::string_view what) {
    const TextPosition at = here();
    Constant constant;
    if (!parse_constant(constant)) return false;
    if (constant.is_real || (!constant.is_unsigned && constant.integer() < 0)) {
        return fail(at, std::string{what} + " must be a whole number that is not negative");
    }
    value = constant.bits;
    return true;
}

} // namespace apod::ptx
