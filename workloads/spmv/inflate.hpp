// Decompression of deflate streams (RFC 1951), as zip archives hold them, and the CRC that goes with them.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apod::spmv {

// Exactly `size` bytes from the whole of `stream`; anything else is bad_input without a place.
Result<std::string> inflate(std::string_view stream, std::uint64_t size);

[[nodiscard]] std::uint32_t crc32(std::string_view bytes);

} // namespace apod::spmv
