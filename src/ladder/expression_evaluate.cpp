// Values of expressions: checked 64-bit integers, reals, booleans.
#include "base/nearest.hpp"
#include "ladder/expression_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apod::ladder::detail {

namespace {

constexpr std::string_view booleans_hint = "compare the numbers first: n > 0 and n < 10";

// Carries what every error needs: the place of the node at hand.
struct Context {
    const Environment& names;
    const SourcePosition& where;

    [[nodiscard]] Diagnostic error(const Node& node, std::string message, std::string_view hint = {}) const {
        return bad_input(place(where, node.offset), std::move(message), std::string(hint));
    }
};

bool is_integer(const Value& value) { return std::holds_alternative<std::int64_t>(value); }
bool is_boolean(const Value& value) { return std::holds_alternative<bool>(value); }

Result<Value> real_result(double value, const Node& node, const Context& context) {
    if (std::isfinite(value)) return Value(value);
    return context.error(node, "the result is not a finite number", "the operands are too large, or outside the function's domain");
}

// A real that is a whole number and fits becomes an integer: ceil(n/32) is one.
Result<Value> whole_result(double value, const Node& node, const Context& context) {
    // 2^63 is exact in double; the comparison is false for NaN.
    if (value >= -0x1p63 && value < 0x1p63) return Value(static_cast<std::int64_t>(value));
    return context.error(node, "the result does not fit 64 bits", "");
}

Result<Value> integer_arithmetic(const Node& node, std::int64_t a, std::int64_t b, const Context& context) {
    std::int64_t result = 0;
    bool overflow = false;
    switch (node.op) {
    case Operator::add: overflow = __builtin_add_overflow(a, b, &result); break;
    case Operator::subtract: overflow = __builtin_sub_overflow(a, b, &result); break;
    case Operator::multiply: overflow = __builtin_mul_overflow(a, b, &result); break;
    case Operator::divide:
        if (b == 0)
            return context.error(node, fmt::format("division by zero: {} / 0", a), "guard it with max(1, ...) or a larger parameter");
        if (b == -1) return integer_arithmetic({.op = Operator::subtract, .offset = node.offset}, 0, a, context);
        if (a % b != 0) return Value(static_cast<double>(a) / static_cast<double>(b));
        return Value(a / b);
    default:
        if (b == 0)
            return context.error(node, fmt::format("division by zero: {} % 0", a), "guard it with max(1, ...) or a larger parameter");
        result = b == -1 ? 0 : a % b;
        if (result != 0 && (result < 0) != (b < 0)) result += b;
    }
    if (overflow) return context.error(node, fmt::format("the result does not fit 64 bits: operands {} and {}", a, b), "");
    return Value(result);
}

Result<Value> real_arithmetic(const Node& node, double a, double b, const Context& context) {
    switch (node.op) {
    case Operator::add: return real_result(a + b, node, context);
    case Operator::subtract: return real_result(a - b, node, context);
    case Operator::multiply: return real_result(a * b, node, context);
    case Operator::divide:
        if (b == 0)
            return context.error(node, fmt::format("division by zero: {} / 0", a), "guard it with max(1, ...) or a larger parameter");
        return real_result(a / b, node, context);
    default: return context.error(node, "% needs two integers", "use floor(...) to make an integer");
    }
}

template<class T> bool compare(Operator op, const T& a, const T& b) {
    switch (op) {
    case Operator::equal: return a == b;
    case Operator::unequal: return a != b;
    case Operator::less: return a < b;
    case Operator::less_equal: return a <= b;
    case Operator::greater: return a > b;
    default: return a >= b;
    }
}

bool is_comparison(Operator op) { return op >= Operator::equal && op <= Operator::greater_equal; }

Result<Value> evaluate_logic(const Node& node, const Context& context) {
    Result<Value> left = evaluate_node(*node.children[0], context.names, context.where);
    if (!left) return left;
    if (!is_boolean(*left)) return context.error(node, "'and' and 'or' join conditions, not numbers", booleans_hint);
    // The second condition is not looked at when the first decides: n > 0 and m / n > 2 is safe.
    if (std::get<bool>(*left) == (node.op == Operator::either)) return left;
    Result<Value> right = evaluate_node(*node.children[1], context.names, context.where);
    if (right.ok() && !is_boolean(*right)) return context.error(node, "'and' and 'or' join conditions, not numbers", booleans_hint);
    return right;
}

Result<Value> evaluate_binary(const Node& node, const Context& context) {
    if (node.op == Operator::both || node.op == Operator::either) return evaluate_logic(node, context);
    Result<Value> left = evaluate_node(*node.children[0], context.names, context.where);
    if (!left) return left;
    Result<Value> right = evaluate_node(*node.children[1], context.names, context.where);
    if (!right) return right;
    if (is_boolean(*left) || is_boolean(*right)) return context.error(node, "this operator needs numbers, not conditions", booleans_hint);
    const bool integers = is_integer(*left) && is_integer(*right);
    if (is_comparison(node.op)) {
        if (integers) return Value(compare(node.op, std::get<std::int64_t>(*left), std::get<std::int64_t>(*right)));
        return Value(compare(node.op, as_real(*left), as_real(*right)));
    }
    if (integers) return integer_arithmetic(node, std::get<std::int64_t>(*left), std::get<std::int64_t>(*right), context);
    return real_arithmetic(node, as_real(*left), as_real(*right), context);
}

Result<Value> evaluate_unary(const Node& node, const Context& context) {
    Result<Value> operand = evaluate_node(*node.children[0], context.names, context.where);
    if (!operand) return operand;
    if (node.op == Operator::invert) {
        if (is_boolean(*operand)) return Value(!std::get<bool>(*operand));
        return context.error(node, "'not' needs a condition, not a number", booleans_hint);
    }
    if (is_boolean(*operand)) return context.error(node, "'-' needs a number, not a condition", "");
    if (!is_integer(*operand)) return Value(-std::get<double>(*operand));
    return integer_arithmetic({.op = Operator::subtract, .offset = node.offset}, 0, std::get<std::int64_t>(*operand), context);
}

Result<Value> integer_power(const Node& node, std::int64_t base, std::int64_t exponent, const Context& context) {
    if (exponent < 0) return real_result(std::pow(static_cast<double>(base), static_cast<double>(exponent)), node, context);
    std::int64_t result = 1;
    for (std::int64_t i = 0; i < exponent; ++i) {
        // 0, 1 and -1 would never overflow however large the exponent.
        if (base == 0 || base == 1) return Value(base);
        if (base == -1) return Value(exponent % 2 == 0 ? std::int64_t{1} : std::int64_t{-1});
        if (__builtin_mul_overflow(result, base, &result)) {
            return context.error(node, fmt::format("pow({}, {}) does not fit 64 bits", base, exponent), "");
        }
    }
    return Value(result);
}

Result<Value> power_of_two_above(const Node& node, const Value& operand, const Context& context) {
    const double real = as_real(operand);
    if (real > 0x1p62) return context.error(node, "the result does not fit 64 bits", "");
    std::int64_t result = 1;
    while (static_cast<double>(result) < real) result *= 2;
    return Value(result);
}

Result<Value> smallest_or_largest(const std::vector<Value>& operands, bool largest) {
    const Value* best = &operands[0];
    for (const Value& operand : operands) {
        const bool integers = is_integer(operand) && is_integer(*best);
        const bool less = integers ? std::get<std::int64_t>(operand) < std::get<std::int64_t>(*best) : as_real(operand) < as_real(*best);
        const bool more = integers ? std::get<std::int64_t>(operand) > std::get<std::int64_t>(*best) : as_real(operand) > as_real(*best);
        if (largest ? more : less) best = &operand;
    }
    return *best;
}

Result<Value> call_rounding(const Node& node, const Value& operand, const Context& context) {
    if (is_integer(operand)) return operand;
    const double real = std::get<double>(operand);
    if (node.name == "ceil") return whole_result(std::ceil(real), node, context);
    if (node.name == "floor") return whole_result(std::floor(real), node, context);
    return whole_result(std::round(real), node, context);
}

Result<Value> call_on_numbers(const Node& node, const std::vector<Value>& operands, const Context& context) {
    const Value& first = operands[0];
    if (node.name == "ceil" || node.name == "floor" || node.name == "round") return call_rounding(node, first, context);
    if (node.name == "min" || node.name == "max") return smallest_or_largest(operands, node.name == "max");
    if (node.name == "pow2ceil") return power_of_two_above(node, first, context);
    if (node.name == "sqrt") return real_result(std::sqrt(as_real(first)), node, context);
    if (node.name == "log2") return real_result(std::log2(as_real(first)), node, context);
    if (node.name == "abs") {
        if (!is_integer(first)) return Value(std::abs(std::get<double>(first)));
        const std::int64_t integer = std::get<std::int64_t>(first);
        if (integer >= 0) return first;
        return integer_arithmetic({.op = Operator::subtract, .offset = node.offset}, 0, integer, context);
    }
    if (is_integer(first) && is_integer(operands[1])) {
        return integer_power(node, std::get<std::int64_t>(first), std::get<std::int64_t>(operands[1]), context);
    }
    return real_result(std::pow(as_real(first), as_real(operands[1])), node, context);
}

Result<Value> evaluate_if(const Node& node, const Context& context) {
    Result<Value> condition = evaluate_node(*node.children[0], context.names, context.where);
    if (!condition) return condition;
    if (!is_boolean(*condition)) return context.error(node, "the first operand of 'if' is a condition, not a number", booleans_hint);
    return evaluate_node(*node.children[std::get<bool>(*condition) ? 1 : 2], context.names, context.where);
}

Result<Value> evaluate_call(const Node& node, const Context& context) {
    if (node.name == "if") return evaluate_if(node, context);
    std::vector<Value> operands;
    for (const auto& child : node.children) {
        Result<Value> operand = evaluate_node(*child, context.names, context.where);
        if (!operand) return operand;
        if (is_boolean(*operand)) return context.error(*child, fmt::format("'{}' needs numbers, not conditions", node.name), booleans_hint);
        operands.push_back(*operand);
    }
    return call_on_numbers(node, operands, context);
}

} // namespace

const std::vector<FunctionInfo>& functions() {
    static const std::vector<FunctionInfo> all = {{"ceil"},     {"floor"},      {"round"},      {"abs"},       {"sqrt"},    {"log2"},
                                                  {"pow2ceil"}, {"min", 1, 64}, {"max", 1, 64}, {"pow", 2, 2}, {"if", 3, 3}};
    return all;
}

Result<Value> evaluate_node(const Node& node, const Environment& names, const SourcePosition& where) {
    const Context context{names, where};
    switch (node.kind) {
    case NodeKind::constant: return node.value;
    case NodeKind::unary: return evaluate_unary(node, context);
    case NodeKind::binary: return evaluate_binary(node, context);
    case NodeKind::call: return evaluate_call(node, context);
    case NodeKind::name: break;
    }
    const auto found = names.find(node.name);
    if (found != names.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [name, value] : names) known.push_back(name);
    return context.error(node, fmt::format("there is no parameter '{}'", node.name), nearest_hint(node.name, known));
}

} // namespace apod::ladder::detail
