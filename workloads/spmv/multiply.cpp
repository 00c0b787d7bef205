#include "apod/spmv.hpp"

#include "workloads/spmv/parallel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace apod::spmv {

namespace {

float number(float value) { return value; }
double number(double value) { return value; }
float number(Half value) { return to_float(value); }

template<class Vector> Vector rounded(Accumulator<Vector> value) { return value; }
template<> Half rounded<Half>(float value) { return to_half(value); }

template<class Value, class Index> void check_sizes(const Csr<Value, Index>& a, std::size_t x, std::size_t y) {
    if (a.row_offsets.size() != static_cast<std::size_t>(a.rows) + 1) {
        throw Error(fmt::format("a matrix of {} rows has {} row offsets; it needs one more than rows", a.rows, a.row_offsets.size()));
    }
    if (static_cast<std::int64_t>(x) != a.columns || static_cast<std::int64_t>(y) != a.rows) {
        throw Error(fmt::format("a matrix of {} x {} multiplies a vector of {} into one of {}, not {} into {}", a.rows, a.columns,
                                a.columns, a.rows, x, y));
    }
}

// The distance from a number to its neighbours, relative, over two; and the smallest positive number.
template<class Vector> constexpr double unit_roundoff = std::numeric_limits<Vector>::epsilon() / 2.0;
template<> constexpr double unit_roundoff<Half> = 0x1p-11;
template<class Vector> constexpr double smallest = std::numeric_limits<Vector>::denorm_min();
template<> constexpr double smallest<Half> = 0x1p-24;

} // namespace

template<class Value, class Index, class Vector>
void multiply(const Csr<Value, Index>& a, Accumulator<Vector> alpha, std::span<const Vector> x, Accumulator<Vector> beta,
              std::span<Vector> y, unsigned threads) {
    check_sizes(a, x.size(), y.size());
    in_parallel(a.rows, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row) {
            Accumulator<Vector> sum = 0;
            for (Index k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
                sum += static_cast<Accumulator<Vector>>(number(a.values[k])) * number(x[a.column_indices[k]]);
            }
            y[row] = rounded<Vector>(beta == 0 ? alpha * sum : alpha * sum + beta * number(y[row]));
        }
    });
}

template<class Value, class Index, class Vector>
Reference reference(const Csr<Value, Index>& a, Accumulator<Vector> alpha, std::span<const Vector> x, Accumulator<Vector> beta,
                    std::span<const Vector> y, unsigned threads) {
    check_sizes(a, x.size(), y.size());
    Reference result{std::vector<long double>(y.size()), std::vector<double>(y.size())};
    constexpr double sums = unit_roundoff<Accumulator<Vector>>;
    in_parallel(a.rows, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row) {
            long double sum = 0;
            long double size = 0;
            for (Index k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
                const long double product = static_cast<long double>(number(a.values[k])) * number(x[a.column_indices[k]]);
                sum += product;
                size += std::abs(product);
            }
            const long double kept = beta == 0 ? 0.0L : static_cast<long double>(beta) * number(y[row]);
            const long double value = alpha * sum + kept;
            const double n = static_cast<double>(a.row_offsets[row + 1] - a.row_offsets[row]);
            const auto magnitude = static_cast<double>(std::abs(static_cast<long double>(alpha)) * size + std::abs(kept));
            const double v = std::is_same_v<Vector, Half> ? unit_roundoff<Half> : 0; // where the sums' type is y's, no second rounding
            result.y[row] = value;
            result.bound[row] = (n + 4) * sums * magnitude + v * static_cast<double>(std::abs(value)) + (n + 4) * smallest<Vector>;
        }
    });
    return result;
}

#define APOD_SPMV_INSTANCES(Value, Index, Vector)                                                                                          \
    template void multiply(const Csr<Value, Index>&, Accumulator<Vector>, std::span<const Vector>, Accumulator<Vector>, std::span<Vector>, \
                           unsigned);                                                                                                      \
    template Reference reference(const Csr<Value, Index>&, Accumulator<Vector>, std::span<const Vector>, Accumulator<Vector>,              \
                                 std::span<const Vector>, unsigned);
APOD_SPMV_INSTANCES(float, std::int32_t, float)
APOD_SPMV_INSTANCES(float, std::int64_t, float)
APOD_SPMV_INSTANCES(double, std::int32_t, double)
APOD_SPMV_INSTANCES(double, std::int64_t, double)
APOD_SPMV_INSTANCES(Half, std::int32_t, Half)
APOD_SPMV_INSTANCES(Half, std::int64_t, Half)
APOD_SPMV_INSTANCES(float, std::int32_t, double)
APOD_SPMV_INSTANCES(float, std::int64_t, double)
#undef APOD_SPMV_INSTANCES

} // namespace apod::spmv
