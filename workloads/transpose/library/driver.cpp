#include "workloads/transpose/library/driver.hpp"

#include "workloads/transpose/library/ptx.hpp"

#include <dlfcn.h>

#include <string>
#include <type_traits>

namespace apod::transposing {

namespace {

constexpr int device_ordinal_of_pointer = 9; // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
constexpr int compute_capability_major = 75; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int compute_capability_minor = 76;
constexpr int oldest_driver = 12000; // whose libraries are good for all contexts

} // namespace

const Driver& Driver::get() {
    static const Driver driver;
    return driver;
}

Driver::Driver() {
    void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const why = ::dlerror();
        status_ = TransposeStatus(std::string("transpose: CUDA's driver cannot be loaded: ") + (why == nullptr ? "no reason given" : why) +
                                  "; install NVIDIA's driver, run the program under `apod run`, or use transpose_on_cpu");
        return;
    }
    if (const auto version = reinterpret_cast<int (*)(int*)>(::dlsym(library, "cuDriverGetVersion")); version != nullptr) {
        int number = 0;
        if (version(&number) == 0 && number < oldest_driver) {
            status_ = TransposeStatus("transpose: the driver is one of CUDA " + std::to_string(number / 1000) + "." +
                                      std::to_string(number % 1000 / 10) + "; 12.0 or later is needed");
            return;
        }
    }
    bind(library);
    if (!status_) return;
    if (const int error = calls_.init(0); error != 0) status_ = failed("CUDA cannot be used", error);
}

void Driver::bind(void* library) {
    const auto need = [&](const char* name, auto& function) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
        if (function == nullptr && status_.ok()) status_ = TransposeStatus(std::string("transpose: CUDA's driver has no ") + name);
    };
    need("cuInit", calls_.init);
    need("cuDriverGetVersion", calls_.version);
    need("cuGetErrorName", calls_.error_name);
    need("cuGetErrorString", calls_.error_text);
    need("cuCtxGetCurrent", calls_.current_context);
    need("cuCtxSetCurrent", calls_.set_context);
    need("cuDeviceGet", calls_.device_get);
    need("cuDeviceGetCount", calls_.device_count);
    need("cuDeviceGetAttribute", calls_.device_attribute);
    need("cuDevicePrimaryCtxRetain", calls_.retain_primary);
    need("cuPointerGetAttribute", calls_.pointer_attribute);
    need("cuLibraryLoadData", calls_.load_library);
    need("cuLibraryGetKernel", calls_.kernel_of_library);
    need("cuKernelGetFunction", calls_.function_of_kernel);
    need("cuFuncSetAttribute", calls_.set_function_attribute);
    need("cuLaunchKernel", calls_.launch);
    need("cuMemcpy2DAsync_v2", calls_.copy_2d);
}

bool Driver::has_old_gpu() const {
    int count = 0;
    if (calls_.device_count(&count) != 0) return false; // loading will say what is wrong
    for (int i = 0; i < count; ++i) {
        int device = 0;
        int major = 0;
        int minor = 0;
        if (calls_.device_get(&device, i) != 0 || calls_.device_attribute(&major, compute_capability_major, device) != 0 ||
            calls_.device_attribute(&minor, compute_capability_minor, device) != 0)
            continue;
        if (10 * major + minor < 75) return true;
    }
    return false;
}

TransposeStatus Driver::kernel(int element_bytes, const char* name, void** kernel) const {
    const std::lock_guard held(lock_);
    void*& library = libraries_[static_cast<std::size_t>(element_bytes)];
    if (library == nullptr) {
        const char* const ptx = ptx_of(element_bytes);
        const std::string old = has_old_gpu() ? for_old_gpus(ptx) : std::string();
        if (const int error = calls_.load_library(&library, old.empty() ? ptx : old.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
            error != 0) {
            library = nullptr;
            return failed("the kernels cannot be loaded", error);
        }
    }
    if (const int error = calls_.kernel_of_library(kernel, library, name); error != 0) return failed(name, error);
    return {};
}

TransposeStatus Driver::failed(const char* what, int error) const {
    const char* name = nullptr;
    const char* text = nullptr;
    calls_.error_name(error, &name);
    calls_.error_text(error, &text);
    return TransposeStatus(std::string("transpose: ") + what + ": " + (text == nullptr ? "unknown error" : text) + " (" +
                           (name == nullptr ? std::to_string(error) : name) + ")");
}

ContextFor::ContextFor(const Driver& driver, std::uint64_t address) : driver_(driver) {
    const DriverCalls& calls = driver.calls();
    void* context = nullptr;
    if (const int error = calls.current_context(&context); error != 0) status_ = driver.failed("no context", error);
    if (context != nullptr || !status_) return;
    int device = 0;
    int error = calls.pointer_attribute(&device, device_ordinal_of_pointer, address);
    if (error != 0) { // a driver may want a context to be asked in
        use(0);
        error = calls.pointer_attribute(&device, device_ordinal_of_pointer, address);
        if (error != 0 && status_.ok()) status_ = driver.failed("the output is no memory that CUDA knows of", error);
        if (device == 0) return;
    }
    if (status_.ok()) use(device);
}

void ContextFor::use(int ordinal) {
    const DriverCalls& calls = driver_.calls();
    int device = 0;
    void* context = nullptr;
    int error = calls.device_get(&device, ordinal);
    if (error == 0) error = calls.retain_primary(&context, device); // kept until the process ends, as the runtime library keeps its own
    if (error == 0) error = calls.set_context(context);
    if (error != 0) status_ = driver_.failed("the device of the output cannot be used", error);
    set_ = set_ || error == 0;
}

ContextFor::~ContextFor() {
    if (set_) driver_.calls().set_context(nullptr);
}

} // namespace apod::transposing
