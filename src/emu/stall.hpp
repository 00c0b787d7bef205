// Whether anything in a launch still changes: kernels that wait for what nobody on the device will do run for ever.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apod::emu {

// What the workers see of their blocks, put together. A block that is again where it was before, with the same registers and shared memory,
// has read the same values from memory all the way round. Where that holds for every block that has begun, for so long and for every worker
// twice round, nothing on the device changes any more.
class StallWatch {
public:
    StallWatch(unsigned workers, double after_s);

    // Whether the launch has run long enough to be looked at, which costs time.
    [[nodiscard]] bool is_due() const;
    // A block begins, ends, or is where it has not been before.
    void changed();
    // A block of the worker is where it has been before; so many of its blocks are under way. True: the launch has stalled. Until changed()
    // is called again the others are not told.
    [[nodiscard]] bool repeated(unsigned worker, std::size_t blocks);
    // The worker has no more blocks.
    void left(unsigned worker);

private:
    struct Seen {
        std::uint64_t epoch = 0; // the worker's own
        std::size_t repeats = 0;
        std::atomic<std::uint64_t> quiet{0}; // the last epoch in which all its blocks repeated; ~0: it has none
    };

    std::vector<Seen> workers_;
    std::int64_t after_ns_;
    std::int64_t begun_ns_;
    std::atomic<std::uint64_t> epoch_{1}; // of changes
    std::atomic<std::int64_t> changed_ns_;
    std::atomic<bool> told_{false};
};

// Where a block has been lately.
class RecentStates {
public:
    void clear() { count_ = 0; }
    // Whether the state was among the last; it is from now on.
    bool contains_or_add(std::uint64_t fingerprint);
    // Whether it is worth a look this time: blocks of a cooperative launch give way very often.
    [[nodiscard]] bool is_turn() { return ++turns_ % turns_a_look == 0; }

private:
    static constexpr unsigned turns_a_look = 16;
    static constexpr std::size_t kept = 64; // loops that poll come by the same few places when they give way
    std::uint64_t states_[kept] = {};
    std::size_t count_ = 0;
    unsigned turns_ = 0;
};

[[nodiscard]] std::uint64_t fingerprint_of(const void* bytes, std::size_t size, std::uint64_t before);

} // namespace apod::emu
