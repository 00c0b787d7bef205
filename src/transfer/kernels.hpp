// The kernels of `apod transfer`, as PTX that every GPU since Turing runs; every parameter is 64 bits wide.
#pragma once

#include <string_view>

namespace apod::transfer {

// apod_scale(y, x, n, factor, multiplications): y[i] = x[i] * factor * factor ..., n floats, `factor` in the low half of its parameter.
// apod_copy(to, from, count): `count` vectors of 16 bytes.
[[nodiscard]] std::string_view kernels();

} // namespace apod::transfer
