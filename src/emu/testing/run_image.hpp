// Running a piece of PTX on textures and surfaces: each thread reads 16 words of its own and stores 4.
#pragma once

#include "emu/launch.hpp"
#include "emu/texture/table.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace apod::emu::testing {

using InWords = std::array<std::uint32_t, 16>;
using OutWords = std::array<std::uint32_t, 4>;

// Device memory with images in it.
class ImageBench {
public:
    DeviceMemory memory{1ull << 28};

    // An image of `shape` whose levels are filled with `fill`(byte index); all of it in one allocation a level.
    template<class F>
    TextureImage make(ImageShape shape, TexelType type, std::uint32_t channels, std::array<std::uint32_t, 3> size, std::uint32_t layers,
                      std::uint32_t levels, F fill) {
        TextureImage image;
        image.shape = shape;
        image.type = type;
        image.channels = channels;
        image.layers = layers;
        image.level_count = levels;
        for (std::uint32_t l = 0; l < levels; ++l) {
            ImageLevel& level = image.levels[l];
            level.width = std::max(size[0] >> l, 1u);
            level.height = std::max(size[1] >> l, 1u);
            level.depth = std::max(size[2] >> l, 1u);
            level.pitch = (std::uint64_t{level.width} * image.texel_bytes() + 31) / 32 * 32;
            level.slice = level.pitch * level.height;
            const std::uint64_t bytes = level.slice * (is_layered(shape) ? layers : level.depth);
            level.base = *memory.allocate(bytes, "image");
            auto* at = reinterpret_cast<std::uint8_t*>(level.base);
            for (std::uint64_t i = 0; i < bytes; ++i) at[i] = static_cast<std::uint8_t>(fill(i + 977 * l));
        }
        return image;
    }

    // The code sees %h1 the handle; words of its thread as %r0 to %r15, results go into %q0 to %q3. More: %p1.., %w1.. (16 bits), %d1.. .
    std::vector<OutWords> run(const std::string& code, std::uint64_t handle, const std::vector<InWords>& in) {
        error.clear();
        std::string text =
            ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 h, "
            ".param .u32 n)\n{\n.reg .pred %p<8>;\n.reg .b16 %w<16>;\n.reg .b32 %r<40>;\n.reg .b32 %q<8>;\n.reg .b64 %d<16>;\n"
            ".reg .b64 %h<4>;\nld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\nld.param.u64 %h1, [h];\n"
            "ld.param.u32 %r30, [n];\nmov.u32 %r31, %ctaid.x;\nmov.u32 %r32, %ntid.x;\nmov.u32 %r33, %tid.x;\n"
            "mad.lo.s32 %r34, %r31, %r32, %r33;\nsetp.ge.u32 %p7, %r34, %r30;\n@%p7 bra DONE;\n"
            "mul.wide.u32 %d3, %r34, 64;\nadd.s64 %d1, %d1, %d3;\nmul.wide.u32 %d3, %r34, 16;\nadd.s64 %d2, %d2, %d3;\n";
        for (int v = 0; v < 4; ++v)
            text += "ld.global.v4.b32 {%r" + std::to_string(4 * v) + ", %r" + std::to_string(4 * v + 1) + ", %r" +
                    std::to_string(4 * v + 2) + ", %r" + std::to_string(4 * v + 3) + "}, [%d1+" + std::to_string(16 * v) + "];\n";
        text += "mov.b32 %q0, 0;\nmov.b32 %q1, 0;\nmov.b32 %q2, 0;\nmov.b32 %q3, 0;\n" + code +
                "\nst.global.v4.b32 [%d2], {%q0, %q1, %q2, %q3};\nDONE:\nret;\n}\n";
        return launch(text, handle, in);
    }

    std::string error; // of the last run; empty: none
    unsigned threads = 1;

private:
    std::vector<OutWords> launch(const std::string& text, std::uint64_t handle, const std::vector<InWords>& in) {
        std::vector<OutWords> out(in.size());
        auto module = ptx::parse(text, "image.ptx");
        if (!module) return error = to_text(module.error()), out;
        auto image = Image::load(*module, memory);
        if (!image) return error = to_text(image.error()), out;
        auto program = lower(*image, "k");
        if (!program) return error = to_text(program.error()), out;
        struct {
            std::uint64_t in, out, handle;
            std::uint32_t count;
        } parameters{*memory.allocate(in.size() * 64, "in"), *memory.allocate(in.size() * 16, "out"), handle,
                     static_cast<std::uint32_t>(in.size())};
        (void)memory.write(parameters.in, in.data(), in.size() * 64);
        const LaunchConfig config{{static_cast<std::uint32_t>((in.size() + 63) / 64), 1, 1},
                                  {64, 1, 1},
                                  0,
                                  {reinterpret_cast<const std::byte*>(&parameters), 28}};
        RunOptions options;
        options.sm_count = 8;
        options.threads = threads;
        auto execution = emu::run(**program, config, memory, options);
        (void)memory.read(out.data(), parameters.out, out.size() * 16);
        (void)memory.free(parameters.in);
        (void)memory.free(parameters.out);
        if (!execution) error = to_text(execution.error());
        return out;
    }
};

} // namespace apod::emu::testing
