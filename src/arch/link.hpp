// The link between host and GPU.
#pragma once

#include "arch/gpu.hpp"

#include <cstdint>

namespace apod::arch {

// What PCIe of a generation (1 to 6) and width carries each way, 1e9 bytes a second: transfers a second and lane (PCI-SIG) less the coding,
// 8b/10b up to generation 2, 128b/130b up to 5, 242 of 256 bytes of a flit in 6. 0 for another generation.
[[nodiscard]] double pcie_gbs(std::uint32_t generation, std::uint32_t width);

// The same from a description's "5.0 x16"; 0 where the GPU is not on PCIe alone ("integrated", "C2C + 5.0").
[[nodiscard]] double pcie_gbs(const Gpu& gpu);

// What copies reach on it where they go both ways at once: of the link, each way (one way alone: 0.88). Read requests for what comes in
// share the way out. H200, driver 580, 1 December 2026 (docs/transfer.md), as the following two.
inline constexpr double copies_both_ways = 0.806;
// From one copy of a stream to the next in the same direction; copies the other way stand still meanwhile.
inline constexpr double copy_in_gap_ns = 2600;
inline constexpr double copy_out_gap_ns = 1900;

} // namespace apod::arch
