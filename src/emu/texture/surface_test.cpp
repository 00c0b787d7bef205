// suld, sust, sured and suq against the bytes of the image.
#include "emu/testing/run_image.hpp"
#include "emu/texture/texel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace apod::emu {
namespace {

using namespace testing;

unsigned pattern(std::uint64_t i) { return static_cast<unsigned>(i * 29 + i / 13); }

struct Surface {
    Texture texture;
    std::uint64_t handle = 0;

    Surface(ImageBench& bench, ImageShape shape, TexelType type, std::uint32_t channels, std::array<std::uint32_t, 3> size,
            std::uint32_t layers = 1) {
        texture.is_surface = true;
        texture.image = bench.make(shape, type, channels, size, layers, 1, pattern);
        handle = bench.memory.textures().add(texture);
    }
    [[nodiscard]] std::uint8_t* at(std::int64_t x, std::int64_t y = 0, std::int64_t z = 0) const {
        const ImageLevel& level = texture.image.levels[0];
        return reinterpret_cast<std::uint8_t*>(level.base + static_cast<std::uint64_t>(z) * level.slice +
                                               static_cast<std::uint64_t>(y) * level.pitch + static_cast<std::uint64_t>(x));
    }
};

std::uint32_t word(int value) { return static_cast<std::uint32_t>(value); }

// Threads at all places of a box that is wider than the image by one on every side; x in steps of `step` bytes.
std::vector<InWords> around(std::array<int, 3> size, int step) {
    std::vector<InWords> places;
    for (int z = size[2] > 1 ? -1 : 0; z < size[2] + (size[2] > 1 ? 1 : 0); ++z)
        for (int y = size[1] > 1 ? -1 : 0; y < size[1] + (size[1] > 1 ? 1 : 0); ++y)
            for (int x = -1; x <= size[0]; ++x) places.push_back({word(x * step), word(y), word(z)});
    return places;
}

struct Form {
    const char* geometry;
    ImageShape shape;
    std::array<int, 3> size; // width, height, depth or layers
    const char* coordinates;
};
constexpr Form forms[] = {{"1d", ImageShape::one, {9, 1, 1}, "{%r0}"},
                          {"2d", ImageShape::two, {9, 5, 1}, "{%r0, %r1}"},
                          {"3d", ImageShape::three, {9, 5, 3}, "{%r0, %r1, %r2, %r2}"},
                          {"a1d", ImageShape::layered_one, {9, 1, 3}, "{%r2, %r0}"},
                          {"a2d", ImageShape::layered_two, {9, 5, 3}, "{%r2, %r0, %r1, %r1}"},
                          {"a2d", ImageShape::cube, {5, 5, 6}, "{%r2, %r0, %r1, %r1}"}};

Surface surface_of(ImageBench& bench, const Form& form, TexelType type, std::uint32_t channels) {
    const bool layered = is_layered(form.shape);
    const auto [width, height, depth] = form.size;
    return {bench, form.shape, type, channels, {word(width), word(height), layered ? 1 : word(depth)}, layered ? word(depth) : 1};
}

bool inside(const Form& form, const InWords& at, int step) {
    const int x = static_cast<int>(at[0]) / step, y = static_cast<int>(at[1]), z = static_cast<int>(at[2]);
    return x >= 0 && static_cast<int>(at[0]) >= 0 && x < form.size[0] && y >= 0 && y < form.size[1] && z >= 0 && z < form.size[2];
}

TEST(Surfaces, LoadsReadEveryGeometryAndClampOrGiveZeroOutside) {
    for (const Form& form : forms)
        for (const bool clamp : {false, true}) {
            ImageBench bench;
            const Surface surface = surface_of(bench, form, TexelType::u16, 2);
            const auto places = around(form.size, 4);
            const auto got = bench.run(std::string("suld.b.") + form.geometry + ".v2.b16." + (clamp ? "clamp" : "zero") +
                                           " {%w0, %w1}, [%h1, " + form.coordinates + "];\nmov.b32 %q0, {%w0, %w1};",
                                       surface.handle, places);
            ASSERT_EQ(bench.error, "") << form.geometry;
            for (std::size_t i = 0; i < places.size(); ++i) {
                const auto limited = [&](std::size_t d, int step) {
                    return std::clamp(static_cast<int>(places[i][d]) / step, 0, form.size[d] - 1);
                };
                std::uint32_t wanted = 0;
                if (clamp || inside(form, places[i], 4))
                    std::memcpy(&wanted, surface.at(limited(0, 4) * 4, limited(1, 1), limited(2, 1)), 4);
                EXPECT_EQ(got[i][0], wanted) << form.geometry << " " << i;
            }
        }
}

TEST(Surfaces, StoresWriteEveryGeometryAndNothingOutside) {
    for (const Form& form : forms) {
        ImageBench bench;
        const Surface surface = surface_of(bench, form, TexelType::u32, 1);
        auto places = around(form.size, 4);
        for (std::size_t i = 0; i < places.size(); ++i) places[i][8] = word(static_cast<int>(i) * 3 + 7);
        bench.run(std::string("sust.b.") + form.geometry + ".b32.zero [%h1, " + form.coordinates + "], {%r8};", surface.handle, places);
        ASSERT_EQ(bench.error, "") << form.geometry;
        for (const InWords& at : places) {
            if (!inside(form, at, 4)) continue;
            std::uint32_t stored = 0;
            std::memcpy(&stored, surface.at(at[0], at[1], at[2]), 4);
            EXPECT_EQ(stored, at[8]);
        }
    }
}

TEST(Surfaces, EveryWidthIsLoadedAndStored) {
    struct Width {
        const char* name;
        unsigned bytes;
        const char* load;
        const char* store;
    };
    constexpr Width widths[] = {
        {"b8", 1, "suld.b.1d.b8.trap {%w0}, [%h1, {%r0}];", "sust.b.1d.b8.trap [%h1, {%r1}], {%w0};"},
        {"v4.b8", 4, "suld.b.1d.v4.b8.trap {%w0, %w1, %w2, %w3}, [%h1, {%r0}];",
         "sust.b.1d.v4.b8.trap [%h1, {%r1}], {%w0, %w1, %w2, %w3};"},
        {"b16", 2, "suld.b.1d.b16.trap {%w0}, [%h1, {%r0}];", "sust.b.1d.b16.trap [%h1, {%r1}], {%w0};"},
        {"v4.b16", 8, "suld.b.1d.v4.b16.trap {%w0, %w1, %w2, %w3}, [%h1, {%r0}];",
         "sust.b.1d.v4.b16.trap [%h1, {%r1}], {%w0, %w1, %w2, %w3};"},
        {"v2.b32", 8, "suld.b.1d.cg.v2.b32.trap {%q0, %q1}, [%h1, {%r0}];", "sust.b.1d.cs.v2.b32.trap [%h1, {%r1}], {%q0, %q1};"},
        {"v4.b32", 16, "suld.b.1d.v4.b32.trap {%q0, %q1, %q2, %q3}, [%h1, {%r0}];", "sust.b.1d.v4.b32 [%h1, {%r1}], {%q0, %q1, %q2, %q3};"},
        {"b64", 8, "suld.b.1d.b64.trap {%d4}, [%h1, {%r0}];", "sust.b.1d.b64.trap [%h1, {%r1}], {%d4};"},
        {"v2.b64", 16, "suld.b.1d.v2.b64.trap {%d4, %d5}, [%h1, {%r0}];", "sust.b.1d.v2.b64.trap [%h1, {%r1}], {%d4, %d5};"},
    };
    for (const Width& width : widths) {
        ImageBench bench;
        const Surface surface(bench, ImageShape::one, TexelType::u8, 4, {64, 1, 1}); // the lower half is copied to the upper one, reversed
        const unsigned count = 128 / width.bytes;
        std::vector<InWords> places(count);
        for (unsigned i = 0; i < count; ++i) places[i] = {i * width.bytes, 128 + (count - 1 - i) * width.bytes};
        bench.run(std::string(width.load) + "\n" + width.store, surface.handle, places);
        ASSERT_EQ(bench.error, "") << width.name;
        for (unsigned i = 0; i < count; ++i)
            EXPECT_EQ(std::memcmp(surface.at(i * width.bytes), surface.at(128 + (count - 1 - i) * width.bytes), width.bytes), 0)
                << width.name << i;
    }
}

TEST(Surfaces, FormattedStoresConvertToTheImagesType) {
    ImageBench bench;
    const Surface bytes(bench, ImageShape::two, TexelType::u8, 4, {8, 4, 1});
    const Surface halves(bench, ImageShape::two, TexelType::f16, 2, {8, 4, 1});
    std::vector<InWords> places(32);
    for (std::uint32_t i = 0; i < 32; ++i)
        places[i] = {i % 8, i / 8, 0x100 + i, i * 5, 255 - i, 3, std::bit_cast<std::uint32_t>(0.25f * i - 3)};
    bench.run("sust.p.2d.v4.b32.trap [%h1, {%r0, %r1}], {%r2, %r3, %r4, %r5};", bytes.handle, places);
    ASSERT_EQ(bench.error, "");
    bench.run("sust.p.2d.v2.b32.trap [%h1, {%r0, %r1}], {%r6, %r6};", halves.handle, places);
    ASSERT_EQ(bench.error, "");
    for (int i = 0; i < 32; ++i) {
        const std::uint8_t wanted[] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(5 * i), static_cast<std::uint8_t>(255 - i),
                                       3};
        EXPECT_EQ(std::memcmp(bytes.at(i % 8 * 4, i / 8), wanted, 4), 0) << i;
        std::uint16_t half[2];
        std::memcpy(half, halves.at(i % 8 * 4, i / 8), 4);
        EXPECT_EQ(half_to_float(half[0]), 0.25f * static_cast<float>(i) - 3);
        EXPECT_EQ(half[1], half[0]);
    }
}

TEST(Surfaces, ReductionsOfAllThreadsArrive) {
    struct Update {
        const char* name;
        std::uint32_t start, wanted;
        bool wide = false;
    };
    // 2000 threads; thread i brings i - 700.
    constexpr Update updates[] = {{"b.add.2d.u32", 5, static_cast<std::uint32_t>(5 + 2000 * 1999 / 2 - 700 * 2000)},
                                  {"b.min.2d.s32", 5, static_cast<std::uint32_t>(-700)},
                                  {"b.max.2d.s32", 5, 1299},
                                  {"b.max.2d.u32", 5, 0xffffffffu},
                                  {"b.min.2d.u32", 5, 0},
                                  {"b.and.2d.b32", 0xfffffff0u, 0},
                                  {"b.or.2d.b32", 0, 0xffffffffu},
                                  {"p.add.2d.b32", 5, static_cast<std::uint32_t>(5 + 2000 * 1999 / 2 - 700 * 2000)}};
    for (const Update& update : updates) {
        ImageBench bench;
        bench.threads = 4;
        const Surface surface(bench, ImageShape::two, TexelType::u32, 1, {8, 4, 1});
        std::memcpy(surface.at(12, 2), &update.start, 4);
        std::vector<InWords> places(2000);
        for (int i = 0; i < 2000; ++i) places[static_cast<std::size_t>(i)] = {update.name[0] == 'p' ? 3u : 12u, 2, word(i - 700)};
        bench.run(std::string("sured.") + update.name + ".trap [%h1, {%r0, %r1}], %r2;", surface.handle, places);
        ASSERT_EQ(bench.error, "") << update.name;
        std::uint32_t got = 0;
        std::memcpy(&got, surface.at(12, 2), 4);
        EXPECT_EQ(got, update.wanted) << update.name;
    }
}

TEST(Surfaces, QueriesAndFaults) {
    ImageBench bench;
    const Surface surface(bench, ImageShape::two, TexelType::s16, 4, {20, 10, 1});
    const auto got = bench.run("suq.width.b32 %q0, [%h1];\nsuq.height.b32 %q1, [%h1];\nsuq.channel_data_type.b32 %q2, [%h1];\n"
                               "suq.channel_order.b32 %q3, [%h1];",
                               surface.handle, std::vector<InWords>(1));
    ASSERT_EQ(bench.error, "");
    EXPECT_EQ(got[0], (OutWords{20, 10, 0x10d8, 0x10b5}));
    bench.run("suld.b.2d.b32.trap {%q0}, [%h1, {%r0, %r1}];", surface.handle, {InWords{160, 0}});
    EXPECT_NE(bench.error.find("access outside surface"), std::string::npos) << bench.error;
    bench.run("suld.b.2d.b32.trap {%q0}, [%h1, {%r0, %r1}];", surface.handle, {InWords{2, 0}});
    EXPECT_NE(bench.error.find("misaligned access to surface"), std::string::npos) << bench.error;
    Texture texture = surface.texture;
    texture.is_surface = false;
    bench.run("sust.b.2d.b32.zero [%h1, {%r0, %r1}], {%r0};", bench.memory.textures().add(texture), {InWords{0, 0}});
    EXPECT_NE(bench.error.find("used as a surface"), std::string::npos) << bench.error;
}

} // namespace
} // namespace apod::emu
