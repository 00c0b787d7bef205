#include "emu/cluster_shape.hpp"

namespace apod::emu {

namespace {

Dim3 position(std::uint64_t index, const Dim3& shape) {
    return {static_cast<std::uint32_t>(index % shape.x), static_cast<std::uint32_t>(index / shape.x % shape.y),
            static_cast<std::uint32_t>(index / shape.x / shape.y)};
}

} // namespace

std::uint64_t ClusterShape::block_at(std::uint64_t order) const {
    const Dim3 at = position(order / size(), clusters());
    const Dim3 in = position(order % size(), cluster);
    const std::uint64_t x = std::uint64_t{at.x} * cluster.x + in.x;
    const std::uint64_t y = std::uint64_t{at.y} * cluster.y + in.y;
    const std::uint64_t z = std::uint64_t{at.z} * cluster.z + in.z;
    return (z * grid.y + y) * grid.x + x;
}

Dim3 ClusterShape::cluster_of(std::uint64_t block) const {
    const Dim3 at = position(block, grid);
    return {at.x / cluster.x, at.y / cluster.y, at.z / cluster.z};
}

Dim3 ClusterShape::place_in_cluster(std::uint64_t block) const {
    const Dim3 at = position(block, grid);
    return {at.x % cluster.x, at.y % cluster.y, at.z % cluster.z};
}

std::uint32_t ClusterShape::rank_of(std::uint64_t block) const {
    const Dim3 in = place_in_cluster(block);
    return (in.z * cluster.y + in.y) * cluster.x + in.x;
}

} // namespace apod::emu
