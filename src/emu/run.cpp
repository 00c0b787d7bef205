// Placing blocks on SMs and SMs on worker threads.
#include "emu/block.hpp"
#include "emu/check/launch_check.hpp"
#include "emu/cluster.hpp"
#include "emu/fault.hpp"
#include "emu/launch.hpp"
#include "emu/stall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cstdio>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <pthread.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace apod::emu {

namespace {

constexpr std::uint64_t no_fault = ~0ull;
constexpr std::uint64_t turn_instructions = 1ull << 24;  // between looks at `cancel`
constexpr std::uint64_t parked_bytes_limit = 1ull << 30; // memory for blocks that wait for other blocks, a worker

// A surface has its own faults, of which one is a kind of memory's.
FaultKind kind_of(const Fault& fault) {
    const bool misaligned = fault.kind == FaultKind::bad_image && fault.bytes == static_cast<std::uint32_t>(ImageFault::misaligned);
    return misaligned ? FaultKind::misaligned : fault.kind;
}

// What all workers share.
struct Schedule {
    const LaunchState& launch;
    const RunOptions& options;
    std::uint64_t first = 0; // blocks to run: [first, end)
    std::uint64_t end = 0;
    std::uint32_t sms = 1;
    std::atomic<std::uint32_t> next_sm{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    // Of several faults the one in the earliest block is reported, so that messages are repeatable: blocks before it still run.
    std::atomic<std::uint64_t> fault_block{no_fault};
    Diagnostic fault;
    std::unique_ptr<StallWatch> watch; // null: nobody looks

    [[nodiscard]] bool cancelled() const { return options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed); }

    void report(const Block& block) {
        const std::lock_guard lock(mutex);
        if (block.index() < fault_block) {
            fault_block = block.index();
            fault = describe_fault(launch, block);
            if (options.fault != nullptr) *options.fault = kind_of(block.fault());
            const bool own = block.fault().kind != FaultKind::cancelled; // the kernel's, not ours
            if (own && block.check() != nullptr) block.check()->fault(fault, block.fault());
        }
    }
};

// What a block printed.
struct Printed {
    std::uint64_t block = 0;
    std::string output;
    std::string errors;
};

struct Totals {
    std::vector<BlockCount> counts;
    std::vector<Printed> printed;
    std::uint64_t blocks = 0;
    std::uint64_t barriers = 0;
};

// Runs whole SMs, one after the other: the blocks that round-robin placement gives them, in order.
class Worker {
public:
    Worker(Schedule& schedule, unsigned index, EventSink* sink) : schedule_(schedule), index_(index), sink_(sink) {
        totals_.counts.resize(schedule.launch.code.blocks.size());
        known_.resize(schedule.launch.code.ops.size());
    }

    void work() {
        schedule_.launch.clusters.size() > 1 ? work_on_clusters() : work_on_blocks();
        if (schedule_.watch) schedule_.watch->left(index_);
    }

    [[nodiscard]] const Totals& totals() const { return totals_; }

private:
    void work_on_blocks() {
        while (!schedule_.stop) {
            const std::uint32_t sm = schedule_.next_sm.fetch_add(1, std::memory_order_relaxed);
            if (sm >= schedule_.sms) break;
            for (std::uint64_t block = schedule_.first + sm; block < schedule_.end && !schedule_.stop; block += schedule_.sms)
                start(block, sm);
        }
        while (!parked_.empty() && !schedule_.stop) resume_oldest();
    }

    // Clusters whole: the SMs in groups of as many as a cluster has blocks, round robin over the groups.
    void work_on_clusters() {
        const std::uint64_t size = schedule_.launch.clusters.size();
        const std::uint64_t groups = std::max<std::uint64_t>(schedule_.sms / size, 1);
        while (!schedule_.stop) {
            const std::uint64_t group = schedule_.next_sm.fetch_add(1, std::memory_order_relaxed);
            if (group >= groups) break;
            for (std::uint64_t order = schedule_.first + group * size; order < schedule_.end && !schedule_.stop; order += groups * size)
                start_cluster(order);
        }
        while (!parked_clusters_.empty() && !schedule_.stop) resume_oldest_cluster();
    }

    void start_cluster(std::uint64_t order) {
        std::unique_ptr<Cluster> cluster;
        if (idle_clusters_.empty()) {
            cluster = std::make_unique<Cluster>(schedule_.launch, known_.data(), sink_);
        } else {
            cluster = std::move(idle_clusters_.back());
            idle_clusters_.pop_back();
        }
        cluster->start(order);
        run_cluster(std::move(cluster));
        const std::size_t limit = std::max<std::size_t>(parked_limit() / schedule_.launch.clusters.size(), 1);
        while (parked_clusters_.size() >= limit && !schedule_.stop) resume_oldest_cluster();
    }

    void resume_oldest_cluster() {
        std::unique_ptr<Cluster> cluster = std::move(parked_clusters_.front());
        parked_clusters_.pop_front();
        run_cluster(std::move(cluster));
    }

    void run_cluster(std::unique_ptr<Cluster> cluster) {
        const BlockOutcome outcome = cluster->run(totals_.counts.data(), turn_instructions);
        if (schedule_.cancelled()) schedule_.stop = true;
        if (outcome == BlockOutcome::yielded) {
            for (const auto& block : cluster->blocks())
                if (!block->finished() && has_stalled(*block, parked_clusters_.size() * cluster->blocks().size() + 1)) return;
            if (schedule_.fault_block == no_fault) parked_clusters_.push_back(std::move(cluster));
            return;
        }
        for (const auto& block : cluster->blocks()) keep_printed(*block);
        if (outcome == BlockOutcome::faulted) return schedule_.report(cluster->faulted());
        for (const auto& block : cluster->blocks()) finish(*block);
        idle_clusters_.push_back(std::move(cluster));
    }

    void start(std::uint64_t index, std::uint32_t sm) {
        std::unique_ptr<Block> block = idle_block();
        block->start(index, sm);
        run(std::move(block));
        while (parked_.size() >= parked_limit() && !schedule_.stop) resume_oldest();
    }

    void resume_oldest() {
        std::unique_ptr<Block> block = std::move(parked_.front());
        parked_.pop_front();
        if (sink_ != nullptr) sink_->block_resume({block->index(), block->sm(), 0, 0, 0});
        run(std::move(block));
    }

    void run(std::unique_ptr<Block> block) {
        const BlockOutcome outcome = block->run(totals_.counts.data(), turn_instructions);
        if (schedule_.cancelled()) schedule_.stop = true;
        if (outcome != BlockOutcome::yielded) keep_printed(*block);
        switch (outcome) {
        case BlockOutcome::faulted: schedule_.report(*block); return;
        case BlockOutcome::yielded:
            if (has_stalled(*block, parked_.size() + 1)) return;
            // What a block waits for may never come once another has faulted.
            if (schedule_.fault_block == no_fault) parked_.push_back(std::move(block));
            return;
        case BlockOutcome::waiting: // of clusters alone
        case BlockOutcome::finished: break;
        }
        finish(*block);
        idle_.push_back(std::move(block));
    }

    // The block has given way; of so many of the worker's. True: the launch ends with it.
    bool has_stalled(Block& block, std::size_t blocks) {
        if (!schedule_.watch || !schedule_.watch->is_due()) return false;
        const std::optional<bool> as_before = block.stands_as_before();
        if (!as_before) return false;
        if (!*as_before) {
            schedule_.watch->changed();
            return false;
        }
        if (!schedule_.watch->repeated(index_, blocks)) return false;
        block.report_stall(schedule_.options.stalled_after_s);
        if (schedule_.options.stalled(describe_fault(schedule_.launch, block))) {
            block.forget_fault();
            return false;
        }
        keep_printed(block);
        schedule_.report(block);
        return true;
    }

    void finish(const Block& block) {
        if (schedule_.watch) schedule_.watch->changed();
        ++totals_.blocks;
        totals_.barriers += block.barrier_phases();
        if (sink_ != nullptr)
            sink_->block_end({block.index(), block.sm(), block.instructions(), block.barrier_phases(), block.longest_warp()});
    }

    void keep_printed(Block& block) {
        Printed printed{block.index(), block.library().take_output(), block.library().assertions()};
        if (!printed.output.empty() || !printed.errors.empty()) totals_.printed.push_back(std::move(printed));
    }

    std::unique_ptr<Block> idle_block() {
        if (idle_.empty()) return std::make_unique<Block>(schedule_.launch, known_.data(), sink_);
        std::unique_ptr<Block> block = std::move(idle_.back());
        idle_.pop_back();
        return block;
    }

    [[nodiscard]] std::size_t parked_limit() const {
        const LaunchState& launch = schedule_.launch;
        if (schedule_.options.cooperative) return std::numeric_limits<std::size_t>::max(); // none may be left out
        const std::uint64_t bytes =
            std::uint64_t{launch.warps} * (launch.code.register_bytes + lanes * launch.local_stride) + launch.shared_bytes + 4096;
        return static_cast<std::size_t>(std::max<std::uint64_t>(parked_bytes_limit / bytes, 1));
    }

    Schedule& schedule_;
    unsigned index_;
    EventSink* sink_;
    Totals totals_;
    std::vector<KnownRange> known_;
    std::vector<std::unique_ptr<Block>> idle_;
    std::deque<std::unique_ptr<Block>> parked_;
    std::vector<std::unique_ptr<Cluster>> idle_clusters_;
    std::deque<std::unique_ptr<Cluster>> parked_clusters_;
};

void write_to(const std::function<void(std::string_view)>& print, std::FILE* otherwise, const std::string& text) {
    if (text.empty()) return;
    if (print) return print(text);
    std::fwrite(text.data(), 1, text.size(), otherwise);
    std::fflush(otherwise);
}

// In the order of the blocks; of those behind a fault nothing, since how far they came depends on the threads.
void deliver_printed(const Schedule& schedule, const std::vector<std::unique_ptr<Worker>>& workers) {
    std::vector<const Printed*> all;
    for (const auto& worker : workers)
        for (const Printed& printed : worker->totals().printed)
            if (printed.block <= schedule.fault_block) all.push_back(&printed);
    std::sort(all.begin(), all.end(), [](const Printed* a, const Printed* b) { return a->block < b->block; });
    for (const Printed* printed : all) write_to(schedule.options.print, stdout, printed->output);
    for (const Printed* printed : all) write_to(schedule.options.print_error, stderr, printed->errors);
}

// The memory through which the blocks of a cooperative launch find each other: cooperative groups' barrier is its second word.
class Workspace {
public:
    explicit Workspace(DeviceMemory& memory) : memory_(memory) {}
    ~Workspace() {
        if (address_ != 0) (void)memory_.free(address_);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    Result<void> take() {
        auto address = memory_.allocate(64, "the workspace of a cooperative launch");
        if (!address) return address.error();
        address_ = *address;
        return memory_.fill(address_, std::byte{0}, 64);
    }
    [[nodiscard]] DeviceAddress address() const { return address_; }

private:
    DeviceMemory& memory_;
    DeviceAddress address_ = 0;
};

Execution sum(const LaunchState& launch, const std::vector<std::unique_ptr<Worker>>& workers) {
    Execution execution;
    std::vector<BlockCount> counts(launch.code.blocks.size());
    for (const auto& worker : workers) {
        const Totals& totals = worker->totals();
        for (std::size_t b = 0; b < counts.size(); ++b) {
            counts[b].warps += totals.counts[b].warps;
            counts[b].threads += totals.counts[b].threads;
        }
        execution.blocks_run += totals.blocks;
        execution.barriers += totals.barriers;
    }
    execution.counts.resize(launch.code.ops.size());
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const CodeBlock& block = launch.code.blocks[b];
        for (std::uint32_t op = block.first; op < block.first + block.op_count; ++op)
            execution.counts[op] = {counts[b].warps, counts[b].threads};
    }
    execution.blocks_total = launch.config.grid.count();
    execution.warps_run = execution.blocks_run * launch.warps;
    return execution;
}

Result<void> check_launch(const Program& program, const LaunchConfig& config, const RunOptions& options) {
    if (options.cooperative && (options.first_block != 0 || (options.max_blocks != 0 && options.max_blocks < config.grid.count())))
        return bad_input({},
                         fmt::format("kernel {}: the blocks of a cooperative launch run all or not at all", ptx::demangle(program.name())));
    if (config.grid.count() == 0 || config.block.count() == 0)
        return bad_input({}, fmt::format("kernel {}: an empty grid or block", ptx::demangle(program.name())));
    if (config.block.count() > 1024)
        return bad_input({}, fmt::format("kernel {}: {} threads a block, at most 1024 are possible", ptx::demangle(program.name()),
                                         config.block.count()));
    if (config.parameters.size() < program.parameter_bytes)
        return bad_input({}, fmt::format("kernel {} takes {} bytes of parameters, {} were given", ptx::demangle(program.name()),
                                         program.parameter_bytes, config.parameters.size()));
    return {};
}

// Handlers compute in the host's floating point. A program may have asked the host for traps, another rounding or flushed subnormals; what
// its kernels compute must not depend on that.
class HostFloats {
public:
    HostFloats() {
        std::fegetenv(&before_);
        std::fesetenv(FE_DFL_ENV);
#if defined(__SSE__)
        constexpr unsigned masked_nearest = 0x1f80; // and neither DAZ nor FTZ
        _mm_setcsr(masked_nearest);
#endif
    }
    ~HostFloats() { std::fesetenv(&before_); }
    HostFloats(const HostFloats&) = delete;
    HostFloats& operator=(const HostFloats&) = delete;

private:
    std::fenv_t before_ = {};
};

} // namespace

std::uint64_t read_clock() { return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); }

Result<Execution> run(const Program& program, const LaunchConfig& config, DeviceMemory& memory, const RunOptions& options,
                      const SinkFactory& sinks) {
    if (auto checked = check_launch(program, config, options); !checked) return checked.error();
    Workspace workspace(memory);
    if (options.cooperative)
        if (auto taken = workspace.take(); !taken) return taken.error();
    const auto cluster = cluster_of_launch(program, config);
    if (!cluster) return cluster.error();
    std::unique_ptr<LaunchCheck> checks;
    if (options.checks != nullptr && memory.checks() == nullptr) return internal_error("a launch under checks in a memory without them");
    if (options.checks != nullptr) checks = std::make_unique<LaunchCheck>(program, config, memory, *options.checks);
    const LaunchState launch(program, config, memory, options, workspace.address(), checks.get(), *cluster);
    Schedule schedule{launch, options};
    schedule.first = std::min(options.first_block, config.grid.count());
    const std::uint64_t rest = config.grid.count() - schedule.first;
    schedule.end = schedule.first + (options.max_blocks != 0 ? std::min(options.max_blocks, rest) : rest);
    // Whole clusters: where parts of a grid are run one after the other, each cluster belongs to the part that its first block is in.
    const std::uint64_t unit = launch.clusters.size();
    if (unit > 1) {
        schedule.first = (schedule.first + unit - 1) / unit * unit;
        schedule.end = std::max((schedule.end + unit - 1) / unit * unit, schedule.first);
    }
    schedule.sms = std::max(options.sm_count, 1u);
    const unsigned cores = checks != nullptr      ? 1
                           : options.threads != 0 ? options.threads
                                                  : std::max(std::thread::hardware_concurrency(), 1u);
    const std::uint64_t busy_sms = std::clamp<std::uint64_t>(schedule.end - schedule.first, 1, schedule.sms);
    const unsigned count = std::min<unsigned>(cores, static_cast<unsigned>(busy_sms));
    if (options.stalled) schedule.watch = std::make_unique<StallWatch>(count, options.stalled_after_s);
    const HostFloats floats; // threads inherit it
    std::vector<std::unique_ptr<Worker>> workers;
    for (unsigned w = 0; w < count; ++w) workers.push_back(std::make_unique<Worker>(schedule, w, sinks ? sinks(w) : nullptr));
    std::vector<std::thread> threads;
    for (unsigned w = 1; w < count; ++w)
        threads.emplace_back([&, w] {
            if (options.stalled) ::pthread_setname_np(::pthread_self(), worker_name);
            workers[w]->work();
        });
    workers[0]->work();
    for (std::thread& thread : threads) thread.join();
    deliver_printed(schedule, workers);
    if (checks != nullptr) checks->finish();
    if (schedule.fault_block != no_fault) return schedule.fault;
    if (schedule.cancelled()) return check_failed(fmt::format("kernel {} was interrupted", ptx::demangle(program.name())));
    return sum(launch, workers);
}

} // namespace apod::emu
