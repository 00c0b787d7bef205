#include "device/emulated/emulated.hpp"

#include "base/interruption.hpp"
#include "device/emulated/launch_limits.hpp"
#include "device/emulated/launch_program.hpp"
#include "device/emulated/pipeline_model.hpp"
#include "device/pipeline.hpp"
#include "emu/check/allocations.hpp"
#include "emu/check/log.hpp"
#include "emu/memory.hpp"
#include "emu/program.hpp"
#include "model/registers.hpp"
#include "ptx/kernel_lookup.hpp"
#include "ptx/module.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace apod::device {

namespace {

// Standard output belongs to the command's results, which a program may be reading.
void print_beside_results(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

KernelInfo kernel_info(const emu::Program& program, const arch::Gpu& gpu) {
    KernelInfo info;
    info.name = std::string(program.name());
    info.display = ptx::demangle(program.name());
    for (const emu::Parameter& parameter : program.parameters) {
        info.parameters.push_back(
            {std::string(parameter.name), std::string(ptx::type_name(parameter.type)), parameter.offset, parameter.bytes});
    }
    info.parameter_bytes = program.parameter_bytes;
    info.static_shared_bytes = program.static_shared_bytes;
    info.registers_per_thread = model::estimated_registers(program, gpu);
    return info;
}

class EmulatedKernel final : public Kernel {
public:
    EmulatedKernel(std::shared_ptr<const emu::Program> program, const arch::Gpu& gpu) :
        program_(std::move(program)), info_(kernel_info(*program_, gpu)) {}

    [[nodiscard]] const KernelInfo& info() const override { return info_; }
    [[nodiscard]] const emu::Program& program() const { return *program_; }

private:
    std::shared_ptr<const emu::Program> program_;
    KernelInfo info_;
};

class EmulatedCode final : public Code {
public:
    EmulatedCode(std::shared_ptr<const emu::Image> image, const arch::Gpu& gpu) : image_(std::move(image)), gpu_(gpu) {}

    [[nodiscard]] std::vector<std::string> kernel_names() const override { return ptx::kernel_displays(image_->module()); }

    Result<std::shared_ptr<Kernel>> kernel(std::string_view name) override {
        const Result<const ptx::Function*> function = ptx::find_kernel(image_->module(), name);
        if (!function) return function.error();
        Result<std::shared_ptr<const emu::Program>> program = emu::lower(image_, (*function)->name);
        if (!program) return program.error();
        return std::shared_ptr<Kernel>(std::make_shared<EmulatedKernel>(*std::move(program), gpu_));
    }

private:
    std::shared_ptr<const emu::Image> image_;
    const arch::Gpu& gpu_;
};

class EmulatedDevice final : public Device, public PipelineTimes {
public:
    EmulatedDevice(arch::Gpu gpu, const EmulatedOptions& options) :
        gpu_(std::move(gpu)), id_("emu:" + gpu_.id), options_(options), memory_(gpu_.memory.size_bytes) {
        if (options_.checks) memory_.enable_checks();
    }

    [[nodiscard]] std::string id() const override { return id_; }
    [[nodiscard]] const arch::Gpu& gpu() const override { return gpu_; }
    [[nodiscard]] bool is_emulated() const override { return true; }

    Result<Address> allocate(std::uint64_t bytes, std::string name) override { return memory_.allocate(bytes, std::move(name)); }
    Result<void> free(Address address) override { return memory_.free(address); }
    Result<void> write(Address to, std::span<const std::byte> from) override { return memory_.write(to, from.data(), from.size()); }
    Result<void> read(std::span<std::byte> to, Address from) override { return memory_.read(to.data(), from, to.size()); }
    Result<void> fill(Address to, std::byte value, std::uint64_t bytes) override { return memory_.fill(to, value, bytes); }

    Result<void> poison(Address to, std::byte value, std::uint64_t bytes) override {
        Result<void> filled = memory_.fill(to, value, bytes);
        if (filled && options_.checks) memory_.checks()->forgot(to, bytes);
        return filled;
    }

    Result<std::shared_ptr<Code>> load(std::string ptx, std::string file) override {
        Result<std::shared_ptr<const ptx::Module>> module = ptx::parse(std::move(ptx), std::move(file));
        if (!module) return module.error();
        if (auto target = check_target(**module, gpu_); !target) return target.error();
        Result<std::shared_ptr<const emu::Image>> image = emu::Image::load(*std::move(module), memory_);
        if (!image) return image.error();
        return std::shared_ptr<Code>(std::make_shared<EmulatedCode>(*std::move(image), gpu_));
    }

    [[nodiscard]] std::vector<CheckReport> check_reports() const override { return log_.reports(); }

    Result<LaunchRecord> launch(Kernel& kernel, const Launch& launch) override {
        const auto* emulated = dynamic_cast<const EmulatedKernel*>(&kernel);
        if (emulated == nullptr) return internal_error("a kernel of another device was launched on " + id_);
        LaunchPlace place{gpu_, memory_, options_.threads, options_.checks ? &log_ : nullptr, print_beside_results};
        place.scenarios = options_.scenarios;
        place.cancel = &stop_requested();
        Result<LaunchRecord> record = launch_program(emulated->program(), launch, place);
        if (record) record->index = launches_++;
        return record;
    }

    Result<PipelineRecord> pipeline(const PipelineShape& shape, const std::vector<double>& kernel_ns) override {
        return predict_pipeline(shape, kernel_ns, gpu_);
    }

private:
    arch::Gpu gpu_;
    std::string id_;
    EmulatedOptions options_;
    emu::DeviceMemory memory_;
    emu::CheckLog log_;
    std::uint32_t launches_ = 0;
};

} // namespace

std::unique_ptr<Device> make_emulated(arch::Gpu gpu, const EmulatedOptions& options) {
    return std::make_unique<EmulatedDevice>(std::move(gpu), options);
}

} // namespace apod::device
