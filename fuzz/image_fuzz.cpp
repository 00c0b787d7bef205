// Any bytes as what a program gives to cuModuleLoadData. nvcc's wrapper is left out: its pointer would lead anywhere.
#include "runtime/core/image_data.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::runtime;
    constexpr std::uint32_t wrapper = 0x466243b1;
    if (size >= sizeof wrapper && std::memcmp(data, &wrapper, sizeof wrapper) == 0) return 0;
    constexpr std::size_t header = 32; // what is read to find out how far an image goes; and a text ends somewhere
    std::vector<std::byte> image(size + header);
    std::copy_n(reinterpret_cast<const std::byte*>(data), size, image.begin());
    const std::size_t claimed = image_bytes(image.data());
    const std::vector<std::byte> exact(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(std::min(claimed, size)));
    apod::arch::Gpu gpu;
    gpu.cc.major = 9;
    std::vector<PtxUnit> units;
    apod::Diagnostic why;
    if (read_image(exact, gpu, "fuzz", units, why) == Error::success && units.empty()) __builtin_trap();
    const std::vector<PtxUnit> linked = units;
    if (units.empty()) return 0;
    const std::vector<std::byte> again = link_image(linked);
    std::vector<PtxUnit> back;
    if (read_image(again, gpu, "fuzz", back, why) != Error::success || back.size() != linked.size()) __builtin_trap();
    return 0;
}
