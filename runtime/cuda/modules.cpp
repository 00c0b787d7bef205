// Modules: loading, and finding kernels and variables in them.
#include "runtime/core/load.hpp"
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

using apod::emu::Image;

// Loads what `read(Runtime&, units, log) -> Error` found into the current context.
template<class Read> Error load_module(Module** module, JitLog log, const Read& read) {
    if (module == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context& context) {
        std::vector<PtxUnit> units;
        if (const Error error = read(runtime, units, log); error != Error::success) return error;
        if (const Error error = load(runtime, std::move(units), *module, log); error != Error::success) return error;
        context.modules.insert(*module);
        return Error::success;
    });
}

template<class Body> Error image_call(Module* module, const Body& body) {
    return call([&](Runtime& runtime, Context&) {
        std::shared_ptr<const Image> image;
        const Error error = image_of(runtime, module, image);
        return error != Error::success ? error : body(runtime, *image);
    });
}

Error unload(Module* module) {
    return global_call([&](Runtime& runtime) {
        if (!runtime.is_module(module)) return invalid_handle;
        if (Context* context = Contexts::instance().current(runtime); Contexts::instance().known(context)) context->modules.erase(module);
        runtime.remove_module(module);
        return Error::success;
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuModuleLoadDataEx(Module** module, const void* image, unsigned count, int* options, void** values) {
    if (image == nullptr) return refuse(Error::invalid_value);
    return load_module(module, JitLog(count, options, values), [&](Runtime& runtime, std::vector<PtxUnit>& units, JitLog& log) {
        return units_of(runtime, image, loaded_name, units, log);
    });
}

Error cuModuleLoadData(Module** module, const void* image) { return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr); }
Error cuModuleLoadFatBinary(Module** module, const void* fatbin) { return cuModuleLoadDataEx(module, fatbin, 0, nullptr, nullptr); }

Error cuModuleLoad(Module** module, const char* path) {
    if (path == nullptr) return refuse(Error::invalid_value);
    return load_module(module, JitLog(0, nullptr, nullptr), [&](Runtime& runtime, std::vector<PtxUnit>& units, JitLog& log) {
        return units_of_file(runtime, path, units, log);
    });
}

Error cuModuleUnload(Module* module) { return unload(module); }

Error cuModuleGetLoadingMode(int* mode) {
    if (mode == nullptr) return refuse(Error::invalid_value);
    *mode = 1; // eager
    return Error::success;
}

Error cuModuleGetFunction(Kernel** kernel, Module* module, const char* name) {
    if (kernel == nullptr || name == nullptr) return refuse(Error::invalid_value);
    return image_call(module, [&](Runtime& runtime, const Image& image) { return find_kernel(runtime, image, module, name, kernel); });
}

Error cuModuleGetFunctionCount(unsigned* count, Module* module) {
    if (count == nullptr) return refuse(Error::invalid_value);
    return image_call(module, [&](Runtime&, const Image& image) {
        *count = kernel_count(image);
        return Error::success;
    });
}

Error cuModuleEnumerateFunctions(Kernel** kernels, unsigned count, Module* module) {
    if (kernels == nullptr) return refuse(Error::invalid_value);
    return image_call(module, [&](Runtime& runtime, const Image& image) {
        list_kernels(runtime, image, module, kernels, count);
        return Error::success;
    });
}

Error cuModuleGetGlobal_v2(Address* address, std::size_t* bytes, Module* module, const char* name) {
    if (name == nullptr) return refuse(Error::invalid_value);
    return image_call(module, [&](Runtime&, const Image& image) { return find_variable(image, name, address, bytes); });
}

// A library is a module that no context owns: it is made ready on each device that asks something of it.
Error cuLibraryLoadData(Module** library, const void* code, int* jit_options, void** jit_values, unsigned jit_count, int*, void**,
                        unsigned) {
    if (library == nullptr || code == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        JitLog log(jit_count, jit_options, jit_values);
        std::vector<PtxUnit> units;
        if (const Error error = units_of(runtime, code, loaded_name, units, log); error != Error::success) return error;
        return load(runtime, std::move(units), *library, log);
    });
}

Error cuLibraryLoadFromFile(Module** library, const char* path, int* jit_options, void** jit_values, unsigned jit_count, int*, void**,
                            unsigned) {
    if (library == nullptr || path == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        JitLog log(jit_count, jit_options, jit_values);
        std::vector<PtxUnit> units;
        if (const Error error = units_of_file(runtime, path, units, log); error != Error::success) return error;
        return load(runtime, std::move(units), *library, log);
    });
}

Error cuLibraryUnload(Module* library) { return unload(library); }

Error cuLibraryGetKernel(Kernel** kernel, Module* library, const char* name) {
    if (kernel == nullptr || name == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        std::shared_ptr<const Image> image;
        const Error error = image_of(runtime, library, image);
        return error != Error::success ? error : find_kernel(runtime, *image, library, name, kernel);
    });
}

Error cuLibraryGetKernelCount(unsigned* count, Module* library) { return cuModuleGetFunctionCount(count, library); }
Error cuLibraryEnumerateKernels(Kernel** kernels, unsigned count, Module* library) {
    return cuModuleEnumerateFunctions(kernels, count, library);
}

Error cuLibraryGetModule(Module** module, Module* library) {
    if (module == nullptr) return refuse(Error::invalid_value);
    return image_call(library, [&](Runtime&, const Image&) {
        *module = library;
        return Error::success;
    });
}

Error cuLibraryGetGlobal(Address* address, std::size_t* bytes, Module* library, const char* name) {
    return cuModuleGetGlobal_v2(address, bytes, library, name);
}

Error cuLibraryGetManaged(Address* address, std::size_t* bytes, Module* library, const char* name) {
    if (name == nullptr) return refuse(Error::invalid_value);
    return image_call(library, [&](Runtime&, const Image& image) { return find_managed(image, name, address, bytes); });
}

} // extern "C"
#pragma GCC visibility pop
