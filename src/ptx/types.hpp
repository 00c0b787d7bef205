// PTX's scalar types and state spaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace apod::ptx {

enum class Type : std::uint8_t {
    none,
    pred,
    b1,
    b8,
    b16,
    b32,
    b64,
    b128,
    u2,
    u4,
    u8,
    u16,
    u32,
    u64,
    s2,
    s4,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    tf32,
    f32,
    f64,
    e4m3,
    e5m2,
    e4m3x2,
    e5m2x2,
    texref,
    samplerref,
    surfref
};

enum class Space : std::uint8_t { generic, reg, sreg, const_, global, local, param, shared };

// Without the leading dot: "u32", "f16x2".
[[nodiscard]] std::optional<Type> type_from_name(std::string_view name);
[[nodiscard]] std::string_view type_name(Type type);
[[nodiscard]] std::uint32_t type_bits(Type type); // 0 for none; 1 for pred and b1; 64 for texref and its like
[[nodiscard]] bool is_signed_integer(Type type);
[[nodiscard]] bool is_unsigned_integer(Type type);
[[nodiscard]] bool is_bits(Type type);
[[nodiscard]] bool is_float(Type type);
[[nodiscard]] std::string_view space_name(Space space);

} // namespace apod::ptx
