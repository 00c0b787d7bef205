// CPU references: the right answer to a known problem, computed the plain way. One file each below references/.
#pragma once

#include "base/result.hpp"
#include "ladder/host_buffer.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

// Computes the contents of the out and inout buffers from those of the in and inout ones. Buffers that do not suit the problem (number,
// types, shapes) are bad_input without a place; the caller adds it.
using Reference = Result<void> (*)(std::vector<HostBuffer>& buffers, const Environment& parameters);

[[nodiscard]] Reference find_reference(std::string_view name); // nullptr when there is none
[[nodiscard]] const std::vector<std::string>& reference_names();

// out[x][y] = in[y][x] for the only in and the only out buffer, both two-dimensional and of one type.
Result<void> transpose_reference(std::vector<HostBuffer>& buffers, const Environment& parameters);

// out[i] = factor * in[i] in float, for one in and one out buffer and the parameter `factor`.
Result<void> scale_reference(std::vector<HostBuffer>& buffers, const Environment& parameters);

// y = alpha A x + beta y. The in buffers `offsets`, `columns` and `values` hold A in CSR, `x` and y (out or inout) are vectors; `alpha` and
// `beta` are parameters (1 and 0 where the ladder has none). Also gives the bound of each element.
Result<void> spmv_reference(std::vector<HostBuffer>& buffers, const Environment& parameters);

} // namespace apod::ladder
