#include "emu/warp.hpp"

#include "emu/block.hpp"
#include "emu/check/block_check.hpp"
#include "emu/lower/lowering.hpp"
#include "emu/stray.hpp"

#include <algorithm>
#include <bit>

namespace apod::emu {

namespace {

constexpr std::uint64_t spin_polls = 4096;

std::uint32_t lane_value(const WarpContext& warp, OperandRef ref, unsigned lane) {
    return reinterpret_cast<const std::uint32_t*>(warp.region[ref & region_mask] + (ref & ~region_mask))[lane];
}

unsigned first_lane(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

} // namespace

std::uint32_t Warp::guard(const Op& op) const {
    if (op.guard == no_predicate) return 0xffffffffu;
    return context.predicates[op.guard >> 1] ^ (0u - (op.guard & 1u));
}

void Warp::start(std::uint32_t live) {
    context.live = live;
    context.cluster_arrived = 0;
    paths_.clear();
    first_free_ = 0;
    frames_.reset();
    activate(0);
    context.local_top = kernel_local_bytes_;
    if (context.block->check != nullptr) context.block->check->start_warp(context);
    current_ = add_path(Path{.mask = live});
    polls_ = 0;
    instructions_ = 0;
}

bool Warp::pick_runnable() {
    const auto count = static_cast<std::uint32_t>(paths_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t at = (current_ + i) % count;
        if (paths_[at].state == PathState::runnable) {
            current_ = at;
            return true;
        }
    }
    return false;
}

bool Warp::run(WarpHost& host, std::uint32_t quantum) {
    bool did = false;
    const std::uint64_t instructions_before = host.instructions;
    const std::uint64_t waits_until = host.waits + host.waits_a_turn;
    while (context.live != 0 && host.waits < waits_until && quantum != 0 && context.block->fault.kind == FaultKind::none) {
        if (!pick_runnable() && !resolve_warp_sync(host.code) && !(waits_for_itself() && release_arrived())) break;
        if (paths_[current_].state != PathState::runnable) continue;
        did = true;
        // A path that spins gives way to its siblings after a while.
        std::uint32_t share = paths_.size() == 1 ? quantum : std::min<std::uint32_t>(quantum, 256);
        const std::uint32_t before = share;
        const std::uint64_t waits_before = host.waits;
        run_path(host, share);
        quantum -= before - share;
        polls_ = paths_.size() == 1 ? 0 : polls_ + host.waits - waits_before;
        if (polls_ >= spin_polls) (void)release_arrived();
        if (share == 0) current_ = static_cast<std::uint32_t>((current_ + 1) % paths_.size());
    }
    instructions_ += host.instructions - instructions_before;
    return did;
}

// Lanes wait for others of the warp, and none for other warps, which would bring those.
bool Warp::waits_for_itself() const {
    const auto is = [](PathState state) { return [state](const Path& path) { return path.state == state; }; };
    return std::any_of(paths_.begin(), paths_.end(), is(PathState::at_warp_sync)) &&
           std::none_of(paths_.begin(), paths_.end(), is(PathState::at_barrier)) &&
           std::none_of(paths_.begin(), paths_.end(), is(PathState::at_cluster_barrier));
}

// Lanes that poll memory may be waiting for lanes of their own warp that have arrived where the two would meet (a lock's holder behind the
// loop that the others spin in). Those go on alone, to the next place of reconvergence; as independent thread scheduling has it.
bool Warp::release_arrived() {
    polls_ = 0;
    bool released = false;
    const auto count = static_cast<std::uint32_t>(paths_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const Path waiting = paths_[i];
        if (waiting.state != PathState::waiting_children || waiting.mask == 0) continue;
        paths_[i].mask = 0;
        released = true;
        if (waiting.parent != ptx::none && waiting.block == waiting.reconverge) {
            paths_[waiting.parent].mask |= waiting.mask;
            continue;
        }
        if (waiting.parent != ptx::none) ++paths_[waiting.parent].children;
        (void)add_path(Path{.block = waiting.block,
                            .mask = waiting.mask,
                            .reconverge = waiting.reconverge,
                            .parent = waiting.parent,
                            .frame = waiting.frame});
    }
    return released;
}

void Warp::run_path(WarpHost& host, std::uint32_t& quantum) {
    for (;;) {
        const Path& path = paths_[current_];
        const CodeBlock& block = host.code.blocks[path.block];
        if (path.frame != active_frame_) activate(path.frame);
        execute(host, block, path.mask);
        --quantum;
        if (context.block->fault.kind != FaultKind::none) return;
        if (finish_block(host, block) == Step::stop || quantum == 0) return;
    }
}

void Warp::execute(WarpHost& host, const CodeBlock& block, std::uint32_t mask) {
    BlockCount& count = host.counts[paths_[current_].block];
    ++count.warps;
    count.threads += static_cast<std::uint32_t>(std::popcount(mask));
    host.instructions += block.op_count;
    host.waits += block.may_wait ? 1 : 0;
    const Op* op = host.code.ops.data() + block.first;
    const Op* const end = host.code.ops.data() + block.last;
    if (mask == context.live)
        for (; op != end; ++op) op->full(context, *op, mask);
    else
        for (; op != end; ++op) op->masked(context, *op, mask);
}

Warp::Step Warp::finish_block(WarpHost& host, const CodeBlock& block) {
    const Op* op = block.terminator == Terminator::fall_through ? nullptr : &host.code.ops[block.last];
    switch (block.terminator) {
    case Terminator::fall_through: return go_to(block.next);
    case Terminator::branch: return branch(block, *op);
    case Terminator::indexed: return indexed_branch(host.code, block, *op);
    case Terminator::exit: return leave(block, *op);
    case Terminator::call: return call(host, block, *op);
    case Terminator::ret: return leave_function(host, block, *op);
    case Terminator::barrier: return barrier(host, block, *op);
    case Terminator::cluster_wait: return cluster_wait(block, *op);
    case Terminator::warp_sync: return warp_sync(host.code, block, *op);
    case Terminator::trap: break;
    }
    const std::uint32_t hit = paths_[current_].mask & guard(*op);
    if (hit == 0) return go_to(block.next);
    report_fault(context, *op, FaultKind::trap, MemorySpace::global, AccessKind::load, first_lane(hit), 0, 0);
    return Step::stop;
}

// The current path goes on at `block`, or joins its parent there.
Warp::Step Warp::go_to(std::uint32_t block) {
    Path& path = paths_[current_];
    path.block = block;
    if (block != path.reconverge) return Step::go_on;
    join_parent();
    return paths_[current_].state == PathState::runnable ? Step::go_on : Step::stop;
}

// The current path ends: its lanes arrive at the parent, which goes on when it was the last. current_ becomes the parent.
void Warp::join_parent() {
    for (;;) {
        const Path path = paths_[current_];
        free_path(current_);
        if (path.parent == ptx::none) return; // a root path whose lanes have all left
        current_ = path.parent;
        Path& parent = paths_[current_];
        parent.mask |= path.mask;
        if (--parent.children != 0) return;
        parent.state = PathState::runnable;
        if (parent.mask != 0 && parent.block != parent.reconverge) return;
        // Nobody is left, or the parent itself has reached its own place of reconvergence: join further up.
    }
}

std::uint32_t Warp::add_path(const Path& path) {
    frames_.enter(path.frame);
    while (first_free_ < paths_.size() && paths_[first_free_].state != PathState::free_slot) ++first_free_;
    if (first_free_ == paths_.size()) paths_.emplace_back();
    paths_[first_free_] = path;
    return first_free_++;
}

void Warp::free_path(std::uint32_t path) {
    paths_[path].state = PathState::free_slot;
    first_free_ = std::min(first_free_, path);
    frames_.leave(paths_[path].frame);
}

// The current path's lanes part for `count` targets. When they rejoin where the path itself does, the parts become its siblings, so that
// loops which lanes leave one by one do not make the tree deep.
void Warp::split(const std::uint32_t* targets, const std::uint32_t* masks, unsigned count, std::uint32_t reconverge) {
    const Path path = paths_[current_];
    std::uint32_t parent = current_;
    frames_.enter(path.frame); // not to lose it between the path and its parts
    if (reconverge == path.reconverge) {
        parent = path.parent;
        free_path(current_);
        if (parent != ptx::none) --paths_[parent].children;
    } else {
        paths_[current_].state = PathState::waiting_children;
        paths_[current_].block = reconverge;
        paths_[current_].mask = 0;
        paths_[current_].children = 0;
    }
    for (unsigned i = 0; i < count; ++i) {
        if (masks[i] == 0) continue;
        if (targets[i] == reconverge && parent != ptx::none) {
            paths_[parent].mask |= masks[i];
            continue;
        }
        current_ = add_path(Path{.block = targets[i], .mask = masks[i], .reconverge = reconverge, .parent = parent, .frame = path.frame});
        if (parent != ptx::none) ++paths_[parent].children;
    }
    frames_.leave(path.frame);
}

Warp::Step Warp::branch(const CodeBlock& block, const Op& op) {
    const std::uint32_t mask = paths_[current_].mask;
    if (context.block->check != nullptr) context.block->check->decide(context, op, mask);
    const std::uint32_t taken = mask & guard(op);
    if (taken == mask) return go_to(block.taken);
    if (taken == 0) return go_to(block.next);
    if (block.taken == block.next) return go_to(block.next);
    const std::uint32_t targets[] = {block.taken, block.next};
    const std::uint32_t masks[] = {taken, mask & ~taken};
    split(targets, masks, 2, block.reconverge);
    return Step::go_on; // current_ is a child: at least one target is not the place of reconvergence
}

Warp::Step Warp::indexed_branch(const Code& code, const CodeBlock& block, const Op& op) {
    std::uint32_t rest = paths_[current_].mask & guard(op);
    if (context.block->check != nullptr) context.block->check->read_index(context, op, rest);
    std::vector<std::uint32_t> targets;
    std::vector<std::uint32_t> masks;
    if (const std::uint32_t skipping = paths_[current_].mask & ~rest; skipping != 0) {
        targets.push_back(block.next);
        masks.push_back(skipping);
    }
    for (; rest != 0; rest &= rest - 1) {
        const unsigned lane = first_lane(rest);
        const std::uint32_t index = lane_value(context, op.a, lane);
        if (index >= op.count) {
            report_fault(context, op, FaultKind::bad_branch, MemorySpace::global, AccessKind::load, lane, index, 0);
            return Step::stop;
        }
        const std::uint32_t target = code.extra[op.extra + index];
        std::size_t at = 0;
        while (at < targets.size() && targets[at] != target) ++at;
        if (at == targets.size()) {
            targets.push_back(target);
            masks.push_back(0);
        }
        masks[at] |= 1u << lane;
    }
    if (targets.size() == 1) return go_to(targets[0]);
    split(targets.data(), masks.data(), static_cast<unsigned>(targets.size()), block.reconverge);
    return Step::go_on;
}

Warp::Step Warp::leave(const CodeBlock& block, const Op& op) {
    Path& path = paths_[current_];
    if (context.block->check != nullptr) context.block->check->decide(context, op, path.mask);
    const std::uint32_t leaving = path.mask & guard(op);
    context.live &= ~leaving;
    path.mask &= ~leaving;
    if (path.mask != 0) return go_to(block.next);
    if (context.live == 0) return Step::stop;
    join_parent();
    return paths_[current_].state == PathState::runnable ? Step::go_on : Step::stop;
}

Warp::Step Warp::barrier(WarpHost& host, const CodeBlock& block, const Op& op) {
    const std::uint32_t mask = paths_[current_].mask;
    const std::uint32_t here = mask & guard(op);
    if (here == 0) return go_to(block.next);
    const std::uint32_t number = lane_value(context, op.a, first_lane(here)) % barriers_per_block;
    Barrier& barrier = host.barriers[number];
    if (op.b != sink_ref) barrier.expected = lane_value(context, op.b, first_lane(here));
    barrier.arrived += static_cast<std::uint32_t>(std::popcount(here));
    if (context.block->check != nullptr) context.block->check->arrive(context, op, here, number, op.b != sink_ref ? barrier.expected : 0);
    if (op.imm == barrier_arrive) return go_to(block.next);
    if (op.imm != barrier_sync) {
        const std::uint32_t holds = context.predicates[op.c >> 1] ^ (0u - (op.c & 1u));
        barrier.holding += static_cast<std::uint32_t>(std::popcount(here & holds));
    }
    part_and_wait(here, block.next, PathState::at_barrier, number);
    return Step::stop;
}

// The lanes `here` of the current path wait at the terminator of its block; others part from them and rejoin them behind it.
void Warp::part_and_wait(std::uint32_t here, std::uint32_t next, PathState state, std::uint32_t barrier) {
    const std::uint32_t mask = paths_[current_].mask;
    if (here == mask) {
        paths_[current_].state = state;
        paths_[current_].barrier = barrier;
        return;
    }
    const std::uint32_t waiting_block = paths_[current_].block;
    const std::uint32_t targets[] = {waiting_block, next};
    const std::uint32_t masks[] = {here, mask & ~here};
    split(targets, masks, 2, next);
    for (Path& path : paths_)
        if (path.state == PathState::runnable && path.block == waiting_block && path.mask == here) {
            path.state = state;
            path.barrier = barrier;
        }
}

// Lanes whose phase is over already, and those that never arrived, pass.
Warp::Step Warp::cluster_wait(const CodeBlock& block, const Op& op) {
    const std::uint32_t here = paths_[current_].mask & guard(op);
    if ((here & context.cluster_arrived) == 0) return go_to(block.next);
    part_and_wait(here, block.next, PathState::at_cluster_barrier, 0);
    return Step::stop;
}

void Warp::release_cluster_barrier(const Code& code) {
    context.cluster_arrived = 0;
    for (std::uint32_t i = 0; i < paths_.size(); ++i) {
        if (paths_[i].state != PathState::at_cluster_barrier) continue;
        paths_[i].state = PathState::runnable;
        current_ = i;
        (void)go_to(code.blocks[paths_[i].block].next);
    }
}

void Warp::release_barrier(const Code& code, std::uint32_t number, const Barrier& barrier) {
    for (std::uint32_t i = 0; i < paths_.size(); ++i) {
        if (paths_[i].state != PathState::at_barrier || paths_[i].barrier != number) continue;
        const Op& op = code.ops[code.blocks[paths_[i].block].last];
        if (context.block->check != nullptr) context.block->check->pass(context, paths_[i].mask, number);
        if (op.imm != barrier_sync) {
            activate(paths_[i].frame);
            deliver_reduction(op, paths_[i].mask, barrier);
        }
        paths_[i].state = PathState::runnable;
        current_ = i;
        (void)go_to(code.blocks[paths_[i].block].next);
    }
}

// What bar.red found over all threads that the barrier waited for.
void Warp::deliver_reduction(const Op& op, std::uint32_t mask, const Barrier& barrier) {
    if (op.imm == barrier_popc) {
        if (op.dst == sink_ref) return;
        auto* slot = reinterpret_cast<std::uint32_t*>(context.region[op.dst & region_mask] + (op.dst & ~region_mask));
        for (unsigned lane = 0; lane < lanes; ++lane)
            if ((mask >> lane & 1u) != 0) slot[lane] = barrier.holding;
        return;
    }
    const bool holds = op.imm == barrier_and ? barrier.holding == barrier.arrived : barrier.holding != 0;
    std::uint32_t& target = context.predicates[op.dst];
    target = holds ? target | mask : target & ~mask;
}

Warp::Step Warp::warp_sync(const Code& code, const CodeBlock& block, const Op& op) {
    Path& path = paths_[current_];
    const std::uint32_t here = path.mask & guard(op);
    if (here == 0) return go_to(block.next);
    const std::uint32_t members = lane_value(context, code.extra[static_cast<std::size_t>(op.imm)], first_lane(here));
    if (context.block->check != nullptr) context.block->check->sync(context, op, here);
    if ((members & context.live & ~here) == 0) {
        run_by_members(code, op, here);
        if (block.is_warp_barrier && context.block->check != nullptr) context.block->check->sync_warp(context, op, here);
        return go_to(block.next);
    }
    path.state = PathState::at_warp_sync;
    path.members = members;
    return Step::stop;
}

// Lanes may name different members, each group its own: they exchange values within their groups.
void Warp::run_by_members(const Code& code, const Op& op, std::uint32_t mask) {
    const OperandRef ref = code.extra[static_cast<std::size_t>(op.imm)];
    const auto* members = reinterpret_cast<const std::uint32_t*>(context.region[ref & region_mask] + (ref & ~region_mask));
    std::uint32_t different = 0;
    const std::uint32_t first = members[mask != 0 ? first_lane(mask) : 0];
    for (unsigned lane = 0; lane < lanes; ++lane) different |= members[lane] ^ first;
    if (different == 0) return op.body(context, op, mask);
    std::uint32_t rest = mask;
    do {
        const std::uint32_t named = rest != 0 ? members[first_lane(rest)] : 0;
        std::uint32_t group = 0;
        for (unsigned lane = 0; lane < lanes; ++lane) group |= static_cast<std::uint32_t>(members[lane] == named) << lane;
        group &= rest;
        op.body(context, op, group);
        rest &= ~group;
    } while (rest != 0);
}

// Lanes of a warp that wait for others which wait elsewhere go on without them; false: none waits.
bool Warp::release_warp_sync(const Code& code) {
    for (const Path& path : paths_) {
        if (path.state != PathState::at_warp_sync) continue;
        lanes_go_on_without_others(code.blocks[path.block].last);
        run_together(code, Path(path));
        return true;
    }
    return false;
}

// Whether two paths wait for each other. bar.warp.sync may be met at different places, the others exchange values and must be one and the
// same instruction of the same call.
bool Warp::waits_with(const Code& code, const Path& path, const Path& other) const {
    if (path.state != PathState::at_warp_sync || other.state != PathState::at_warp_sync) return false;
    if (path.block == other.block && path.frame == other.frame) return true;
    return code.blocks[path.block].is_warp_barrier && code.blocks[other.block].is_warp_barrier;
}

// Paths that wait together and hold all living members go on as one.
bool Warp::resolve_warp_sync(const Code& code) {
    for (std::uint32_t i = 0; i < paths_.size(); ++i) {
        if (paths_[i].state != PathState::at_warp_sync) continue;
        std::uint32_t together = 0;
        for (const Path& other : paths_)
            if (waits_with(code, paths_[i], other)) together |= other.mask;
        if ((paths_[i].members & context.live & ~together) != 0) continue;
        run_together(code, Path(paths_[i]));
        return true;
    }
    return false;
}

void Warp::run_together(const Code& code, const Path& first) {
    std::uint32_t mask = 0;
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < paths_.size(); ++i) {
        const Path& path = paths_[i];
        if (!waits_with(code, first, path) || (path.mask & first.members) == 0) continue;
        activate(path.frame);
        mask |= path.mask & guard(code.ops[code.blocks[path.block].last]);
        ready.push_back(i);
    }
    activate(first.frame);
    const Op& op = code.ops[code.blocks[first.block].last];
    run_by_members(code, op, mask);
    if (context.block->check != nullptr && code.blocks[first.block].is_warp_barrier) context.block->check->sync_warp(context, op, mask);
    for (const std::uint32_t i : ready) {
        paths_[i].state = PathState::runnable;
        current_ = i;
        (void)go_to(code.blocks[paths_[i].block].next);
    }
}

} // namespace apod::emu
