// Reading keys of a table with their checks: every helper returns bad_input with the place and what would be right.
#pragma once

#include "ladder/document.hpp"
#include "ladder/expression.hpp"
#include "ladder/ladder.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

// An error about a key: "[[rung]] 'padded': grid ...". `what` names the table.
[[nodiscard]] Diagnostic wrong_type(const DocumentNode& node, std::string_view what, std::string_view wanted);

// Keys that are none of `known` are an error that names the nearest.
Result<void> check_keys(const DocumentNode& table, std::string_view what, std::initializer_list<std::string_view> known);

// The node under a key; missing is an error at the table's place.
Result<const DocumentNode*> require(const DocumentNode& table, std::string_view key, std::string_view what, std::string_view example);

Result<std::string> read_text(const DocumentNode& node, std::string_view what);
Result<std::vector<std::string>> read_texts(const DocumentNode& node, std::string_view what); // one string or an array of them
Result<double> read_real(const DocumentNode& node, std::string_view what);
Result<std::uint64_t> read_count(const DocumentNode& node, std::string_view what);
// A number, or a string that holds an expression.
Result<Expression> read_expression(const DocumentNode& node, std::string_view what);
// One of those, or an array of `least` to `most`.
Result<std::vector<Expression>> read_expressions(const DocumentNode& node, std::string_view what, std::size_t least, std::size_t most);
Result<Tolerance> read_tolerance(const DocumentNode& table, std::string_view what);

// A name: letters, digits, '_' and '-', not empty.
Result<std::string> read_name(const DocumentNode& node, std::string_view what);

// A table: its keys and what each holds, the readers of parts of the ladder file.
Result<std::vector<Parameter>> read_parameters(const DocumentNode& table);
Result<std::vector<Matrix>> read_matrices(const DocumentNode& table);
Result<Buffer> read_buffer(const DocumentNode& table);
Result<Rung> read_rung(const DocumentNode& table, const std::vector<Buffer>& buffers, const DocumentNode* shared_arguments);
Result<Rung> read_yardstick(const DocumentNode& table, const std::vector<Buffer>& buffers, const DocumentNode* shared_arguments);
Result<Golden> read_golden(const DocumentNode& table);
Result<Work> read_work(const DocumentNode& table);

} // namespace apod::ladder
