#include "device/cuda/cubin.hpp"

#include "base/nearest.hpp"
#include "ptx/module.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace apod::device::cuda {

namespace {

constexpr Status invalid_value = 1; // cuFuncGetParamInfo beyond the last parameter

// Of "f(float*, int, float)": {"float*", "int", "float"}. Nothing for a name without a parameter list.
std::vector<std::string_view> signature_of(std::string_view display) {
    std::vector<std::string_view> types;
    const std::size_t open = display.rfind('(');
    if (open == std::string_view::npos || display.back() != ')') return types;
    std::string_view list = display.substr(open + 1, display.size() - open - 2);
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= list.size(); ++at) {
        if (at < list.size() && list[at] == '<') ++depth;
        if (at < list.size() && list[at] == '>') --depth;
        if (at != list.size() && (list[at] != ',' || depth != 0)) continue;
        types.push_back(list.substr(begin, at - begin));
        begin = at + 2; // ", "
    }
    return types;
}

std::string type_of(std::string_view cxx, std::size_t bytes) {
    if (cxx == "float") return "f32";
    if (cxx == "double") return "f64";
    return fmt::format("b{}", 8 * (bytes == 1 || bytes == 2 || bytes == 4 ? bytes : bytes % 8 == 0 ? 8 : 1));
}

Result<KernelInfo> describe(const Gpu& gpu, Function function) {
    const DriverFunctions& call = gpu.call();
    const char* name = nullptr;
    if (const Result<void> done = gpu.check("cuFuncGetName", call.function_name(&name, function)); !done) return done.error();
    KernelInfo info;
    info.name = name;
    info.display = ptx::demangle(name);
    const std::vector<std::string_view> types = signature_of(info.display);
    for (std::size_t index = 0;; ++index) {
        std::size_t offset = 0;
        std::size_t bytes = 0;
        const Status status = call.function_parameter(function, index, &offset, &bytes);
        if (status == invalid_value) break;
        if (const Result<void> done = gpu.check("cuFuncGetParamInfo", status, "kernel " + info.display); !done) return done.error();
        info.parameters.push_back({fmt::format("parameter_{}", index), type_of(index < types.size() ? types[index] : "", bytes),
                                   static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes)});
        info.parameter_bytes = static_cast<std::uint32_t>(offset + bytes);
    }
    return info;
}

std::string_view bare(std::string_view display) { return display.substr(0, display.find('(')); }

} // namespace

bool is_cubin(std::string_view code) {
    return code.starts_with("\x7f"
                            "ELF");
}

Result<std::vector<KernelInfo>> cubin_kernels(const Gpu& gpu, Module module) {
    const DriverFunctions& call = gpu.call();
    if (call.module_function_count == nullptr || call.module_functions == nullptr || call.function_name == nullptr ||
        call.function_parameter == nullptr)
        return unavailable("this driver cannot tell what a cubin holds", "give PTX, or install a driver for CUDA 12.4 or newer");
    unsigned count = 0;
    if (const Result<void> done = gpu.check("cuModuleGetFunctionCount", call.module_function_count(&count, module)); !done)
        return done.error();
    std::vector<Function> functions(count);
    if (const Result<void> done = gpu.check("cuModuleEnumerateFunctions", call.module_functions(functions.data(), count, module)); !done)
        return done.error();
    std::vector<KernelInfo> kernels;
    for (const Function function : functions) {
        Result<KernelInfo> kernel = describe(gpu, function);
        if (!kernel) return kernel.error();
        kernels.push_back(*std::move(kernel));
    }
    return kernels;
}

Result<std::size_t> find_in_cubin(const std::vector<KernelInfo>& kernels, std::string_view name, const std::string& file) {
    std::vector<std::size_t> found;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (kernels[i].name == name || kernels[i].display == name) return i;
        if (bare(kernels[i].display) == name) found.push_back(i);
        known.emplace_back(bare(kernels[i].display));
    }
    if (found.size() == 1) return found.front();
    Diagnostic error = found.empty() ? bad_input({file, 0, 0}, fmt::format("there is no kernel '{}'", name), nearest_hint(name, known))
                                     : bad_input({file, 0, 0}, fmt::format("'{}' names {} kernels", name, found.size()),
                                                 "write the parameters too, or the mangled name");
    error.notes.push_back(fmt::format("kernels of this module: {}", fmt::join(known, ", ")));
    return error;
}

} // namespace apod::device::cuda
