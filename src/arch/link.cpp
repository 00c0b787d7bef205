#include "arch/link.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace apod::arch {

double pcie_gbs(std::uint32_t generation, std::uint32_t width) {
    constexpr std::array<double, 7> transfers = {0, 2.5, 5, 8, 16, 32, 64}; // 1e9 a second and lane
    if (generation == 0 || generation >= transfers.size()) return 0;
    const double coding = generation <= 2 ? 8.0 / 10 : generation <= 5 ? 128.0 / 130 : 242.0 / 256;
    return transfers[generation] * coding * width / 8;
}

double pcie_gbs(const Gpu& gpu) {
    const std::string_view text = gpu.pcie;
    const std::size_t dot = text.find(".0 x");
    if (dot == std::string_view::npos) return 0;
    std::uint32_t generation = 0;
    std::uint32_t width = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data(), text.data() + dot, generation).ptr != text.data() + dot) return 0;
    if (std::from_chars(text.data() + dot + 4, end, width).ptr != end) return 0;
    return pcie_gbs(generation, width);
}

} // namespace apod::arch
