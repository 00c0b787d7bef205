// tex, tld4, txq and suq.
#include "emu/texture/access.hpp"
#include "emu/texture/handlers.hpp"
#include "emu/texture/spec.hpp"
#include "emu/texture/texel.hpp"

namespace apod::emu {

namespace {

constexpr OperandRef unwanted = 0xffffffffu; // sink_ref

Place place_of(WarpContext& warp, const Op& op, const TextureSpec& spec, unsigned lane) {
    Place place;
    place.geometry = spec.geometry;
    place.whole = spec.whole_coordinates;
    unsigned next = texture_coordinates;
    if (has_layer(spec.geometry)) place.layer = word_at(warp, op, next++, lane);
    for (unsigned d = 0; d < dimensions_of(spec.geometry); ++d, ++next) {
        const std::uint32_t bits = word_at(warp, op, next, lane);
        place.at[d] = std::bit_cast<float>(bits);
        place.texel[d] = static_cast<std::int32_t>(bits);
        place.offset[d] = static_cast<std::int32_t>(word_at(warp, op, texture_offsets + d, lane));
    }
    return place;
}

std::array<float, 3> gradient(WarpContext& warp, const Op& op, unsigned first, unsigned lane) {
    std::array<float, 3> step{};
    for (unsigned d = 0; d < 3; ++d) step[d] = std::bit_cast<float>(word_at(warp, op, texture_levels + first + d, lane));
    return step;
}

Texel fetch(WarpContext& warp, const Op& op, const TextureSpec& spec, const Texture& texture, unsigned lane) {
    const Place place = place_of(warp, op, spec, lane);
    switch (spec.kind) {
    case TextureKind::base: break;
    case TextureKind::gather: return gather(texture, place, spec.channel);
    case TextureKind::level: {
        const std::uint32_t bits = word_at(warp, op, texture_levels, lane);
        return sample(texture, place,
                      spec.whole_coordinates ? static_cast<float>(static_cast<std::int32_t>(bits)) : std::bit_cast<float>(bits));
    }
    case TextureKind::gradients:
        return sample(texture, place, level_of_gradients(texture, place, gradient(warp, op, 0, lane), gradient(warp, op, 3, lane)));
    }
    return sample(texture, place, 0);
}

// Halves are the results rounded once more.
void deliver(WarpContext& warp, const Op& op, TextureResult result, const Texel& texel, unsigned lane) {
    const auto half = [&](unsigned c) { return std::uint32_t{float_to_half(std::bit_cast<float>(texel[c]))}; };
    const unsigned count = result == TextureResult::half_pair ? 2 : 4;
    for (unsigned i = 0; i < count; ++i) {
        const OperandRef to = warp.block->extra[op.extra + texture_results + i];
        if (to == unwanted) continue;
        const std::uint32_t value = result == TextureResult::word   ? texel[i]
                                    : result == TextureResult::half ? half(i)
                                                                    : half(2 * i) | half(2 * i + 1) << 16;
        slot_of<std::uint32_t>(warp, to)[lane] = value;
    }
}

// The enumerations that PTX takes from OpenCL: SNORM_INT8 and on, by type.
std::uint32_t channel_type_code(const Texture& texture) {
    const TexelType type = texture.image.type;
    const bool normalised = texture.sampler.normalised_float && !texture.is_surface;
    switch (type) {
    case TexelType::u8: return normalised ? 0x10d2 : 0x10da;
    case TexelType::s8: return normalised ? 0x10d0 : 0x10d7;
    case TexelType::u16: return normalised ? 0x10d3 : 0x10db;
    case TexelType::s16: return normalised ? 0x10d1 : 0x10d8;
    case TexelType::u32: return 0x10dc;
    case TexelType::s32: return 0x10d9;
    case TexelType::f16: return 0x10dd;
    case TexelType::f32: break;
    }
    return 0x10de;
}

std::uint32_t channel_order_code(std::uint32_t channels) { return channels == 1 ? 0x10b0 : channels == 2 ? 0x10b2 : 0x10b5; }

std::uint32_t layers_of(const TextureImage& image) {
    if (!is_layered(image.shape)) return 0;
    return is_cube(image.shape) ? image.layers / 6 : image.layers;
}

std::uint32_t answer(const Texture& texture, ImageQuery query, std::uint32_t level) {
    const TextureImage& image = texture.image;
    const ImageLevel& at = image.levels[level < image.level_count ? level : image.level_count - 1];
    const bool flat = image.shape == ImageShape::linear || image.shape == ImageShape::one || image.shape == ImageShape::layered_one;
    // { wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border }
    constexpr std::uint32_t modes[] = {0, 3, 1, 4};
    const auto mode = [&](std::size_t d) { return modes[static_cast<std::size_t>(texture.sampler.addressing[d])]; };
    switch (query) {
    case ImageQuery::width: return at.width;
    case ImageQuery::height: return flat ? 0 : at.height;
    case ImageQuery::depth: return image.shape == ImageShape::three ? at.depth : 0;
    case ImageQuery::layers: return layers_of(image);
    case ImageQuery::levels: return image.level_count;
    case ImageQuery::samples: return 1;
    case ImageQuery::channel_type: return channel_type_code(texture);
    case ImageQuery::channel_order: return channel_order_code(image.channels);
    case ImageQuery::normalised_coordinates: return texture.sampler.normalised_coordinates ? 1 : 0;
    case ImageQuery::force_unnormalised_coordinates: return texture.sampler.normalised_coordinates ? 0 : 1;
    case ImageQuery::filter_mode: return texture.sampler.linear ? 1 : 0;
    case ImageQuery::addressing_0: return mode(0);
    case ImageQuery::addressing_1: return mode(1);
    case ImageQuery::addressing_2: return mode(2);
    case ImageQuery::memory_layout: return 0; // not linear
    }
    return 0;
}

} // namespace

void run_texture(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const TextureSpec spec = TextureSpec::unpacked(op.imm);
    const auto* handles = slot_of<std::uint64_t>(warp, op.a);
    ImageLookup textures(warp, op, false);
    ImageLookup samplers(warp, op, false);
    each_lane(warp, mask, [&](unsigned lane) {
        const Texture* texture = textures.find(handles[lane], lane, spec.geometry);
        if (texture == nullptr) return;
        if (!spec.own_sampler) return deliver(warp, op, spec.result, fetch(warp, op, spec, *texture, lane), lane);
        const std::uint64_t handle = slot_of<std::uint64_t>(warp, warp.block->extra[op.extra + texture_sampler])[lane];
        const Texture* sampler = samplers.find(handle, lane);
        if (sampler == nullptr) return;
        Texture both = *texture;
        both.sampler = sampler->sampler;
        deliver(warp, op, spec.result, fetch(warp, op, spec, both, lane), lane);
    });
    if (spec.tells_residency) warp.predicates[op.dst] |= mask; // nothing here is sparse
}

void run_image_query(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* handles = slot_of<std::uint64_t>(warp, op.a);
    const auto* levels = slot_of<std::uint32_t>(warp, op.b);
    auto* results = slot_of<std::uint32_t>(warp, op.dst);
    ImageLookup images(warp, op, (op.imm & 256) != 0);
    each_lane(warp, mask, [&](unsigned lane) {
        const Texture* texture = images.find(handles[lane], lane);
        if (texture != nullptr) results[lane] = answer(*texture, static_cast<ImageQuery>(op.imm & 255), levels[lane]);
    });
}

} // namespace apod::emu
