// A warp as a tree of paths. A converged warp is one path. A divergent branch makes children that rejoin at the branch's immediate
// post-dominator; the parent waits for them. All leaves that are not waiting can run, so diverged lanes of one warp make progress beside
// each other (locks, producers and consumers inside a warp).
#pragma once

#include "emu/code.hpp"
#include "emu/frames.hpp"
#include "emu/warp_context.hpp"

#include <cstdint>
#include <vector>

namespace apod::emu {

enum class PathState : std::uint8_t {
    runnable,
    waiting_children, // a parent
    at_barrier,
    at_warp_sync, // waits for the other members of its mask
    at_cluster_barrier,
    free_slot
};

struct Path {
    std::uint32_t block = 0;              // code block to run next, or at whose terminator it waits
    std::uint32_t mask = 0;               // lanes; of a parent: those that have arrived
    std::uint32_t reconverge = ptx::none; // code block at which it joins its parent; none: the parent waits behind a call
    std::uint32_t parent = ptx::none;
    std::uint32_t children = 0;
    std::uint32_t members = 0; // at_warp_sync: the member mask
    std::uint32_t barrier = 0; // at_barrier: its number
    std::uint32_t frame = 0;   // of the function that it runs
    PathState state = PathState::runnable;
};

struct BlockCount {
    std::uint64_t warps = 0;
    std::uint64_t threads = 0;
};

struct Barrier;
class Library;

// What running a warp needs from its surroundings.
struct WarpHost {
    const Code& code;
    BlockCount* counts;             // by code block
    std::uint64_t instructions = 0; // executed by this block of threads so far
    std::uint64_t waits = 0;        // code blocks executed that may be waiting for another block of threads
    std::uint64_t waits_a_turn = 0; // how many of them a warp executes before another gets its turn
    Barrier* barriers = nullptr;    // 16
    Library* library = nullptr;
};

class Warp {
public:
    WarpContext context;

    // Where the kernel's registers and predicates lie, and what of its local memory it needs itself.
    void set_kernel_frame(std::byte* registers, std::uint32_t* predicates, std::uint32_t local_bytes);
    // All `live` lanes at the kernel's entry.
    void start(std::uint32_t live);
    [[nodiscard]] bool finished() const { return context.live == 0; }
    // Runs until no path can run, or the quantum (in code blocks) is used up. True when it did anything.
    bool run(WarpHost& host, std::uint32_t quantum);
    void release_barrier(const Code& code, std::uint32_t number, const Barrier& barrier);
    // Lanes that have arrived where they would rejoin others go on without them. True where there were such lanes.
    bool release_arrived();
    bool release_warp_sync(const Code& code);
    // All threads of the cluster have arrived: its barrier's phase is over.
    void release_cluster_barrier(const Code& code);
    [[nodiscard]] const std::vector<Path>& paths() const { return paths_; }
    [[nodiscard]] std::uint64_t instructions() const { return instructions_; } // executed since start()

private:
    enum class Step : std::uint8_t { go_on, stop };

    void run_path(WarpHost& host, std::uint32_t& quantum);
    void execute(WarpHost& host, const CodeBlock& block, std::uint32_t mask);
    Step finish_block(WarpHost& host, const CodeBlock& block);
    Step branch(const CodeBlock& block, const Op& op);
    Step indexed_branch(const Code& code, const CodeBlock& block, const Op& op);
    Step leave(const CodeBlock& block, const Op& op);
    Step call(WarpHost& host, const CodeBlock& block, const Op& op);
    Step go_on_behind_call(const CodeBlock& block, const Op& op);
    void call_pointers(WarpHost& host, const Op& op, const CallSite& site, std::uint32_t caller, std::uint32_t mask);
    static std::uint32_t function_of(const Code& code, const CallSite& site, std::uint64_t handle);
    void enter(WarpHost& host, const Op& op, const CallSite& site, std::uint32_t caller, std::uint32_t callee, std::uint32_t mask);
    Step leave_function(WarpHost& host, const CodeBlock& block, const Op& op);
    void activate(std::uint32_t frame);
    void deliver_reduction(const Op& op, std::uint32_t mask, const Barrier& barrier);
    Step barrier(WarpHost& host, const CodeBlock& block, const Op& op);
    Step cluster_wait(const CodeBlock& block, const Op& op);
    void part_and_wait(std::uint32_t here, std::uint32_t next, PathState state, std::uint32_t barrier);
    Step warp_sync(const Code& code, const CodeBlock& block, const Op& op);
    void run_together(const Code& code, const Path& first);
    void run_by_members(const Code& code, const Op& op, std::uint32_t mask);
    [[nodiscard]] bool waits_with(const Code& code, const Path& path, const Path& other) const;
    [[nodiscard]] std::uint32_t guard(const Op& op) const;
    Step go_to(std::uint32_t block);
    void join_parent();
    void split(const std::uint32_t* targets, const std::uint32_t* masks, unsigned count, std::uint32_t reconverge);
    std::uint32_t add_path(const Path& path);
    void free_path(std::uint32_t path);
    bool pick_runnable();
    [[nodiscard]] bool waits_for_itself() const;
    bool resolve_warp_sync(const Code& code);

    std::vector<Path> paths_;
    std::uint32_t first_free_ = 0; // no path before this one is free
    std::uint32_t current_ = 0;
    Frames frames_;
    std::uint32_t active_frame_ = 0; // whose registers `context` names
    std::uint32_t kernel_local_bytes_ = 0;
    std::uint64_t instructions_ = 0;
    std::uint64_t polls_ = 0; // code blocks run while diverged that may have waited for other lanes
};

} // namespace apod::emu
