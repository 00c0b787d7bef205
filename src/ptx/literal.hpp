// Values of PTX number tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace apod::ptx {

struct Constant {
    bool is_real = false;
    bool is_f32 = false;      // a real written as 0f........: `bits` holds the 32-bit pattern
    bool is_unsigned = false; // an integer with suffix U, or too large for 63 bits
    std::uint64_t bits = 0;   // two's complement, or the pattern of the real

    [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(bits); }
    [[nodiscard]] double real() const; // the value of a real, or the integer converted
};

// Decimal, 0 octal, 0x and 0b with optional U; 0f and 0d patterns; decimal reals. Nothing when the text is not such a number or an
// integer does not fit in 64 bits.
[[nodiscard]] std::optional<Constant> constant_from_text(std::string_view text);

} // namespace apod::ptx
