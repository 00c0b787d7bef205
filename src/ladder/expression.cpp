#include "ladder/expression.hpp"

#include "ladder/expression_node.hpp"

#include <fmt/format.h>

#include <cmath>

namespace apod::ladder {

namespace {

void collect_names(const detail::Node& node, const SourcePosition& where, std::vector<Expression::Name>& names) {
    if (node.kind == detail::NodeKind::name) names.push_back({node.name, detail::place(where, node.offset)});
    for (const auto& child : node.children) collect_names(*child, where, names);
}

} // namespace

std::string to_text(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
    if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
    return std::get<bool>(value) ? "true" : "false";
}

double as_real(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::get<bool>(value) ? 1 : 0;
}

Result<Expression> Expression::parse(std::string_view text, const SourcePosition& where) {
    auto root = detail::parse_node(text, where);
    if (!root) return root.error();
    Expression expression;
    expression.text_ = text;
    expression.where_ = where;
    expression.root_ = std::move(root).value();
    return expression;
}

Expression Expression::constant(Value value, const SourcePosition& where) {
    Expression expression;
    expression.text_ = to_text(value);
    expression.where_ = where;
    auto root = std::make_shared<detail::Node>();
    root->value = value;
    expression.root_ = std::move(root);
    return expression;
}

Result<Value> Expression::evaluate(const Environment& names) const {
    if (!root_) return internal_error("an empty expression was evaluated");
    return detail::evaluate_node(*root_, names, where_);
}

Result<std::uint64_t> Expression::evaluate_count(const Environment& names, std::string_view what, std::uint64_t minimum) const {
    Result<Value> value = evaluate(names);
    if (!value) return value.error();
    if (std::holds_alternative<bool>(*value))
        return bad_input(where_, fmt::format("{} needs a number, and '{}' is a condition", what, text_));
    if (const auto* real = std::get_if<double>(&*value); real != nullptr && (*real != std::floor(*real) || std::abs(*real) >= 0x1p53)) {
        return bad_input(where_, fmt::format("{} needs an integer, and '{}' is {}", what, text_, *real),
                         fmt::format("round it: ceil({}) or floor({})", text_, text_));
    }
    const auto* integer = std::get_if<std::int64_t>(&*value);
    const std::int64_t count = integer != nullptr ? *integer : static_cast<std::int64_t>(std::get<double>(*value));
    if (count < 0 || static_cast<std::uint64_t>(count) < minimum) {
        return bad_input(where_, fmt::format("{} must be at least {}, and '{}' is {}", what, minimum, text_, count));
    }
    return static_cast<std::uint64_t>(count);
}

Result<double> Expression::evaluate_real(const Environment& names, std::string_view what) const {
    Result<Value> value = evaluate(names);
    if (!value) return value.error();
    if (std::holds_alternative<bool>(*value))
        return bad_input(where_, fmt::format("{} needs a number, and '{}' is a condition", what, text_));
    return as_real(*value);
}

Result<bool> Expression::evaluate_condition(const Environment& names, std::string_view what) const {
    Result<Value> value = evaluate(names);
    if (!value) return value.error();
    if (const auto* boolean = std::get_if<bool>(&*value)) return *boolean;
    return bad_input(where_, fmt::format("{} needs a condition, and '{}' is a number", what, text_),
                     "compare it with something, e.g. n <= 4096");
}

std::vector<Expression::Name> Expression::names() const {
    std::vector<Name> result;
    if (root_) collect_names(*root_, where_, result);
    return result;
}

} // namespace apod::ladder
