#include "device/facts.hpp"

#include "arch/link.hpp"

namespace apod::device {

double DeviceFacts::pcie_gbs() const {
    if (!pcie_generation_max || !pcie_width_max) return 0;
    return arch::pcie_gbs(*pcie_generation_max, *pcie_width_max);
}

} // namespace apod::device
