// What a lane handler sees of its warp, block and worker. Plain data: the handlers are compiled for several instruction sets and must not
// instantiate anything that other code shares.
#pragma once

#include "emu/code.hpp"
#include "emu/event.hpp"
#include "emu/fault_kind.hpp"

#include <cstddef>
#include <cstdint>

namespace apod::emu {

// Generic addresses at or above these are shared or local memory; below, global memory (a host address).
inline constexpr std::uint64_t shared_window = 0x0100000000000000ull;
inline constexpr std::uint64_t local_window = 0x0200000000000000ull;
inline constexpr std::uint64_t parameter_window = 0x0500000000000000ull; // a kernel's parameters, which can be read only
inline constexpr std::uint64_t window_mask = 0xff00000000000000ull;

// An address of the .shared::cluster space is an offset into some block's shared memory, and above it 0 for the block's own or 1 + the rank
// of a block of its cluster, as mapa gives it. With the shared window it is a generic address.
inline constexpr unsigned cluster_rank_shift = 24;
inline constexpr std::uint64_t shared_offset_mask = (std::uint64_t{1} << cluster_rank_shift) - 1;

// What isspacep asks: Op::imm.
enum class SpaceQuestion : std::uint8_t { global, constant, shared_of_block, shared_of_cluster, local, parameter };

// Why an instruction cannot use a texture or a surface.
enum class ImageFault : std::uint32_t { no_handle, not_a_texture, not_a_surface, other_shape, outside, misaligned, freed };

struct Fault {
    FaultKind kind = FaultKind::none;
    MemorySpace space = MemorySpace::global;
    AccessKind access = AccessKind::load;
    std::uint32_t op = 0;
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint32_t bytes = 0;
    std::uint64_t address = 0;
};

// The allocation that an op touched last: most ops stay inside one.
struct KnownRange {
    std::uint64_t first = 1; // empty
    std::uint64_t end = 0;
};

class BlockCheck; // check/: what `apod check` keeps for a block

struct BlockContext {
    std::byte* shared = nullptr;
    std::uint32_t shared_bytes = 0;
    std::byte* parameters = nullptr; // the launch's parameter block
    std::uint32_t parameter_bytes = 0;
    std::uint32_t local_bytes = 0;  // per thread, the frames of called functions included
    std::uint32_t local_stride = 0; // from one thread's local memory to the next one's
    const std::uint32_t* extra = nullptr;
    KnownRange* known = nullptr;  // by op
    const void* memory = nullptr; // const DeviceMemory*
    EventSink* sink = nullptr;    // may be null
    std::uint64_t constant_base = 0;
    BlockCheck* check = nullptr; // null: no checks
    // The blocks of the cluster by rank; a launch without clusters has clusters of one block.
    BlockContext* const* cluster = nullptr;
    std::uint32_t cluster_size = 1;
    std::uint32_t cluster_rank = 0;
    bool has_exited = false; // its shared memory is no more
    Fault fault;
};

struct WarpContext {
    std::byte* region[regions] = {};
    std::uint32_t* predicates = nullptr;
    std::byte* local = nullptr;   // lanes * local_stride
    std::uint32_t local_base = 0; // where the frame of the function that runs begins in each thread's local memory
    std::uint32_t local_top = 0;  // and ends
    BlockContext* block = nullptr;
    std::uint32_t index = 0;           // within the block
    std::uint32_t live = 0;            // lanes that have not exited
    std::uint32_t cluster_arrived = 0; // lanes that have arrived at the cluster's barrier, in its current phase
};

// Slow paths, compiled once. `resolve_global` looks the address up; on success it widens the op's known range.
bool resolve_global(WarpContext& warp, const Op& op, std::uint64_t first, std::uint64_t end);
void report_fault(WarpContext& warp, const Op& op, FaultKind kind, MemorySpace space, AccessKind access, std::uint32_t lane,
                  std::uint64_t address, std::uint32_t bytes);
std::uint64_t read_clock();

} // namespace apod::emu
