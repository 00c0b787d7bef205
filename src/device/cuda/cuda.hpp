// GPUs as Devices, through libcuda and NVML, both loaded at run time: apod needs no CUDA toolkit, and runs where there is no GPU.
#pragma once

#include "device/device.hpp"
#include "device/facts.hpp"

#include <memory>
#include <string>
#include <vector>

namespace apod::device {

// Where the libraries are looked for: names as the loader knows them, or paths.
struct CudaLibraries {
    std::string driver = "libcuda.so.1";
    std::string nvml = "libnvidia-ml.so.1";
};

// The GPUs that the driver sees. No driver, or one that does not start: unavailable, and says why.
Result<std::vector<DeviceFacts>> cuda_devices(const CudaLibraries& libraries = {});

// cuda:<ordinal>. Times are those of events around the kernel; where the driver is apod's own, over the emulator, they are predictions and
// marked so. Not there: unavailable.
Result<std::unique_ptr<Device>> open_cuda(int ordinal, const CudaLibraries& libraries = {});

} // namespace apod::device
