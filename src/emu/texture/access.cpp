#include "emu/texture/access.hpp"

#include "emu/memory.hpp"
#include "emu/texture/table.hpp"

namespace apod::emu {

void report_image(WarpContext& warp, const Op& op, ImageFault why, unsigned lane, std::uint64_t handle) {
    report_fault(warp, op, FaultKind::bad_image, MemorySpace::global, AccessKind::load, lane, handle, static_cast<std::uint32_t>(why));
}

bool ImageLookup::is_allocated(const TextureImage& image) const {
    for (std::uint32_t level = 0; level < image.level_count; ++level) {
        const DeviceAddress first = image.levels[level].base;
        const DeviceAddress end = image.end_of(level);
        const KnownRange& known = warp_.block->known[op_.index];
        const bool inside = first >= known.first && end <= known.end;
        if (!inside && !resolve_global(warp_, op_, first, end)) return false;
    }
    return true;
}

const Texture* ImageLookup::find(std::uint64_t handle, unsigned lane) {
    if (texture_ != nullptr && handle == handle_) return texture_;
    const Texture* texture = static_cast<const DeviceMemory*>(warp_.block->memory)->textures().find(handle);
    const auto refuse = [&](ImageFault why) {
        report_image(warp_, op_, why, lane, handle);
        return nullptr;
    };
    if (texture == nullptr) return refuse(ImageFault::no_handle);
    if (texture->is_surface != surface_) return refuse(surface_ ? ImageFault::not_a_surface : ImageFault::not_a_texture);
    if (!is_allocated(texture->image)) return refuse(ImageFault::freed);
    handle_ = handle;
    texture_ = texture;
    return texture;
}

const Texture* ImageLookup::find(std::uint64_t handle, unsigned lane, Geometry geometry) {
    const Texture* texture = find(handle, lane);
    if (texture == nullptr || fits(geometry, texture->image.shape)) return texture;
    report_image(warp_, op_, ImageFault::other_shape, lane, handle);
    return nullptr;
}

} // namespace apod::emu
