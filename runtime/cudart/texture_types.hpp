// The structures of CUDA's interface to arrays, textures and surfaces. Those of CUDA 12 are the same but for what follows the fields here,
// which is reserved: functions that fill one in write these fields alone. texture_layouts_test.cpp holds them against the toolkit's
// headers.
#pragma once

#include "runtime/core/array.hpp"

#include <cstddef>
#include <optional>

namespace apod::runtime::cudart {

struct ChannelDescriptor { // cudaChannelFormatDesc
    int x, y, z, w;        // bits
    int kind;
};

struct ResourceDescriptor { // cudaResourceDesc
    int type;               // 0 array, 1 mipmapped array, 2 linear, 3 pitched
    union {
        void* array; // or mipmapped
        struct {
            void* pointer;
            ChannelDescriptor format;
            std::size_t bytes;
        } linear;
        struct {
            void* pointer;
            ChannelDescriptor format;
            std::size_t width, height, pitch;
        } pitched;
    };
};

struct TextureDescriptor { // cudaTextureDesc
    int addressing[3];     // wrap, clamp, mirror, border
    int filter;            // point, linear
    int read;              // element type, normalised float
    int srgb;
    float border[4];
    int normalised_coordinates;
    unsigned most_anisotropy;
    int level_filter;
    float level_bias;
    float lowest_level;
    float highest_level;
    int no_trilinear_optimisation;
    int seamless;
};

struct ViewDescriptor { // cudaResourceViewDesc
    int format;
    std::size_t width, height, depth;
    unsigned first_level, last_level;
    unsigned first_layer, last_layer;
};

// Nothing: a format that arrays cannot have here.
[[nodiscard]] std::optional<ArrayFormat> array_format(const ChannelDescriptor& descriptor);
[[nodiscard]] ChannelDescriptor channel_descriptor(const ArrayFormat& format);

} // namespace apod::runtime::cudart
