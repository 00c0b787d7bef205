#include "runtime/core/array.hpp"

#include "runtime/core/runtime.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace apod::runtime {
namespace {

// CUDA programming guide, "Technical specifications", of arrays that textures read.
constexpr std::uint64_t widest = 131072;
constexpr std::uint64_t tallest = 65536;
constexpr std::uint64_t deepest = 16384;
constexpr std::uint64_t most_layers = 2048;
constexpr std::uint64_t row_unit = 32;    // the alignment of pitched textures
constexpr std::uint64_t level_unit = 512; // the alignment of textures

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

std::optional<emu::ImageShape> shape_of(const ArrayRequest& request) {
    using emu::ImageShape;
    const bool layered = (request.flags & array_layered) != 0;
    if (request.width == 0) return std::nullopt;
    if ((request.flags & array_cubemap) != 0) {
        const bool square = request.width == request.height && request.depth != 0 && request.depth % 6 == 0;
        if (!square || (!layered && request.depth != 6)) return std::nullopt;
        return layered ? ImageShape::layered_cube : ImageShape::cube;
    }
    if (layered) {
        if (request.depth == 0) return std::nullopt;
        return request.height == 0 ? ImageShape::layered_one : ImageShape::layered_two;
    }
    if (request.height == 0) return request.depth == 0 ? std::optional(ImageShape::one) : std::nullopt;
    return request.depth == 0 ? ImageShape::two : ImageShape::three;
}

bool fits_hardware(const ArrayRequest& request, emu::ImageShape shape) {
    if (emu::is_layered(shape)) return request.width <= 32768 && request.height <= 32768 && request.depth <= most_layers;
    if (shape == emu::ImageShape::three) return std::max({request.width, request.height, request.depth}) <= deepest;
    return request.width <= widest && request.height <= tallest;
}

// The image without its memory.
std::optional<emu::TextureImage> image_of(const ArrayRequest& request, std::uint32_t levels) {
    constexpr unsigned known = array_layered | array_surface | array_cubemap | array_gather;
    const auto shape = shape_of(request);
    const std::uint32_t channels = request.format.channels;
    const bool format = channels == 1 || channels == 2 || channels == 4;
    if (!shape || !format || (request.flags & ~known) != 0 || !fits_hardware(request, *shape)) return std::nullopt;
    const bool layered = emu::is_layered(*shape);
    emu::TextureImage image;
    image.shape = *shape;
    image.type = request.format.type;
    image.channels = channels;
    image.layers = layered ? static_cast<std::uint32_t>(request.depth) : 1;
    const std::uint64_t largest = std::max({request.width, request.height, layered ? std::uint64_t{1} : request.depth});
    image.level_count = std::min(levels, static_cast<std::uint32_t>(std::bit_width(largest)));
    for (std::uint32_t l = 0; l < image.level_count; ++l) {
        const auto size = [l](std::uint64_t whole) { return static_cast<std::uint32_t>(std::max<std::uint64_t>(whole >> l, 1)); };
        emu::ImageLevel& level = image.levels[l];
        level.width = size(request.width);
        level.height = size(request.height);
        level.depth = layered ? 1 : size(request.depth);
        level.pitch = round_up(std::uint64_t{level.width} * image.texel_bytes(), row_unit);
        level.slice = level.pitch * level.height;
    }
    return image;
}

std::uint64_t level_bytes(const emu::TextureImage& image, std::uint32_t level) {
    return image.levels[level].slice * (emu::is_layered(image.shape) ? image.layers : image.levels[level].depth);
}

// One allocation for all levels.
Error place(Runtime& runtime, int device, emu::TextureImage& image) {
    std::uint64_t bytes = 0;
    for (std::uint32_t l = 0; l < image.level_count; ++l) bytes += round_up(level_bytes(image, l), level_unit);
    emu::DeviceAddress base = 0;
    if (const Error error = runtime.memory().allocate(MemoryKind::device, bytes, device, 0, base); error != Error::success) return error;
    for (std::uint32_t l = 0; l < image.level_count; ++l) {
        image.levels[l].base = base;
        base += round_up(level_bytes(image, l), level_unit);
    }
    return Error::success;
}

std::unique_ptr<Array> level_of(const MipmappedArray& whole, std::uint32_t level) {
    auto array = std::make_unique<Array>();
    const auto size = [level](std::uint64_t full) { return full == 0 ? 0 : std::max<std::uint64_t>(full >> level, 1); };
    array->request = whole.request;
    array->request.width = size(whole.request.width);
    array->request.height = size(whole.request.height);
    if (!emu::is_layered(whole.image.shape)) array->request.depth = size(whole.request.depth);
    array->image = whole.image;
    array->image.level_count = 1;
    array->image.levels[0] = whole.image.levels[level];
    array->device = whole.device;
    array->is_level = true;
    return array;
}

} // namespace

std::byte* Array::at(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    return reinterpret_cast<std::byte*>(base() + z * image.levels[0].slice + y * image.levels[0].pitch + x);
}

bool Array::contains(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t width, std::uint64_t height,
                     std::uint64_t depth) const {
    const auto inside = [](std::uint64_t first, std::uint64_t count, std::uint64_t all) { return first <= all && count <= all - first; };
    return inside(x, width, row_bytes()) && inside(y, height, rows()) && inside(z, depth, slices());
}

ArrayTable& ArrayTable::instance() {
    static auto& table = *new ArrayTable;
    return table;
}

Error ArrayTable::create(Runtime& runtime, int device, const ArrayRequest& request, Array*& array) {
    auto image = image_of(request, 1);
    if (!image) return Error::invalid_value;
    if (const Error error = place(runtime, device, *image); error != Error::success) return error;
    auto made = std::make_unique<Array>();
    made->request = request;
    made->image = *image;
    made->device = device;
    array = made.get();
    arrays_.emplace(array, std::move(made));
    return Error::success;
}

Error ArrayTable::create(Runtime& runtime, int device, const ArrayRequest& request, std::uint32_t levels, MipmappedArray*& array) {
    auto image = image_of(request, levels);
    if (!image || levels == 0) return Error::invalid_value;
    if (const Error error = place(runtime, device, *image); error != Error::success) return error;
    auto made = std::make_unique<MipmappedArray>();
    made->request = request;
    made->image = *image;
    made->device = device;
    for (std::uint32_t l = 0; l < image->level_count; ++l) {
        made->levels.push_back(level_of(*made, l));
        levels_.emplace(made->levels.back().get(), made->levels.back().get());
    }
    array = made.get();
    mipmapped_.emplace(array, std::move(made));
    return Error::success;
}

Error ArrayTable::destroy(Runtime& runtime, const void* array) {
    if (array == nullptr) return Error::success;
    if (levels_.contains(array)) return Error::invalid_value;
    const auto found = arrays_.find(array);
    if (found == arrays_.end()) return Error::invalid_resource_handle;
    (void)runtime.memory().free(MemoryKind::device, found->second->base()); // cudaDeviceReset may have come before
    arrays_.erase(found);
    return Error::success;
}

Error ArrayTable::destroy_mipmapped(Runtime& runtime, const void* array) {
    if (array == nullptr) return Error::success;
    const auto found = mipmapped_.find(array);
    if (found == mipmapped_.end()) return Error::invalid_resource_handle;
    (void)runtime.memory().free(MemoryKind::device, found->second->image.levels[0].base);
    for (const auto& level : found->second->levels) levels_.erase(level.get());
    mipmapped_.erase(found);
    return Error::success;
}

Array* ArrayTable::find(const void* array) const {
    if (const auto found = arrays_.find(array); found != arrays_.end()) return found->second.get();
    const auto level = levels_.find(array);
    return level != levels_.end() ? level->second : nullptr;
}

MipmappedArray* ArrayTable::find_mipmapped(const void* array) const {
    const auto found = mipmapped_.find(array);
    return found != mipmapped_.end() ? found->second.get() : nullptr;
}

} // namespace apod::runtime
