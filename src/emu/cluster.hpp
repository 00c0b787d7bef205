// A cluster: blocks that run together on one worker thread, see each other's shared memory and have a barrier of their own.
#pragma once

#include "emu/block.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace apod::emu {

class Cluster {
public:
    Cluster(const LaunchState& launch, KnownRange* known, EventSink* sink);

    // The blocks with the orders first, first + 1, ...
    void start(std::uint64_t first);
    // Each block in turn, until all have finished, one has faulted, or all that can run have had their turn.
    BlockOutcome run(BlockCount* counts, std::uint64_t instruction_quantum);

    [[nodiscard]] const std::vector<std::unique_ptr<Block>>& blocks() const { return blocks_; }
    // The block whose fault ended the run.
    [[nodiscard]] Block& faulted() { return *blocks_[faulted_]; }

private:
    BlockOutcome run_block(std::size_t index, BlockCount* counts, std::uint64_t instruction_quantum, bool& moved);

    const LaunchState& launch_;
    EventSink* sink_;
    std::vector<std::unique_ptr<Block>> blocks_;
    std::vector<Block*> members_;
    std::vector<BlockContext*> contexts_;
    std::size_t faulted_ = 0;
};

} // namespace apod::emu
