#include "apod/spmv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace apod::spmv {

namespace {

template<class Value> Value from_double(double value) { return static_cast<Value>(value); }
template<> Half from_double<Half>(double value) { return to_half(value); }

void check_entries(const Coo<double, std::int64_t>& matrix) {
    const std::size_t count = matrix.values.size();
    if (matrix.row_indices.size() != count || matrix.column_indices.size() != count) {
        throw Error(fmt::format("{} values come with {} row and {} column indices", count, matrix.row_indices.size(),
                                matrix.column_indices.size()));
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t row = matrix.row_indices[i];
        const std::int64_t column = matrix.column_indices[i];
        if (row >= 0 && row < matrix.rows && column >= 0 && column < matrix.columns) continue;
        throw Error(
            fmt::format("entry {} is at row {}, column {}, outside a matrix of {} x {}", i, row, column, matrix.rows, matrix.columns));
    }
}

// The entries' numbers in the order of rows, within a row as they came: a counting sort.
std::vector<std::size_t> by_row(const Coo<double, std::int64_t>& matrix, std::vector<std::size_t>& offsets) {
    offsets.assign(static_cast<std::size_t>(matrix.rows) + 1, 0);
    for (const std::int64_t row : matrix.row_indices) ++offsets[static_cast<std::size_t>(row) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<std::size_t> next(offsets.begin(), offsets.end() - 1);
    std::vector<std::size_t> order(matrix.values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[next[static_cast<std::size_t>(matrix.row_indices[i])]++] = i;
    return order;
}

} // namespace

template<class Value, class Index> Csr<Value, Index> to_csr(const Coo<double, std::int64_t>& matrix) {
    constexpr std::int64_t most = std::numeric_limits<Index>::max();
    if (matrix.rows < 0 || matrix.columns < 0) throw Error("a matrix has a negative number of rows or columns");
    // An offset a row is needed whatever the row holds.
    if (matrix.rows >= std::min(most, std::int64_t{1} << 40) || matrix.columns > most ||
        matrix.values.size() > static_cast<std::uint64_t>(most)) {
        throw Error(fmt::format("a matrix of {} x {} with {} entries needs larger indices than those of {} bits", matrix.rows,
                                matrix.columns, matrix.values.size(), 8 * sizeof(Index)));
    }
    check_entries(matrix);
    std::vector<std::size_t> offsets;
    std::vector<std::size_t> order = by_row(matrix, offsets);
    Csr<Value, Index> result;
    result.rows = matrix.rows;
    result.columns = matrix.columns;
    result.row_offsets.reserve(offsets.size());
    result.column_indices.reserve(order.size());
    result.values.reserve(order.size());
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
        const auto first = order.begin() + static_cast<std::ptrdiff_t>(offsets[row]);
        const auto last = order.begin() + static_cast<std::ptrdiff_t>(offsets[row + 1]);
        std::stable_sort(first, last, [&](std::size_t a, std::size_t b) { return matrix.column_indices[a] < matrix.column_indices[b]; });
        for (auto entry = first; entry != last;) {
            const std::int64_t column = matrix.column_indices[*entry];
            double sum = 0;
            for (; entry != last && matrix.column_indices[*entry] == column; ++entry) sum += matrix.values[*entry];
            result.column_indices.push_back(static_cast<Index>(column));
            result.values.push_back(from_double<Value>(sum));
        }
        result.row_offsets.push_back(static_cast<Index>(result.values.size()));
    }
    return result;
}

template<class Value, class Index> void validate(const Csr<Value, Index>& matrix) {
    const std::vector<Index>& offsets = matrix.row_offsets;
    if (matrix.rows < 0 || offsets.size() != static_cast<std::size_t>(matrix.rows) + 1) {
        throw Error(fmt::format("a matrix of {} rows has {} row offsets; it needs one more than rows", matrix.rows, offsets.size()));
    }
    if (matrix.column_indices.size() != matrix.values.size()) {
        throw Error(fmt::format("{} values come with {} column indices", matrix.values.size(), matrix.column_indices.size()));
    }
    if (offsets.front() != 0 || static_cast<std::size_t>(offsets.back()) != matrix.values.size()) {
        throw Error(
            fmt::format("row offsets go from {} to {}, and there are {} entries", offsets.front(), offsets.back(), matrix.values.size()));
    }
    for (std::size_t row = 1; row < offsets.size(); ++row) {
        if (offsets[row] < offsets[row - 1]) throw Error(fmt::format("the offset after row {} is smaller than the one before it", row - 1));
    }
    for (std::size_t i = 0; i < matrix.column_indices.size(); ++i) {
        const Index column = matrix.column_indices[i];
        if (column < 0 || column >= matrix.columns) {
            throw Error(fmt::format("entry {} is in column {}, and the matrix has {} columns", i, column, matrix.columns));
        }
    }
}

#define APOD_SPMV_INSTANCES(Value, Index)                                                                                                  \
    template Csr<Value, Index> to_csr<Value, Index>(const Coo<double, std::int64_t>&);                                                     \
    template void validate(const Csr<Value, Index>&);
APOD_SPMV_INSTANCES(float, std::int32_t)
APOD_SPMV_INSTANCES(float, std::int64_t)
APOD_SPMV_INSTANCES(double, std::int32_t)
APOD_SPMV_INSTANCES(double, std::int64_t)
APOD_SPMV_INSTANCES(Half, std::int32_t)
APOD_SPMV_INSTANCES(Half, std::int64_t)
#undef APOD_SPMV_INSTANCES

} // namespace apod::spmv
