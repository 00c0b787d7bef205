// Findings of what a program does around its kernels: copies and launches.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apod::explain {

// Copies of one direction.
struct HostCopies {
    std::string direction; // "host to device"
    bool crosses = false;  // the link between host and device
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    double time_ns = 0;
    std::uint64_t pageable_bytes = 0; // of them, from or to memory that is not page-locked
    double pageable_ns = 0;
};

struct HostWork {
    std::vector<HostCopies> copies;
    std::uint64_t launches = 0;
    double kernel_ns = 0; // all launches together
};

// The largest estimated gain first. Gains are of the time that the device is busy or waits for the next launch.
[[nodiscard]] std::vector<Finding> explain_host(const HostWork& work, const arch::Gpu& gpu);

} // namespace apod::explain
