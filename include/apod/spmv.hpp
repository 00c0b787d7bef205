// Sparse matrix times vector, y = alpha A x + beta y, on the CPU: the matrices, conversions, readers of files, a multiplication with all
// cores, and a reference with the error that any correct multiplication may have. The kernels for GPUs are in <apod/spmv/device.cuh>.
//
// Functions throw apod::spmv::Error for what is wrong with a file or with sizes. Instances exist for the combinations of
//   matrix float, vectors float; double and double; Half and Half (sums in float); float and double (the mixed one),
// each with indices of 32 and 64 bits.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace apod::spmv {

// IEEE binary16 as bits; CUDA's __half has the same layout.
struct Half {
    std::uint16_t bits = 0;
    bool operator==(const Half&) const = default;
};
[[nodiscard]] Half to_half(double value); // rounded once, to nearest even
[[nodiscard]] float to_float(Half value);

// What is wrong, with its place in a file where it has one ("a.mtx:3:7: ...").
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Entries in any order; entries of the same place count together (their sum).
template<class Value, class Index> struct Coo {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<Index> row_indices;
    std::vector<Index> column_indices;
    std::vector<Value> values;
};

// Compressed rows: the entries of row r are row_offsets[r] up to row_offsets[r + 1].
template<class Value, class Index> struct Csr {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<Index> row_offsets = {0}; // rows + 1
    std::vector<Index> column_indices;
    std::vector<Value> values;

    [[nodiscard]] std::int64_t nonzeros() const { return static_cast<std::int64_t>(values.size()); }
};

// A matrix as a file gives it, symmetric halves written out. Pattern entries are 1.
struct MatrixFile {
    Coo<double, std::int64_t> matrix; // the real parts
    std::vector<double> imaginary;    // empty, or one for each entry
};

// A Matrix Market file (.mtx) or a sparse matrix of SciPy's (.npz); the contents decide which.
[[nodiscard]] MatrixFile read_matrix(const std::string& path);

// Rows in order, columns ascending within a row, duplicates summed in double. Indices or values that do not fit the types are errors
// (a value too large for Half or float becomes infinite, as a cast does).
template<class Value, class Index> [[nodiscard]] Csr<Value, Index> to_csr(const Coo<double, std::int64_t>& matrix);

// Throws where offsets do not ascend from 0 to the number of entries, a column lies outside, or sizes differ.
template<class Value, class Index> void validate(const Csr<Value, Index>& matrix);

// What sums are made in, and alpha and beta are given in.
template<class Vector> struct AccumulatorOf { using type = Vector; };
template<> struct AccumulatorOf<Half> { using type = float; };
template<class Vector> using Accumulator = typename AccumulatorOf<Vector>::type;

// y = alpha A x + beta y with `threads` threads (0: one for each core). beta == 0: y is written and not read, so NaN in it does not matter.
// The result does not depend on the number of threads. x has A.columns elements, y has A.rows; they must not overlap.
template<class Value, class Index, class Vector>
void multiply(const Csr<Value, Index>& a, Accumulator<Vector> alpha, std::span<const Vector> x, Accumulator<Vector> beta,
              std::span<Vector> y, unsigned threads = 0);

// What y should be, summed in long double, and how far from it a multiplication may be that sums in Accumulator<Vector> in any order and
// rounds to Vector once: (n + 4) u (|alpha| sum |a||x| + |beta y|) + v |y|, where n is the row's number of entries, u the unit roundoff of
// the sums and v that of the result; and the smallest number that either of them has.
struct Reference {
    std::vector<long double> y;
    std::vector<double> bound;
};
template<class Value, class Index, class Vector>
[[nodiscard]] Reference reference(const Csr<Value, Index>& a, Accumulator<Vector> alpha, std::span<const Vector> x,
                                  Accumulator<Vector> beta, std::span<const Vector> y, unsigned threads = 0);

} // namespace apod::spmv
