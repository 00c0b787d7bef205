// The requests of the warp that executed most, by op: which of a kernel's loops it was that kept it busy.
#pragma once

#include "emu/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apod::model {

class LongestWarp {
public:
    explicit LongestWarp(std::size_t ops) : ops_(ops), requests_(ops * most_warps) {}

    void begin_block() { forget(); }
    // A block that runs in parts is left out: others' requests lie between its own.
    void resume_block() { is_whole_ = false; }
    void add(std::uint32_t op, std::uint32_t warp) {
        const std::size_t place = warp % most_warps * ops_ + op;
        if (requests_[place]++ == 0) touched_.push_back(place);
        ++of_warp_[warp % most_warps];
    }
    void end_block(const emu::BlockEvent& event);

    // Whichever of the two had the longer warp; of equal ones that of the first block, so that it does not matter who ran which.
    void merge(const LongestWarp& other);

    // By op; empty where no block ran whole.
    [[nodiscard]] const std::vector<std::uint32_t>& requests() const { return found_; }

private:
    static constexpr std::size_t most_warps = 32;

    void forget();
    [[nodiscard]] bool is_longer(std::uint64_t instructions, std::uint64_t block) const {
        return instructions > instructions_ || (instructions == instructions_ && block < block_);
    }

    std::size_t ops_;
    std::vector<std::uint32_t> requests_; // of the block that runs, by warp and op
    std::vector<std::size_t> touched_;
    std::array<std::uint64_t, most_warps> of_warp_{};
    bool is_whole_ = true;
    std::uint64_t instructions_ = 0; // of the longest warp so far
    std::uint64_t block_ = 0;        // it was in
    std::vector<std::uint32_t> found_;
};

} // namespace apod::model
