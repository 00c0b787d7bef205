// Launching a kernel.
#include "device/cuda/module.hpp"
#include "device/launch_limits.hpp"

#include <fmt/format.h>

namespace apod::device::cuda {

namespace {

// CUfunction_attribute
constexpr int max_dynamic_shared = 8;
// CUlaunchAttributeID
constexpr int cluster_dimension = 4;
// What every block may use without asking.
constexpr std::uint32_t plain_shared_bytes = 48 * 1024;

// CU_LAUNCH_PARAM_*
constexpr std::uintptr_t parameters_end = 0;
constexpr std::uintptr_t parameters_pointer = 1;
constexpr std::uintptr_t parameters_size = 2;

void* mark(std::uintptr_t value) { return reinterpret_cast<void*>(value); }

} // namespace

Result<void> CudaKernel::allow_shared(const Launch& launch) {
    const std::uint32_t dynamic = launch.dynamic_shared_bytes;
    if (info_.static_shared_bytes + dynamic <= plain_shared_bytes || dynamic <= allowed_dynamic_shared_) return {};
    const Status status = gpu_->call().function_set_attribute(function_, max_dynamic_shared, static_cast<int>(dynamic));
    if (const Result<void> done = gpu_->check("cuFuncSetAttribute", status, "kernel " + info_.display); !done) return done;
    allowed_dynamic_shared_ = dynamic;
    return {};
}

Result<void> CudaKernel::launch(const Launch& launch, StreamHandle stream, const arch::Gpu& description) {
    if (const Result<void> shape = check_shape(launch, description); !shape) return of_kernel(info_.display, shape.error());
    if (const Result<void> fits = check_memory(info_.static_shared_bytes, info_.parameter_bytes, launch, description); !fits)
        return of_kernel(info_.display, fits.error());
    if (const Result<void> allowed = allow_shared(launch); !allowed) return allowed;
    std::size_t bytes = launch.parameters.size();
    auto* parameters = const_cast<std::byte*>(launch.parameters.data()); // read only by the driver
    void* packed[] = {mark(parameters_pointer), parameters, mark(parameters_size), &bytes, mark(parameters_end)};
    void** extra = bytes == 0 ? nullptr : packed;
    const DriverFunctions& call = gpu_->call();
    gpu_->launched(info_.display);
    if (launch.cluster.count() == 0) {
        const Status status = call.launch(function_, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y,
                                          launch.block.z, launch.dynamic_shared_bytes, stream, nullptr, extra);
        return gpu_->check("cuLaunchKernel", status, "kernel " + info_.display);
    }
    if (call.launch_ex == nullptr)
        return unavailable("this driver cannot launch clusters of blocks", "install a driver for CUDA 11.8 or newer");
    LaunchAttribute cluster = {};
    cluster.id = cluster_dimension;
    cluster.value.cluster[0] = launch.cluster.x;
    cluster.value.cluster[1] = launch.cluster.y;
    cluster.value.cluster[2] = launch.cluster.z;
    const LaunchConfiguration configuration = {{launch.grid.x, launch.grid.y, launch.grid.z},
                                               {launch.block.x, launch.block.y, launch.block.z},
                                               launch.dynamic_shared_bytes,
                                               stream,
                                               &cluster,
                                               1};
    return gpu_->check("cuLaunchKernelEx", call.launch_ex(&configuration, function_, nullptr, extra), "kernel " + info_.display);
}

} // namespace apod::device::cuda
