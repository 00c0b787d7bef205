#include "runtime/cudart/texture_types.hpp"

namespace apod::runtime::cudart {
namespace {

constexpr int kind_signed = 0;
constexpr int kind_unsigned = 1;
constexpr int kind_float = 2;
// UnsignedNormalized8X1, 8X2, 8X4, 16X1, 16X2, 16X4, then the signed ones.
constexpr int first_normalised = 5;
constexpr int last_normalised = 16;

std::optional<emu::TexelType> texel_type(int bits, int kind) {
    using emu::TexelType;
    if (kind == kind_float) {
        if (bits == 16) return TexelType::f16;
        return bits == 32 ? std::optional(TexelType::f32) : std::nullopt;
    }
    const bool is_signed = kind == kind_signed;
    if (!is_signed && kind != kind_unsigned) return std::nullopt;
    switch (bits) {
    case 8: return is_signed ? TexelType::s8 : TexelType::u8;
    case 16: return is_signed ? TexelType::s16 : TexelType::u16;
    case 32: return is_signed ? TexelType::s32 : TexelType::u32;
    default: return std::nullopt;
    }
}

} // namespace

std::optional<ArrayFormat> array_format(const ChannelDescriptor& descriptor) {
    const int bits[] = {descriptor.x, descriptor.y, descriptor.z, descriptor.w};
    std::uint32_t channels = 0;
    while (channels < 4 && bits[channels] != 0) ++channels;
    for (std::uint32_t c = 0; c < 4; ++c)
        if (bits[c] != (c < channels ? bits[0] : 0)) return std::nullopt;
    if (channels != 1 && channels != 2 && channels != 4) return std::nullopt;
    const bool normalised = descriptor.kind >= first_normalised && descriptor.kind <= last_normalised;
    int kind = descriptor.kind;
    if (normalised) {
        const int place = descriptor.kind - first_normalised; // 6 unsigned kinds, 6 signed
        const std::uint32_t channels_of[] = {1, 2, 4};
        if (channels != channels_of[place % 3] || bits[0] != (place / 3 % 2 == 0 ? 8 : 16)) return std::nullopt;
        kind = place < 6 ? kind_unsigned : kind_signed;
    }
    const auto type = texel_type(bits[0], kind);
    return type ? std::optional(ArrayFormat{*type, channels, normalised}) : std::nullopt;
}

ChannelDescriptor channel_descriptor(const ArrayFormat& format) {
    using emu::TexelType;
    const int bits = static_cast<int>(8 * emu::channel_bytes(format.type));
    const bool floats = format.type == TexelType::f16 || format.type == TexelType::f32;
    const bool is_signed = format.type == TexelType::s8 || format.type == TexelType::s16 || format.type == TexelType::s32;
    ChannelDescriptor descriptor{bits, format.channels > 1 ? bits : 0, format.channels > 2 ? bits : 0, format.channels > 2 ? bits : 0,
                                 floats      ? kind_float
                                 : is_signed ? kind_signed
                                             : kind_unsigned};
    if (format.normalised)
        descriptor.kind = first_normalised + (is_signed ? 6 : 0) + (bits == 16 ? 3 : 0) +
                          (format.channels == 4 ? 2 : static_cast<int>(format.channels) - 1);
    return descriptor;
}

} // namespace apod::runtime::cudart
