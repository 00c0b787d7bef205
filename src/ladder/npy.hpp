// NumPy's .npy files: one array each. Versions 1, 2 and 3 of the format; little-endian numbers and booleans. The format is specified in
// NumPy's documentation, "numpy.lib.format". Arrays in Fortran order are turned into C order when read.
#pragma once

#include "base/result.hpp"
#include "ladder/element.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

struct Array {
    ElementType type = ElementType::f32; // booleans are u8
    std::vector<std::uint64_t> shape;    // empty: one element
    std::vector<std::byte> bytes;        // row-major
};

// The whole file's bytes; `file` names it in messages. Truncated, garbled, oversized or unsupported: bad_input that says which.
Result<Array> parse_npy(std::string_view contents, const std::string& file);

// Version 1 bytes (2 where the header is too long). bf16, which NumPy does not know, is refused.
Result<std::string> to_npy(const Array& array);

} // namespace apod::ladder
