#include "ladder/fields.hpp"

#include "base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace apod::ladder {

using Kind = DocumentNode::Kind;

Diagnostic wrong_type(const DocumentNode& node, std::string_view what, std::string_view wanted) {
    return bad_input(node.where, fmt::format("{} is {}, not {}", what, wanted, node.kind_name()));
}

Result<void> check_keys(const DocumentNode& table, std::string_view what, std::initializer_list<std::string_view> known) {
    for (const DocumentEntry& entry : table.entries) {
        if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
        const std::vector<std::string> names(known.begin(), known.end());
        return bad_input(entry.where, fmt::format("{} has no key '{}'", what, entry.key), nearest_hint(entry.key, names));
    }
    return {};
}

Result<const DocumentNode*> require(const DocumentNode& table, std::string_view key, std::string_view what, std::string_view example) {
    if (const DocumentNode* node = table.find(key)) return node;
    return bad_input(table.where, fmt::format("{} lacks the key '{}'", what, key), fmt::format("add, for example: {}", example));
}

Result<std::string> read_text(const DocumentNode& node, std::string_view what) {
    if (!node.is(Kind::text)) return wrong_type(node, what, "a string");
    return node.text;
}

Result<std::vector<std::string>> read_texts(const DocumentNode& node, std::string_view what) {
    if (node.is(Kind::text)) return std::vector<std::string>{node.text};
    if (!node.is(Kind::array)) return wrong_type(node, what, "a string or an array of strings");
    std::vector<std::string> texts;
    for (const DocumentNode& item : node.items) {
        if (!item.is(Kind::text)) return wrong_type(item, what, "an array of strings");
        texts.push_back(item.text);
    }
    return texts;
}

Result<double> read_real(const DocumentNode& node, std::string_view what) {
    if (!node.is_number()) return wrong_type(node, what, "a number");
    const double value = node.is(Kind::integer) ? static_cast<double>(node.integer) : node.real;
    if (!std::isfinite(value)) return bad_input(node.where, fmt::format("{} must be finite", what));
    return value;
}

Result<std::uint64_t> read_count(const DocumentNode& node, std::string_view what) {
    if (!node.is(Kind::integer)) return wrong_type(node, what, "an integer");
    if (node.integer < 0) return bad_input(node.where, fmt::format("{} must not be negative", what));
    return static_cast<std::uint64_t>(node.integer);
}

Result<Expression> read_expression(const DocumentNode& node, std::string_view what) {
    if (node.is(Kind::integer)) return Expression::constant(node.integer, node.where);
    if (node.is(Kind::real) && std::isfinite(node.real)) return Expression::constant(node.real, node.where);
    if (node.is(Kind::boolean)) return Expression::constant(node.boolean, node.where);
    if (!node.is(Kind::text)) return wrong_type(node, what, "a number or an expression in quotes");
    SourcePosition inside = node.where;
    if (inside.column != 0) ++inside.column; // after the quote
    return Expression::parse(node.text, inside);
}

Result<std::vector<Expression>> read_expressions(const DocumentNode& node, std::string_view what, std::size_t least, std::size_t most) {
    std::vector<Expression> expressions;
    const auto add = [&](const DocumentNode& item) -> Result<void> {
        Result<Expression> expression = read_expression(item, what);
        if (!expression) return expression.error();
        expressions.push_back(*std::move(expression));
        return {};
    };
    if (!node.is(Kind::array)) {
        if (Result<void> added = add(node); !added) return added.error();
        return expressions;
    }
    if (node.items.size() < least || node.items.size() > most) {
        return bad_input(node.where, fmt::format("{} has {} to {} numbers, not {}", what, least, most, node.items.size()));
    }
    for (const DocumentNode& item : node.items) {
        if (Result<void> added = add(item); !added) return added.error();
    }
    return expressions;
}

Result<Tolerance> read_tolerance(const DocumentNode& table, std::string_view what) {
    if (!table.is(Kind::table)) return wrong_type(table, what, "a table like { ulp = 4 } or { relative = 1e-6, absolute = 1e-9 }");
    if (Result<void> keys = check_keys(table, what, {"ulp", "relative", "absolute", "bound"}); !keys) return keys.error();
    Tolerance tolerance;
    if (const DocumentNode* node = table.find("ulp")) {
        Result<std::uint64_t> value = read_count(*node, "ulp");
        if (!value) return value.error();
        tolerance.ulp = *value;
    }
    for (const auto& [key, target] :
         {std::pair{"relative", &tolerance.relative}, {"absolute", &tolerance.absolute}, {"bound", &tolerance.bound}}) {
        const DocumentNode* node = table.find(key);
        if (node == nullptr) continue;
        Result<double> value = read_real(*node, key);
        if (!value) return value.error();
        if (*value < 0) return bad_input(node->where, fmt::format("{} must not be negative", key));
        *target = *value;
    }
    return tolerance;
}

Result<std::string> read_name(const DocumentNode& node, std::string_view what) {
    Result<std::string> text = read_text(node, what);
    if (!text) return text;
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
    if (!text->empty() && std::all_of(text->begin(), text->end(), fits)) return text;
    return bad_input(node.where, fmt::format("'{}' is not a name", *text), "use letters, digits, '_' and '-'");
}

} // namespace apod::ladder
