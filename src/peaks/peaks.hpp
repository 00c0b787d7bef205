// Measuring what a GPU reaches: bandwidths, rates, latencies, launches, the link to the host.
#pragma once

#include "base/result.hpp"
#include "device/device.hpp"
#include "device/facts.hpp"
#include "peaks/figure.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace apod::peaks {

struct PeakOptions {
    std::uint64_t dram_bytes = std::uint64_t{2} << 30; // of each of three buffers; less where the GPU has less
    std::uint64_t l2_bytes = 0;                        // of all buffers together; 0: a quarter of the L2
    std::uint64_t link_bytes = std::uint64_t{256} << 20;
    double sample_s = 0.1;           // each figure is sampled for about this long at least,
    double timeout_s = 2;            // and at most for this long
    std::uint64_t rate_passes = 800; // iterations of 256 operations a thread
    std::uint32_t launches = 1000;   // in a row
    std::uint32_t blocks = 0;        // of the persistent kernels; 0: as many as fit
    std::function<void(const std::string& what)> progress;
};

// About half a minute on a GPU. A device without a clock: unavailable. Whatever cannot be measured on this device is left out and noted; a
// figure beyond its bound fails the whole: the measurement cannot be right then.
Result<Peaks> measure_peaks(device::Device& device, const device::DeviceFacts& facts, const PeakOptions& options = {});

} // namespace apod::peaks
