// Running one kernel launch on the emulated GPU.
//
//   ptx::parse -> emu::load (Image: variables placed in device memory) -> emu::lower (Program) -> emu::run (Execution, events to sinks)
#pragma once

#include "apod/record.hpp"
#include "base/result.hpp"
#include "emu/event.hpp"
#include "emu/fault_kind.hpp"
#include "emu/memory.hpp"
#include "emu/program.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace apod::emu {

class CheckLog;

struct LaunchConfig {
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::span<const std::byte> parameters; // packed as Program::parameters says
    Dim3 cluster{0, 0, 0};                 // blocks of a cluster that the launch asks for; 0: as the kernel says
};

// Of the threads that run a launch beside the calling one, in /proc.
inline constexpr const char* worker_name = "apod worker";

struct RunOptions {
    std::uint32_t sm_count = 1;              // blocks are placed round robin
    unsigned threads = 0;                    // 0: all cores
    std::uint64_t max_blocks = 0;            // 0: all; otherwise only the first so many (whole rounds over the SMs are the caller's care)
    std::uint64_t first_block = 0;           // the run begins with this one, a multiple of sm_count; max_blocks counts from here
    std::uint64_t watchdog_instructions = 0; // warp instructions a block may execute before it is stopped; 0: no limit
    const std::atomic<bool>* cancel = nullptr;
    std::uint32_t stack_bytes = 16384; // local memory of a thread for the functions that a kernel calls and for alloca
    // Asked once where nothing in the launch has changed for `stalled_after_s` seconds: blocks wait in loops for memory that nobody on the
    // device writes any more. False: the launch ends with that as its fault. Not all such launches are noticed. Empty: nobody looks.
    std::function<bool(const Diagnostic& what)> stalled;
    double stalled_after_s = 10;
    bool cooperative = false; // the blocks may wait for each other (grid.sync()): all of them are kept running at once
    // The mistakes of the kernel go here, and out-of-bounds accesses do not stop it; one worker runs the launch. Null: no checks. The
    // memory must have its checks enabled.
    CheckLog* checks = nullptr;
    FaultKind* fault = nullptr; // takes what stopped the kernel: the number of its error follows from it, not from the message
    // What printf and failed assertions of the kernel write, whole lines of one block after the other's; once the launch is over, also when
    // it failed. Empty: standard output and standard error.
    std::function<void(std::string_view)> print;
    std::function<void(std::string_view)> print_error;
};

// The cluster dimensions that a launch has: those asked for, else the kernel's own (.reqnctapercluster), else single blocks. Errors,
// bad_input: other dimensions than the kernel requires, more than 16 blocks or more than .maxclusterrank allows, a grid that they do not
// divide, a kernel that needs them (.explicitcluster) launched without.
[[nodiscard]] Result<Dim3> cluster_of_launch(const Program& program, const LaunchConfig& config);

// How often one op of the program ran. Exact, and independent of the number of threads.
struct OpCount {
    std::uint64_t warps = 0;   // warp instructions
    std::uint64_t threads = 0; // active lanes, summed
};

struct Execution {
    std::vector<OpCount> counts; // by Program::ops index
    std::uint64_t blocks_run = 0;
    std::uint64_t blocks_total = 0;
    std::uint64_t warps_run = 0;
    std::uint64_t barriers = 0; // block-wide barrier phases completed
};

// Makes the sink of worker 0..n-1; null: no events wanted. Called from the calling thread before the run.
using SinkFactory = std::function<EventSink*(unsigned worker)>;

// Runs the launch to its end. A fault of the kernel (out of bounds, misaligned address, barrier deadlock, trap, watchdog) is a
// check_failed Diagnostic: kernel, source line, block, thread, address, nearest allocation. Memory keeps what was written before.
Result<Execution> run(const Program& program, const LaunchConfig& config, DeviceMemory& memory, const RunOptions& options,
                      const SinkFactory& sinks = {});

} // namespace apod::emu
