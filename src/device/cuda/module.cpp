#include "device/cuda/module.hpp"

#include "device/cuda/cubin.hpp"
#include "ptx/kernel_lookup.hpp"
#include "ptx/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace apod::device::cuda {

namespace {

// CUjit_option
constexpr int error_log = 5;
constexpr int error_log_bytes = 6;
constexpr int generate_line_info = 13;

// CUfunction_attribute
constexpr int shared_bytes = 1;
constexpr int registers = 4;

void add_log(Diagnostic& diagnostic, std::string_view log) {
    while (!log.empty()) {
        const std::size_t end = std::min(log.find('\n'), log.size());
        if (end > 0) diagnostic.notes.emplace_back(log.substr(0, end));
        log.remove_prefix(std::min(end + 1, log.size()));
    }
}

// Loaded by the driver; unloaded when the last kernel of it goes.
Result<std::shared_ptr<void>> load_module(const std::shared_ptr<Gpu>& gpu, const std::string& code, const std::string& file) {
    std::string log(16384, '\0');
    int options[] = {error_log, error_log_bytes, generate_line_info};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size()), reinterpret_cast<void*>(std::uintptr_t{1})};
    Module module = nullptr;
    const Status status = gpu->call().module_load(&module, code.c_str(), 3, options, values);
    if (status != 0) {
        Diagnostic diagnostic = gpu->error("cuModuleLoadDataEx", status);
        diagnostic.where.file = file;
        add_log(diagnostic, std::string_view(log.c_str()));
        return diagnostic;
    }
    return std::shared_ptr<void>(module, [gpu](void* loaded) { gpu->call().module_unload(static_cast<Module>(loaded)); });
}

std::uint32_t attribute_of(const Gpu& gpu, Function function, int id) {
    int value = 0;
    return gpu.call().function_attribute(&value, id, function) == 0 ? static_cast<std::uint32_t>(value) : 0;
}

Result<std::shared_ptr<Kernel>> make_kernel(const std::shared_ptr<Gpu>& gpu, const std::shared_ptr<void>& module, KernelInfo info) {
    Function function = nullptr;
    const Status status = gpu->call().module_function(&function, static_cast<Module>(module.get()), info.name.c_str());
    if (const Result<void> found = gpu->check("cuModuleGetFunction", status, "kernel " + info.display); !found) return found.error();
    info.static_shared_bytes = attribute_of(*gpu, function, shared_bytes);
    info.registers_per_thread = attribute_of(*gpu, function, registers);
    return std::shared_ptr<Kernel>(std::make_shared<CudaKernel>(gpu, module, function, std::move(info)));
}

class PtxCode final : public Code {
public:
    PtxCode(std::shared_ptr<Gpu> gpu, std::shared_ptr<void> module, std::shared_ptr<const ptx::Module> text) :
        gpu_(std::move(gpu)), module_(std::move(module)), text_(std::move(text)) {}

    [[nodiscard]] std::vector<std::string> kernel_names() const override { return ptx::kernel_displays(*text_); }

    Result<std::shared_ptr<Kernel>> kernel(std::string_view name) override {
        const Result<const ptx::Function*> found = ptx::find_kernel(*text_, name);
        if (!found) return found.error();
        KernelInfo info;
        info.name = std::string((*found)->name);
        info.display = ptx::demangle((*found)->name);
        for (const ptx::Variable& parameter : (*found)->parameters) {
            const auto bytes = static_cast<std::uint32_t>(parameter.size_bytes());
            const auto alignment = static_cast<std::uint32_t>(std::max<std::uint64_t>(parameter.alignment_bytes(), 1));
            const std::uint32_t offset = (info.parameter_bytes + alignment - 1) / alignment * alignment;
            info.parameters.push_back({std::string(parameter.name), std::string(ptx::type_name(parameter.type)), offset, bytes});
            info.parameter_bytes = offset + bytes;
        }
        return make_kernel(gpu_, module_, std::move(info));
    }

private:
    std::shared_ptr<Gpu> gpu_;
    std::shared_ptr<void> module_;
    std::shared_ptr<const ptx::Module> text_;
};

class CubinCode final : public Code {
public:
    CubinCode(std::shared_ptr<Gpu> gpu, std::shared_ptr<void> module, std::vector<KernelInfo> kernels, std::string names) :
        gpu_(std::move(gpu)), module_(std::move(module)), kernels_(std::move(kernels)), names_(std::move(names)) {}

    [[nodiscard]] std::vector<std::string> kernel_names() const override {
        std::vector<std::string> names;
        for (const KernelInfo& kernel : kernels_) names.push_back(kernel.display);
        return names;
    }

    Result<std::shared_ptr<Kernel>> kernel(std::string_view name) override {
        const Result<std::size_t> found = find_in_cubin(kernels_, name, names_);
        if (!found) return found.error();
        return make_kernel(gpu_, module_, kernels_[*found]);
    }

private:
    std::shared_ptr<Gpu> gpu_;
    std::shared_ptr<void> module_;
    std::vector<KernelInfo> kernels_;
    std::string names_;
};

} // namespace

Result<std::shared_ptr<Code>> load_code(std::shared_ptr<Gpu> gpu, std::string code, std::string file) {
    if (is_cubin(code)) {
        Result<std::shared_ptr<void>> module = load_module(gpu, code, file);
        if (!module) return module.error();
        Result<std::vector<KernelInfo>> kernels = cubin_kernels(*gpu, static_cast<Module>(module->get()));
        if (!kernels) return kernels.error();
        return std::shared_ptr<Code>(std::make_shared<CubinCode>(std::move(gpu), *std::move(module), *std::move(kernels), std::move(file)));
    }
    // Our own parser first: its errors have a place, and it knows the parameters' types.
    Result<std::shared_ptr<const ptx::Module>> text = ptx::parse(code, file);
    if (!text) return text.error();
    Result<std::shared_ptr<void>> module = load_module(gpu, code, file);
    if (!module) return module.error();
    return std::shared_ptr<Code>(std::make_shared<PtxCode>(std::move(gpu), *std::move(module), *std::move(text)));
}

} // namespace apod::device::cuda
