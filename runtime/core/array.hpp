// CUDA arrays and mipmapped arrays, for whichever API makes them: images in device memory whose layout is the device's own business. Here
// rows lie one after the other, so that copies need nothing new.
#pragma once

#include "emu/texture/descriptor.hpp"
#include "runtime/core/error.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace apod::runtime {

class Runtime;

// Flags of both APIs: cudaArrayLayered and CUDA_ARRAY3D_LAYERED, and on.
enum ArrayFlag : unsigned { array_layered = 1, array_surface = 2, array_cubemap = 4, array_gather = 8 };

struct ArrayFormat {
    emu::TexelType type = emu::TexelType::f32;
    std::uint32_t channels = 1;
    bool normalised = false; // cudaChannelFormatKindUnsignedNormalized8X1 and its like: reads are floats whatever the texture says
};

struct ArrayRequest {
    ArrayFormat format;
    std::uint64_t width = 0;  // texels
    std::uint64_t height = 0; // 0: 1D
    std::uint64_t depth = 0;  // 0: 1D or 2D; of layered arrays the number of layers, of cubes six times that of cubes
    unsigned flags = 0;
};

// One level. `image` has this level alone.
struct Array {
    ArrayRequest request; // with this level's size
    emu::TextureImage image;
    int device = 0;
    bool is_level = false; // of a mipmapped array, which it is freed with

    [[nodiscard]] emu::DeviceAddress base() const { return image.levels[0].base; }
    [[nodiscard]] std::uint64_t row_bytes() const { return std::uint64_t{image.levels[0].width} * image.texel_bytes(); }
    [[nodiscard]] std::uint64_t rows() const { return image.levels[0].height; }
    [[nodiscard]] std::uint64_t slices() const { return emu::is_layered(image.shape) ? image.layers : image.levels[0].depth; }
    // Of the texel's first byte; `x` in bytes.
    [[nodiscard]] std::byte* at(std::uint64_t x, std::uint64_t y, std::uint64_t z) const;
    // Whether a box of `width` bytes, `height` rows and `depth` slices lies inside.
    [[nodiscard]] bool contains(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t width, std::uint64_t height,
                                std::uint64_t depth) const;
};

struct MipmappedArray {
    ArrayRequest request;
    emu::TextureImage image; // all levels
    std::vector<std::unique_ptr<Array>> levels;
    int device = 0;
};

// The arrays that live. The functions run under the runtime's lock.
class ArrayTable {
public:
    static ArrayTable& instance();

    Error create(Runtime& runtime, int device, const ArrayRequest& request, Array*& array);
    // Fewer levels than asked for where the image has fewer: down to one texel.
    Error create(Runtime& runtime, int device, const ArrayRequest& request, std::uint32_t levels, MipmappedArray*& array);
    // invalid_resource_handle: none of ours. Null is fine. Levels of mipmapped arrays are invalid_value.
    Error destroy(Runtime& runtime, const void* array);
    Error destroy_mipmapped(Runtime& runtime, const void* array);
    [[nodiscard]] Array* find(const void* array) const; // levels too
    [[nodiscard]] MipmappedArray* find_mipmapped(const void* array) const;

private:
    std::map<const void*, std::unique_ptr<Array>> arrays_;
    std::map<const void*, std::unique_ptr<MipmappedArray>> mipmapped_;
    std::map<const void*, Array*> levels_;
};

} // namespace apod::runtime
