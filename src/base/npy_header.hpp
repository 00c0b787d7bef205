// The header of an .npy file: a Python dictionary literal with the keys descr, fortran_order and shape.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apod {

struct NpyHeader {
    std::string descr; // "<f4"
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
};

// Reads exactly such a dictionary, each key once, in any order; structured types (a list as descr) are refused.
Result<NpyHeader> parse_npy_header(std::string_view text, const std::string& file);

} // namespace apod
