// One launch on the emulated GPU, from the prepared program to its record: what the emulated Device and the CUDA runtime over it share.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "device/device.hpp"
#include "emu/launch.hpp"
#include "emu/memory.hpp"
#include "emu/program.hpp"
#include "model/scenario.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace apod::device {

// Where a launch runs.
struct LaunchPlace {
    const arch::Gpu& gpu;
    emu::DeviceMemory& memory;
    unsigned threads = 0;                             // worker threads; 0: all cores
    emu::CheckLog* checks = nullptr;                  // takes the kernel's mistakes; null: no checks. The memory has its checks enabled
    std::function<void(std::string_view)> print = {}; // what kernels print; empty: standard output, as on a GPU
    emu::FaultKind* fault = nullptr;                  // takes what stopped the kernel
    bool cooperative = false;                         // the blocks may wait for each other
    std::uint32_t stack_bytes = 0;                    // of a thread; 0: the emulator's usual
    const std::atomic<bool>* cancel = nullptr;        // true: stops, and says where it was
    std::function<bool(const Diagnostic& what)> stalled = {}; // emu::RunOptions::stalled
    std::span<const model::Scenario> scenarios = {};          // LaunchRecord::estimates has an answer to each
};

// Checks the launch against the GPU's limits (bad_input that names the limit), runs it (a fault of the kernel is check_failed) and counts.
// The record has neither index nor findings.
[[nodiscard]] Result<LaunchRecord> launch_program(const emu::Program& program, const Launch& launch, const LaunchPlace& place);

// The same without counting: what the kernel computes, and how many warp instructions of PTX that took.
[[nodiscard]] Result<std::uint64_t> run_uncounted(const emu::Program& program, const Launch& launch, const LaunchPlace& place);

} // namespace apod::device
