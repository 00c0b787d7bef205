#include "workloads/spmv/generate.hpp"

#include "workloads/spmv/parallel.hpp"

#include <fmt/format.h>

#include <limits>

namespace apod::spmv {

namespace {

template<class Value> Value from_double(double value) { return static_cast<Value>(value); }
template<> Half from_double<Half>(double value) { return to_half(value); }

bool is_stencil(Kind kind) { return kind == Kind::stencil5 || kind == Kind::stencil7 || kind == Kind::stencil27; }

} // namespace

template<class Value, class Index> Csr<Value, Index> generate(const Recipe& recipe, unsigned threads) {
    if (const std::string wrong = what_is_wrong(recipe); !wrong.empty()) throw Error(wrong);
    Csr<Value, Index> result;
    result.rows = recipe.rows;
    result.columns = recipe.columns;
    result.row_offsets.resize(static_cast<std::size_t>(recipe.rows) + 1);
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(recipe.rows));
    in_parallel(recipe.rows, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row) lengths[row] = row_length(recipe, row);
    });
    std::int64_t total = 0;
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        total += lengths[row];
        if (total > std::numeric_limits<Index>::max()) throw Error("the matrix has more entries than its indices can count");
        result.row_offsets[row + 1] = static_cast<Index>(total);
    }
    result.column_indices.resize(static_cast<std::size_t>(total));
    result.values.resize(static_cast<std::size_t>(total));
    in_parallel(recipe.rows, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row) {
            for (std::int64_t k = 0; k < lengths[row]; ++k) {
                result.column_indices[result.row_offsets[row] + k] = static_cast<Index>(column_of(recipe, row, k));
                result.values[result.row_offsets[row] + k] = from_double<Value>(value_of(recipe, row, k));
            }
        }
    });
    return result;
}

const std::vector<std::string>& kind_names() {
    static const std::vector<std::string> names = {"diagonal",  "banded", "stencil5",     "stencil7",   "stencil27", "uniform",
                                                   "power_law", "block",  "mostly_empty", "short_rows", "dense_row"};
    return names;
}

std::optional<Kind> kind_from_name(std::string_view name) {
    for (std::size_t i = 0; i < kind_names().size(); ++i) {
        if (kind_names()[i] == name) return static_cast<Kind>(i);
    }
    return std::nullopt;
}

std::string what_is_wrong(const Recipe& recipe) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    for (const auto& [name, value] :
         {std::pair{"rows", recipe.rows}, {"columns", recipe.columns}, {"length", recipe.length}, {"width", recipe.width}}) {
        if (value < 1 || value > most) return fmt::format("{} is {}, and must be from 1 to 2^31 - 1", name, value);
    }
    if (recipe.huge < 0 || recipe.huge > recipe.rows)
        return fmt::format("huge is {}, and must be from 0 to the number of rows", recipe.huge);
    if (is_stencil(recipe.kind)) {
        const std::int64_t n = recipe.side;
        const bool flat = recipe.kind == Kind::stencil5;
        const bool fits = n >= 1 && n <= (flat ? 46340 : 1290) && recipe.rows == n * n * (flat ? 1 : n) && recipe.columns == recipe.rows;
        if (!fits) return fmt::format("a grid of side {} has side^{} points, and rows and columns are as many", n, flat ? 2 : 3);
    }
    if (recipe.kind == Kind::block && (recipe.rows % recipe.width != 0 || recipe.columns % recipe.width != 0)) {
        return fmt::format("rows and columns must be whole numbers of blocks of {}", recipe.width);
    }
    return {};
}

template Csr<float, std::int32_t> generate(const Recipe&, unsigned);
template Csr<float, std::int64_t> generate(const Recipe&, unsigned);
template Csr<double, std::int32_t> generate(const Recipe&, unsigned);
template Csr<double, std::int64_t> generate(const Recipe&, unsigned);
template Csr<Half, std::int32_t> generate(const Recipe&, unsigned);
template Csr<Half, std::int64_t> generate(const Recipe&, unsigned);

} // namespace apod::spmv
