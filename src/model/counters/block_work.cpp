#include "model/counters/block_work.hpp"

#include "model/sampling.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace apod::model {

namespace {

// Work of the busiest SM when each block takes as long as it has instructions.
double busiest(const std::vector<BlockWork>& blocks, std::uint32_t sm_count, std::uint32_t blocks_per_sm, double least) {
    struct Place {
        double free = 0;
        std::uint32_t order = 0; // round robin over SMs first
        bool operator>(const Place& other) const { return free != other.free ? free > other.free : order > other.order; }
    };
    std::priority_queue<Place, std::vector<Place>, std::greater<>> places;
    for (std::uint32_t place = 0; place < sm_count * blocks_per_sm; ++place) places.push({0, place});
    std::vector<double> work(sm_count, 0);
    for (const BlockWork& block : blocks) {
        Place place = places.top();
        places.pop();
        const double instructions = std::max(least, static_cast<double>(block.warp_instructions));
        work[place.order % sm_count] += instructions;
        place.free += instructions;
        places.push(place);
    }
    return *std::max_element(work.begin(), work.end());
}

} // namespace

double imbalance(std::vector<BlockWork> blocks, std::uint32_t sm_count, std::uint32_t blocks_per_sm) {
    if (blocks.empty() || sm_count == 0 || blocks_per_sm == 0) return 1;
    std::sort(blocks.begin(), blocks.end(), [](const BlockWork& a, const BlockWork& b) { return a.block < b.block; });
    double sum = 0;
    for (const BlockWork& block : blocks) sum += static_cast<double>(block.warp_instructions);
    const double mean = sum / static_cast<double>(blocks.size());
    if (mean <= 0) return 1;
    std::vector<BlockWork> even = blocks;
    for (BlockWork& block : even) block.warp_instructions = 0;
    return std::max(1.0, busiest(blocks, sm_count, blocks_per_sm, 0) / busiest(even, sm_count, blocks_per_sm, mean));
}

double longest_warp(const std::vector<BlockWork>& blocks, std::uint32_t warps_per_block) {
    double sum = 0;
    double most = 0;
    for (const BlockWork& block : blocks) {
        sum += static_cast<double>(block.warp_instructions);
        most = std::max(most, static_cast<double>(block.longest_warp));
    }
    if (sum <= 0) return 1;
    return std::max(1.0, most * static_cast<double>(blocks.size()) * warps_per_block / sum);
}

double blocks_error(std::vector<BlockWork> blocks, std::uint64_t blocks_total) {
    if (blocks.size() >= blocks_total) return 0;
    std::sort(blocks.begin(), blocks.end(), [](const BlockWork& a, const BlockWork& b) { return a.block < b.block; });
    const std::size_t groups = std::min(sampling_groups, blocks.size());
    std::vector<double> totals(groups, 0);
    const std::size_t each = groups == 0 ? 0 : blocks.size() / groups; // the few that are left over belong to no group
    for (std::size_t b = 0; b < each * groups; ++b) totals[b / each] += static_cast<double>(blocks[b].warp_instructions);
    return sampling_error(totals, static_cast<double>(blocks.size()) / static_cast<double>(blocks_total));
}

} // namespace apod::model
