#include "device/cuda/context.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod::device::cuda {

Result<std::shared_ptr<Gpu>> Gpu::open(std::shared_ptr<const Driver> driver, int ordinal) {
    int count = 0;
    if (const Result<void> done = driver->check("cuDeviceGetCount", driver->call.device_count(&count)); !done) return done.error();
    if (count == 0) return unavailable("the driver sees no GPU", "check nvidia-smi and CUDA_VISIBLE_DEVICES");
    if (ordinal < 0 || ordinal >= count) {
        return unavailable(fmt::format("there is no GPU cuda:{}: the driver sees {}", ordinal, count),
                           fmt::format("take cuda:0{}", count > 1 ? fmt::format(" to cuda:{}", count - 1) : std::string()));
    }
    DeviceNumber number = 0;
    if (const Result<void> done = driver->check("cuDeviceGet", driver->call.device_get(&number, ordinal)); !done) return done.error();
    Context context = nullptr;
    const std::string subject = fmt::format("cuda:{}", ordinal);
    if (const Result<void> done = driver->check("cuDevicePrimaryCtxRetain", driver->call.context_retain(&context, number), subject); !done)
        return done.error();
    auto gpu = std::make_shared<Gpu>(std::move(driver), number, context);
    if (const Result<void> done = gpu->check("cuCtxSetCurrent", gpu->driver().call.context_set(context), subject); !done)
        return done.error();
    return gpu;
}

Gpu::~Gpu() { driver_->call.context_release(number_); }

int Gpu::attribute(int id) const {
    int value = 0;
    return driver_->call.device_attribute(&value, id, number_) == 0 ? value : 0;
}

Diagnostic Gpu::error(std::string_view function, Status status, std::string_view subject) const {
    Diagnostic diagnostic = driver_->error(function, status, subject);
    if (diagnostic.kind == ErrorKind::check_failed && subject.empty() && !last_kernel_.empty())
        diagnostic.notes.push_back(fmt::format("the last kernel that was launched is {}", last_kernel_));
    return diagnostic;
}

Result<void> Gpu::check(std::string_view function, Status status, std::string_view subject) const {
    if (status == 0) return {};
    return error(function, status, subject);
}

} // namespace apod::device::cuda
