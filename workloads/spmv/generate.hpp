// A recipe's matrix, made by all cores.
#pragma once

#include "apod/spmv.hpp"
#include "workloads/spmv/recipe.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::spmv {

// Throws Error where the matrix does not fit the index type.
template<class Value, class Index> [[nodiscard]] Csr<Value, Index> generate(const Recipe& recipe, unsigned threads = 0);

// "banded"; the names are those of Kind.
[[nodiscard]] std::optional<Kind> kind_from_name(std::string_view name);
[[nodiscard]] const std::vector<std::string>& kind_names();

// What is wrong with a recipe (sizes that are not positive, a grid that is not its matrix's size), or nothing.
[[nodiscard]] std::string what_is_wrong(const Recipe& recipe);

} // namespace apod::spmv
