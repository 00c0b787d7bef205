// The element types of buffers: PTX's scalar types, how each is spelt in a ladder file, in NumPy's files and in CUDA C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

enum class ElementType : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64 };

[[nodiscard]] std::optional<ElementType> element_type_from_name(std::string_view name); // "f32"
[[nodiscard]] std::string_view element_type_name(ElementType type);
[[nodiscard]] const std::vector<std::string>& element_type_names();
[[nodiscard]] std::size_t element_bytes(ElementType type);
[[nodiscard]] bool is_floating(ElementType type);
[[nodiscard]] bool is_signed(ElementType type);

// One element, little-endian at `from`. Integers beyond 2^53 lose digits as doubles; the text does not.
[[nodiscard]] double element_as_real(ElementType type, const std::byte* from);
[[nodiscard]] std::string element_as_text(ElementType type, const std::byte* from);

// Writes the value rounded to the type (to nearest even; integers wrap modulo their width).
void store_real(ElementType type, double value, std::byte* to);
void store_integer(ElementType type, std::int64_t value, std::byte* to);

// How many representable values lie between the two; 0 for equal, +0 and -0 are equal. Two NaN are 0 apart, one NaN is infinitely far:
// UINT64_MAX. For integers the absolute difference.
[[nodiscard]] std::uint64_t distance_in_ulp(ElementType type, const std::byte* a, const std::byte* b);

// IEEE binary16 and bfloat16 as bits, rounded to nearest even.
[[nodiscard]] std::uint16_t half_from_real(double value);
[[nodiscard]] double real_from_half(std::uint16_t bits);
[[nodiscard]] std::uint16_t bfloat_from_real(double value);
[[nodiscard]] double real_from_bfloat(std::uint16_t bits);

} // namespace apod::ladder
