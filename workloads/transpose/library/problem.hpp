// A described transpose, checked and with nothing left open.
#pragma once

#include "apod/transpose.hpp"

namespace apod::transposing {

// Fills in pitches and strides that are 0, and says in `what` what is to be done. Wrong are sizes below zero, an element size that is none,
// pitches below a row's length, sizes that do not fit 63 bits of bytes, null pointers, and outputs that overlap the input otherwise than
// in place.
TransposeStatus complete(Transpose& what, const void* out, const void* in);

[[nodiscard]] inline bool is_empty(const Transpose& what) { return what.rows == 0 || what.columns == 0 || what.batches == 0; }

} // namespace apod::transposing
