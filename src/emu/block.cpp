#include "emu/block.hpp"
#include "emu/stray.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace apod::emu {

namespace {

// Code blocks that a warp runs before the next warp gets its turn; long enough to stay in the host's cache, short enough that a spinning
// warp does not hold up the others.
constexpr std::uint32_t warp_quantum = 4096;
constexpr std::uint64_t polling_quantum = 32768;
constexpr std::uint64_t cooperative_polling_quantum = 256; // blocks that wait for the whole grid have nothing better to do

std::uint32_t local_size(const Program& program, std::uint32_t stack_bytes) {
    const FunctionCode& kernel = program.code->functions[0];
    return program.code->uses_stack ? kernel.frame_bytes + stack_bytes : kernel.frame_bytes;
}

// Lanes follow each other at this distance: for all but small frames an odd number of cache lines, so that one place in 32 lanes' memory
// does not fall into the same set of the cache.
std::uint32_t stride_of(std::uint32_t local_bytes) { return local_bytes < 512 ? local_bytes : (local_bytes + 127) / 128 * 128 + 64; }

std::uint32_t lane_mask_below(std::uint32_t count) { return count >= lanes ? 0xffffffffu : (1u << count) - 1; }

template<class T> void broadcast(std::byte* slot, T value) {
    for (unsigned lane = 0; lane < lanes; ++lane) std::memcpy(slot + lane * sizeof(T), &value, sizeof(T));
}

std::uint64_t parameter_value(const std::vector<std::byte>& parameters, const PoolEntry& entry) {
    std::uint64_t value = 0;
    std::memcpy(&value, parameters.data() + entry.parameter_offset, entry.parameter_bytes);
    if (!entry.sign_extend || entry.parameter_bytes == 8) return value;
    const unsigned shift = 64 - 8 * entry.parameter_bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

std::uint32_t launch_value(const LaunchState& launch, PoolKind kind) {
    const LaunchConfig& config = launch.config;
    switch (kind) {
    case PoolKind::ntid_x: return config.block.x;
    case PoolKind::ntid_y: return config.block.y;
    case PoolKind::ntid_z: return config.block.z;
    case PoolKind::nctaid_x: return config.grid.x;
    case PoolKind::nctaid_y: return config.grid.y;
    case PoolKind::nctaid_z: return config.grid.z;
    case PoolKind::nwarpid: return launch.warps;
    case PoolKind::dynamic_shared: return config.dynamic_shared_bytes;
    case PoolKind::total_shared: return launch.shared_bytes;
    case PoolKind::nsmid: return launch.sm_count;
    case PoolKind::envreg1: return static_cast<std::uint32_t>(launch.workspace >> 32);
    case PoolKind::envreg2: return static_cast<std::uint32_t>(launch.workspace);
    case PoolKind::cluster_nctaid_x: return launch.clusters.cluster.x;
    case PoolKind::cluster_nctaid_y: return launch.clusters.cluster.y;
    case PoolKind::cluster_nctaid_z: return launch.clusters.cluster.z;
    case PoolKind::cluster_nctarank: return launch.clusters.size();
    case PoolKind::nclusterid_x: return launch.clusters.clusters().x;
    case PoolKind::nclusterid_y: return launch.clusters.clusters().y;
    case PoolKind::nclusterid_z: return launch.clusters.clusters().z;
    case PoolKind::is_explicit_cluster: return launch.explicit_clusters ? 1 : 0;
    case PoolKind::parameter: break;
    }
    return 0;
}

} // namespace

LaunchState::LaunchState(const Program& of_program, const LaunchConfig& of_config, DeviceMemory& of_memory, const RunOptions& options,
                         DeviceAddress of_workspace, LaunchCheck* of_checks, const Dim3& cluster) :
    program(of_program),
    code(of_checks != nullptr ? of_checks->code() : *of_program.code),
    config(of_config),
    memory(of_memory),
    workspace(of_workspace),
    clusters{of_config.grid, cluster},
    checks(of_checks) {
    explicit_clusters = config.cluster.x != 0 || program.function->tuning.required_cluster[0] != 0;
    threads = static_cast<std::uint32_t>(config.block.count());
    warps = (threads + lanes - 1) / lanes;
    shared_bytes = program.static_shared_bytes + config.dynamic_shared_bytes;
    local_bytes = local_size(program, std::min(options.stack_bytes, 1u << 20));
    local_stride = stride_of(local_bytes);
    polling_limit = options.cooperative || clusters.size() > 1 ? cooperative_polling_quantum : polling_quantum;
    watchdog = options.watchdog_instructions;
    cancel = options.cancel;
    sm_count = options.sm_count;
    parameters.assign(program.parameter_bytes + 8, std::byte{0});
    const std::size_t given = std::min<std::size_t>(config.parameters.size(), program.parameter_bytes);
    if (given != 0) std::memcpy(parameters.data(), config.parameters.data(), given); // of none the pointer may be null
    pool.resize(code.pool.size() + 64);
    const auto start = reinterpret_cast<std::uintptr_t>(pool.data());
    pool_base = pool.data() + ((start + 63) / 64 * 64 - start);
    if (!code.pool.empty()) std::memcpy(pool_base, code.pool.data(), code.pool.size());
    for (const PoolEntry& entry : code.pool_entries) {
        const std::uint64_t value =
            entry.kind == PoolKind::parameter ? parameter_value(parameters, entry) : launch_value(*this, entry.kind);
        if (entry.slot_bytes == slot64_bytes)
            broadcast(pool_base + entry.offset, value);
        else
            broadcast(pool_base + entry.offset, static_cast<std::uint32_t>(value));
    }
}

namespace {

OwnedBytes aligned_bytes(std::size_t bytes) {
    const std::size_t rounded = std::max<std::size_t>((bytes + 63) / 64 * 64, 64);
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, rounded));
    if (memory == nullptr) throw std::bad_alloc();
    std::memset(memory, 0, rounded);
    return OwnedBytes(memory);
}

// Stacks are large and mostly untouched: pages that the host backs when they are used.
OwnedBytes lazy_bytes(std::size_t bytes) {
    auto* memory = static_cast<std::byte*>(std::calloc(std::max<std::size_t>(bytes, 64), 1));
    if (memory == nullptr) throw std::bad_alloc();
    return OwnedBytes(memory);
}

} // namespace

Block::Block(const LaunchState& launch, KnownRange* known, EventSink* sink) :
    launch_(launch), library_(launch), host_{launch.code, nullptr, 0, 0, launch.polling_limit, nullptr, nullptr} {
    const Code& code = launch.code;
    registers_ = aligned_bytes(std::size_t{launch.warps} * code.register_bytes);
    block_region_ = aligned_bytes(code.block_bytes);
    shared_ = aligned_bytes(launch.shared_bytes);
    warp_regions_ = aligned_bytes(std::size_t{launch.warps} * code.warp_bytes);
    const std::size_t local_bytes = std::size_t{launch.warps} * lanes * launch.local_stride;
    local_ = code.uses_stack ? lazy_bytes(local_bytes) : aligned_bytes(local_bytes);
    predicates_.assign(std::size_t{launch.warps} * code.predicates, 0);
    context_.shared = shared_.get();
    context_.shared_bytes = launch.shared_bytes;
    context_.parameters = const_cast<std::byte*>(launch.parameters.data());
    context_.parameter_bytes = launch.program.parameter_bytes;
    context_.local_bytes = launch.local_bytes;
    context_.local_stride = launch.local_stride;
    context_.extra = code.extra.data();
    context_.known = known;
    context_.memory = &launch.memory;
    context_.sink = sink;
    context_.cluster = &own_context_;
    members_.assign(1, this);
    host_.barriers = barriers_.data();
    host_.library = &library_;
    warps_.resize(launch.warps);
    for (std::uint32_t w = 0; w < launch.warps; ++w) {
        WarpContext& warp = warps_[w].context;
        warps_[w].set_kernel_frame(registers_.get() + std::size_t{w} * code.register_bytes,
                                   predicates_.data() + std::size_t{w} * code.predicates, code.functions[0].frame_bytes);
        warp.region[region_pool] = launch.pool_base;
        warp.region[region_block] = block_region_.get();
        warp.region[region_warp] = warp_regions_.get() + std::size_t{w} * code.warp_bytes;
        warp.local = local_.get() + std::size_t{w} * lanes * launch.local_stride;
        warp.block = &context_;
        warp.index = w;
        fill_warp_specials(warps_[w], w);
    }
    if (launch.checks == nullptr) return;
    check_ = std::make_unique<BlockCheck>(*launch.checks, launch.warps, launch.threads, launch.shared_bytes, launch.local_bytes);
    context_.check = check_.get();
}

// Thread indices and what else depends on the lane alone: the same for every block of the launch.
void Block::fill_warp_specials(Warp& warp, std::uint32_t index) {
    const Dim3& shape = launch_.config.block;
    for (const SpecialSlot& special : launch_.code.specials) {
        if ((special.ref & region_mask) != region_warp) continue;
        auto* slot = reinterpret_cast<std::uint32_t*>(warp.context.region[region_warp] + (special.ref & ~region_mask));
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const std::uint32_t thread = index * lanes + lane;
            switch (special.kind) {
            case SpecialKind::tid_x: slot[lane] = thread % shape.x; break;
            case SpecialKind::tid_y: slot[lane] = thread / shape.x % shape.y; break;
            case SpecialKind::tid_z: slot[lane] = thread / shape.x / shape.y; break;
            case SpecialKind::laneid: slot[lane] = lane; break;
            case SpecialKind::warpid: slot[lane] = index; break;
            case SpecialKind::lanemask_eq: slot[lane] = 1u << lane; break;
            case SpecialKind::lanemask_lt: slot[lane] = (1u << lane) - 1; break;
            case SpecialKind::lanemask_le: slot[lane] = (2u << lane) - 1; break;
            case SpecialKind::lanemask_gt: slot[lane] = ~((2u << lane) - 1); break;
            case SpecialKind::lanemask_ge: slot[lane] = ~((1u << lane) - 1); break;
            default: break;
            }
        }
    }
}

void Block::fill_block_specials() {
    const Dim3& grid = launch_.config.grid;
    const Dim3 cluster = launch_.clusters.cluster_of(index_);
    const Dim3 in_cluster = launch_.clusters.place_in_cluster(index_);
    for (const SpecialSlot& special : launch_.code.specials) {
        if ((special.ref & region_mask) != region_block) continue;
        std::byte* slot = block_region_.get() + (special.ref & ~region_mask);
        switch (special.kind) {
        case SpecialKind::ctaid_x: broadcast(slot, static_cast<std::uint32_t>(index_ % grid.x)); break;
        case SpecialKind::ctaid_y: broadcast(slot, static_cast<std::uint32_t>(index_ / grid.x % grid.y)); break;
        case SpecialKind::ctaid_z: broadcast(slot, static_cast<std::uint32_t>(index_ / grid.x / grid.y)); break;
        case SpecialKind::smid: broadcast(slot, sm_); break;
        case SpecialKind::cluster_ctaid_x: broadcast(slot, in_cluster.x); break;
        case SpecialKind::cluster_ctaid_y: broadcast(slot, in_cluster.y); break;
        case SpecialKind::cluster_ctaid_z: broadcast(slot, in_cluster.z); break;
        case SpecialKind::cluster_ctarank: broadcast(slot, context_.cluster_rank); break;
        case SpecialKind::clusterid_x: broadcast(slot, cluster.x); break;
        case SpecialKind::clusterid_y: broadcast(slot, cluster.y); break;
        case SpecialKind::clusterid_z: broadcast(slot, cluster.z); break;
        default: break;
        }
    }
}

void Block::start(std::uint64_t linear_index, std::uint32_t sm) {
    index_ = linear_index;
    sm_ = sm;
    host_.instructions = 0;
    host_.waits = 0;
    barrier_phases_ = 0;
    barriers_.fill({});
    recent_.clear();
    library_.begin_block(linear_index);
    context_.fault = {};
    context_.has_exited = false;
    std::memset(shared_.get(), 0xff, launch_.shared_bytes); // unspecified on the GPU; a NaN here
    fill_block_specials();
    if (check_ != nullptr) check_->start(index_);
    for (std::uint32_t w = 0; w < launch_.warps; ++w) warps_[w].start(lane_mask_below(launch_.threads - w * lanes));
    if (context_.sink != nullptr) context_.sink->block_begin({index_, sm_, 0, 0, 0});
}

std::uint64_t Block::longest_warp() const {
    std::uint64_t most = 0;
    for (const Warp& warp : warps_) most = std::max(most, warp.instructions());
    return most;
}

std::uint32_t Block::live_threads() const {
    std::uint32_t count = 0;
    for (const Warp& warp : warps_) count += static_cast<std::uint32_t>(std::popcount(warp.context.live));
    return count;
}

// A barrier opens when all it waits for have arrived; threads that have exited are not waited for.
bool Block::release_barriers() {
    bool released = false;
    for (std::uint32_t b = 0; b < barriers_per_block; ++b) {
        Barrier& barrier = barriers_[b];
        if (barrier.arrived == 0) continue;
        const std::uint32_t expected = barrier.expected != 0 ? barrier.expected : live_threads();
        if (barrier.arrived < expected) continue;
        const Barrier complete = barrier;
        barrier = {};
        ++barrier_phases_;
        released = true;
        if (check_ != nullptr) check_->release(b, warps_);
        for (Warp& warp : warps_) warp.release_barrier(launch_.code, b, complete);
    }
    return released;
}

void Block::join(const std::vector<Block*>& members, const std::vector<BlockContext*>& contexts, std::uint32_t rank) {
    members_ = members;
    context_.cluster = contexts.data();
    context_.cluster_size = static_cast<std::uint32_t>(contexts.size());
    context_.cluster_rank = rank;
}

bool Block::all_arrived() const {
    return std::all_of(warps_.begin(), warps_.end(),
                       [](const Warp& warp) { return (warp.context.live & ~warp.context.cluster_arrived) == 0; });
}

// The cluster's barrier opens when every living thread of its blocks has arrived.
bool Block::release_cluster_barrier() {
    const auto has_arrivals = [](const Block* block) {
        return std::any_of(block->warps_.begin(), block->warps_.end(), [](const Warp& warp) { return warp.context.cluster_arrived != 0; });
    };
    if (std::none_of(members_.begin(), members_.end(), has_arrivals)) return false;
    if (!std::all_of(members_.begin(), members_.end(), [](const Block* block) { return block->all_arrived(); })) return false;
    for (Block* block : members_)
        for (Warp& warp : block->warps_) warp.release_cluster_barrier(launch_.code);
    return true;
}

// Rejoining is our choice, not PTX's: where nobody else can go on, lanes must not wait for lanes that wait for them at a barrier or a
// shuffle.
bool Block::release_arrived() {
    bool released = false;
    for (Warp& warp : warps_)
        if (!warp.finished()) released = warp.release_arrived() || released;
    return released;
}

// Shuffles and votes that name lanes which are elsewhere: a GPU hardly ever hangs there, it goes on with the lanes that have come.
bool Block::release_warp_sync() {
    return std::any_of(warps_.begin(), warps_.end(),
                       [this](Warp& warp) { return !warp.finished() && warp.release_warp_sync(launch_.code); });
}

void Block::report_deadlock() {
    context_.fault.kind = FaultKind::deadlock;
    for (const Warp& warp : warps_) {
        if (warp.finished()) continue;
        for (const Path& path : warp.paths()) {
            const bool waits =
                path.state == PathState::at_barrier || path.state == PathState::at_warp_sync || path.state == PathState::at_cluster_barrier;
            if (!waits) continue;
            const CodeBlock& block = launch_.code.blocks[path.block];
            context_.fault.op = block.last;
            context_.fault.warp = warp.context.index;
            context_.fault.lane = static_cast<std::uint32_t>(std::countr_zero(path.mask));
            return;
        }
    }
}

namespace {

// Where some thread of the block is.
void mark_standing(const std::vector<Warp>& warps, const Code& code, Fault& fault, FaultKind kind) {
    fault.kind = kind;
    for (const Warp& warp : warps) {
        if (warp.finished()) continue;
        for (const Path& path : warp.paths()) {
            if (path.mask == 0 || path.state == PathState::free_slot || path.state == PathState::waiting_children) continue;
            fault.op = code.blocks[path.block].first;
            fault.warp = warp.context.index;
            fault.lane = static_cast<std::uint32_t>(std::countr_zero(path.mask));
            return;
        }
    }
}

} // namespace

void Block::report_stall(double seconds) {
    mark_standing(warps_, launch_.code, context_.fault, FaultKind::stalled);
    context_.fault.bytes = static_cast<std::uint32_t>(seconds);
}

std::optional<bool> Block::stands_as_before() {
    if (!recent_.is_turn()) return std::nullopt;
    std::uint64_t state = fingerprint_of(registers_.get(), std::size_t{launch_.warps} * launch_.code.register_bytes, 0);
    state = fingerprint_of(predicates_.data(), predicates_.size() * sizeof predicates_[0], state);
    state = fingerprint_of(shared_.get(), launch_.shared_bytes, state);
    for (const Warp& warp : warps_)
        for (const Path& path : warp.paths()) {
            if (path.state == PathState::free_slot) continue;
            if (path.frame != 0) return false; // a called function has registers of its own
            const std::uint32_t place[] = {warp.context.index, path.block, path.mask, static_cast<std::uint32_t>(path.state)};
            state = fingerprint_of(place, sizeof place, state);
        }
    return recent_.contains_or_add(state);
}

BlockOutcome Block::run(BlockCount* counts, std::uint64_t instruction_quantum) {
    host_.counts = counts;
    const std::uint64_t until = host_.instructions + instruction_quantum;
    const std::uint64_t waits_until = host_.waits + launch_.polling_limit;
    std::uint32_t quantum = warp_quantum;
    for (;;) {
        bool did = false;
        bool live = false;
        for (Warp& warp : warps_) {
            if (warp.finished()) continue;
            did = warp.run(host_, quantum) || did;
            live = live || !warp.finished();
            if (context_.fault.kind != FaultKind::none) return BlockOutcome::faulted;
        }
        if (!live) {
            if (check_ != nullptr) check_->finish();
            context_.has_exited = true;
            return BlockOutcome::finished;
        }
        // Behind a barrier every warp takes a step before any goes on. What they read there is often overwritten by the first of them that
        // comes through the code again, with no barrier in between: a race that a GPU, whose warps go side by side, does not lose.
        const bool opened = release_barriers();
        quantum = opened ? 1 : warp_quantum;
        did = opened || did;
        did = release_cluster_barrier() || did;
        did = did || release_arrived();
        if (!did && members_.size() > 1) return BlockOutcome::waiting;
        if (!did && check_ == nullptr && stray_access() == StrayAccess::passes_where_mapped) did = release_warp_sync();
        if (!did) {
            report_deadlock();
            return BlockOutcome::faulted;
        }
        if (launch_.watchdog != 0 && host_.instructions > launch_.watchdog) {
            report_deadlock();
            context_.fault.kind = FaultKind::watchdog;
            return BlockOutcome::faulted;
        }
        if (launch_.cancel != nullptr && launch_.cancel->load(std::memory_order_relaxed)) {
            mark_standing(warps_, launch_.code, context_.fault, FaultKind::cancelled);
            return BlockOutcome::faulted;
        }
        // A block that polls memory may be waiting for a block that has not started: give way early. Others run on.
        if (host_.instructions >= until || host_.waits >= waits_until) return BlockOutcome::yielded;
    }
}

} // namespace apod::emu
