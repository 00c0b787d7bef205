#include "emu/texture/sampler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace apod::emu {

namespace {

using Point = std::array<double, 3>;
using Index = std::array<std::int64_t, 3>;

// How an H200 filters, found from its answers (tests/replay/h200/textures.csv holds 687 kinds of fetch, bit by bit):
// - a normalised coordinate loses what is below 2^-20 before it is scaled to texels;
// - a place between texels is rounded to 1/256 of a texel, halves up;
// - products of weights are rounded to 1/256 as well, halves up, and what a product leaves of its weight goes to the other texel;
// - where an axis clamps, places beyond the middles of the outer texels become those middles.
constexpr double coordinate_steps = 1 << 20;
constexpr std::int64_t weight_steps = 256;

// A coordinate far outside and one that is no number are indices too.
std::int64_t whole_part(double value) {
    constexpr double far = 1 << 30;
    if (std::isnan(value)) return 0;
    return static_cast<std::int64_t>(std::floor(std::clamp(value, -far, far)));
}

struct Between {
    std::int64_t index = 0;  // the lower texel
    std::int64_t weight = 0; // of the upper one, in steps
};

Between between_texels(double place) {
    if (!std::isfinite(place)) return {whole_part(place - 0.5), 0};
    constexpr double far = 1 << 30;
    const double steps = std::floor((std::clamp(place, -far, far) - 0.5) * weight_steps + 0.5);
    const auto whole = static_cast<std::int64_t>(steps);
    return {whole >> 8, whole & (weight_steps - 1)};
}

std::int64_t product(std::int64_t a, std::int64_t b) { return (a * b + weight_steps / 2) / weight_steps; }

// The weights of 8 texels in steps, bit d of the index for the upper one along axis d, from the weights of the upper ones. Axis 2 divides
// first, then 0, then 1; they add up to 1.
std::array<std::int64_t, 8> corner_weights(std::int64_t x, std::int64_t y, std::int64_t z) {
    std::array<std::int64_t, 8> all{};
    for (unsigned upper = 0; upper < 2; ++upper) {
        const std::int64_t plane = upper != 0 ? z : weight_steps - z;
        const std::int64_t right = product(x, plane);
        const std::int64_t left = plane - right;
        const unsigned at = upper << 2;
        all[at | 3] = product(right, y);
        all[at | 1] = right - all[at | 3];
        all[at] = product(left, weight_steps - y);
        all[at | 2] = left - all[at];
    }
    return all;
}

// Where a texel's index leads to; nothing: the border.
std::optional<std::uint32_t> resolve(std::int64_t index, std::uint32_t size, Addressing mode) {
    const auto n = static_cast<std::int64_t>(size);
    if (index >= 0 && index < n) return static_cast<std::uint32_t>(index);
    switch (mode) {
    case Addressing::border: return std::nullopt;
    case Addressing::clamp: return static_cast<std::uint32_t>(index < 0 ? 0 : n - 1);
    case Addressing::wrap: return static_cast<std::uint32_t>(((index % n) + n) % n);
    case Addressing::mirror: {
        const std::int64_t at = ((index % (2 * n)) + 2 * n) % (2 * n);
        return static_cast<std::uint32_t>(at < n ? at : 2 * n - 1 - at);
    }
    }
    return std::nullopt;
}

// The position on a cube's face in [0, 1], and how it moves with the direction (PTX ISA and CUDA programming guide, "Cubemap Textures").
struct OnFace {
    std::uint32_t face = 0;
    int axis = 0; // the largest component
    int s_axis = 0;
    int t_axis = 0;
    double s_sign = 1;
    double t_sign = 1;

    [[nodiscard]] double s(const std::array<float, 3>& d) const { return (s_sign * d[s_axis] / std::abs(double{d[axis]}) + 1) / 2; }
    [[nodiscard]] double t(const std::array<float, 3>& d) const { return (t_sign * d[t_axis] / std::abs(double{d[axis]}) + 1) / 2; }
};

OnFace on_face(const std::array<float, 3>& d) {
    const float x = std::abs(d[0]);
    const float y = std::abs(d[1]);
    const float z = std::abs(d[2]);
    const int axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    const bool negative = d[axis] < 0;
    const std::uint32_t face = 2 * static_cast<std::uint32_t>(axis) + (negative ? 1 : 0);
    if (axis == 0) return {face, 0, 2, 1, negative ? 1.0 : -1.0, -1};
    if (axis == 1) return {face, 1, 0, 2, 1, negative ? -1.0 : 1.0};
    return {face, 2, 0, 1, negative ? -1.0 : 1.0, -1};
}

// One sampling: the place brought to the coordinates of the image.
class Sampling {
public:
    Sampling(const Texture& texture, const Place& place) : image_(texture.image), sampler_(texture.sampler), place_(place) {
        layer_ = has_layer(place.geometry) ? place.layer : 0;
        dimensions_ = dimensions_of(place.geometry);
        for (unsigned d = 0; d < 3; ++d) coordinates_[d] = place.at[d];
        if (place.geometry != Geometry::cube && place.geometry != Geometry::layered_cube) return;
        const OnFace face = on_face(place.at);
        coordinates_ = {face.s(place.at), face.t(place.at), 0};
        layer_ = std::min(layer_, image_.layers / 6 - 1) * 6 + face.face;
        dimensions_ = 2;
    }

    // Coordinates in texels of a level.
    [[nodiscard]] Point in_texels(std::uint32_t level) const {
        const ImageLevel& at = image_.levels[level];
        const std::array<std::uint32_t, 3> size{at.width, at.height, at.depth};
        Point point{};
        for (unsigned d = 0; d < dimensions_; ++d)
            point[d] = sampler_.normalised_coordinates ? std::floor(coordinates_[d] * coordinate_steps) / coordinate_steps * size[d]
                                                       : coordinates_[d];
        return point;
    }

    [[nodiscard]] Texel fetch(std::uint32_t level, Index index) const {
        const ImageLevel& at = image_.levels[level];
        const std::array<std::uint32_t, 3> size{at.width, at.height, at.depth};
        std::array<std::uint32_t, 3> texel{};
        for (unsigned d = 0; d < dimensions_; ++d) {
            const auto resolved = resolve(index[d] + place_.offset[d], size[d], addressing(d));
            if (!resolved) return image_.shape == ImageShape::linear ? Texel{} : border_texel(image_, sampler_);
            texel[d] = *resolved;
        }
        const std::uint32_t slice = is_layered(image_.shape) ? std::min(layer_, image_.layers - 1) : texel[2];
        const DeviceAddress address = at.base + slice * at.slice + texel[1] * at.pitch + std::uint64_t{texel[0]} * image_.texel_bytes();
        return decode_texel(reinterpret_cast<const std::byte*>(address), image_, sampler_);
    }

    [[nodiscard]] Texel nearest(std::uint32_t level) const {
        const Point point = in_texels(level);
        Index index{};
        for (unsigned d = 0; d < dimensions_; ++d) index[d] = place_.whole ? place_.texel[d] : whole_part(point[d]);
        return fetch(level, index);
    }

    // The weighted mean of the 2, 4 or 8 nearest texels. In fewer than three dimensions the third axis leads from `level` to the next one,
    // whose weight in steps is `toward_next`.
    [[nodiscard]] std::array<double, 4> filtered(std::uint32_t level, std::int64_t toward_next = 0) const {
        std::array<double, 4> sum{};
        for (unsigned upper = 0; upper < 2; ++upper) {
            if (dimensions_ == 3 ? upper != 0 : (upper != 0 ? toward_next : weight_steps - toward_next) == 0) continue;
            const Axes axes = axes_at(level + upper);
            const auto shares = corner_weights(axes[0].weight, axes[1].weight, dimensions_ == 3 ? axes[2].weight : toward_next);
            for (unsigned corner = 0; corner < 8; ++corner) {
                if (shares[corner] == 0 || (dimensions_ < 3 && corner >> 2 != upper)) continue;
                add(sum, static_cast<double>(shares[corner]) / weight_steps, level + upper, axes, corner);
            }
        }
        return sum;
    }

    [[nodiscard]] unsigned dimensions() const { return dimensions_; }

    [[nodiscard]] bool filters() const {
        return sampler_.linear && !place_.whole && gives_floats(image_, sampler_) && image_.shape != ImageShape::linear;
    }

    [[nodiscard]] std::array<double, 4> floats(std::uint32_t level) const {
        if (filters()) return filtered(level);
        const Texel texel = nearest(level);
        std::array<double, 4> values{};
        for (std::size_t c = 0; c < 4; ++c) values[c] = std::bit_cast<float>(texel[c]);
        return values;
    }

private:
    using Axes = std::array<Between, 3>;

    [[nodiscard]] Axes axes_at(std::uint32_t level) const {
        const ImageLevel& at = image_.levels[level];
        const std::array<std::uint32_t, 3> size{at.width, at.height, at.depth};
        const Point point = in_texels(level);
        Axes axes{};
        for (unsigned d = 0; d < dimensions_; ++d)
            axes[d] = between_texels(addressing(d) == Addressing::clamp ? std::clamp(point[d], 0.5, size[d] - 0.5) : point[d]);
        // An H200 takes a one-dimensional texture for one row at height 0: half of it lies in the border, if its second axis has one.
        if (place_.geometry == Geometry::one && sampler_.addressing[1] == Addressing::border) axes[1] = {-1, weight_steps / 2};
        return axes;
    }

    void add(std::array<double, 4>& sum, double share, std::uint32_t level, const Axes& axes, unsigned corner) const {
        Index index{};
        for (unsigned d = 0; d < 3; ++d) index[d] = axes[d].index + (corner >> d & 1u);
        const bool beside = dimensions_ == 1 && index[1] < 0; // the row above a one-dimensional texture
        const Texel texel = beside ? border_texel(image_, sampler_) : fetch(level, index);
        for (std::size_t c = 0; c < 4; ++c) sum[c] += share * std::bit_cast<float>(texel[c]);
    }

    [[nodiscard]] Addressing addressing(unsigned dimension) const {
        if (image_.shape == ImageShape::linear) return Addressing::border;
        if (is_cube(image_.shape)) return Addressing::clamp;
        const Addressing mode = sampler_.addressing[dimension];
        const bool repeats = mode == Addressing::wrap || mode == Addressing::mirror;
        return repeats && (!sampler_.normalised_coordinates || place_.whole) ? Addressing::clamp : mode;
    }

    const TextureImage& image_;
    const Sampler& sampler_;
    const Place& place_;
    std::uint32_t layer_ = 0;
    unsigned dimensions_ = 1;
    Point coordinates_{};
};

Texel as_texel(const std::array<double, 4>& values) {
    Texel texel{};
    for (std::size_t c = 0; c < 4; ++c) texel[c] = std::bit_cast<std::uint32_t>(static_cast<float>(values[c]));
    return texel;
}

// A gather on an H200 brings 7 bits and a sign to 15 bits before it divides by the largest number.
float widened(float value_of_7_bits) {
    const auto bits = static_cast<std::uint32_t>(std::lround(std::abs(double{value_of_7_bits}) * 127));
    const bool rounded_up = bits > (value_of_7_bits < 0 ? 64u : 63u); // 258.008 times
    const double value = (bits * 258 + (rounded_up ? 1 : 0)) / 32767.0;
    return static_cast<float>(std::copysign(value, double{value_of_7_bits}));
}

double length(const Point& step) { return std::sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]); }

// A step of a cube's direction as one on its face, in [0, 1]: the derivative of s / m.
Point face_step(const std::array<float, 3>& at, const std::array<float, 3>& step) {
    const OnFace face = on_face(at);
    const double m = at[face.axis];
    const double sign = m < 0 ? -1 : 1;
    const auto along = [&](int axis, double axis_sign) {
        return axis_sign * sign * (step[axis] * m - at[axis] * double{step[face.axis]}) / (m * m) / 2;
    };
    return {along(face.s_axis, face.s_sign), along(face.t_axis, face.t_sign), 0};
}

} // namespace

unsigned dimensions_of(Geometry geometry) {
    switch (geometry) {
    case Geometry::one:
    case Geometry::layered_one: return 1;
    case Geometry::two:
    case Geometry::layered_two: return 2;
    default: return 3;
    }
}

bool has_layer(Geometry geometry) {
    return geometry == Geometry::layered_one || geometry == Geometry::layered_two || geometry == Geometry::layered_cube;
}

bool fits(Geometry geometry, ImageShape shape) {
    switch (geometry) {
    case Geometry::one: return shape == ImageShape::one || shape == ImageShape::linear;
    case Geometry::two: return shape == ImageShape::two;
    case Geometry::three: return shape == ImageShape::three;
    case Geometry::layered_one: return shape == ImageShape::layered_one;
    case Geometry::layered_two: return shape == ImageShape::layered_two || is_cube(shape); // faces as layers
    case Geometry::cube: return is_cube(shape);
    case Geometry::layered_cube: return shape == ImageShape::layered_cube;
    }
    return false;
}

Texel sample(const Texture& texture, const Place& place, float level) {
    const Sampling sampling(texture, place);
    const Sampler& sampler = texture.sampler;
    const double top = texture.image.level_count - 1;
    const double lowest = std::clamp<double>(sampler.lowest_level, 0, top);
    const double highest = std::clamp<double>(std::max(sampler.highest_level, sampler.lowest_level), lowest, top);
    const double wanted = std::isnan(level) ? 0 : double{level} + sampler.level_bias;
    const double at = std::clamp(wanted, lowest, highest);
    if (sampler.linear_levels && gives_floats(texture.image, sampler)) {
        const auto steps = static_cast<std::int64_t>(std::floor(at * weight_steps + 0.5));
        const auto lower = static_cast<std::uint32_t>(steps / weight_steps);
        const std::int64_t share = steps % weight_steps;
        if (sampling.filters() && sampling.dimensions() < 3) return as_texel(sampling.filtered(lower, share));
        std::array<double, 4> values = sampling.floats(lower);
        const double upper = static_cast<double>(share) / weight_steps;
        if (share != 0) {
            const std::array<double, 4> next = sampling.floats(lower + 1);
            for (std::size_t c = 0; c < 4; ++c) values[c] = (1 - upper) * values[c] + upper * next[c];
        }
        return as_texel(values);
    }
    const auto nearest = static_cast<std::uint32_t>(at + 0.5);
    return sampling.filters() ? as_texel(sampling.filtered(nearest)) : sampling.nearest(nearest);
}

float level_of_gradients(const Texture& texture, const Place& place, const std::array<float, 3>& dx, const std::array<float, 3>& dy) {
    const ImageLevel& base = texture.image.levels[0];
    const bool cube = place.geometry == Geometry::cube || place.geometry == Geometry::layered_cube;
    const auto in_texels = [&](const std::array<float, 3>& step) {
        Point scaled{};
        if (cube) scaled = face_step(place.at, step);
        const std::array<std::uint32_t, 3> size{base.width, base.height, base.depth};
        for (unsigned d = 0; d < dimensions_of(place.geometry); ++d) {
            const double value = cube ? scaled[d] : step[d];
            scaled[d] = texture.sampler.normalised_coordinates ? value * size[d] : value;
        }
        return length(scaled);
    };
    const double rho = std::max(in_texels(dx), in_texels(dy));
    return static_cast<float>(std::log2(rho)); // no step at all: minus infinity, which the clamp makes the finest level
}

Texel gather(const Texture& texture, const Place& place, unsigned channel) {
    const Sampling sampling(texture, place);
    const Point point = sampling.in_texels(0);
    const std::int64_t i = between_texels(point[0]).index;
    const std::int64_t j = between_texels(point[1]).index;
    Texel texel{sampling.fetch(0, {i, j + 1, 0})[channel], sampling.fetch(0, {i + 1, j + 1, 0})[channel],
                sampling.fetch(0, {i + 1, j, 0})[channel], sampling.fetch(0, {i, j, 0})[channel]};
    if (texture.image.type == TexelType::s8 && gives_floats(texture.image, texture.sampler))
        for (std::uint32_t& value : texel) value = std::bit_cast<std::uint32_t>(widened(std::bit_cast<float>(value)));
    return texel;
}

} // namespace apod::emu
