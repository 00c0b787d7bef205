#include "runtime/core/copy_time.hpp"

#include <algorithm>
#include <cstdlib>

namespace apod::runtime {
namespace {

// H200 behind PCIe 5.0 x16: 55 GB/s pinned for 256 MB of the link's 63, 38 GB/s for 1 MB, which is a latency of 8 us; pageable memory goes
// through a staging buffer at 10 to 19 GB/s (measured with cudaMemcpy, driver 580).
constexpr double link_efficiency = 0.87;
constexpr double latency_ns = 8000;
constexpr double pageable_gbs = 14;
constexpr double device_latency_ns = 1500;

// "5.0 x16" -> GB/s of the link in one direction; 128b/130b coding. PCI-SIG: 8 GT/s a lane in 3.0, doubled by each generation.
double link_gbs(const std::string& pcie) {
    const double generation = std::atof(pcie.c_str());
    const std::size_t by = pcie.find('x');
    const double lanes = by == std::string::npos ? 16 : std::atof(pcie.c_str() + by + 1);
    double lane_gbs = 8.0 / 8 * 128 / 130;
    for (double g = 3; g < std::clamp(generation, 3.0, 7.0); ++g) lane_gbs *= 2;
    return lane_gbs * std::max(lanes, 1.0);
}

} // namespace

double copy_ns(const arch::Gpu& gpu, Direction direction, std::uint64_t bytes, bool pinned) {
    const auto size = static_cast<double>(bytes);
    if (direction == Direction::device_to_device) return device_latency_ns + 2 * size / (gpu.memory.peak_gbs * gpu.memory.efficiency_mix);
    const double link = link_gbs(gpu.pcie) * link_efficiency;
    return latency_ns + size / (pinned ? link : std::min(link, pageable_gbs));
}

double fill_ns(const arch::Gpu& gpu, std::uint64_t bytes) {
    return device_latency_ns + static_cast<double>(bytes) / (gpu.memory.peak_gbs * gpu.memory.efficiency_write);
}

} // namespace apod::runtime
