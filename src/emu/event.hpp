// What the emulator tells while it runs. It knows nothing of counters' names; src/model turns these events into metrics.
//
// One sink serves one worker thread; sinks are merged by their owner after the run. Blocks reach a sink whole: block_begin, its memory
// events in execution order, block_end (only blocks that wait for one another are interleaved, see block_resume). Which blocks one sink
// sees depends on the number of threads; what it sees of a block does not.
#pragma once

#include <cstdint>

namespace apod::emu {

inline constexpr std::uint32_t lanes = 32;

enum class MemorySpace : std::uint8_t { global, shared, local, constant };
enum class AccessKind : std::uint8_t { load, store, atomic, reduction }; // reduction: an atomic whose result is not used (RED)

// How the active addresses of a request lie; `scattered` is always a correct description.
enum class Pattern : std::uint8_t {
    contiguous, // all 32 lanes active, address[i] = address[0] + i * bytes
    uniform,    // all active lanes share one address
    scattered
};

// One memory request of one warp.
struct MemoryEvent {
    std::uint32_t op = 0; // index into Program::ops
    MemorySpace space = MemorySpace::global;
    AccessKind kind = AccessKind::load;
    Pattern pattern = Pattern::scattered;
    bool async_copy = false;  // the global side of cp.async (LDGSTS); its shared side is a second event
    bool distributed = false; // shared: the memory of other blocks of the cluster, perhaps of several at once
    std::uint32_t bytes = 4;  // per lane, vector elements together: 1 to 32
    std::uint32_t active = 0; // lane mask, never 0
    std::uint32_t warp = 0;   // within the block
    // 32 addresses, those of inactive lanes meaningless. global: device address; shared: byte offset in the block's shared memory;
    // local: byte offset in the thread's local memory; constant: byte offset in the module's constant bank.
    const std::uint64_t* address = nullptr;
};

struct BlockEvent {
    std::uint64_t block = 0;             // linear index in the grid
    std::uint32_t sm = 0;                // SM it was placed on: block modulo the number of SMs
    std::uint64_t warp_instructions = 0; // block_end: executed by this block
    std::uint32_t barriers = 0;          // block_end: bar.sync phases completed
    std::uint64_t longest_warp = 0;      // block_end: instructions of the warp that executed most
};

class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void block_begin(const BlockEvent&) {}
    // Blocks that wait for other blocks take turns: what follows belongs to this block, which had begun before.
    virtual void block_resume(const BlockEvent&) {}
    virtual void memory(const MemoryEvent&) = 0;
    virtual void block_end(const BlockEvent&) {}
};

} // namespace apod::emu
