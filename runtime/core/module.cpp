#include "runtime/core/module.hpp"

#include "device/emulated/launch_limits.hpp"
#include "runtime/core/fatbin.hpp"

namespace apod::runtime {

Result<void> Module::find_units(const arch::Gpu& gpu) {
    if (!units_.empty()) return {};
    if (fatbin_ == nullptr) return bad_input({program_, 0, 0}, "its device code is not in a form that is known");
    const Result<std::uint64_t> bytes = fatbin_bytes(fatbin_);
    if (!bytes) return bytes.error();
    const Result<std::vector<FatbinEntry>> entries = read_fatbin({fatbin_, *bytes});
    if (!entries) return entries.error();
    const auto architecture = static_cast<std::uint32_t>(gpu.cc.number());
    const FatbinEntry* entry = best_ptx(*entries, architecture);
    if (entry == nullptr) {
        failure_ = Error::no_kernel_image_for_device;
        return no_ptx(*entries, architecture, program_);
    }
    Result<std::string> text = ptx_text(*entry);
    if (!text) return text.error();
    units_.push_back({"PTX of " + program_, *std::move(text)});
    return {};
}

Result<std::shared_ptr<const ptx::Module>> Module::parsed(const arch::Gpu& gpu) {
    if (module_) return module_;
    if (const Result<void> found = find_units(gpu); !found) return found.error();
    Result<std::shared_ptr<const ptx::Module>> module = ptx::parse(std::move(units_[0].text), units_[0].name);
    units_.clear();
    return module;
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
