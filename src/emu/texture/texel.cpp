#include "emu/texture/texel.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace apod::emu {

namespace {

std::uint32_t raw_channel(const std::byte* at, std::uint32_t bytes) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, bytes);
    return value;
}

std::int32_t extended(std::uint32_t raw, std::uint32_t bytes) {
    const unsigned shift = 32 - 8 * bytes;
    return static_cast<std::int32_t>(raw << shift) >> shift;
}

bool is_signed(TexelType type) { return type == TexelType::s8 || type == TexelType::s16 || type == TexelType::s32; }
bool is_float(TexelType type) { return type == TexelType::f16 || type == TexelType::f32; }

// 8 bits of sRGB to a linear value (IEC 61966-2-1).
float linear_from_srgb(float encoded) {
    const double c = encoded;
    return static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
}

// The largest magnitude is 1 exactly; both lowest numbers of a signed type are -1.
float normalised(std::uint32_t raw, TexelType type) {
    const std::uint32_t bytes = channel_bytes(type);
    if (!is_signed(type)) return static_cast<float>(raw / static_cast<double>((1u << (8 * bytes)) - 1));
    const double value = extended(raw, bytes) / static_cast<double>((1u << (8 * bytes - 1)) - 1);
    return static_cast<float>(value < -1 ? -1 : value);
}

std::uint32_t decode_channel(std::uint32_t raw, const TextureImage& image, const Sampler& sampler, bool colour) {
    if (image.type == TexelType::f32) return raw;
    if (image.type == TexelType::f16) return std::bit_cast<std::uint32_t>(half_to_float(static_cast<std::uint16_t>(raw)));
    if (gives_floats(image, sampler)) {
        float value = normalised(raw, image.type);
        if (sampler.srgb && colour && image.type == TexelType::u8) value = linear_from_srgb(value);
        return std::bit_cast<std::uint32_t>(value);
    }
    return is_signed(image.type) ? static_cast<std::uint32_t>(extended(raw, channel_bytes(image.type))) : raw;
}

} // namespace

bool gives_floats(const TextureImage& image, const Sampler& sampler) {
    return is_float(image.type) || (sampler.normalised_float && channel_bytes(image.type) < 4);
}

Texel decode_texel(const std::byte* at, const TextureImage& image, const Sampler& sampler) {
    Texel texel{0, 0, 0, gives_floats(image, sampler) ? std::bit_cast<std::uint32_t>(1.0f) : 1u};
    const std::uint32_t bytes = channel_bytes(image.type);
    for (std::uint32_t c = 0; c < image.channels; ++c)
        texel[c] = decode_channel(raw_channel(at + std::size_t{c} * bytes, bytes), image, sampler, c < 3);
    return texel;
}

Texel border_texel(const TextureImage& image, const Sampler& sampler) {
    Texel texel{};
    for (std::size_t c = 0; c < texel.size(); ++c) {
        const float value = sampler.border[c];
        if (gives_floats(image, sampler))
            texel[c] = std::bit_cast<std::uint32_t>(value);
        else
            texel[c] = is_signed(image.type) ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value))
                                             : static_cast<std::uint32_t>(static_cast<std::int64_t>(value < 0 ? 0 : value));
    }
    return texel;
}

void encode_texel(std::byte* to, const TextureImage& image, const Texel& texel) {
    const std::uint32_t bytes = channel_bytes(image.type);
    for (std::uint32_t c = 0; c < image.channels; ++c) {
        std::uint32_t raw = texel[c];
        if (image.type == TexelType::f16) raw = float_to_half(std::bit_cast<float>(raw));
        std::memcpy(to + std::size_t{c} * bytes, &raw, bytes);
    }
}

float half_to_float(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    const float value = std::ldexp(static_cast<float>(magnitude < 0x400u ? magnitude : (magnitude & 0x3ffu) | 0x400u),
                                   (magnitude < 0x400u ? 1 : static_cast<int>(magnitude >> 10)) - 25);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | sign);
}

std::uint16_t float_to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return 0x7fff; // a NaN
    if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
    // In units of the half's last place; nearbyint rounds to nearest even.
    const double exact = std::bit_cast<float>(magnitude);
    const int exponent = exact < 0x1p-14 ? -14 : std::ilogb(exact);
    const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(exact, 10 - exponent)));
    const std::uint32_t base = exact < 0x1p-14 ? 0 : static_cast<std::uint32_t>(exponent + 14) << 10;
    return static_cast<std::uint16_t>(sign | (base + units));
}

} // namespace apod::emu
