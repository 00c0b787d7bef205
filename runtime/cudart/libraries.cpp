// Libraries: modules that a program loads, and the driver's entries by name.
#include "runtime/core/load.hpp"
#include "runtime/cudart/call.hpp"

#include <dlfcn.h>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

using apod::emu::DeviceAddress;
using apod::emu::Image;

constexpr int cuda_version = 13000;

template<class Body> Error image_call(Module* library, const Body& body) {
    return call([&](Runtime& runtime) {
        std::shared_ptr<const Image> image;
        const Error error = image_of(runtime, library, image);
        return error != Error::success ? error : body(runtime, *image);
    });
}

template<class Find> Error variable_call(void** address, Module* library, const Find& find) {
    if (address == nullptr) return remember(Error::invalid_value);
    return image_call(library, [&](Runtime&, const Image& image) {
        DeviceAddress at = 0;
        const Error error = find(image, &at);
        if (error == Error::success) *address = reinterpret_cast<void*>(at);
        return error;
    });
}

using GetProcAddress = Error (*)(const char*, void**, int, std::uint64_t, int*);

// Our libcuda lies beside this library; it is loaded when a program first asks for it.
GetProcAddress driver() {
    static const auto get = [] {
        void* library = ::dlopen("libcuda.so.1", RTLD_NOW);
        return library != nullptr ? reinterpret_cast<GetProcAddress>(::dlsym(library, "cuGetProcAddress_v2")) : nullptr;
    }();
    return get;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaLibraryLoadData(Module** library, const void* code, const int* options, void** values, unsigned count, const int*, void**,
                          unsigned) {
    if (library == nullptr || code == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        JitLog log(count, options, values);
        std::vector<PtxUnit> units;
        const Error error = units_of(runtime, code, loaded_name, units, log);
        return error != Error::success ? error : load(runtime, std::move(units), *library, log);
    });
}

Error cudaLibraryLoadFromFile(Module** library, const char* path, const int* options, void** values, unsigned count, const int*, void**,
                              unsigned) {
    if (library == nullptr || path == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        JitLog log(count, options, values);
        std::vector<PtxUnit> units;
        const Error error = units_of_file(runtime, path, units, log);
        return error != Error::success ? error : load(runtime, std::move(units), *library, log);
    });
}

Error cudaLibraryUnload(Module* library) {
    return call([&](Runtime& runtime) {
        if (!runtime.is_module(library)) return Error::invalid_resource_handle;
        runtime.remove_module(library);
        return Error::success;
    });
}

Error cudaLibraryGetKernel(Kernel** kernel, Module* library, const char* name) {
    if (kernel == nullptr || name == nullptr) return remember(Error::invalid_value);
    return image_call(library, [&](Runtime& runtime, const Image& image) { return find_kernel(runtime, image, library, name, kernel); });
}

Error cudaLibraryGetKernelCount(unsigned* count, Module* library) {
    if (count == nullptr) return remember(Error::invalid_value);
    return image_call(library, [&](Runtime&, const Image& image) {
        *count = kernel_count(image);
        return Error::success;
    });
}

Error cudaLibraryEnumerateKernels(Kernel** kernels, unsigned count, Module* library) {
    if (kernels == nullptr) return remember(Error::invalid_value);
    return image_call(library, [&](Runtime& runtime, const Image& image) {
        list_kernels(runtime, image, library, kernels, count);
        return Error::success;
    });
}

Error cudaLibraryGetGlobal(void** address, std::size_t* bytes, Module* library, const char* name) {
    if (name == nullptr) return remember(Error::invalid_value);
    return variable_call(address, library, [&](const Image& image, DeviceAddress* at) { return find_variable(image, name, at, bytes); });
}

Error cudaLibraryGetManaged(void** address, std::size_t* bytes, Module* library, const char* name) {
    if (name == nullptr) return remember(Error::invalid_value);
    return variable_call(address, library, [&](const Image& image, DeviceAddress* at) { return find_managed(image, name, at, bytes); });
}

Error cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version, std::uint64_t flags, int* status) {
    if (driver() == nullptr) return remember(Error::not_supported);
    return remember(driver()(symbol, function, static_cast<int>(version), flags, status));
}

Error cudaGetDriverEntryPoint(const char* symbol, void** function, std::uint64_t flags, int* status) {
    return cudaGetDriverEntryPointByVersion(symbol, function, cuda_version, flags, status);
}

Error cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function, unsigned version, std::uint64_t flags, int* status) {
    constexpr std::uint64_t per_thread = 2;
    return cudaGetDriverEntryPointByVersion(symbol, function, version, flags != 0 ? flags : per_thread, status);
}

Error cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, std::uint64_t flags, int* status) {
    return cudaGetDriverEntryPointByVersion_ptsz(symbol, function, cuda_version, flags, status);
}

} // extern "C"
#pragma GCC visibility pop
