// tex, tld4, txq, suld, sust, sured and suq on 64-bit handles.
#include "emu/lower/lowering.hpp"
#include "emu/texture/handlers.hpp"
#include "emu/texture/spec.hpp"

#include <fmt/format.h>

#include <optional>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

std::optional<Geometry> geometry_of(std::string_view modifier) {
    constexpr std::pair<std::string_view, Geometry> names[] = {
        {"1d", Geometry::one},          {"2d", Geometry::two},    {"3d", Geometry::three},          {"a1d", Geometry::layered_one},
        {"a2d", Geometry::layered_two}, {"cube", Geometry::cube}, {"acube", Geometry::layered_cube}};
    for (const auto& [name, geometry] : names)
        if (name == modifier) return geometry;
    return std::nullopt;
}

// As many numbers as there are coordinates; PTX pads {layer, x, y} and three coordinates to four.
std::size_t coordinate_count(Geometry geometry) { return dimensions_of(geometry) + (has_layer(geometry) ? 1 : 0); }

const std::vector<Operand>& parts_of(const Operand& operand, std::vector<Operand>& one) {
    if (operand.kind == OperandKind::vector) return operand.children;
    one.assign(1, operand);
    return one;
}

void set_handlers(LoweredOp& lowered, Handler handler) {
    lowered.op.full = lowered.op.masked = lowered.op.body = handler;
    lowered.info.op_class = OpClass::texture;
}

// The operand list of an op, all zero at first.
class Operands {
public:
    Operands(Lowering& lowering, const ptx::Instruction& instruction, Op& op) : lowering_(lowering), instruction_(instruction) {
        op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
        first_ = op.extra;
        const OperandRef zero = lowering.pool.constant32(0);
        lowering.code.extra.insert(lowering.code.extra.end(), texture_sampler + 1, zero);
    }

    // The first `count` parts of a vector operand.
    Result<void> sources(unsigned at, const Operand& operand, std::size_t count, Type type) {
        std::vector<Operand> one;
        const std::vector<Operand>& parts = parts_of(operand, one);
        if (parts.size() < count) return malformed(lowering_, instruction_, fmt::format("{} values are needed in a vector", count));
        for (std::size_t i = 0; i < count; ++i) {
            auto ref = source(lowering_, instruction_, parts[i], type);
            if (!ref) return ref.error();
            lowering_.code.extra[first_ + at + i] = *ref;
        }
        return {};
    }

    Result<void> destinations(const Operand& operand, std::size_t count, Type type) {
        std::vector<Operand> one;
        const std::vector<Operand>& parts = parts_of(operand, one);
        if (parts.size() != count) return malformed(lowering_, instruction_, fmt::format("{} results are needed", count));
        for (std::size_t i = 0; i < count; ++i) {
            auto ref = destination_or_sink(lowering_, instruction_, parts[i], type);
            if (!ref) return ref.error();
            lowering_.code.extra[first_ + texture_results + i] = *ref;
        }
        return {};
    }

    void set(unsigned at, OperandRef ref) { lowering_.code.extra[first_ + at] = ref; }

private:
    Lowering& lowering_;
    const ptx::Instruction& instruction_;
    std::uint32_t first_ = 0;
};

// A .texref or .surfref variable has no handle that a launch could give it.
Result<OperandRef> handle(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand) {
    if (operand.kind == OperandKind::symbol && operand.symbol != ptx::SymbolKind::unresolved)
        return cannot_run(lowering, instruction,
                          fmt::format("'{}' is a texture or surface reference, which CUDA no longer has; pass an object", operand.name));
    return source(lowering, instruction, operand, Type::b64);
}

struct TextureParts {
    TextureSpec spec;
    Type result = Type::none;
    Type coordinate = Type::none;
};

std::optional<std::uint8_t> channel_of(std::string_view modifier) {
    constexpr std::string_view channels = "rgba";
    const std::size_t at = modifier.size() == 1 ? channels.find(modifier[0]) : std::string_view::npos;
    return at != std::string_view::npos ? std::optional(static_cast<std::uint8_t>(at)) : std::nullopt;
}

// tex{.base|.level|.grad}.GEOMETRY.v4.TYPE.TYPE, tex.GEOMETRY.v2.f16x2.TYPE, tld4.CHANNEL.2d.v4.TYPE.f32
Result<TextureParts> texture_parts(const Lowering& lowering, const ptx::Instruction& instruction) {
    TextureParts parts;
    const bool gathers = instruction.opcode == "tld4";
    if (gathers) parts.spec.kind = TextureKind::gather;
    bool has_geometry = false;
    for (const std::string_view modifier : instruction.modifiers) {
        const auto type = ptx::type_from_name(modifier);
        if (const auto geometry = geometry_of(modifier)) {
            parts.spec.geometry = *geometry;
            has_geometry = true;
        } else if (type && parts.result == Type::none) {
            parts.result = *type;
        } else if (type && parts.coordinate == Type::none) {
            parts.coordinate = *type;
        } else if (const auto channel = gathers ? channel_of(modifier) : std::nullopt) {
            parts.spec.channel = *channel;
        } else if (!gathers && modifier == "level") {
            parts.spec.kind = TextureKind::level;
        } else if (!gathers && modifier == "grad") {
            parts.spec.kind = TextureKind::gradients;
        } else if (modifier != "base" && modifier != "v4" && modifier != "v2") {
            return cannot_run_modifier(lowering, instruction, modifier);
        }
    }
    const bool pair = parts.result == Type::f16x2;
    const bool known =
        pair || parts.result == Type::f16 || parts.result == Type::f32 || parts.result == Type::u32 || parts.result == Type::s32;
    if (!has_geometry || !known || (parts.coordinate != Type::f32 && parts.coordinate != Type::s32) || instruction.has(pair ? "v4" : "v2"))
        return cannot_run(lowering, instruction);
    parts.spec.result = pair ? TextureResult::half_pair : parts.result == Type::f16 ? TextureResult::half : TextureResult::word;
    parts.spec.whole_coordinates = parts.coordinate == Type::s32;
    const Geometry geometry = parts.spec.geometry;
    const bool flat = geometry == Geometry::one || geometry == Geometry::three || geometry == Geometry::layered_one;
    if (gathers && flat) return cannot_run(lowering, instruction, "four texels are gathered from 2D and cube textures");
    if (parts.spec.whole_coordinates && (geometry == Geometry::cube || geometry == Geometry::layered_cube || gathers))
        return cannot_run(lowering, instruction, "these coordinates are .f32");
    return parts;
}

// What follows the address: level or gradients, then offsets.
Result<void> lower_texture_rest(Lowering& lowering, const ptx::Instruction& instruction, const TextureParts& parts, Operands& operands) {
    std::size_t at = 2;
    const std::size_t count = instruction.operands.size();
    const unsigned dimensions = dimensions_of(parts.spec.geometry);
    const bool by_level = parts.spec.kind == TextureKind::level;
    const std::size_t needed = by_level ? 1 : parts.spec.kind == TextureKind::gradients ? 2 : 0;
    if (count < at + needed) return malformed(lowering, instruction, "the level of detail or the gradients are missing");
    if (by_level) {
        if (auto done = operands.sources(texture_levels, instruction.operands[at], 1, parts.coordinate); !done) return done;
    } else {
        for (std::size_t i = 0; i < needed; ++i)
            if (auto done =
                    operands.sources(static_cast<unsigned>(texture_levels + 3 * i), instruction.operands[at + i], dimensions, Type::f32);
                !done)
                return done;
    }
    at += needed;
    if (at == count) return {};
    const bool cube = parts.spec.geometry == Geometry::cube || parts.spec.geometry == Geometry::layered_cube;
    const bool vector = instruction.operands[at].kind == OperandKind::vector || dimensions == 1;
    if (at + 1 != count || cube || !vector)
        return cannot_run(lowering, instruction, "comparing with a depth is not emulated: CUDA makes no depth textures");
    return operands.sources(texture_offsets, instruction.operands[at], dimensions, Type::s32);
}

Result<bool> lower_texture(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    auto parts = texture_parts(lowering, instruction);
    if (!parts) return parts.error();
    if (instruction.operands.size() < 2 || instruction.operands[1].kind != OperandKind::address)
        return malformed(lowering, instruction, "results and [texture, coordinates] are needed");
    const std::vector<Operand>& address = instruction.operands[1].children;
    if (address.size() != 2 && address.size() != 3) return malformed(lowering, instruction, "a texture and coordinates are needed in []");
    set_handlers(lowered, run_texture);
    auto texture = handle(lowering, instruction, address[0]);
    if (!texture) return texture.error();
    lowered.op.a = *texture;
    Operands operands(lowering, instruction, lowered.op);
    if (address.size() == 3) {
        auto sampler = handle(lowering, instruction, address[1]);
        if (!sampler) return sampler.error();
        operands.set(texture_sampler, *sampler);
        parts->spec.own_sampler = true;
    }
    const Operand* results = &instruction.operands[0];
    if (results->kind == OperandKind::pair) {
        auto residency = predicate_destination(lowering, instruction, results->children[1]);
        if (!residency) return residency.error();
        lowered.op.dst = *residency;
        parts->spec.tells_residency = true;
        results = &results->children[0];
    }
    const bool pair = parts->spec.result == TextureResult::half_pair;
    if (auto done = operands.destinations(*results, pair ? 2 : 4, pair ? Type::b32 : parts->result); !done) return done.error();
    // A layer is a whole number beside floats.
    const Operand& coordinates = address.back();
    const std::size_t count = coordinate_count(parts->spec.geometry);
    if (has_layer(parts->spec.geometry)) {
        if (coordinates.kind != OperandKind::vector || coordinates.children.size() < count)
            return malformed(lowering, instruction, "a layer and coordinates are needed");
        Operand rest = coordinates;
        rest.children.erase(rest.children.begin());
        if (auto done = operands.sources(texture_coordinates, coordinates.children[0], 1, Type::u32); !done) return done.error();
        if (auto done = operands.sources(texture_coordinates + 1, rest, count - 1, parts->coordinate); !done) return done.error();
    } else if (auto done = operands.sources(texture_coordinates, coordinates, count, parts->coordinate); !done) {
        return done.error();
    }
    if (auto done = lower_texture_rest(lowering, instruction, *parts, operands); !done) return done.error();
    lowered.op.imm = parts->spec.packed();
    return true;
}

std::optional<ImageQuery> query_of(std::string_view modifier, bool surface) {
    struct Known {
        std::string_view name;
        ImageQuery query;
        bool texture;
        bool surface;
    };
    constexpr Known known[] = {{"width", ImageQuery::width, true, true},
                               {"height", ImageQuery::height, true, true},
                               {"depth", ImageQuery::depth, true, true},
                               {"array_size", ImageQuery::layers, true, true},
                               {"num_mipmap_levels", ImageQuery::levels, true, false},
                               {"num_samples", ImageQuery::samples, true, false},
                               {"channel_data_type", ImageQuery::channel_type, true, true},
                               {"channel_order", ImageQuery::channel_order, true, true},
                               {"normalized_coords", ImageQuery::normalised_coordinates, true, false},
                               {"force_unnormalized_coords", ImageQuery::force_unnormalised_coordinates, true, false},
                               {"filter_mode", ImageQuery::filter_mode, true, false},
                               {"addr_mode_0", ImageQuery::addressing_0, true, false},
                               {"addr_mode_1", ImageQuery::addressing_1, true, false},
                               {"addr_mode_2", ImageQuery::addressing_2, true, false},
                               {"memory_layout", ImageQuery::memory_layout, false, true}};
    for (const Known& k : known)
        if (k.name == modifier && (surface ? k.surface : k.texture)) return k.query;
    return std::nullopt;
}

// txq{.level}.QUERY.b32 d, [a]{, level}; suq.QUERY.b32 d, [a];
Result<bool> lower_query(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, bool surface) {
    const bool level = instruction.has("level") && !surface;
    const std::size_t at = level ? 1 : 0;
    const auto query = instruction.modifiers.size() == at + 2 ? query_of(instruction.modifiers[at], surface) : std::nullopt;
    if (!query || instruction.modifiers.back() != "b32") return cannot_run(lowering, instruction);
    if (instruction.operands.size() != 2 + at || instruction.operands[1].kind != OperandKind::address)
        return malformed(lowering, instruction, "a result and [handle] are needed");
    set_handlers(lowered, run_image_query);
    auto dst = destination(lowering, instruction, instruction.operands[0], Type::b32);
    if (!dst) return dst.error();
    auto image = handle(lowering, instruction, instruction.operands[1].children[0]);
    if (!image) return image.error();
    auto lod = level ? source(lowering, instruction, instruction.operands[2], Type::b32) : Result<OperandRef>(lowering.pool.constant32(0));
    if (!lod) return lod.error();
    lowered.op.dst = *dst;
    lowered.op.a = *image;
    lowered.op.b = *lod;
    lowered.op.imm = static_cast<std::int64_t>(*query) | (surface ? 256 : 0);
    return true;
}

std::optional<SurfaceUpdate> update_of(std::string_view modifier) {
    constexpr std::pair<std::string_view, SurfaceUpdate> names[] = {{"add", SurfaceUpdate::add},
                                                                    {"min", SurfaceUpdate::min},
                                                                    {"max", SurfaceUpdate::max},
                                                                    {"and", SurfaceUpdate::and_},
                                                                    {"or", SurfaceUpdate::or_}};
    for (const auto& [name, update] : names)
        if (name == modifier) return update;
    return std::nullopt;
}

bool is_cache_operator(std::string_view modifier) {
    for (const std::string_view name : {"ca", "cg", "cs", "cv", "wb", "wt"})
        if (name == modifier) return true;
    return false;
}

struct SurfaceParts {
    SurfaceSpec spec;
    Type type = Type::none;
};

// suld.b.GEOMETRY{.cop}.VEC.TYPE.MODE, sust.b likewise, sust.p.GEOMETRY.VEC.b32.MODE, sured.{b,p}.OP.GEOMETRY.TYPE.MODE
Result<SurfaceParts> surface_parts(const Lowering& lowering, const ptx::Instruction& instruction) {
    SurfaceParts parts;
    const bool loads = instruction.opcode == "suld";
    const bool reduces = instruction.opcode == "sured";
    const bool formatted = instruction.has("p");
    parts.spec.kind = loads ? SurfaceKind::load
                            : (reduces ? (formatted ? SurfaceKind::formatted_reduce : SurfaceKind::reduce)
                                       : (formatted ? SurfaceKind::formatted_store : SurfaceKind::store));
    bool has_geometry = false;
    bool has_update = false;
    for (const std::string_view modifier : instruction.modifiers) {
        if (const auto geometry = geometry_of(modifier)) {
            parts.spec.geometry = *geometry;
            has_geometry = true;
        } else if (const auto type = ptx::type_from_name(modifier)) {
            parts.type = *type;
        } else if (const auto update = reduces ? update_of(modifier) : std::nullopt) {
            parts.spec.update = *update;
            has_update = true;
        } else if (modifier == "v2" || modifier == "v4") {
            parts.spec.count = modifier == "v2" ? 2 : 4;
        } else if (modifier == "clamp" || modifier == "zero") {
            parts.spec.boundary = modifier == "clamp" ? SurfaceBoundary::clamp : SurfaceBoundary::zero;
        } else if (modifier != "b" && modifier != "p" && modifier != "trap" && !is_cache_operator(modifier)) {
            return cannot_run_modifier(lowering, instruction, modifier);
        }
    }
    const std::uint32_t bits = ptx::type_bits(parts.type);
    const bool cube = parts.spec.geometry == Geometry::cube || parts.spec.geometry == Geometry::layered_cube;
    const bool width_known = reduces ? bits >= 32 : formatted ? bits == 32 : bits >= 8;
    if (!has_geometry || cube || has_update != reduces || !width_known || bits > 64 || (loads && formatted) ||
        (reduces && parts.spec.count != 1) || bits * parts.spec.count > 128)
        return cannot_run(lowering, instruction);
    parts.spec.element_bytes = static_cast<std::uint8_t>(bits / 8);
    parts.spec.is_signed = ptx::is_signed_integer(parts.type);
    return parts;
}

Result<bool> lower_surface(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    auto parts = surface_parts(lowering, instruction);
    if (!parts) return parts.error();
    const bool loads = parts->spec.kind == SurfaceKind::load;
    const std::size_t where = loads ? 1 : 0;
    if (instruction.operands.size() != 2 || instruction.operands[where].kind != OperandKind::address ||
        instruction.operands[where].children.size() != 2)
        return malformed(lowering, instruction, "values and [surface, coordinates] are needed");
    set_handlers(lowered, run_surface);
    lowered.info.bytes = parts->spec.bytes();
    const std::vector<Operand>& address = instruction.operands[where].children;
    auto surface = handle(lowering, instruction, address[0]);
    if (!surface) return surface.error();
    lowered.op.a = *surface;
    Operands operands(lowering, instruction, lowered.op);
    if (auto done = operands.sources(texture_coordinates, address[1], coordinate_count(parts->spec.geometry), Type::s32); !done)
        return done.error();
    const Operand& values = instruction.operands[1 - where];
    auto done = loads ? operands.destinations(values, parts->spec.count, parts->type)
                      : operands.sources(texture_results, values, parts->spec.count, parts->type);
    if (!done) return done.error();
    lowered.op.imm = parts->spec.packed();
    return true;
}

} // namespace

Result<bool> lower_image(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const std::string_view opcode = instruction.opcode;
    if (opcode == "tex" || opcode == "tld4") return lower_texture(lowering, instruction, lowered);
    if (opcode == "txq" || opcode == "suq") return lower_query(lowering, instruction, lowered, opcode == "suq");
    if (opcode == "suld" || opcode == "sust" || opcode == "sured") return lower_surface(lowering, instruction, lowered);
    return false;
}

} // namespace apod::emu
