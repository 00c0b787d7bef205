// Memory pools. Stream-ordered allocations come from the same memory as all others, whatever their pool, so a pool's settings change
// nothing.
//
// A pool made for it can be handed to another process as a file descriptor, and then its allocations one by one (core/shared_memory.hpp).
#pragma once

#include "runtime/core/error.hpp"

#include <array>
#include <cstdint>

namespace apod::runtime {

struct Pool {
    int device = 0;
    unsigned handle_types = 0;                     // ways in which it may be handed to other processes
    bool imported = false;                         // from another process: gives nothing itself
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
// Whose allocation begins there; nullptr: no pool's.
[[nodiscard]] const Pool* pool_of(std::uint64_t address);

inline constexpr unsigned pool_file_descriptor = 1; // cudaMemHandleTypePosixFileDescriptor, the one way that there is

// A file descriptor that says which pool it is; the caller's own. And the pool behind one that another process gave.
Error export_pool(const Pool& pool, int& file);
Error import_pool(int file, int devices, Pool& pool);

} // namespace apod::runtime
