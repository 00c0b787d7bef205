#include "runtime/core/module.hpp"

#include "device/emulated/launch_limits.hpp"
#include "ptx/link.hpp"
#include "runtime/core/device_launch.hpp"
#include "runtime/core/readable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::runtime {

namespace {

Result<std::vector<FatbinEntry>> entries_of(const std::byte* fatbin, const std::string& program) {
    if (fatbin == nullptr) return bad_input({program, 0, 0}, "its device code is not in a form that is known");
    const Result<std::uint64_t> bytes = fatbin_bytes(fatbin);
    if (!bytes) return bytes.error();
    return read_fatbin({fatbin, readable_bytes(fatbin, *bytes)});
}

bool holds_ptx(const std::vector<FatbinEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(), [](const FatbinEntry& entry) { return entry.kind == EntryKind::ptx; });
}

} // namespace

Result<bool> Module::add_unit(const std::vector<FatbinEntry>& entries, const arch::Gpu& gpu, std::string name) {
    const FatbinEntry* entry = best_ptx(entries, static_cast<std::uint32_t>(gpu.cc.number()));
    if (entry == nullptr) return false;
    Result<std::string> text = ptx_text(*entry);
    if (!text) return text.error();
    units_.push_back({std::move(name), *std::move(text)});
    return true;
}

Result<void> Module::find_units(const arch::Gpu& gpu) {
    if (!units_.empty()) return {};
    const Result<std::vector<FatbinEntry>> whole = entries_of(fatbin_, program_);
    if (!whole) return whole.error();
    Result<bool> found = add_unit(*whole, gpu, "PTX of " + program_);
    if (!found) return found.error();
    std::vector<FatbinEntry> unfit = *whole;
    for (std::size_t part = 0; part < parts_.size() && !*found; ++part) {
        const Result<std::vector<FatbinEntry>> entries = entries_of(parts_[part], program_);
        if (!entries) return entries.error();
        const Result<bool> added = add_unit(*entries, gpu, fmt::format("PTX of {}, unit {}", program_, part + 1));
        if (!added) return added.error();
        if (*added || entries->empty()) continue;
        unfit = *entries;
        if (!holds_ptx(*entries)) units_.clear(); // without one of the program's units nothing is whole
        if (units_.empty()) break;                // a unit with PTX for newer devices alone is CUDA's own device runtime
    }
    if (!units_.empty()) return {};
    failure_ = Error::no_kernel_image_for_device;
    return no_ptx(unfit, static_cast<std::uint32_t>(gpu.cc.number()), program_);
}

Result<std::shared_ptr<const ptx::Module>> Module::parsed(const arch::Gpu& gpu) {
    if (module_) return module_;
    if (const Result<void> found = find_units(gpu); !found) return found.error();
    std::vector<ptx::LinkUnit> units;
    for (PtxUnit& unit : units_) units.push_back({std::move(unit.text), std::move(unit.name)});
    units_.clear();
    launches_kernels_ = std::any_of(units.begin(), units.end(), [](const ptx::LinkUnit& unit) { return calls_device_runtime(unit.text); });
    if (launches_kernels_) units.push_back({device_launch_ptx(), "apod's device runtime"});
    return ptx::link(std::move(units));
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
