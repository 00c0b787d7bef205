// Launching kernels, and what is asked of them.
#include "runtime/cudart/launch.hpp"
#include "runtime/core/kernel_facts.hpp"
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace apod::runtime::cudart {

Error pack_parameters(Runtime& runtime, Kernel& kernel, int device, void** arguments, std::vector<std::byte>& packed) {
    std::shared_ptr<const emu::Program> program;
    if (const Error error = runtime.program(kernel, device, program); error != Error::success) return error;
    return runtime::pack_parameters(*program, arguments, packed);
}

Error launch(Stream* handle, const void* function, KernelWork work, void** arguments) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        work.kernel = runtime.find_kernel(function);
        if (work.kernel == nullptr) return because(Error::invalid_resource_handle, "that is no kernel of the program"); // so does an H200
        if (const Error error = pack_parameters(runtime, *work.kernel, stream.device, arguments, work.parameters); error != Error::success)
            return error;
        return runtime.submit(stream, work);
    });
}

} // namespace apod::runtime::cudart

namespace {

KernelWork shaped(Dim grid, Dim block, std::size_t dynamic_shared_bytes) {
    KernelWork work;
    work.grid = {grid.x, grid.y, grid.z};
    work.block = {block.x, block.y, block.z};
    work.dynamic_shared_bytes = dynamic_shared_bytes;
    return work;
}

constexpr int attribute_cooperative = 2;
constexpr int attribute_cluster = 4;

void apply(const LaunchAttribute& attribute, KernelWork& work) {
    if (attribute.id == attribute_cooperative) work.cooperative = attribute.value.number != 0;
    if (attribute.id == attribute_cluster)
        work.cluster = {attribute.value.cluster[0], attribute.value.cluster[1], attribute.value.cluster[2]};
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

unsigned __cudaPushCallConfiguration(Dim grid, Dim block, std::size_t dynamic_shared_bytes, Stream* stream) {
    this_thread().shapes.push_back({grid, block, dynamic_shared_bytes, stream});
    return 0;
}

Error __cudaPopCallConfiguration(Dim* grid, Dim* block, std::size_t* dynamic_shared_bytes, void* stream) {
    std::vector<LaunchShape>& shapes = this_thread().shapes;
    if (shapes.empty()) return remember(Error::missing_configuration);
    const LaunchShape shape = shapes.back();
    shapes.pop_back();
    *grid = shape.grid;
    *block = shape.block;
    *dynamic_shared_bytes = shape.dynamic_shared_bytes;
    *static_cast<Stream**>(stream) = shape.stream;
    return Error::success;
}

Error __cudaGetKernel(Kernel** handle, const void* function) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    *handle = runtime.find_kernel(function);
    return *handle != nullptr ? Error::success : remember(Error::invalid_device_function);
}

Error cudaGetKernel(Kernel** handle, const void* function) { return __cudaGetKernel(handle, function); }
Error cudaGetFuncBySymbol(Kernel** handle, const void* function) { return __cudaGetKernel(handle, function); }

Error __cudaLaunchKernel(Kernel* kernel, Dim grid, Dim block, void** arguments, std::size_t dynamic_shared_bytes, Stream* stream) {
    return launch(stream, kernel, shaped(grid, block, dynamic_shared_bytes), arguments);
}

Error cudaLaunchKernel(const void* function, Dim grid, Dim block, void** arguments, std::size_t dynamic_shared_bytes, Stream* stream) {
    return launch(stream, function, shaped(grid, block, dynamic_shared_bytes), arguments);
}

Error cudaLaunchCooperativeKernel(const void* function, Dim grid, Dim block, void** arguments, std::size_t dynamic_shared_bytes,
                                  Stream* stream) {
    KernelWork work = shaped(grid, block, dynamic_shared_bytes);
    work.cooperative = true;
    return launch(stream, function, work, arguments);
}

Error cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* function, void** arguments) {
    if (configuration == nullptr) return remember(Error::invalid_value);
    KernelWork work = shaped(configuration->grid, configuration->block, configuration->dynamic_shared_bytes);
    for (unsigned i = 0; i < configuration->attribute_count; ++i) apply(configuration->attributes[i], work);
    return launch(configuration->stream, function, work, arguments);
}

Error cudaLaunchHostFunc(Stream* handle, void (*function)(void*), void* data) {
    if (function == nullptr) return remember(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) { return runtime.submit(stream, HostWork{function, data}); });
}

Error cudaStreamAddCallback(Stream* handle, void (*function)(Stream*, Error, void*), void* data, unsigned) {
    if (function == nullptr) return remember(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        if (const Error error = runtime.captures().wait_for(stream); error != Error::success) return error; // host nodes take no status
        function(handle, Error::success, data);
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
