// Launching kernels and host functions.
#include "runtime/core/kernel_facts.hpp"
#include "runtime/cuda/arguments.hpp"
#include "runtime/cuda/kernel_call.hpp"

#include <algorithm>
#include <cstring>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr int attribute_cooperative = 2;
constexpr int attribute_cluster = 4;

struct Arguments {
    void** each;  // a pointer to each argument
    void** extra; // or pairs of a mark and a pointer: one block laid out by the program, and its size
};

KernelWork shaped(const unsigned (&grid)[3], const unsigned (&block)[3], unsigned dynamic_shared_bytes) {
    KernelWork work;
    work.grid = {grid[0], grid[1], grid[2]};
    work.block = {block[0], block[1], block[2]};
    work.dynamic_shared_bytes = dynamic_shared_bytes;
    return work;
}

// CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE, _END.
Error unpack_extra(const apod::emu::Program& program, void** extra, std::vector<std::byte>& packed) {
    constexpr std::uintptr_t end = 0;
    constexpr std::uintptr_t buffer_pointer = 1;
    constexpr std::uintptr_t buffer_size = 2;
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    for (; reinterpret_cast<std::uintptr_t>(*extra) != end; extra += 2) {
        const auto mark = reinterpret_cast<std::uintptr_t>(*extra);
        if (mark == buffer_pointer)
            buffer = extra[1];
        else if (mark == buffer_size)
            bytes = *static_cast<const std::size_t*>(extra[1]);
        else
            return Error::invalid_value;
    }
    // The last argument's end is enough: the block's size is rounded up.
    std::size_t needed = 0;
    for (const apod::emu::Parameter& parameter : program.parameters)
        needed = std::max<std::size_t>(needed, parameter.offset + parameter.bytes);
    if (bytes < needed || (buffer == nullptr && bytes != 0)) return Error::invalid_value;
    packed.assign(program.parameter_bytes, std::byte{0});
    if (needed != 0) std::memcpy(packed.data(), buffer, std::min<std::size_t>(bytes, packed.size()));
    return Error::success;
}

Error pack(const apod::emu::Program& program, const Arguments& arguments, std::vector<std::byte>& packed) {
    if (arguments.each != nullptr && arguments.extra != nullptr) return Error::invalid_value;
    if (arguments.extra != nullptr) return unpack_extra(program, arguments.extra, packed);
    return pack_parameters(program, arguments.each, packed);
}

Error launch(Stream* handle, Kernel* kernel, KernelWork work, const Arguments& arguments) {
    return kernel_call(kernel, [&](Runtime& runtime, Kernel& found, const apod::emu::Program& program) {
        Stream* stream = runtime.find_stream(handle);
        if (stream == nullptr) return invalid_handle;
        work.kernel = &found;
        if (const Error error = pack(program, arguments, work.parameters); error != Error::success) return error;
        return runtime.submit(*stream, work);
    });
}

} // namespace

namespace apod::runtime::cuda {

Error pack_arguments(const emu::Program& program, void** each, void** extra, std::vector<std::byte>& packed) {
    return pack(program, {each, extra}, packed);
}

} // namespace apod::runtime::cuda

#pragma GCC visibility push(default)
extern "C" {

Error cuLaunchKernel(Kernel* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                     unsigned block_z, unsigned dynamic_shared, Stream* stream, void** arguments, void** extra) {
    return launch(stream, kernel, shaped({grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_shared), {arguments, extra});
}

Error cuLaunchCooperativeKernel(Kernel* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                                unsigned block_z, unsigned dynamic_shared, Stream* stream, void** arguments) {
    KernelWork work = shaped({grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_shared);
    work.cooperative = true;
    return launch(stream, kernel, work, {arguments, nullptr});
}

Error cuLaunchKernelEx(const LaunchConfiguration* configuration, Kernel* kernel, void** arguments, void** extra) {
    if (configuration == nullptr || (configuration->attribute_count != 0 && configuration->attributes == nullptr))
        return Error::invalid_value;
    KernelWork work = shaped(configuration->grid, configuration->block, configuration->dynamic_shared_bytes);
    for (unsigned i = 0; i < configuration->attribute_count; ++i) {
        const LaunchAttribute& attribute = configuration->attributes[i];
        if (attribute.id == attribute_cooperative) work.cooperative = attribute.value.number != 0;
        if (attribute.id == attribute_cluster)
            work.cluster = {attribute.value.cluster[0], attribute.value.cluster[1], attribute.value.cluster[2]};
    }
    return launch(configuration->stream, kernel, work, {arguments, extra});
}

Error cuLaunchHostFunc(Stream* handle, void (*function)(void*), void* data) {
    if (function == nullptr) return refuse(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) { return runtime.submit(stream, HostWork{function, data}); });
}

Error cuLaunchKernel_ptsz(Kernel* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned dynamic_shared, Stream* stream, void** arguments, void** extra) {
    return cuLaunchKernel(kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared, per_thread(stream), arguments, extra);
}

Error cuLaunchCooperativeKernel_ptsz(Kernel* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                                     unsigned block_z, unsigned dynamic_shared, Stream* stream, void** arguments) {
    return cuLaunchCooperativeKernel(kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared, per_thread(stream),
                                     arguments);
}

Error cuLaunchKernelEx_ptsz(const LaunchConfiguration* configuration, Kernel* kernel, void** arguments, void** extra) {
    if (configuration == nullptr) return refuse(Error::invalid_value);
    LaunchConfiguration own = *configuration;
    own.stream = per_thread(own.stream);
    return cuLaunchKernelEx(&own, kernel, arguments, extra);
}

Error cuLaunchHostFunc_ptsz(Stream* stream, void (*function)(void*), void* data) {
    return cuLaunchHostFunc(per_thread(stream), function, data);
}

} // extern "C"
#pragma GCC visibility pop
