// Reads a sparse matrix (Matrix Market or SciPy's .npz), or makes one, and multiplies it with all cores; each result within its bound.
//
//   g++ -std=c++20 -Iinclude examples/spmv/multiply_matrix.cpp -Lbuild/dev -lapod_spmv -o multiply_matrix
//   LD_LIBRARY_PATH=build/dev ./multiply_matrix [FILE]
//
// As a CMake project: examples/project. On a GPU: docs/spmv.md.
#include <apod/spmv.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace spmv = apod::spmv;

namespace {

// -1 2 -1 in each row.
spmv::Coo<double, std::int64_t> second_difference(std::int64_t n) {
    spmv::Coo<double, std::int64_t> matrix{n, n, {}, {}, {}};
    for (std::int64_t row = 0; row < n; ++row) {
        for (std::int64_t column = row - 1; column <= row + 1; ++column) {
            if (column < 0 || column >= n) continue;
            matrix.row_indices.push_back(row);
            matrix.column_indices.push_back(column);
            matrix.values.push_back(row == column ? 2 : -1);
        }
    }
    return matrix;
}

} // namespace

int main(int argc, char** argv) {
    try {
        const auto a = spmv::to_csr<float, int>(argc > 1 ? spmv::read_matrix(argv[1]).matrix : second_difference(100000));
        std::vector<float> x(static_cast<std::size_t>(a.columns), 1.0F);
        std::vector<float> y(static_cast<std::size_t>(a.rows));
        spmv::multiply<float, int, float>(a, 1.0F, x, 0.0F, y);
        const spmv::Reference right = spmv::reference<float, int, float>(a, 1.0F, x, 0.0F, y);
        for (std::size_t row = 0; row < y.size(); ++row) {
            if (!(std::abs(static_cast<double>(y[row] - right.y[row])) <= right.bound[row])) {
                std::fprintf(stderr, "row %zu: %g, but %Lg is right\n", row, static_cast<double>(y[row]), right.y[row]);
                return 1;
            }
        }
        std::printf("%lld x %lld, %lld entries: y = A x is right\n", static_cast<long long>(a.rows), static_cast<long long>(a.columns),
                    static_cast<long long>(a.nonzeros()));
    } catch (const spmv::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
    return 0;
}
