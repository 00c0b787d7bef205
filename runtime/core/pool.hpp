// Memory pools. There is one a device; stream-ordered allocations come from the same memory as all others, so its settings change nothing.
#pragma once

#include <array>
#include <cstdint>

namespace apod::runtime {

struct Pool {
    int device = 0;
    std::array<std::uint64_t, 16> attributes = {}; // by cudaMemPoolAttr and CUmemPool_attribute
};

inline constexpr int first_wide_pool_attribute = 4; // the release threshold: from here on the values are 64 bits wide

[[nodiscard]] Pool& default_pool(int device);
// False where there is no such attribute.
bool set_pool_attribute(Pool& pool, int attribute, const void* value);
bool get_pool_attribute(const Pool& pool, int attribute, void* value);

// What a pool has given, for its figures of use; freeing memory that came from no pool is fine.
void pool_allocated(Pool& pool, std::uint64_t address, std::uint64_t bytes);
void pool_freed(std::uint64_t address);

} // namespace apod::runtime
