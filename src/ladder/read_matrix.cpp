// [matrix.NAME]: sparse matrices by rule or from a file.
#include "base/nearest.hpp"
#include "ladder/fields.hpp"
#include "workloads/spmv/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace apod::ladder {

using Kind = DocumentNode::Kind;

namespace {

Result<MatrixRule> read_rule(const DocumentNode& table, const std::string& what, const SourcePosition& where) {
    if (const auto keys = check_keys(table, what, {"kind", "file", "rows", "columns", "length", "width", "side", "huge", "seed"}); !keys) {
        return keys.error();
    }
    MatrixRule rule;
    rule.where = where;
    for (const DocumentEntry& each : table.entries) {
        if (each.key == "kind" || each.key == "file") {
            const auto text = read_text(each.value, each.key);
            if (!text) return text.error();
            (each.key == "kind" ? rule.kind : rule.path) = *text;
            if (each.key == "file" || spmv::kind_from_name(*text)) continue;
            return bad_input(each.value.where, fmt::format("there is no kind '{}' of matrices", *text),
                             nearest_hint(*text, spmv::kind_names()));
        }
        auto number = read_expression(each.value, each.key);
        if (!number) return number.error();
        rule.numbers[each.key] = *std::move(number);
    }
    if (rule.kind.empty() == rule.path.empty()) {
        return bad_input(where, fmt::format("{} needs exactly one of kind and file", what),
                         "for example: kind = \"banded\", rows = 1000, width = 3");
    }
    if (!rule.path.empty() && !rule.numbers.empty()) {
        return bad_input(where, fmt::format("{} comes from a file, so it has no '{}'", what, rule.numbers.begin()->first));
    }
    return rule;
}

// choose = "which": a table for each choice of the parameter `which`.
Result<void> read_rules(const DocumentNode& table, const DocumentNode& choice, const std::string& what, Matrix& matrix) {
    const auto name = read_text(choice, "choose");
    if (!name) return name.error();
    matrix.choice = *name;
    for (const DocumentEntry& each : table.entries) {
        if (each.key == "choose") continue;
        if (!each.value.is(Kind::table))
            return bad_input(each.where, fmt::format("{} has 'choose' and '{}', which is no table", what, each.key),
                             fmt::format("move it into the tables of the choices: [matrix.{}.NAME]", matrix.name));
        auto rule = read_rule(each.value, fmt::format("{} as '{}'", what, each.key), each.where);
        if (!rule) return rule.error();
        matrix.rules[each.key] = *std::move(rule);
    }
    return {};
}

Result<Matrix> read_matrix(const DocumentEntry& entry) {
    const std::string what = fmt::format("the matrix '{}'", entry.key);
    const DocumentNode& table = entry.value;
    if (!table.is(Kind::table)) return wrong_type(table, what, "a table");
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (!std::all_of(entry.key.begin(), entry.key.end(), fits) || std::isdigit(static_cast<unsigned char>(entry.key[0])) != 0) {
        return bad_input(entry.where, fmt::format("'{}' cannot be a matrix's name", entry.key),
                         "use letters, digits and '_', no digit first");
    }
    Matrix matrix;
    matrix.name = entry.key;
    matrix.where = entry.where;
    if (const DocumentNode* choice = table.find("choose")) {
        if (const auto read = read_rules(table, *choice, what, matrix); !read) return read.error();
        return matrix;
    }
    auto rule = read_rule(table, what, entry.where);
    if (!rule) return rule.error();
    matrix.rules[""] = *std::move(rule);
    return matrix;
}

} // namespace

Result<std::vector<Matrix>> read_matrices(const DocumentNode& table) {
    if (!table.is(Kind::table)) return wrong_type(table, "matrix", "tables: [matrix.a]");
    std::vector<Matrix> matrices;
    for (const DocumentEntry& entry : table.entries) {
        auto matrix = read_matrix(entry);
        if (!matrix) return matrix.error();
        matrices.push_back(*std::move(matrix));
    }
    return matrices;
}

} // namespace apod::ladder
