// The tree of an expression; shared by its parser and its evaluator only.
#pragma once

#include "ladder/expression.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace apod::ladder::detail {

enum class NodeKind : std::uint8_t { constant, name, unary, binary, call };

enum class Operator : std::uint8_t {
    add,
    subtract,
    multiply,
    divide,
    modulo,
    equal,
    unequal,
    less,
    less_equal,
    greater,
    greater_equal,
    both,
    either,
    negate,
    invert
};

struct Node {
    NodeKind kind = NodeKind::constant;
    Operator op = Operator::add;
    Value value = std::int64_t{0};
    std::string name;       // of a name or a function
    std::size_t offset = 0; // of the operator, name or number in the text
    std::vector<std::unique_ptr<Node>> children;
};

// `offset` counts characters of the text; where errors about it are shown.
[[nodiscard]] SourcePosition place(const SourcePosition& start, std::size_t offset);

Result<std::unique_ptr<Node>> parse_node(std::string_view text, const SourcePosition& where);
Result<Value> evaluate_node(const Node& node, const Environment& names, const SourcePosition& where);

// The functions by name, with their smallest and largest number of operands.
struct FunctionInfo {
    std::string_view name;
    std::size_t least = 1;
    std::size_t most = 1;
};
[[nodiscard]] const std::vector<FunctionInfo>& functions();

} // namespace apod::ladder::detail
