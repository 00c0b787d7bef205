// How evenly a launch's work is spread: blocks that do much more than others leave the other SMs idle.
#pragma once

#include <cstdint>
#include <vector>

namespace apod::model {

struct BlockWork {
    std::uint64_t block = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t longest_warp = 0; // instructions of the warp that executed most
};

// The work of the SM that ends last over that of the average SM, 1 for blocks that are alike: blocks go in order to the place that is free
// first, `blocks_per_sm` of them on each SM, which works on its blocks at one rate in all. What the number of blocks alone leaves uneven is
// taken off: that is the launch's own tail, which the model knows.
[[nodiscard]] double imbalance(std::vector<BlockWork> blocks, std::uint32_t sm_count, std::uint32_t blocks_per_sm);

// Instructions of the warp that executed most over those of the average one, at least 1. However empty the chip has become around it, the
// launch ends no sooner than that warp.
[[nodiscard]] double longest_warp(const std::vector<BlockWork>& blocks, std::uint32_t warps_per_block);

// Of the instructions of all `blocks_total` blocks, scaled up from these: relative half width of the 95 % interval, from how runs of
// neighbouring blocks differ (sampling.hpp). Of blocks of another kind that come after all of these nothing is known.
[[nodiscard]] double blocks_error(std::vector<BlockWork> blocks, std::uint64_t blocks_total);

} // namespace apod::model
