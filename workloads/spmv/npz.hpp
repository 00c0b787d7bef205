// Sparse matrices that SciPy saved (scipy.sparse.save_npz): formats csr, csc, coo, bsr and dia, compressed or not.
#pragma once

#include "apod/spmv.hpp"
#include "base/result.hpp"

#include <string>
#include <string_view>

namespace apod::spmv {

// The whole file's bytes; `file` names it in messages. What is wrong is bad_input naming the member that it is in. Entries come in the
// order in which the file stores them; of bsr and dia, stored zeros too (dia: those inside the matrix).
Result<MatrixFile> parse_npz(std::string_view contents, const std::string& file);

} // namespace apod::spmv
