// What a tex, tld4, suld, sust or sured does, packed into Op::imm: the lowering writes it, the handlers read it. Private to src/emu.
//
// Op::a is the handle. Operands lie in Code::extra at Op::extra: results or values (4), coordinates (4), for textures also level or
// gradients (6), offsets (3) and the sampler's handle (1); what an instruction has not is the constant 0, an unwanted result is sink_ref.
#pragma once

#include "emu/texture/sampler.hpp"

#include <cstdint>

namespace apod::emu {

enum class TextureKind : std::uint8_t { base, level, gradients, gather };
enum class TextureResult : std::uint8_t { word, half, half_pair }; // 4 x 32 bits, 4 x f16, 2 x f16x2

inline constexpr unsigned texture_results = 0;
inline constexpr unsigned texture_coordinates = 4;
inline constexpr unsigned texture_levels = 8;
inline constexpr unsigned texture_offsets = 14;
inline constexpr unsigned texture_sampler = 17;

struct TextureSpec {
    Geometry geometry = Geometry::two;
    TextureKind kind = TextureKind::base;
    TextureResult result = TextureResult::word;
    std::uint8_t channel = 0;       // of gather
    bool whole_coordinates = false; // .s32
    bool own_sampler = false;       // [texture, sampler, coordinates]
    bool tells_residency = false;   // d|p: Op::dst is the predicate

    [[nodiscard]] std::int64_t packed() const {
        return static_cast<std::int64_t>(geometry) | static_cast<std::int64_t>(kind) << 4 | static_cast<std::int64_t>(result) << 8 |
               std::int64_t{channel} << 12 | std::int64_t{whole_coordinates} << 16 | std::int64_t{own_sampler} << 17 |
               std::int64_t{tells_residency} << 18;
    }
    [[nodiscard]] static TextureSpec unpacked(std::int64_t bits) {
        return {static_cast<Geometry>(bits & 15),
                static_cast<TextureKind>(bits >> 4 & 15),
                static_cast<TextureResult>(bits >> 8 & 15),
                static_cast<std::uint8_t>(bits >> 12 & 15),
                (bits >> 16 & 1) != 0,
                (bits >> 17 & 1) != 0,
                (bits >> 18 & 1) != 0};
    }
};

enum class SurfaceKind : std::uint8_t { load, store, formatted_store, reduce, formatted_reduce };
enum class SurfaceBoundary : std::uint8_t { trap, clamp, zero };
enum class SurfaceUpdate : std::uint8_t { add, min, max, and_, or_ };

struct SurfaceSpec {
    Geometry geometry = Geometry::two;
    SurfaceKind kind = SurfaceKind::load;
    SurfaceBoundary boundary = SurfaceBoundary::trap;
    std::uint8_t element_bytes = 4; // 1, 2, 4, 8
    std::uint8_t count = 1;         // of elements
    SurfaceUpdate update = SurfaceUpdate::add;
    bool is_signed = false; // of an update

    [[nodiscard]] std::uint32_t bytes() const { return std::uint32_t{element_bytes} * count; }
    [[nodiscard]] std::int64_t packed() const {
        return static_cast<std::int64_t>(geometry) | static_cast<std::int64_t>(kind) << 4 | static_cast<std::int64_t>(boundary) << 8 |
               std::int64_t{element_bytes} << 12 | std::int64_t{count} << 16 | static_cast<std::int64_t>(update) << 20 |
               std::int64_t{is_signed} << 24;
    }
    [[nodiscard]] static SurfaceSpec unpacked(std::int64_t bits) {
        return {static_cast<Geometry>(bits & 15),
                static_cast<SurfaceKind>(bits >> 4 & 15),
                static_cast<SurfaceBoundary>(bits >> 8 & 15),
                static_cast<std::uint8_t>(bits >> 12 & 15),
                static_cast<std::uint8_t>(bits >> 16 & 15),
                static_cast<SurfaceUpdate>(bits >> 20 & 15),
                (bits >> 24 & 1) != 0};
    }
};

// txq and suq.
enum class ImageQuery : std::uint8_t {
    width,
    height,
    depth,
    layers,
    levels,
    samples,
    channel_type,
    channel_order,
    normalised_coordinates,
    force_unnormalised_coordinates,
    filter_mode,
    addressing_0,
    addressing_1,
    addressing_2,
    memory_layout
};

} // namespace apod::emu
