#include "arch/plausible.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace apod::arch {
namespace {

bool is_plain_name(const std::string& id) {
    return std::all_of(id.begin(), id.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

std::optional<Implausible> implausible_limits(const Limits& limits) {
    if (limits.max_threads_per_sm != limits.max_warps_per_sm * limits.warp_size)
        return Implausible{"limits.max_threads_per_sm", "is not max_warps_per_sm * warp_size"};
    if (limits.max_threads_per_block > limits.max_threads_per_sm)
        return Implausible{"limits.max_threads_per_block", "is more than max_threads_per_sm"};
    if (limits.registers_per_block > limits.registers_per_sm)
        return Implausible{"limits.registers_per_block", "is more than registers_per_sm"};
    if (limits.shared_per_block_optin_bytes < limits.shared_per_block_bytes)
        return Implausible{"limits.shared_per_block_optin_bytes", "is less than the default limit shared_per_block_bytes"};
    if (limits.shared_per_block_optin_bytes + limits.shared_reserved_per_block_bytes > limits.shared_per_sm_bytes)
        return Implausible{"limits.shared_per_block_optin_bytes", "and the reserve do not fit an SM (shared_per_sm_bytes)"};
    if (limits.shared_carveouts_bytes.empty() || limits.shared_carveouts_bytes.back() != limits.shared_per_sm_bytes)
        return Implausible{"limits.shared_carveouts_bytes", "must end with shared_per_sm_bytes"};
    if (limits.unified_l1_bytes < limits.shared_per_sm_bytes)
        return Implausible{"limits.unified_l1_bytes", "(L1 and shared memory together) is less than shared_per_sm_bytes"};
    return std::nullopt;
}

} // namespace

std::optional<Implausible> implausible(const Gpu& gpu) {
    if (!is_plain_name(gpu.id)) return Implausible{"id", "may hold lower-case letters, digits and '-' only"};
    if (auto found = implausible_limits(gpu.limits)) return found;
    const double computed = gpu.memory.rate_gbps * gpu.memory.bus_bits / 8;
    if (std::fabs(gpu.memory.peak_gbs - computed) > 0.01 * computed)
        return Implausible{"memory.peak_gbs",
                           fmt::format("= {} GB/s, but rate_gbps * bus_bits / 8 is {:.1f}", gpu.memory.peak_gbs, computed)};
    if (gpu.latency.l1_hit > gpu.latency.dram) return Implausible{"latency.l1_hit", "is longer than latency.dram"};
    if (gpu.latency.l2_hit > gpu.latency.dram) return Implausible{"latency.l2_hit", "is longer than latency.dram"};
    return std::nullopt;
}

} // namespace apod::arch
