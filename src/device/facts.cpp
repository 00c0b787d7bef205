#include "device/facts.hpp"

#include <array>

namespace apod::device {

double DeviceFacts::pcie_gbs() const {
    if (!pcie_generation_max || !pcie_width_max) return 0;
    constexpr std::array<double, 7> transfers = {0, 2.5, 5, 8, 16, 32, 64}; // 1e9 a second and lane
    const std::uint32_t generation = *pcie_generation_max;
    if (generation == 0 || generation >= transfers.size()) return 0;
    const double coding = generation <= 2 ? 8.0 / 10 : generation <= 5 ? 128.0 / 130 : 242.0 / 256;
    return transfers[generation] * coding * *pcie_width_max / 8;
}

double tensor_fp16_per_clk(const arch::ComputeCapability& cc) {
    switch (cc.number()) {
    case 70:
    case 72:
    case 75: return 1024;
    case 80:
    case 87: return 2048;
    case 86:
    case 89:
    case 120: return 1024;
    case 90: return 4096;
    case 100: return 8192;
    default: return 0;
    }
}

} // namespace apod::device
