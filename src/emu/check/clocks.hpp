// Which access comes before which: the happens-before order of a block's threads, and what they know of other blocks.
//
// Each thread counts its own time in ticks; a tick ends where others may learn of it (a barrier, __syncwarp, a fence, a release). An access
// is stamped with its thread and tick. A later access is ordered behind it when its thread knows that tick of the other thread. What a
// thread knows is a row of ticks for the lanes of its own warp, and a clock: a node with the ticks of all threads of its block, which
// threads share after a barrier, and whose parents are the clocks that were acquired through memory, also those of other blocks. Lockstep
// orders nothing: the lanes of a warp are threads of their own, as independent thread scheduling has it.
#pragma once

#include "emu/event.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace apod::emu {

struct ClockNode;
using Clock = std::shared_ptr<const ClockNode>;

struct ClockNode {
    static constexpr std::uint64_t no_block = ~0ull;

    std::uint64_t block = no_block;   // none: only its parents count
    std::vector<std::uint32_t> ticks; // by thread of the block
    mutable std::vector<Clock> parents;
    mutable std::uint32_t visited = 0; // by the latest search

    ClockNode() = default;
    ClockNode(std::uint64_t of_block, std::vector<std::uint32_t> known, std::vector<Clock> from) :
        block(of_block), ticks(std::move(known)), parents(std::move(from)) {}
    ClockNode(const ClockNode&) = delete;
    ClockNode& operator=(const ClockNode&) = delete;
    ~ClockNode(); // long chains end without recursion
};

// What accesses to one place of memory hand on: the clocks of those that released through it.
struct SyncPlace {
    Clock device;
    Clock block; // released with the scope of a block only
    std::uint64_t of_block = 0;
};

// The clocks of those that have arrived at a barrier.
struct BarrierClock {
    std::vector<std::uint32_t> ticks; // empty: nobody
    std::vector<Clock> parents;
    Clock last; // arrivers mostly share one
};

enum class FenceScope : std::uint8_t { block, device };

class BlockClocks {
public:
    void start(std::uint64_t block, std::uint32_t threads);

    [[nodiscard]] std::uint32_t now(std::uint32_t thread) const { return rows_[thread][thread % lanes]; }
    // Whether `thread` knows the tick of a thread of this or of another block.
    [[nodiscard]] bool knows(std::uint32_t thread, std::uint64_t block, std::uint32_t other, std::uint32_t tick) const;

    void sync_warp(std::uint32_t warp, std::uint32_t mask);
    void arrive(BarrierClock& barrier, std::uint32_t warp, std::uint32_t mask);
    // Threads that have left count as arrived.
    void add_left(BarrierClock& barrier, std::uint32_t warp, std::uint32_t mask) const;
    [[nodiscard]] Clock complete(BarrierClock& barrier) const;
    void pass(const Clock& clock, std::uint32_t warp, std::uint32_t mask);

    // Whether the thread has fenced, so that its strong writes hand something on.
    [[nodiscard]] bool fenced(std::uint32_t thread) const {
        return memories_[thread] != nullptr && memories_[thread]->block.base != nullptr;
    }
    void fence(std::uint32_t warp, std::uint32_t mask, FenceScope scope);
    // A strong write of `thread`: hands on what it knew at its last fence, or what it knows now when the access releases itself. One that
    // updates (an atomic) keeps what was handed on before.
    void publish(std::uint32_t thread, SyncPlace& place, bool updates, bool releases, FenceScope scope);
    // A strong read: takes effect at the next fence or barrier, or now when the access acquires itself.
    void observe(std::uint32_t thread, const SyncPlace& place, bool acquires);

private:
    using Row = std::array<std::uint32_t, lanes>;
    struct Snapshot {
        Clock base;
        Row row{};
        Clock made; // as a node of its own, once it was needed
    };
    struct Memory { // of a thread that fences or synchronises through memory
        Snapshot device, block;
        std::vector<Clock> pending;
    };

    [[nodiscard]] Snapshot snapshot(std::uint32_t thread) const;
    [[nodiscard]] Clock made(std::uint32_t thread, Snapshot& snapshot) const;
    [[nodiscard]] Memory& memory(std::uint32_t thread);
    void acquire(std::uint32_t thread, const std::vector<Clock>& clocks);
    void take_pending(std::uint32_t thread);
    void step(std::uint32_t thread) { ++rows_[thread][thread % lanes]; }

    std::uint64_t block_ = 0;
    std::vector<Row> rows_; // by thread: what it knows of the lanes of its warp; of itself: the present
    std::vector<Clock> bases_;
    std::vector<std::unique_ptr<Memory>> memories_;
};

} // namespace apod::emu
