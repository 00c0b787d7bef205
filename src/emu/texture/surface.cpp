// suld, sust and sured.
#include "emu/texture/access.hpp"
#include "emu/texture/handlers.hpp"
#include "emu/texture/spec.hpp"
#include "emu/texture/texel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace apod::emu {

namespace {

bool is_formatted(SurfaceKind kind) { return kind == SurfaceKind::formatted_store || kind == SurfaceKind::formatted_reduce; }

// Where a lane's access goes.
struct Spot {
    std::byte* at = nullptr; // nullptr: outside, and nothing is to be done
};

struct Extent {
    std::int64_t bytes; // of a row
    std::int64_t height;
    std::int64_t slices;
};

Extent extent_of(const TextureImage& image) {
    const ImageLevel& level = image.levels[0];
    return {std::int64_t{level.width} * image.texel_bytes(), level.height, is_layered(image.shape) ? image.layers : level.depth};
}

// Places of the lane's coordinates: {x}, {x, y}, {x, y, z}, {layer, x}, {layer, x, y}; x in bytes.
struct Coordinates {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t slice = 0;
};

Coordinates coordinates_of(WarpContext& warp, const Op& op, const SurfaceSpec& spec, const TextureImage& image, unsigned lane) {
    unsigned next = texture_coordinates;
    const auto take = [&] { return std::int64_t{static_cast<std::int32_t>(word_at(warp, op, next++, lane))}; };
    Coordinates at;
    if (has_layer(spec.geometry)) at.slice = take();
    at.x = take();
    if (dimensions_of(spec.geometry) > 1) at.y = take();
    if (dimensions_of(spec.geometry) > 2) at.slice = take();
    if (is_formatted(spec.kind)) at.x *= image.texel_bytes();
    return at;
}

Spot find_spot(WarpContext& warp, const Op& op, const SurfaceSpec& spec, const TextureImage& image, unsigned lane, std::uint64_t handle) {
    const std::int64_t bytes = spec.kind == SurfaceKind::formatted_store ? image.texel_bytes() : spec.bytes();
    const Extent extent = extent_of(image);
    Coordinates at = coordinates_of(warp, op, spec, image, lane);
    const bool inside =
        at.x >= 0 && at.x + bytes <= extent.bytes && at.y >= 0 && at.y < extent.height && at.slice >= 0 && at.slice < extent.slices;
    const auto refuse = [&](ImageFault why) {
        report_image(warp, op, why, lane, handle);
        return Spot{};
    };
    if (!inside && spec.boundary == SurfaceBoundary::trap) return refuse(ImageFault::outside);
    if (!inside && spec.boundary == SurfaceBoundary::zero) return {};
    if (!inside && extent.bytes < bytes) return refuse(ImageFault::outside);
    at.x = std::clamp<std::int64_t>(at.x, 0, extent.bytes - bytes);
    at.y = std::clamp<std::int64_t>(at.y, 0, extent.height - 1);
    at.slice = std::clamp<std::int64_t>(at.slice, 0, extent.slices - 1);
    if (at.x % bytes != 0) return refuse(ImageFault::misaligned);
    const ImageLevel& level = image.levels[0];
    return {reinterpret_cast<std::byte*>(level.base + static_cast<std::uint64_t>(at.slice) * level.slice +
                                         static_cast<std::uint64_t>(at.y) * level.pitch + static_cast<std::uint64_t>(at.x))};
}

std::uint64_t value_at(WarpContext& warp, const Op& op, const SurfaceSpec& spec, unsigned element, unsigned lane) {
    const OperandRef ref = warp.block->extra[op.extra + texture_results + element];
    return spec.element_bytes == 8 ? slot_of<std::uint64_t>(warp, ref)[lane] : slot_of<std::uint32_t>(warp, ref)[lane];
}

void load(WarpContext& warp, const Op& op, const SurfaceSpec& spec, Spot spot, unsigned lane) {
    for (unsigned i = 0; i < spec.count; ++i) {
        std::uint64_t value = 0;
        if (spot.at != nullptr) std::memcpy(&value, spot.at + std::size_t{i} * spec.element_bytes, spec.element_bytes);
        const OperandRef to = warp.block->extra[op.extra + texture_results + i];
        if (to == 0xffffffffu) continue; // sink_ref
        if (spec.element_bytes == 8)
            slot_of<std::uint64_t>(warp, to)[lane] = value;
        else
            slot_of<std::uint32_t>(warp, to)[lane] = static_cast<std::uint32_t>(value);
    }
}

void store(WarpContext& warp, const Op& op, const SurfaceSpec& spec, Spot spot, unsigned lane) {
    for (unsigned i = 0; i < spec.count; ++i) {
        const std::uint64_t value = value_at(warp, op, spec, i, lane);
        std::memcpy(spot.at + std::size_t{i} * spec.element_bytes, &value, spec.element_bytes);
    }
}

void store_formatted(WarpContext& warp, const Op& op, const SurfaceSpec& spec, const TextureImage& image, Spot spot, unsigned lane) {
    Texel texel{};
    for (unsigned i = 0; i < spec.count; ++i) texel[i] = static_cast<std::uint32_t>(value_at(warp, op, spec, i, lane));
    encode_texel(spot.at, image, texel);
}

template<class T> T updated(T old, T by, SurfaceUpdate update) {
    switch (update) {
    case SurfaceUpdate::add: return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(by));
    case SurfaceUpdate::min: return std::min(old, by);
    case SurfaceUpdate::max: return std::max(old, by);
    case SurfaceUpdate::and_: return old & by;
    case SurfaceUpdate::or_: return old | by;
    }
    return old;
}

// Other blocks may update the same texel on other threads.
template<class T> void reduce_as(std::byte* at, std::uint64_t value, SurfaceUpdate update) {
    std::atomic_ref<T> word(*reinterpret_cast<T*>(at));
    T old = word.load(std::memory_order_relaxed);
    while (!word.compare_exchange_weak(old, updated(old, static_cast<T>(value), update))) {
    }
}

void reduce(WarpContext& warp, const Op& op, const SurfaceSpec& spec, const TextureImage& image, Spot spot, unsigned lane) {
    const std::uint64_t value = value_at(warp, op, spec, 0, lane);
    // The formatted form's type says the width; the surface's says the sign.
    const bool is_signed = spec.is_signed || (spec.kind == SurfaceKind::formatted_reduce && image.type == TexelType::s32);
    if (spec.element_bytes == 8)
        return is_signed ? reduce_as<std::int64_t>(spot.at, value, spec.update) : reduce_as<std::uint64_t>(spot.at, value, spec.update);
    return is_signed ? reduce_as<std::int32_t>(spot.at, value, spec.update) : reduce_as<std::uint32_t>(spot.at, value, spec.update);
}

} // namespace

void run_surface(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const SurfaceSpec spec = SurfaceSpec::unpacked(op.imm);
    const auto* handles = slot_of<std::uint64_t>(warp, op.a);
    ImageLookup surfaces(warp, op, true);
    each_lane(warp, mask, [&](unsigned lane) {
        const Texture* surface = surfaces.find(handles[lane], lane, spec.geometry);
        if (surface == nullptr) return;
        const Spot spot = find_spot(warp, op, spec, surface->image, lane, handles[lane]);
        if (warp.block->fault.kind != FaultKind::none) return;
        if (spec.kind == SurfaceKind::load) return load(warp, op, spec, spot, lane);
        if (spot.at == nullptr) return;
        if (spec.kind == SurfaceKind::store) return store(warp, op, spec, spot, lane);
        if (spec.kind == SurfaceKind::formatted_store) return store_formatted(warp, op, spec, surface->image, spot, lane);
        reduce(warp, op, spec, surface->image, spot, lane);
    });
}

} // namespace apod::emu
