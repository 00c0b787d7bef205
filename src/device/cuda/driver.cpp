#include "device/cuda/driver.hpp"

#include "device/cuda/causes.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod::device::cuda {

namespace {

// Binds functions one after another and remembers the first that is not there.
class Binder {
public:
    explicit Binder(const SharedLibrary& library) : library_(library) {}

    template<class Member> Binder& need(const char* symbol, Member& member) {
        if (!library_.bind(symbol, member) && missing_ == nullptr) missing_ = symbol;
        return *this;
    }
    template<class Member> Binder& want(const char* symbol, Member& member) {
        library_.bind(symbol, member);
        return *this;
    }
    [[nodiscard]] const char* missing() const { return missing_; }

private:
    const SharedLibrary& library_;
    const char* missing_ = nullptr;
};

void bind_devices(Binder& binder, DriverFunctions& f) {
    binder.need("cuInit", f.init)
        .need("cuDriverGetVersion", f.driver_version)
        .need("cuGetErrorName", f.error_name)
        .need("cuGetErrorString", f.error_string)
        .need("cuDeviceGetCount", f.device_count)
        .need("cuDeviceGet", f.device_get)
        .need("cuDeviceGetName", f.device_name)
        .need("cuDeviceGetAttribute", f.device_attribute)
        .need("cuDeviceTotalMem_v2", f.device_memory)
        .need("cuDeviceGetUuid", f.device_uuid)
        .need("cuDeviceGetPCIBusId", f.device_bus_id)
        .need("cuDevicePrimaryCtxRetain", f.context_retain)
        .need("cuDevicePrimaryCtxRelease_v2", f.context_release)
        .need("cuCtxSetCurrent", f.context_set)
        .need("cuCtxSynchronize", f.context_synchronize)
        .want("cuCtxResetPersistingL2Cache", f.context_reset_l2);
}

void bind_memory(Binder& binder, DriverFunctions& f) {
    binder.need("cuMemAlloc_v2", f.allocate)
        .need("cuMemFree_v2", f.free)
        .need("cuMemGetInfo_v2", f.memory_info)
        .need("cuMemcpyHtoD_v2", f.copy_to_device)
        .need("cuMemcpyDtoH_v2", f.copy_to_host)
        .need("cuMemsetD8_v2", f.fill)
        .need("cuMemHostAlloc", f.allocate_host)
        .need("cuMemFreeHost", f.free_host)
        .need("cuMemAllocManaged", f.allocate_managed)
        .need("cuMemHostRegister_v2", f.register_host)
        .need("cuMemHostUnregister", f.unregister_host)
        .need("cuMemHostGetDevicePointer_v2", f.host_device_pointer)
        .need("cuMemcpyAsync", f.copy_async)
        .need("cuMemcpyHtoDAsync_v2", f.copy_to_device_async)
        .need("cuMemcpyDtoHAsync_v2", f.copy_to_host_async)
        .need("cuMemsetD8Async", f.fill_async);
}

void bind_kernels(Binder& binder, DriverFunctions& f) {
    binder.need("cuModuleLoadDataEx", f.module_load)
        .need("cuModuleUnload", f.module_unload)
        .need("cuModuleGetFunction", f.module_function)
        .need("cuFuncGetAttribute", f.function_attribute)
        .need("cuFuncSetAttribute", f.function_set_attribute)
        .need("cuLaunchKernel", f.launch)
        .want("cuLaunchKernelEx", f.launch_ex)
        .want("cuModuleGetFunctionCount", f.module_function_count)
        .want("cuModuleEnumerateFunctions", f.module_functions)
        .want("cuFuncGetName", f.function_name)
        .want("cuFuncGetParamInfo", f.function_parameter);
}

void bind_streams(Binder& binder, DriverFunctions& f) {
    binder.need("cuStreamCreate", f.stream_create)
        .need("cuStreamDestroy_v2", f.stream_destroy)
        .need("cuStreamSynchronize", f.stream_synchronize)
        .need("cuStreamQuery", f.stream_query)
        .need("cuStreamWaitEvent", f.stream_wait)
        .need("cuStreamBeginCapture_v2", f.stream_begin_capture)
        .need("cuStreamEndCapture", f.stream_end_capture)
        .need("cuEventCreate", f.event_create)
        .need("cuEventDestroy_v2", f.event_destroy)
        .need("cuEventRecord", f.event_record)
        .need("cuEventSynchronize", f.event_synchronize)
        .need("cuEventQuery", f.event_query)
        .need("cuEventElapsedTime", f.event_elapsed)
        .need("cuGraphInstantiateWithFlags", f.graph_instantiate)
        .need("cuGraphLaunch", f.graph_launch)
        .need("cuGraphDestroy", f.graph_destroy)
        .need("cuGraphExecDestroy", f.graph_exec_destroy);
}

} // namespace

Result<std::shared_ptr<const Driver>> Driver::load(const std::string& library) {
    Result<std::shared_ptr<SharedLibrary>> loaded = SharedLibrary::open(library);
    if (!loaded) {
        Diagnostic error = loaded.error();
        error.hint = "install NVIDIA's driver; in a container, give it the GPU (docker run --gpus all)";
        return error;
    }
    DriverFunctions functions = {};
    Binder binder(**loaded);
    bind_devices(binder, functions);
    bind_memory(binder, functions);
    bind_kernels(binder, functions);
    bind_streams(binder, functions);
    if (binder.missing() != nullptr)
        return unavailable(fmt::format("{} has no {}", library, binder.missing()),
                           "install a driver for CUDA 11.4 or newer (470 and later)");
    const bool emulated = (*loaded)->find("cuApodIsEmulated") != nullptr;
    const auto hold = reinterpret_cast<Driver::Hold>((*loaded)->find("cuApodHold"));
    auto driver = std::make_shared<const Driver>(*std::move(loaded), functions, emulated, hold);
    if (const Result<void> ready = driver->check("cuInit", functions.init(0)); !ready) return ready.error();
    return driver;
}

int Driver::version() const {
    int version = 0;
    return call.driver_version(&version) == 0 ? version : 0;
}

std::string Driver::name_of(Status status) const {
    const char* name = nullptr;
    if (call.error_name(status, &name) == 0 && name != nullptr) return name;
    return fmt::format("error {}", status);
}

Diagnostic Driver::error(std::string_view function, Status status, std::string_view subject) const {
    const Cause cause = cause_of(status);
    Diagnostic diagnostic;
    diagnostic.kind = cause.kind;
    const char* words = nullptr;
    std::string plain = cause.words;
    if (plain.empty() && call.error_string(status, &words) == 0 && words != nullptr) plain = words;
    diagnostic.message = subject.empty() ? fmt::format("{}: {}", function, plain) : fmt::format("{}: {}: {}", subject, function, plain);
    diagnostic.message += fmt::format(" ({}, {})", name_of(status), status);
    diagnostic.hint = cause.hint;
    return diagnostic;
}

} // namespace apod::device::cuda
