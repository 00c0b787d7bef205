#include "runtime/core/load.hpp"

#include "base/file.hpp"
#include "runtime/core/readable.hpp"
#include "runtime/core/thread.hpp"

#include <algorithm>

namespace apod::runtime {
namespace {

Error read(Runtime& runtime, std::span<const std::byte> image, const std::string& name, std::vector<PtxUnit>& units, JitLog& log) {
    Diagnostic why;
    const Error error = read_image(image, runtime.gpu(), name, units, why);
    if (error != Error::success) log.error(why);
    return error;
}

} // namespace

Error units_of(Runtime& runtime, const void* image, const std::string& name, std::vector<PtxUnit>& units, JitLog& log) {
    const auto* data = static_cast<const std::byte*>(image);
    return read(runtime, {data, readable_bytes(data, image_bytes(data))}, name, units, log);
}

Error units_of_file(Runtime& runtime, const char* path, std::vector<PtxUnit>& units, JitLog& log) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) {
        log.error(bytes.error());
        return Error::file_not_found;
    }
    return read(runtime, {reinterpret_cast<const std::byte*>(bytes->data()), bytes->size()}, path, units, log);
}

Error load(Runtime& runtime, std::vector<PtxUnit> units, Module*& module, JitLog& log) {
    Module* added = runtime.add_module(std::move(units));
    const auto image = added->image(thread_state().device, runtime.gpu(), runtime.device_memory());
    if (!image) {
        const Error error = added->failure();
        log.error(image.error());
        runtime.remove_module(added);
        return error;
    }
    module = added;
    return Error::success;
}

Error image_of(Runtime& runtime, Module* module, std::shared_ptr<const emu::Image>& image) {
    if (!runtime.is_module(module)) return Error::invalid_resource_handle;
    const auto made = module->image(thread_state().device, runtime.gpu(), runtime.device_memory());
    if (!made) return module->failure();
    image = *made;
    return Error::success;
}

unsigned kernel_count(const emu::Image& image) {
    const auto& functions = image.module().functions;
    return static_cast<unsigned>(std::count_if(functions.begin(), functions.end(), [](const auto& f) { return f.is_entry; }));
}

Error find_kernel(Runtime& runtime, const emu::Image& image, Module* module, const char* name, Kernel** kernel) {
    const ptx::Function* function = image.module().find_function(name);
    if (function == nullptr || !function->is_entry) return Error::symbol_not_found;
    *kernel = runtime.named_kernel(module, name);
    return Error::success;
}

void list_kernels(Runtime& runtime, const emu::Image& image, Module* module, Kernel** kernels, unsigned count) {
    for (const ptx::Function& function : image.module().functions) {
        if (!function.is_entry) continue;
        if (count == 0) break;
        *kernels++ = runtime.named_kernel(module, std::string(function.name));
        --count;
    }
}

Error find_variable(const emu::Image& image, const char* name, emu::DeviceAddress* address, std::size_t* bytes) {
    const emu::DeviceAddress at = image.address_of(name);
    if (at == 0) return Error::symbol_not_found;
    if (address != nullptr) *address = at;
    if (bytes != nullptr) *bytes = image.module().find_variable(name)->size_bytes();
    return Error::success;
}

Error find_managed(const emu::Image& image, const char* name, emu::DeviceAddress* address, std::size_t* bytes) {
    const ptx::Variable* variable = image.module().find_variable(name);
    return variable != nullptr && variable->managed ? find_variable(image, name, address, bytes) : Error::symbol_not_found;
}

} // namespace apod::runtime
