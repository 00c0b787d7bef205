#include "emu/cluster.hpp"

#include <fmt/format.h>

namespace apod::emu {

namespace {

constexpr std::uint64_t most_blocks = 16; // of a cluster, where the kernel allows a size that is not portable

std::string text(const Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

} // namespace

Result<Dim3> cluster_of_launch(const Program& program, const LaunchConfig& config) {
    const ptx::Tuning& tuning = program.function->tuning;
    const std::string kernel = ptx::demangle(program.name());
    const bool asked = config.cluster.x != 0;
    const bool required = tuning.required_cluster[0] != 0;
    const auto extent = [&](int axis) { return std::max(tuning.required_cluster[axis], 1u); };
    const Dim3 own{extent(0), extent(1), extent(2)};
    if (!asked && !required && tuning.explicit_cluster)
        return bad_input({}, fmt::format("kernel {} needs the dimensions of its clusters, and the launch names none", kernel),
                         "set cudaLaunchAttributeClusterDimension");
    const Dim3 cluster = asked ? config.cluster : required ? own : Dim3{1, 1, 1};
    if (cluster.count() == 0) return bad_input({}, fmt::format("kernel {}: an empty cluster", kernel));
    if (asked && required && cluster != own)
        return bad_input({}, fmt::format("kernel {} has clusters of {} blocks, the launch asks for {}", kernel, text(own), text(cluster)));
    const std::uint64_t most = tuning.max_cluster_rank != 0 ? std::min<std::uint64_t>(tuning.max_cluster_rank, most_blocks) : most_blocks;
    if (cluster.count() > most)
        return bad_input({}, fmt::format("kernel {}: a cluster of {} blocks, at most {} are possible", kernel, cluster.count(), most));
    if (config.grid.x % cluster.x != 0 || config.grid.y % cluster.y != 0 || config.grid.z % cluster.z != 0)
        return bad_input(
            {}, fmt::format("kernel {}: clusters of {} blocks do not divide the grid {}", kernel, text(cluster), text(config.grid)),
            "make the grid a multiple of the cluster in each dimension");
    return cluster;
}

Cluster::Cluster(const LaunchState& launch, KnownRange* known, EventSink* sink) : launch_(launch), sink_(sink) {
    for (std::uint32_t rank = 0; rank < launch.clusters.size(); ++rank) {
        blocks_.push_back(std::make_unique<Block>(launch, known, sink));
        members_.push_back(blocks_.back().get());
        contexts_.push_back(&blocks_.back()->context());
    }
    for (std::uint32_t rank = 0; rank < blocks_.size(); ++rank) blocks_[rank]->join(members_, contexts_, rank);
}

void Cluster::start(std::uint64_t first) {
    for (std::uint64_t rank = 0; rank < blocks_.size(); ++rank)
        blocks_[rank]->start(launch_.clusters.block_at(first + rank), static_cast<std::uint32_t>((first + rank) % launch_.sm_count));
}

// `moved`: it executed something.
BlockOutcome Cluster::run_block(std::size_t index, BlockCount* counts, std::uint64_t instruction_quantum, bool& moved) {
    Block& block = *blocks_[index];
    if (block.finished()) return BlockOutcome::finished;
    if (sink_ != nullptr && blocks_.size() > 1) sink_->block_resume({block.index(), block.sm(), 0, 0, 0});
    const std::uint64_t before = block.instructions();
    const BlockOutcome outcome = block.run(counts, instruction_quantum);
    moved = moved || block.instructions() != before;
    if (outcome == BlockOutcome::faulted) faulted_ = index;
    return outcome;
}

BlockOutcome Cluster::run(BlockCount* counts, std::uint64_t instruction_quantum) {
    for (;;) {
        bool moved = false;
        bool yielded = false;
        std::size_t waiting = blocks_.size();
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const BlockOutcome outcome = run_block(b, counts, instruction_quantum, moved);
            if (outcome == BlockOutcome::faulted) return outcome;
            yielded = yielded || outcome == BlockOutcome::yielded;
            if (outcome != BlockOutcome::finished && waiting == blocks_.size()) waiting = b;
        }
        if (waiting == blocks_.size()) return BlockOutcome::finished;
        if (yielded) return BlockOutcome::yielded;
        if (moved) continue;
        blocks_[waiting]->report_deadlock();
        faulted_ = waiting;
        return BlockOutcome::faulted;
    }
}

} // namespace apod::emu
