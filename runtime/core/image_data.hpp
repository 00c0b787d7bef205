// What a program hands over to be loaded: PTX text, a fatbin (bare or in nvcc's wrapper), or what the driver's linker made (link_image).
#pragma once

#include "arch/gpu.hpp"
#include "base/diagnostic.hpp"
#include "runtime/core/error.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace apod::runtime {

// One PTX text and what messages call it.
struct PtxUnit {
    std::string name;
    std::string text;
};

// How far the image reaches, which only its own beginning tells: to the zero that ends a text, or what a header says. 0: not an image.
// Reads no further than the image goes.
[[nodiscard]] std::size_t image_bytes(const std::byte* image);

// The PTX for the GPU in an image. invalid_kernel_image for what is none or is damaged, no_kernel_image_for_device for one without fitting
// PTX (machine code has to be compiled again as PTX); `why` says it with what to do. A wrapper's pointer is followed.
Error read_image(std::span<const std::byte> image, const arch::Gpu& gpu, const std::string& name, std::vector<PtxUnit>& units,
                 Diagnostic& why);

// The units as one image that read_image understands: what takes the place of a linked cubin.
[[nodiscard]] std::vector<std::byte> link_image(const std::vector<PtxUnit>& units);

} // namespace apod::runtime
