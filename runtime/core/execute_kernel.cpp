// Launching a kernel: what CUDA checks before, the emulator, and what a fault becomes.
#include "emu/launch.hpp"
#include "emu/stray.hpp"
#include "model/metric_registry.hpp"
#include "ptx/module.hpp"
#include "runtime/core/device_launch.hpp"
#include "runtime/core/kernel_facts.hpp"
#include "runtime/core/message.hpp"
#include "runtime/core/runtime.hpp"
#include "runtime/core/thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace apod::runtime {
namespace {

// CUDA has a number for some kinds of faults.
Error fault_code(emu::FaultKind fault) {
    switch (fault) {
    case emu::FaultKind::out_of_bounds: return Error::illegal_address;
    case emu::FaultKind::misaligned: return Error::misaligned_address;
    case emu::FaultKind::assertion: return Error::assert;
    case emu::FaultKind::deadlock:
    case emu::FaultKind::stalled:
    case emu::FaultKind::watchdog: return Error::launch_timeout;
    default: return Error::launch_failure;
    }
}

Error check_shape(const KernelWork& work, const arch::Limits& limits) {
    const Dim3& grid = work.grid;
    const Dim3& block = work.block;
    std::string why;
    if (grid.count() == 0 || block.count() == 0)
        why = fmt::format("the {} is empty", grid.count() == 0 ? "grid" : "block");
    else if (block.count() > limits.max_threads_per_block)
        why = fmt::format("a block has {} threads at most, not {}", limits.max_threads_per_block, block.count());
    else if (block.x > limits.max_block_x || block.y > limits.max_block_y || block.z > limits.max_block_z)
        why = fmt::format("a block is {} x {} x {} threads at most", limits.max_block_x, limits.max_block_y, limits.max_block_z);
    else if (grid.x > limits.max_grid_x || grid.y > limits.max_grid_y || grid.z > limits.max_grid_z)
        why = fmt::format("a grid is {} x {} x {} blocks at most", limits.max_grid_x, limits.max_grid_y, limits.max_grid_z);
    return why.empty() ? Error::success : because(Error::invalid_value, why);
}

// All of these are one error on an H200 with CUDA 13.0, where older CUDAs told configurations and resources apart.
Error check_bounds(const KernelWork& work, const emu::Program& program) {
    const ptx::Tuning& tuning = program.function->tuning;
    if (tuning.max_threads[0] != 0) {
        std::uint64_t most = 1;
        for (const std::uint32_t extent : tuning.max_threads) most *= std::max(extent, 1u);
        if (work.block.count() > most)
            return because(Error::invalid_value, fmt::format("the kernel was compiled for {} threads a block at most "
                                                             "(__launch_bounds__), not {}",
                                                             most, work.block.count()));
    }
    if (tuning.required_threads[0] != 0) {
        std::uint64_t exact = 1;
        for (const std::uint32_t extent : tuning.required_threads) exact *= std::max(extent, 1u);
        if (work.block.count() != exact)
            return because(Error::invalid_value,
                           fmt::format("the kernel was compiled for {} threads a block, not {}", exact, work.block.count()));
    }
    return Error::success;
}

// Clusters of more than 8 blocks run on some devices only, and a kernel must allow them.
Error check_cluster(const KernelWork& work, const emu::Program& program) {
    constexpr std::uint64_t portable = 8;
    const auto cluster = emu::cluster_of_launch(program, {work.grid, work.block, 0, work.parameters, work.cluster});
    if (!cluster) {
        say(cluster.error());
        return because(Error::invalid_cluster_size, cluster.error().message);
    }
    if (cluster->count() <= portable || work.kernel->non_portable_cluster) return Error::success;
    return because(Error::invalid_cluster_size, fmt::format("a cluster of {} blocks, more than {}, is one that the kernel must allow "
                                                            "(cudaFuncAttributeNonPortableClusterSizeAllowed)",
                                                            cluster->count(), portable));
}

Error check_shared(const KernelWork& work, const emu::Program& program, const arch::Limits& limits) {
    const std::uint64_t most = std::max<std::uint64_t>(limits.shared_per_block_bytes, work.kernel->dynamic_shared_limit);
    const std::uint64_t asked = program.static_shared_bytes + work.dynamic_shared_bytes;
    const std::uint64_t allowed = work.kernel->dynamic_shared_limit != 0 ? most + program.static_shared_bytes : most;
    if (asked <= allowed) return Error::success;
    const bool could = asked <= limits.shared_per_block_optin_bytes;
    return because(Error::invalid_value, fmt::format("{} bytes of shared memory a block are more than {}{}", asked, allowed,
                                                     could ? ", which cudaFuncAttributeMaxDynamicSharedMemorySize raises" : ""));
}

// The blocks of a cooperative launch wait for each other, so all of them must fit on the device at once.
Error check_cooperative(const KernelWork& work, const emu::Program& program, const arch::Gpu& gpu) {
    if (!work.cooperative) return Error::success;
    const arch::Occupancy occupancy =
        kernel_occupancy(gpu, program, static_cast<std::uint32_t>(work.block.count()), work.dynamic_shared_bytes);
    const std::uint64_t most = std::uint64_t{occupancy.blocks_per_sm} * gpu.sm_count;
    if (work.grid.count() <= most) return Error::success;
    return because(Error::cooperative_launch_too_large,
                   fmt::format("{} blocks fit on the device at once, and a cooperative launch has {}", most, work.grid.count()));
}

// What CUDA refuses before anything runs.
Error check_launch(const KernelWork& work, const emu::Program& program, const arch::Gpu& gpu) {
    if (const Error error = check_shape(work, gpu.limits); error != Error::success) return error;
    if (const Error error = check_bounds(work, program); error != Error::success) return error;
    if (const Error error = check_shared(work, program, gpu.limits); error != Error::success) return error;
    if (const Error error = check_cluster(work, program); error != Error::success) return error;
    return check_cooperative(work, program, gpu);
}

// The launch itself, in front of the reason.
Error refused(Error error, const KernelWork& work) {
    ThreadState& thread = thread_state();
    thread.kernel = work.kernel->name;
    const auto shape = [](const Dim3& d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); };
    thread.why = fmt::format("grid {}, block {}, {} bytes of dynamic shared memory{}{}", shape(work.grid), shape(work.block),
                             work.dynamic_shared_bytes, thread.why.empty() ? "" : ": ", thread.why);
    return error;
}

// The kernel alone, as a profiler times it: what the clock adds around it depends on the calls.
double kernel_ns(const LaunchRecord& record) {
    const double duration = model::value_or_zero(record.metrics, model::metric::duration);
    return duration > 0 ? duration : record.time_ns.value;
}

template<class T> T value_at(const DeviceLaunch& launch, std::size_t offset) {
    T value;
    std::memcpy(&value, launch.parameters.data() + offset, sizeof value);
    return value;
}

CopyWork copy_of(const DeviceLaunch& launch) {
    CopyWork copy;
    copy.to = value_at<void*>(launch, 0);
    copy.from = value_at<const void*>(launch, 8);
    copy.width = value_at<std::uint64_t>(launch, 16);
    return copy;
}

FillWork fill_of(const DeviceLaunch& launch) {
    FillWork fill;
    fill.to = value_at<void*>(launch, 0);
    fill.value = value_at<std::uint32_t>(launch, 8);
    fill.width = value_at<std::uint64_t>(launch, 16);
    return fill;
}

// Of a launch of which nothing is counted: which it is. There are no metrics.
LaunchRecord bare_record(const emu::Program& program, const device::Launch& launch) {
    LaunchRecord record;
    record.mangled = std::string(program.name());
    record.kernel = ptx::demangle(program.name());
    record.grid = launch.grid;
    record.block = launch.block;
    record.static_shared_bytes = program.static_shared_bytes;
    record.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    return record;
}

// What the clock advances by for such a launch: no prediction, but programs divide by times, and some go on until enough has passed. The
// four schedulers of each SM that has a block issue an instruction in every cycle.
double issue_ns(std::uint64_t instructions, const device::Launch& launch, const arch::Gpu& gpu) {
    constexpr double schedulers = 4;
    const auto sms = static_cast<double>(std::min<std::uint64_t>(launch.grid.count(), gpu.sm_count));
    return static_cast<double>(instructions) / (schedulers * sms * gpu.clock_ghz());
}

// Threads of this process but for those that run a launch; the one that made it is among them.
std::size_t threads_of_program() {
    std::error_code failed;
    std::size_t count = 0;
    for (std::filesystem::directory_iterator thread("/proc/self/task", failed), end; !failed && thread != end; thread.increment(failed)) {
        std::ifstream comm(thread->path() / "comm");
        std::string name;
        if (std::getline(comm, name) && name != emu::worker_name) ++count;
    }
    return count;
}

} // namespace

// A kernel waits for memory that no kernel writes. What the program's other threads, or other processes, will do nobody knows: then it
// waits on, and we say so. A program without any would hang for good.
bool Runtime::may_yet_go_on(const Diagnostic& what) const {
    if (threads_of_program() <= 1 && shared_memory_ == nullptr) return false;
    say("warning: " + to_text(what) + "\n  note: it waits on, for the program's other threads or processes; --timeout would end it");
    return true;
}

Error Runtime::execute(Stream& stream, const KernelWork& work) {
    if (const Error error = run_kernel(stream, work); error != Error::success) return error;
    return work.kernel->module->launches_kernels() ? run_children(stream, *work.kernel->module, 1) : Error::success;
}

Error Runtime::run_children(Stream& stream, Module& module, int depth) {
    constexpr int deepest = 24; // as CUDA has it
    const auto image = module.image(stream.device, gpu_, *memory_);
    if (!image) return module.failure();
    std::uint64_t dropped = 0;
    const std::vector<DeviceLaunch> launches = take_device_launches(**image, dropped);
    if (dropped != 0) say(fmt::format("error: {} launches from a kernel are lost: too many are pending at once", dropped));
    if (!launches.empty() && depth > deepest) {
        say(fmt::format("error: kernels launch kernels more than {} deep", deepest));
        device(stream.device).fault = Error::launch_failure;
        return Error::success;
    }
    for (const DeviceLaunch& launch : launches) {
        if (device(stream.device).fault != Error::success) break;
        if (launch.call != DeviceCall::kernel) {
            const Error error = launch.call == DeviceCall::copy ? execute(stream, copy_of(launch)) : execute(stream, fill_of(launch));
            if (error != Error::success) say(fmt::format("error: a kernel cannot copy or fill memory: {}", error_text(error)));
            continue;
        }
        KernelWork work;
        work.kernel = named_kernel(&module, launch.kernel);
        work.grid = launch.grid;
        work.block = launch.block;
        work.dynamic_shared_bytes = launch.dynamic_shared_bytes;
        work.parameters = launch.parameters;
        // A launch that cannot be is an error of the kernel that made it, which it would have asked for; the others go on.
        std::shared_ptr<const emu::Program> program;
        Error error = this->program(*work.kernel, stream.device, program);
        if (error == Error::success) {
            work.parameters.resize(program->parameter_bytes); // the list does not say how many there are
            error = run_kernel(stream, work);
        }
        if (error != Error::success) {
            say(fmt::format("error: a kernel cannot launch {}: {}", launch.kernel, error_text(error)));
            begin_call(); // the host's call does not fail
        }
        if (const Error below = run_children(stream, module, depth + 1); below != Error::success) return below;
    }
    return Error::success;
}

Error Runtime::run_kernel(Stream& stream, const KernelWork& work) {
    std::shared_ptr<const emu::Program> program;
    if (const Error error = this->program(*work.kernel, stream.device, program); error != Error::success) return error;
    if (const Error error = check_launch(work, *program, gpu_); error != Error::success) return refused(error, work);
    device::Launch launch;
    launch.grid = work.grid;
    launch.block = work.block;
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(work.dynamic_shared_bytes);
    launch.parameters = work.parameters;
    launch.cluster = work.cluster;
    device::LaunchPlace place{gpu_, *memory_, settings_.threads};
    place.cooperative = work.cooperative;
    constexpr int limit_stack = 0;
    place.stack_bytes = static_cast<std::uint32_t>(device(stream.device).limit(limit_stack).value_or(0));
    place.stalled = [this](const Diagnostic& what) { return may_yet_go_on(what); };
    record_.begin(work.kernel->name, work.grid, work.block);
    if (checks_ != nullptr) place.checks = &checks_->log();
    emu::FaultKind fault = emu::FaultKind::none;
    place.fault = &fault;
    const Result<double> ran = run_or_count(*program, launch, place);
    for (const Diagnostic& stray : emu::take_stray_accesses(*program))
        if (told_strays_.emplace(work.kernel->name, stray.where.line, stray.where.column).second) say("warning: " + to_text(stray));
    if (checks_ != nullptr) checks_->write();
    if (!ran) {
        say(ran.error());
        record_.fault(ran.error());
        if (ran.error().kind != ErrorKind::check_failed) return refused(because(Error::invalid_configuration, ran.error().message), work);
        device(stream.device).fault = fault_code(fault);
        return Error::success;
    }
    device(stream.device).timeline.issue_kernel(stream, *ran, work.grid.count() >= gpu_.sm_count);
    return Error::success;
}

Result<double> Runtime::run_or_count(const emu::Program& program, const device::Launch& launch, const device::LaunchPlace& place) {
    Counted* counted = nullptr;
    if (settings_.counted != every_launch) {
        const Dim3& grid = launch.grid;
        const Dim3& block = launch.block;
        counted =
            &counted_[{std::string(program.name()), {grid.x, grid.y, grid.z, block.x, block.y, block.z, launch.dynamic_shared_bytes}}];
    }
    if (counted != nullptr && counted->launches >= settings_.counted) {
        const Result<std::uint64_t> ran = device::run_uncounted(program, launch, place);
        if (!ran) return ran.error();
        if (settings_.counted == 0 && counted->launches == 0)
            *counted = {1, 0, record_.only_ran(bare_record(program, launch))};
        else
            record_.uncounted(counted->record);
        return settings_.counted == 0 ? issue_ns(*ran, launch, gpu_) : counted->kernel_ns;
    }
    Result<LaunchRecord> record = device::launch_program(program, launch, place);
    if (!record) return record.error();
    const double time = kernel_ns(*record);
    const std::uint32_t index = record_.launch(*std::move(record));
    if (counted != nullptr) *counted = {counted->launches + 1, time, index};
    return time;
}

} // namespace apod::runtime
