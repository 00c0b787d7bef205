#include "device/facts.hpp"

#include "arch/link.hpp"

namespace apod::device {

double DeviceFacts::pcie_gbs() const {
    if (!pcie_generation_max || !pcie_width_max) return 0;
    return arch::pcie_gbs(*pcie_generation_max, *pcie_width_max);
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
