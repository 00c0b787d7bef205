#include "runtime/cuda/array_format.hpp"

#include <algorithm>
#include <iterator>

namespace apod::runtime::cuda {
namespace {

struct Plain {
    int number;
    emu::TexelType type;
};

constexpr Plain plain_formats[] = {{0x01, emu::TexelType::u8},  {0x02, emu::TexelType::u16}, {0x03, emu::TexelType::u32},
                                   {0x08, emu::TexelType::s8},  {0x09, emu::TexelType::s16}, {0x0a, emu::TexelType::s32},
                                   {0x10, emu::TexelType::f16}, {0x20, emu::TexelType::f32}};
// UNORM_INT8X1, X2, X4, the same of 16 bits, then the signed ones: three numbers each.
constexpr int first_normalised = 0xc0;
constexpr emu::TexelType normalised_types[] = {emu::TexelType::u8, emu::TexelType::u16, emu::TexelType::s8, emu::TexelType::s16};
constexpr int last_normalised = first_normalised + 11;
constexpr unsigned channels_of[] = {1, 2, 4};

} // namespace

std::optional<ArrayFormat> array_format(int format, unsigned channels) {
    if (channels != 1 && channels != 2 && channels != 4) return std::nullopt;
    if (format >= first_normalised && format <= last_normalised) {
        const int place = format - first_normalised;
        if (channels_of[place % 3] != channels) return std::nullopt;
        return ArrayFormat{normalised_types[place / 3], channels, true};
    }
    const auto* plain =
        std::find_if(std::begin(plain_formats), std::end(plain_formats), [&](const Plain& p) { return p.number == format; });
    return plain != std::end(plain_formats) ? std::optional(ArrayFormat{plain->type, channels, false}) : std::nullopt;
}

int format_number(const ArrayFormat& format) {
    if (format.normalised) {
        const auto* type = std::find(std::begin(normalised_types), std::end(normalised_types), format.type);
        return first_normalised + static_cast<int>(type - std::begin(normalised_types)) * 3 +
               (format.channels == 4 ? 2 : static_cast<int>(format.channels) - 1);
    }
    const auto* plain =
        std::find_if(std::begin(plain_formats), std::end(plain_formats), [&](const Plain& p) { return p.type == format.type; });
    return plain != std::end(plain_formats) ? plain->number : 0;
}

} // namespace apod::runtime::cuda
