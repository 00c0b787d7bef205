// Modules and kernels on a GPU, from PTX (which the driver compiles) or from a cubin.
#pragma once

#include "arch/gpu.hpp"
#include "device/cuda/context.hpp"
#include "device/device.hpp"

#include <memory>
#include <string>

namespace apod::device::cuda {

class CudaKernel final : public Kernel {
public:
    CudaKernel(std::shared_ptr<Gpu> gpu, std::shared_ptr<void> module, Function function, KernelInfo info) :
        gpu_(std::move(gpu)), module_(std::move(module)), function_(function), info_(std::move(info)) {}

    [[nodiscard]] const KernelInfo& info() const override { return info_; }

    // Queues the kernel. A launch that the device cannot do is bad_input and says which limit it breaks.
    Result<void> launch(const Launch& launch, StreamHandle stream, const arch::Gpu& description);

private:
    Result<void> allow_shared(const Launch& launch);

    std::shared_ptr<Gpu> gpu_;
    std::shared_ptr<void> module_; // keeps it loaded
    Function function_;
    KernelInfo info_;
    std::uint32_t allowed_dynamic_shared_ = 0; // beyond 48 KiB with the static part, once asked for
};

// `code` is PTX text or the bytes of a cubin. The driver's compiler's log is in the error's notes. PTX gives the parameters' types; a cubin
// tells their sizes alone, and the types follow from the kernel's C++ signature where it has one.
Result<std::shared_ptr<Code>> load_code(std::shared_ptr<Gpu> gpu, std::string code, std::string file);

} // namespace apod::device::cuda
