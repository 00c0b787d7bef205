// One block of threads: its warps, shared memory and barriers. Resumable: run() may return before the block is done.
#pragma once

#include "emu/check/block_check.hpp"
#include "emu/cluster_shape.hpp"
#include "emu/code.hpp"
#include "emu/frames.hpp"
#include "emu/launch.hpp"
#include "emu/library/library.hpp"
#include "emu/stall.hpp"
#include "emu/warp.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace apod::emu {

inline constexpr unsigned barriers_per_block = 16;

// A named barrier: threads that arrived, and how many it waits for.
struct Barrier {
    std::uint32_t arrived = 0;
    std::uint32_t expected = 0; // 0: all threads of the block
    std::uint32_t holding = 0;  // of those that arrived, the predicate of bar.red holds for
};

// The launch as all its blocks share it.
struct LaunchState {
    const Program& program;
    const Code& code;
    const LaunchConfig& config;
    DeviceMemory& memory;
    std::vector<std::byte> pool; // Code::pool with the launch's values, 64-byte aligned start
    std::byte* pool_base = nullptr;
    std::vector<std::byte> parameters; // a copy, 8-byte aligned
    std::uint32_t warps = 0;           // per block
    std::uint32_t threads = 0;
    std::uint32_t shared_bytes = 0;
    std::uint32_t local_bytes = 0;   // per thread, with the stack for called functions
    std::uint32_t local_stride = 0;  // from one thread's to the next one's
    DeviceAddress workspace = 0;     // of a cooperative launch
    std::uint64_t polling_limit = 0; // code blocks that may be polls, until a block gives way to others
    std::uint64_t watchdog = 0;
    const std::atomic<bool>* cancel = nullptr;
    std::uint32_t sm_count = 1;
    ClusterShape clusters;
    bool explicit_clusters = false; // the launch or the kernel names their dimensions

    LaunchCheck* checks = nullptr; // null: none

    // `cluster`: of cluster_of_launch().
    LaunchState(const Program& program, const LaunchConfig& config, DeviceMemory& memory, const RunOptions& options,
                DeviceAddress workspace, LaunchCheck* checks, const Dim3& cluster = {1, 1, 1});
};

// waiting: nothing in the block can run before other blocks of its cluster have.
enum class BlockOutcome : std::uint8_t { finished, yielded, faulted, waiting };

class Block {
public:
    // Reserves registers, local and shared memory once; start() uses them again for each block that this worker runs.
    Block(const LaunchState& launch, KnownRange* known, EventSink* sink);

    void start(std::uint64_t linear_index, std::uint32_t sm);
    BlockOutcome run(BlockCount* counts, std::uint64_t instruction_quantum);

    // Makes it the block with this rank of a cluster; a block of its own otherwise.
    void join(const std::vector<Block*>& members, const std::vector<BlockContext*>& contexts, std::uint32_t rank);
    void report_deadlock();
    void report_stall(double seconds);
    void forget_fault() { context_.fault = {}; }
    // Whether it stands, with the same registers and shared memory, where it stood the last times that it was asked; asked in turns. False
    // too where that is not known.
    [[nodiscard]] std::optional<bool> stands_as_before();
    [[nodiscard]] bool finished() const { return live_threads() == 0; }
    [[nodiscard]] BlockContext& context() { return context_; }

    [[nodiscard]] std::uint64_t index() const { return index_; }
    [[nodiscard]] std::uint32_t sm() const { return sm_; }
    [[nodiscard]] std::uint64_t instructions() const { return host_.instructions; }
    [[nodiscard]] std::uint64_t longest_warp() const; // instructions of the warp that executed most
    [[nodiscard]] std::uint32_t barrier_phases() const { return barrier_phases_; }
    [[nodiscard]] const Fault& fault() const { return context_.fault; }
    [[nodiscard]] Library& library() { return library_; }
    [[nodiscard]] const Library& library() const { return library_; }
    [[nodiscard]] const std::vector<Warp>& warps() const { return warps_; }
    [[nodiscard]] BlockCheck* check() const { return check_.get(); }

private:
    void fill_warp_specials(Warp& warp, std::uint32_t index);
    void fill_block_specials();
    [[nodiscard]] std::uint32_t live_threads() const;
    bool release_barriers();
    bool release_cluster_barrier();
    bool release_arrived();
    bool release_warp_sync();
    [[nodiscard]] bool all_arrived() const;

    const LaunchState& launch_;
    OwnedBytes registers_;
    OwnedBytes block_region_;
    OwnedBytes warp_regions_;
    OwnedBytes shared_;
    OwnedBytes local_;
    std::vector<std::uint32_t> predicates_;
    BlockContext context_;
    std::array<Barrier, barriers_per_block> barriers_{};
    std::unique_ptr<BlockCheck> check_;
    Library library_;
    WarpHost host_;
    std::vector<Warp> warps_;
    std::vector<Block*> members_; // of its cluster, itself too
    BlockContext* own_context_ = &context_;
    std::uint64_t index_ = 0;
    std::uint32_t sm_ = 0;
    std::uint32_t barrier_phases_ = 0;
    RecentStates recent_;
};

} // namespace apod::emu
