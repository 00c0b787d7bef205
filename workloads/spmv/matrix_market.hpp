// Matrix Market files: coordinate and array; real, integer, complex and pattern; general, symmetric, skew-symmetric and hermitian.
// The format is NIST's, "The Matrix Market Exchange Formats" (Boisvert, Pozo, Remington, 1996).
//
// Beyond it, what is found in public collections is taken too: banners in any case ("double" for real), comments and blank lines anywhere,
// CRLF, numbers with a D exponent or a leading '+', entries of a symmetric matrix in either triangle.
#pragma once

#include "apod/spmv.hpp"
#include "base/result.hpp"

#include <string>
#include <string_view>

namespace apod::spmv {

// The whole file's text; `file` names it in messages. Whatever is wrong is bad_input with file:line:column. Array files give every element
// of a general matrix, zeros included, so that what is stored is what the file stores.
Result<MatrixFile> parse_matrix_market(std::string_view text, const std::string& file);

} // namespace apod::spmv
