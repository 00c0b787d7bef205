// The same work on the host: y[i] = x[i] * factor * factor ..., as good as the compiler makes it for this processor.
#pragma once

#include "transfer/host_pool.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace apod::transfer {

// As many elements of each. One multiplication after another, as the kernel does them, so the results have the same bits.
void scale_on_one_core(std::span<float> y, std::span<const float> x, float factor, std::uint32_t multiplications);
// In shares of whole cache lines, one a thread of the pool.
void scale_on_all_cores(std::span<float> y, std::span<const float> x, float factor, std::uint32_t multiplications, HostPool& pool);

// Cores that this process may use, and their NUMA nodes (one node where the system does not tell).
[[nodiscard]] unsigned usable_cores();
[[nodiscard]] std::vector<int> usable_nodes();

} // namespace apod::transfer
