// A matrix from the bytes of a file of either kind.
#pragma once

#include "apod/spmv.hpp"
#include "base/result.hpp"

#include <string>
#include <string_view>

namespace apod::spmv {

// A zip archive begins with "PK"; everything else is taken for Matrix Market.
Result<MatrixFile> parse_matrix(std::string_view contents, const std::string& file);

} // namespace apod::spmv
