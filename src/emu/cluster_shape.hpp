// How the blocks of a grid are grouped into clusters.
#pragma once

#include "apod/record.hpp"

#include <cstdint>

namespace apod::emu {

// Where the blocks of a launch with clusters stand. A block's order is its cluster's index times the size plus its rank.
struct ClusterShape {
    Dim3 grid;
    Dim3 cluster{1, 1, 1};

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(cluster.count()); }
    [[nodiscard]] Dim3 clusters() const { return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z}; }
    // The linear index in the grid of the block with this order.
    [[nodiscard]] std::uint64_t block_at(std::uint64_t order) const;
    // A block's place: its cluster's coordinates, and its own in the cluster.
    [[nodiscard]] Dim3 cluster_of(std::uint64_t block) const;
    [[nodiscard]] Dim3 place_in_cluster(std::uint64_t block) const;
    [[nodiscard]] std::uint32_t rank_of(std::uint64_t block) const;
};

} // namespace apod::emu
