// One GPU in use: its driver, its number and its primary context, shared by all that is made on it.
#pragma once

#include "device/cuda/driver.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace apod::device::cuda {

// The primary context is the one that CUDA's runtime uses, so streams and memory of a user's own program are valid here and the other way
// round. Released when the last user goes.
class Gpu {
public:
    // Not there or not usable: unavailable.
    static Result<std::shared_ptr<Gpu>> open(std::shared_ptr<const Driver> driver, int ordinal);
    Gpu(std::shared_ptr<const Driver> driver, DeviceNumber number, Context context) :
        driver_(std::move(driver)), number_(number), context_(context) {}
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;
    ~Gpu();

    [[nodiscard]] const Driver& driver() const { return *driver_; }
    [[nodiscard]] const std::shared_ptr<const Driver>& shared_driver() const { return driver_; }
    [[nodiscard]] DeviceNumber number() const { return number_; }
    [[nodiscard]] int attribute(int id) const; // CUdevice_attribute; 0 when the driver does not know it

    // The driver's functions, with this GPU's context current.
    [[nodiscard]] const DriverFunctions& call() const {
        driver_->call.context_set(context_);
        return driver_->call;
    }
    // As Driver::check. Where a kernel has faulted, `subject` empty: the last kernel that was launched is named.
    [[nodiscard]] Result<void> check(std::string_view function, Status status, std::string_view subject = {}) const;
    [[nodiscard]] Diagnostic error(std::string_view function, Status status, std::string_view subject = {}) const;

    void launched(std::string_view kernel) { last_kernel_ = kernel; }

private:
    std::shared_ptr<const Driver> driver_;
    DeviceNumber number_;
    Context context_;
    std::string last_kernel_;
};

} // namespace apod::device::cuda
