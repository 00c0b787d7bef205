// Kernels that kernels launch (dynamic parallelism).
//
// nvcc compiles such a launch into calls of CUDA's device runtime, of which a program carries machine code only. In its place the program
// is linked with a unit of our own PTX: a launch becomes an entry in a list in device memory. When the kernel is over the list is read and
// its kernels are run. CUDA lets a child begin at any time before the end of its parent's completion and makes nobody wait for it within
// the parent, so this order is one that a GPU could have had.
#pragma once

#include "apod/record.hpp"
#include "emu/program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apod::runtime {

// Whether a unit calls the device runtime, and the unit that defines what it calls.
[[nodiscard]] bool calls_device_runtime(std::string_view ptx);
[[nodiscard]] std::string device_launch_ptx();

enum class DeviceCall : std::uint8_t { kernel, copy, fill };

struct DeviceLaunch {
    DeviceCall call = DeviceCall::kernel; // a copy has its destination, source and bytes as parameters; a fill destination, value and bytes
    std::string kernel;                   // its name in the module
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::byte> parameters; // as many bytes as parameters can have
};

// Takes the launches that the module's kernels have made since the last call: those of a block in its order, the blocks in theirs, tail
// launches behind all others, so that the order is the same for any number of threads. `dropped` counts those for which there was no room.
[[nodiscard]] std::vector<DeviceLaunch> take_device_launches(const emu::Image& image, std::uint64_t& dropped);

} // namespace apod::runtime
