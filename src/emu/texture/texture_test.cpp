// tex and tld4 against a reference that states the programming guide's formulas another way: a texel's weight is a tent around its centre.
#include "emu/testing/run_image.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace apod::emu {
namespace {

using namespace testing;

struct Case {
    Texture texture;
    unsigned dimensions = 1;
};

double channel_value(const TextureImage& image, const Sampler& sampler, const std::uint8_t* at, unsigned c) {
    std::int64_t integer = 0;
    switch (image.type) {
    case TexelType::f32: {
        float f;
        std::memcpy(&f, at + 4 * c, 4);
        return f;
    }
    case TexelType::f16: {
        std::uint16_t h;
        std::memcpy(&h, at + 2 * c, 2);
        const int exponent = h >> 10 & 31;
        const double m = h & 1023;
        return ((h & 0x8000) != 0 ? -1 : 1) * (exponent == 0 ? m * std::pow(2, -24) : (1024 + m) * std::pow(2, exponent - 25));
    }
    case TexelType::u8: integer = at[c]; break;
    case TexelType::s8: integer = static_cast<std::int8_t>(at[c]); break;
    case TexelType::u16: integer = at[2 * c] | at[2 * c + 1] << 8; break;
    case TexelType::s16: integer = static_cast<std::int16_t>(at[2 * c] | at[2 * c + 1] << 8); break;
    case TexelType::u32:
    case TexelType::s32: {
        std::uint32_t u;
        std::memcpy(&u, at + 4 * c, 4);
        integer = image.type == TexelType::u32 ? std::int64_t{u} : static_cast<std::int32_t>(u);
        break;
    }
    }
    if (!sampler.normalised_float) return static_cast<double>(integer);
    switch (image.type) {
    case TexelType::u8: return integer / 255.0;
    case TexelType::s8: return std::max(integer / 127.0, -1.0);
    case TexelType::u16: return integer / 65535.0;
    case TexelType::s16: return std::max(integer / 32767.0, -1.0);
    default: return static_cast<double>(integer);
    }
}

// The texel that index i of n means; -1: the border.
int addressed(int i, int n, Addressing mode) {
    switch (mode) {
    case Addressing::clamp: return std::clamp(i, 0, n - 1);
    case Addressing::border: return i < 0 || i >= n ? -1 : i;
    case Addressing::wrap:
        while (i < 0) i += n;
        return i % n;
    case Addressing::mirror:
        for (;;) { // fold at the edges
            if (i < 0)
                i = -1 - i;
            else if (i >= n)
                i = 2 * n - 1 - i;
            else
                return i;
        }
    }
    return -1;
}

double texel(const Texture& texture, unsigned level, const int* index, int slice, unsigned dimensions, unsigned c) {
    const ImageLevel& at = texture.image.levels[level];
    const int size[] = {static_cast<int>(at.width), static_cast<int>(at.height), static_cast<int>(at.depth)};
    int resolved[3] = {0, 0, 0};
    for (unsigned d = 0; d < dimensions; ++d) {
        resolved[d] = addressed(index[d], size[d], texture.sampler.addressing[d]);
        if (resolved[d] < 0) return texture.sampler.border[c];
    }
    const std::uint64_t z = dimensions == 3 ? resolved[2] : slice;
    const auto* row = reinterpret_cast<const std::uint8_t*>(at.base + z * at.slice + resolved[1] * at.pitch);
    return channel_value(texture.image, texture.sampler, row + resolved[0] * texture.image.texel_bytes(), c);
}

// In 256ths, rounded to whole ones halves up, as an H200 was seen to do it: z first, then x, then y.
int weight_of_corner(const int* part, const int* up) {
    const auto share = [](int a, int b) { return (a * b + 128) / 256; };
    const int plane = up[2] != 0 ? part[2] : 256 - part[2];
    const int column = up[0] != 0 ? share(plane, part[0]) : plane - share(plane, part[0]);
    const int kept = share(column, up[0] != 0 ? part[1] : 256 - part[1]); // by the upper texel of the right column, the lower of the left
    return up[0] == up[1] ? kept : column - kept;
}

// A place in texels; a normalised one is cut to 20 bits of fraction first.
double in_texels(const Texture& texture, double at, std::uint32_t size) {
    return texture.sampler.normalised_coordinates ? std::floor(at * 1048576) / 1048576 * size : at;
}

// `x` in texels of the level. `next`: how much of 256 the next level weighs; the result is this level's part.
double expected(const Texture& texture, unsigned level, const double* x, int slice, unsigned dimensions, unsigned c, int next = 0,
                bool is_next = false) {
    const ImageLevel& image = texture.image.levels[level];
    const std::uint32_t size[] = {image.width, image.height, image.depth};
    int index[3] = {0, 0, 0};
    if (!texture.sampler.linear) {
        for (unsigned d = 0; d < dimensions; ++d) index[d] = static_cast<int>(std::floor(x[d]));
        return texel(texture, level, index, slice, dimensions, c);
    }
    int first[3] = {0, 0, 0};
    int part[3] = {0, 0, next}; // of 256
    for (unsigned d = 0; d < dimensions; ++d) {
        const bool clamped = texture.sampler.addressing[d] == Addressing::clamp;
        const double at = clamped ? std::max(0.5, std::min(x[d], size[d] - 0.5)) : x[d];
        first[d] = static_cast<int>(std::floor(at - 0.5));
        part[d] = static_cast<int>((at - 0.5 - first[d]) * 256 + 0.5);
        if (part[d] == 256) ++first[d], part[d] = 0;
    }
    const bool row_of_border = texture.image.shape == ImageShape::one && texture.sampler.addressing[1] == Addressing::border;
    if (row_of_border) part[1] = 128;
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const int up[3] = {corner & 1, corner >> 1 & 1, corner >> 2 & 1};
        if (dimensions < 3 && (up[2] != 0) != is_next) continue;
        const int at[3] = {first[0] + up[0], first[1] + up[1], first[2] + up[2]};
        const int weight = weight_of_corner(part, up);
        if (weight == 0) continue;
        const bool in_border = row_of_border && up[1] == 0;
        sum += weight / 256.0 * (in_border ? texture.sampler.border[c] : texel(texture, level, at, slice, dimensions, c));
    }
    return sum;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float real(std::uint32_t word) { return std::bit_cast<float>(word); }

// Bytes that make finite floats, halves and integers of both signs.
unsigned pattern(std::uint64_t i) {
    return static_cast<unsigned>(i % 4 == 3 ? 0x3e + i / 4 % 3 : (i * 37 + i / 7 * 11) & 0xff) & (i % 2 == 1 ? 0xbfu : 0xffu);
}

std::vector<InWords> random_places(unsigned dimensions, bool normalised, const std::array<std::uint32_t, 3>& size, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> spread(-2.2f, 3.2f);
    std::vector<InWords> places(192);
    for (InWords& words : places)
        for (unsigned d = 0; d < dimensions; ++d) words[d] = bits(spread(random) * (normalised ? 1.0f : static_cast<float>(size[d])));
    return places;
}

void expect_close(double got, double wanted, const char* what, std::size_t i) {
    EXPECT_NEAR(got, wanted, 1e-6 + std::abs(wanted) * 2e-7) << what << " " << i;
}

const char* const fetches[] = {"", "tex.1d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r0}];",
                               "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r0, %r1}];",
                               "tex.3d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r0, %r1, %r2, %r2}];"};

TEST(Textures, EveryAddressingAndFilterInOneTwoAndThreeDimensions) {
    const std::array<std::uint32_t, 3> size{7, 5, 3};
    for (unsigned dimensions = 1; dimensions <= 3; ++dimensions) {
        for (unsigned mode = 0; mode < 16; ++mode) {
            ImageBench bench;
            Texture texture;
            const ImageShape shapes[] = {ImageShape::one, ImageShape::one, ImageShape::two, ImageShape::three};
            texture.image = bench.make(shapes[dimensions], TexelType::f32, mode % 3 == 0 ? 4 : mode % 3,
                                       {size[0], dimensions > 1 ? size[1] : 1, dimensions > 2 ? size[2] : 1}, 1, 1, pattern);
            texture.sampler.addressing.fill(static_cast<Addressing>(mode & 3));
            texture.sampler.addressing[1] = static_cast<Addressing>((mode + 1) & 3);
            texture.sampler.linear = (mode & 4) != 0;
            texture.sampler.normalised_coordinates = (mode & 8) != 0;
            texture.sampler.border = {0.5f, -1, 2, 3};
            const auto places = random_places(dimensions, texture.sampler.normalised_coordinates, size, mode + 1);
            const auto got = bench.run(fetches[dimensions], bench.memory.textures().add(texture), places);
            ASSERT_EQ(bench.error, "");
            Texture reference = texture; // without normalised coordinates, wrap and mirror clamp
            if (!texture.sampler.normalised_coordinates)
                for (Addressing& a : reference.sampler.addressing)
                    if (a == Addressing::wrap || a == Addressing::mirror) a = Addressing::clamp;
            for (std::size_t i = 0; i < places.size(); ++i) {
                double x[3] = {0, 0, 0};
                for (unsigned d = 0; d < dimensions; ++d) x[d] = in_texels(texture, real(places[i][d]), size[d]);
                for (unsigned c = 0; c < texture.image.channels; ++c)
                    expect_close(real(got[i][c]), expected(reference, 0, x, 0, dimensions, c), "mode", mode * 1000 + i);
            }
        }
    }
}

TEST(Textures, EveryTexelTypeInEachReadMode) {
    for (unsigned type = 0; type < 8; ++type)
        for (const std::uint32_t channels : {1u, 2u, 4u})
            for (const bool normalised : {false, true}) {
                ImageBench bench;
                Texture texture;
                texture.image = bench.make(ImageShape::linear, static_cast<TexelType>(type), channels, {60, 1, 1}, 1, 1, pattern);
                texture.sampler.normalised_float = normalised;
                std::vector<InWords> places(64);
                for (std::uint32_t i = 0; i < 64; ++i) places[i][0] = i - 2;
                const auto got =
                    bench.run("tex.1d.v4.s32.s32 {%q0, %q1, %q2, %q3}, [%h1, {%r0}];", bench.memory.textures().add(texture), places);
                ASSERT_EQ(bench.error, "");
                const bool floats = type >= 6 || (normalised && type < 4);
                for (unsigned i = 0; i < 64; ++i)
                    for (unsigned c = 0; c < 4; ++c) {
                        const int x = static_cast<int>(i) - 2;
                        if (x < 0 || x >= 60) {
                            EXPECT_EQ(got[i][c], 0u);
                            continue;
                        }
                        const double wanted = c < channels ? texel(texture, 0, &x, 0, 1, c) : c == 3 ? 1 : 0;
                        const double value = floats                                ? double{real(got[i][c])}
                                             : type == 1 || type == 3 || type == 5 ? double(static_cast<std::int32_t>(got[i][c]))
                                                                                   : double(got[i][c]);
                        EXPECT_NEAR(value, wanted, floats ? 1e-7 * std::abs(wanted) : 0) << type << " " << channels << " " << i << " " << c;
                    }
            }
}

TEST(Textures, LayersAreChosenByNumberAndClamped) {
    ImageBench bench;
    Texture texture;
    texture.image = bench.make(ImageShape::layered_two, TexelType::u8, 1, {6, 4, 1}, 3, 1, pattern);
    texture.sampler.linear = true;
    texture.sampler.normalised_float = true;
    auto places = random_places(2, false, {6, 4, 1}, 5);
    for (std::size_t i = 0; i < places.size(); ++i) places[i][2] = static_cast<std::uint32_t>(i % 5);
    const auto got =
        bench.run("tex.a2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r2, %r0, %r1, %r1}];", bench.memory.textures().add(texture), places);
    ASSERT_EQ(bench.error, "");
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double x[] = {real(places[i][0]), real(places[i][1])};
        expect_close(real(got[i][0]), expected(texture, 0, x, std::min<int>(static_cast<int>(i % 5), 2), 2, 0), "layer", i);
    }
    texture.image = bench.make(ImageShape::layered_one, TexelType::f32, 1, {6, 1, 1}, 4, 1, pattern);
    const auto rows =
        bench.run("tex.a1d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r2, %r0}];", bench.memory.textures().add(texture), places);
    ASSERT_EQ(bench.error, "");
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double x[] = {real(places[i][0])};
        expect_close(real(rows[i][0]), expected(texture, 0, x, std::min<int>(static_cast<int>(i % 5), 3), 1, 0), "row", i);
    }
}

// The table of the programming guide, "Cubemap Textures".
void on_cube(const float* d, int& face, double* st) {
    const double x = d[0], y = d[1], z = d[2];
    double m = 0, s = 0, t = 0;
    if (std::abs(x) > std::abs(y) && std::abs(x) > std::abs(z)) {
        face = x >= 0 ? 0 : 1;
        m = std::abs(x), s = x >= 0 ? -z : z, t = -y;
    } else if (std::abs(y) > std::abs(x) && std::abs(y) > std::abs(z)) {
        face = y >= 0 ? 2 : 3;
        m = std::abs(y), s = x, t = y >= 0 ? z : -z;
    } else {
        face = z >= 0 ? 4 : 5;
        m = std::abs(z), s = z >= 0 ? x : -x, t = -y;
    }
    st[0] = (s / m + 1) / 2;
    st[1] = (t / m + 1) / 2;
}

TEST(Textures, CubesAreReadByDirection) {
    for (const bool layered : {false, true})
        for (const bool linear : {false, true}) {
            ImageBench bench;
            Texture texture;
            texture.image = bench.make(layered ? ImageShape::layered_cube : ImageShape::cube, TexelType::s16, 2, {8, 8, 1},
                                       layered ? 18 : 6, 1, pattern);
            texture.sampler.linear = linear;
            texture.sampler.normalised_float = true;
            texture.sampler.normalised_coordinates = true;
            auto places = random_places(3, true, {}, 9);
            for (std::size_t i = 0; i < places.size(); ++i) places[i][3] = static_cast<std::uint32_t>(i % 3);
            const auto got = bench.run(layered ? "tex.acube.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r3, %r0, %r1, %r2}];"
                                               : "tex.cube.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r0, %r1, %r2, %r2}];",
                                       bench.memory.textures().add(texture), places);
            ASSERT_EQ(bench.error, "");
            for (std::size_t i = 0; i < places.size(); ++i) {
                const float d[] = {real(places[i][0]), real(places[i][1]), real(places[i][2])};
                int face = 0;
                double st[2];
                on_cube(d, face, st);
                const double x[] = {in_texels(texture, st[0], 8), in_texels(texture, st[1], 8)};
                const int layer = (layered ? static_cast<int>(i % 3) * 6 : 0) + face;
                for (unsigned c = 0; c < 2; ++c) expect_close(real(got[i][c]), expected(texture, 0, x, layer, 2, c), "cube", i);
            }
        }
}

double trilinear(const Texture& texture, double level, const float* uv, unsigned c) {
    const double clamped =
        std::clamp(level, static_cast<double>(texture.sampler.lowest_level), static_cast<double>(texture.sampler.highest_level));
    const auto at = [&](unsigned l, int next, bool is_next) {
        const double x[] = {in_texels(texture, uv[0], texture.image.levels[l].width),
                            in_texels(texture, uv[1], texture.image.levels[l].height)};
        return expected(texture, l, x, 0, 2, c, next, is_next);
    };
    if (!texture.sampler.linear_levels) return at(static_cast<unsigned>(std::floor(clamped + 0.5)), 0, false);
    auto lower = static_cast<unsigned>(clamped);
    int share = static_cast<int>((clamped - lower) * 256 + 0.5);
    lower += static_cast<unsigned>(share / 256);
    share %= 256;
    if (share == 0) return at(lower, 0, false);
    if (texture.sampler.linear) return at(lower, share, false) + at(lower + 1, share, true);
    return (256 - share) / 256.0 * at(lower, 0, false) + share / 256.0 * at(lower + 1, 0, false);
}

TEST(Textures, LevelsOfDetailAreChosenMixedBiasedAndClamped) {
    for (unsigned mode = 0; mode < 8; ++mode) {
        ImageBench bench;
        Texture texture;
        texture.image = bench.make(ImageShape::two, TexelType::f32, 1, {16, 8, 1}, 1, 5, pattern);
        texture.sampler.linear = (mode & 1) != 0;
        texture.sampler.linear_levels = (mode & 2) != 0;
        texture.sampler.normalised_coordinates = true;
        texture.sampler.addressing.fill(Addressing::wrap);
        texture.sampler.highest_level = (mode & 4) != 0 ? 2.5f : 4;
        texture.sampler.lowest_level = (mode & 4) != 0 ? 0.75f : 0;
        texture.sampler.level_bias = (mode & 4) != 0 ? 0.25f : 0;
        auto places = random_places(2, true, {}, mode + 40);
        for (std::size_t i = 0; i < places.size(); ++i) places[i][4] = bits(static_cast<float>(i) * 0.037f - 1);
        const auto handle = bench.memory.textures().add(texture);
        const auto got = bench.run("tex.level.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r0, %r1}], %r4;", handle, places);
        ASSERT_EQ(bench.error, "");
        for (std::size_t i = 0; i < places.size(); ++i) {
            const float uv[] = {real(places[i][0]), real(places[i][1])};
            const double level = real(places[i][4]) + texture.sampler.level_bias;
            if (!texture.sampler.linear_levels && std::abs(level - std::floor(level) - 0.5) < 1e-6) continue;
            expect_close(real(got[i][0]), trilinear(texture, level, uv, 0), "level", mode * 1000 + i);
        }
        // Steps whose longer one is 2^level texels.
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double step = std::exp2(static_cast<double>(i % 17) * 0.25 - 0.7);
            places[i][4] = bits(static_cast<float>(0.6 * step / 16));
            places[i][5] = bits(static_cast<float>(0.8 * step / 8));
            places[i][6] = bits(static_cast<float>(0.1 * step / 16));
            places[i][7] = bits(0);
        }
        const auto graded =
            bench.run("tex.grad.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r0, %r1}], {%r4, %r5}, {%r6, %r7};", handle, places);
        ASSERT_EQ(bench.error, "");
        for (std::size_t i = 0; i < places.size(); ++i) {
            const float uv[] = {real(places[i][0]), real(places[i][1])};
            const double level = static_cast<double>(i % 17) * 0.25 - 0.7 + texture.sampler.level_bias;
            const double scaled = (level - std::floor(level)) * 256; // where the last bit of the level would decide
            if (std::abs(scaled - std::floor(scaled) - 0.5) < 0.01 || std::abs(level - std::floor(level) - 0.5) < 1e-4) continue;
            expect_close(real(graded[i][0]), trilinear(texture, level, uv, 0), "gradients", mode * 1000 + i);
        }
    }
}

TEST(Textures, FourTexelsAreGatheredCounterClockwiseFromTheLowerLeft) {
    ImageBench bench;
    Texture texture;
    texture.image = bench.make(ImageShape::two, TexelType::u8, 4, {9, 7, 1}, 1, 1, pattern);
    const auto places = random_places(2, false, {9, 7, 1}, 3);
    for (unsigned c = 0; c < 4; ++c) {
        const auto got = bench.run(std::string("tld4.") + "rgba"[c] + ".2d.v4.u32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r0, %r1}];",
                                   bench.memory.textures().add(texture), places);
        ASSERT_EQ(bench.error, "");
        for (std::size_t i = 0; i < places.size(); ++i) {
            const int x = static_cast<int>(std::floor(real(places[i][0]) - 0.5 + 1.0 / 512)), // as a filter would round
                y = static_cast<int>(std::floor(real(places[i][1]) - 0.5 + 1.0 / 512));
            const int corners[4][2] = {{x, y + 1}, {x + 1, y + 1}, {x + 1, y}, {x, y}};
            for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(got[i][k], texel(texture, 0, corners[k], 0, 2, c)) << i << " " << k;
        }
    }
}

TEST(Textures, OffsetsHalvesResidencyAndSamplersOfTheirOwn) {
    ImageBench bench;
    Texture texture;
    texture.image = bench.make(ImageShape::two, TexelType::f16, 4, {9, 7, 1}, 1, 1, pattern);
    const auto handle = bench.memory.textures().add(texture);
    auto places = random_places(2, false, {9, 7, 1}, 8);
    const auto offset =
        bench.run("tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}|%p1, [%h1, {%r0, %r1}], {3, -2};\n@!%p1 mov.u32 %q0, 0;", handle, places);
    ASSERT_EQ(bench.error, "");
    const auto halves =
        bench.run("tex.2d.v2.f16x2.f32 {%q0, %q1}, [%h1, {%r0, %r1}];\n"
                  "tex.2d.v4.f16.f32 {%w0, %w1, %w2, %w3}, [%h1, {%r0, %r1}];\nmov.b32 %q2, {%w0, %w1};\nmov.b32 %q3, {%w2, %w3};",
                  handle, places);
    ASSERT_EQ(bench.error, "");
    Texture other = texture;
    other.sampler.linear = true;
    for (InWords& words : places) {
        const std::uint64_t sampler = bench.memory.textures().add(other);
        words[4] = static_cast<std::uint32_t>(sampler);
        words[5] = static_cast<std::uint32_t>(sampler >> 32);
    }
    const auto filtered =
        bench.run("mov.b64 %h2, {%r4, %r5};\ntex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, %h2, {%r0, %r1}];", handle, places);
    ASSERT_EQ(bench.error, "");
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double x[] = {real(places[i][0]), real(places[i][1])};
        const int moved[] = {static_cast<int>(std::floor(x[0])) + 3, static_cast<int>(std::floor(x[1])) - 2};
        for (unsigned c = 0; c < 4; ++c) {
            expect_close(real(offset[i][c]), texel(texture, 0, moved, 0, 2, c), "offset", i);
            expect_close(real(filtered[i][c]), expected(other, 0, x, 0, 2, c), "sampler", i);
        }
        EXPECT_EQ(halves[i][0], halves[i][2]);
        EXPECT_EQ(halves[i][1], halves[i][3]);
        int at[] = {std::clamp(moved[0] - 3, 0, 8), std::clamp(moved[1] + 2, 0, 6)};
        std::uint32_t stored = 0;
        std::memcpy(&stored,
                    reinterpret_cast<const std::byte*>(texture.image.levels[0].base + at[1] * texture.image.levels[0].pitch + at[0] * 8),
                    4);
        EXPECT_EQ(halves[i][0], stored);
    }
}

TEST(Textures, SrgbBecomesLinear) {
    ImageBench bench;
    Texture texture;
    texture.image = bench.make(ImageShape::one, TexelType::u8, 4, {64, 1, 1}, 1, 1, [](std::uint64_t i) { return i; });
    texture.sampler.normalised_float = texture.sampler.srgb = true;
    std::vector<InWords> places(64);
    for (std::uint32_t i = 0; i < 64; ++i) places[i][0] = bits(static_cast<float>(i) + 0.5f);
    const auto got = bench.run(fetches[1], bench.memory.textures().add(texture), places);
    ASSERT_EQ(bench.error, "");
    for (unsigned i = 0; i < 64; ++i)
        for (unsigned c = 0; c < 4; ++c) {
            const double encoded = (4 * i + c) / 255.0;
            const double linear = c == 3 ? encoded : encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
            expect_close(real(got[i][c]), linear, "srgb", i);
        }
}

TEST(Textures, QueriesTellWhatAnImageIs) {
    ImageBench bench;
    Texture texture;
    texture.image = bench.make(ImageShape::three, TexelType::s8, 2, {20, 10, 6}, 1, 3, pattern);
    texture.sampler.normalised_float = texture.sampler.normalised_coordinates = texture.sampler.linear = true;
    texture.sampler.addressing = {Addressing::wrap, Addressing::mirror, Addressing::border};
    const auto handle = bench.memory.textures().add(texture);
    const auto ask = [&](const char* query) {
        const auto got = bench.run(std::string(query) + ";", handle, std::vector<InWords>(1));
        EXPECT_EQ(bench.error, "") << query;
        return got[0][0];
    };
    EXPECT_EQ(ask("txq.width.b32 %q0, [%h1]"), 20u);
    EXPECT_EQ(ask("txq.height.b32 %q0, [%h1]"), 10u);
    EXPECT_EQ(ask("txq.depth.b32 %q0, [%h1]"), 6u);
    EXPECT_EQ(ask("txq.level.width.b32 %q0, [%h1], 2"), 5u);
    EXPECT_EQ(ask("txq.num_mipmap_levels.b32 %q0, [%h1]"), 3u);
    EXPECT_EQ(ask("txq.num_samples.b32 %q0, [%h1]"), 1u);
    EXPECT_EQ(ask("txq.array_size.b32 %q0, [%h1]"), 0u);
    EXPECT_EQ(ask("txq.channel_data_type.b32 %q0, [%h1]"), 0x10d0u);
    EXPECT_EQ(ask("txq.channel_order.b32 %q0, [%h1]"), 0x10b2u);
    EXPECT_EQ(ask("txq.normalized_coords.b32 %q0, [%h1]"), 1u);
    EXPECT_EQ(ask("txq.force_unnormalized_coords.b32 %q0, [%h1]"), 0u);
    EXPECT_EQ(ask("txq.filter_mode.b32 %q0, [%h1]"), 1u);
    EXPECT_EQ(ask("txq.addr_mode_0.b32 %q0, [%h1]"), 0u);
    EXPECT_EQ(ask("txq.addr_mode_1.b32 %q0, [%h1]"), 1u);
    EXPECT_EQ(ask("txq.addr_mode_2.b32 %q0, [%h1]"), 4u);
}

TEST(Textures, WhatIsNoTextureOrOfAnotherShapeIsAFaultWithItsPlace) {
    ImageBench bench;
    Texture texture;
    texture.image = bench.make(ImageShape::two, TexelType::f32, 1, {8, 8, 1}, 1, 1, pattern);
    const std::vector<InWords> one(1);
    bench.run(fetches[2], 1, one);
    EXPECT_NE(bench.error.find("0x1 is no texture or surface object; it was used by block (0, 0, 0) thread (0, 0, 0)"), std::string::npos)
        << bench.error;
    EXPECT_NE(bench.error.find("image.ptx:"), std::string::npos) << bench.error;
    const auto handle = bench.memory.textures().add(texture);
    bench.run(fetches[3], handle, one);
    EXPECT_NE(bench.error.find("of another shape"), std::string::npos) << bench.error;
    texture.is_surface = true;
    bench.run(fetches[2], bench.memory.textures().add(texture), one);
    EXPECT_NE(bench.error.find("read as a texture"), std::string::npos) << bench.error;
    (void)bench.memory.free(texture.image.levels[0].base);
    bench.run(fetches[2], handle, one);
    EXPECT_NE(bench.error.find("was freed"), std::string::npos) << bench.error;
    EXPECT_TRUE(bench.memory.textures().remove(handle));
    EXPECT_FALSE(bench.memory.textures().remove(handle));
    bench.run(fetches[2], handle, one);
    EXPECT_NE(bench.error.find("is no texture"), std::string::npos) << bench.error;
    bench.run("tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%h1, {%r0, %r1}], {1, 2}, %r3;", handle, one);
    EXPECT_NE(bench.error.find("depth"), std::string::npos) << bench.error;
}

} // namespace
} // namespace apod::emu
