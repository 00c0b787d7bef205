#include "runtime/core/module.hpp"

#include "device/emulated/launch_limits.hpp"
#include "runtime/core/fatbin.hpp"

namespace apod::runtime {

Result<std::string> Module::text(const arch::Gpu& gpu) {
    if (fatbin_ == nullptr) return ptx_;
    const Result<std::uint64_t> bytes = fatbin_bytes(fatbin_);
    if (!bytes) return bytes.error();
    const Result<std::vector<FatbinEntry>> entries = read_fatbin({fatbin_, *bytes});
    if (!entries) return entries.error();
    const auto architecture = static_cast<std::uint32_t>(gpu.cc.number());
    const FatbinEntry* entry = best_ptx(*entries, architecture);
    if (entry != nullptr) return ptx_text(*entry);
    failure_ = Error::no_kernel_image_for_device;
    return no_ptx(*entries, architecture, program_);
}

Result<std::shared_ptr<const ptx::Module>> Module::parsed(const arch::Gpu& gpu) {
    if (module_) return module_;
    Result<std::string> ptx = text(gpu);
    if (!ptx) return ptx.error();
    return ptx::parse(*std::move(ptx), "PTX of " + program_);
}

Result<std::shared_ptr<const emu::Image>> Module::image(int device, const arch::Gpu& gpu, emu::DeviceMemory& memory) {
    if (const auto found = images_.find(device); found != images_.end()) return found->second;
    if (failure_ != Error::success) return diagnostic_;
    const auto failed = [this](const Diagnostic& diagnostic) {
        if (failure_ == Error::success) failure_ = Error::invalid_ptx;
        diagnostic_ = diagnostic;
        return diagnostic;
    };
    const Result<std::shared_ptr<const ptx::Module>> module = parsed(gpu);
    if (!module) return failed(module.error());
    module_ = *module;
    if (const Result<void> target = device::check_target(*module_, gpu); !target) return failed(target.error());
    const Result<std::shared_ptr<const emu::Image>> image = emu::Image::load(module_, memory);
    if (!image) return failed(image.error());
    images_[device] = *image;
    return *image;
}

} // namespace apod::runtime
