#include "tests/emu/hardware.hpp"

#include <fmt/format.h>

#include <dlfcn.h>

namespace apod::emu::testing {

namespace {

// The driver API, as its documentation declares it. CUresult 0 is success.
using Result = int;
using Pointer = std::uint64_t;

template<class Function> struct Entry {
    Function* call = nullptr;
    void find(void* library, const char* name) { call = reinterpret_cast<Function*>(dlsym(library, name)); }
};

struct Driver {
    Entry<Result(unsigned)> init;
    Entry<Result(int*, int)> device;
    Entry<Result(void**, int)> retain;
    Entry<Result(void*)> make_current;
    Entry<Result(void**, const void*, unsigned, int*, void**)> load;
    Entry<Result(void*)> unload;
    Entry<Result(void**, void*, const char*)> function;
    Entry<Result(Pointer*, std::size_t)> allocate;
    Entry<Result(Pointer)> free;
    Entry<Result(Pointer, const void*, std::size_t)> write;
    Entry<Result(void*, Pointer, std::size_t)> read;
    Entry<Result(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**)> launch;
    Entry<Result()> synchronize;
    std::string error;

    Driver() {
        void* library = dlopen("libcuda.so.1", RTLD_NOW);
        if (library == nullptr) {
            error = "no NVIDIA driver: libcuda.so.1 cannot be loaded";
            return;
        }
        init.find(library, "cuInit");
        device.find(library, "cuDeviceGet");
        retain.find(library, "cuDevicePrimaryCtxRetain");
        make_current.find(library, "cuCtxSetCurrent");
        load.find(library, "cuModuleLoadDataEx");
        unload.find(library, "cuModuleUnload");
        function.find(library, "cuModuleGetFunction");
        allocate.find(library, "cuMemAlloc_v2");
        free.find(library, "cuMemFree_v2");
        write.find(library, "cuMemcpyHtoD_v2");
        read.find(library, "cuMemcpyDtoH_v2");
        launch.find(library, "cuLaunchKernel");
        synchronize.find(library, "cuCtxSynchronize");
        int number = 0;
        void* context = nullptr;
        if (init.call(0) != 0 || device.call(&number, 0) != 0 || retain.call(&context, number) != 0 || make_current.call(context) != 0)
            error = "GPU 0 cannot be used";
    }
};

const Driver& driver() {
    static const Driver one;
    return one;
}

std::string launch(KernelRun& run, void* function) {
    const Driver& cuda = driver();
    std::vector<Pointer> places;
    std::vector<void*> parameters;
    places.reserve(run.buffers.size());
    std::string error;
    for (const auto& buffer : run.buffers) {
        places.push_back(0);
        if (cuda.allocate.call(&places.back(), buffer.size()) != 0) error = "out of memory on the GPU";
        if (error.empty()) (void)cuda.write.call(places.back(), buffer.data(), buffer.size());
        parameters.push_back(&places.back());
    }
    for (std::uint32_t& scalar : run.scalars) parameters.push_back(&scalar);
    if (error.empty()) {
        Result result = cuda.launch.call(function, run.blocks, 1, 1, run.threads, 1, 1, 0, nullptr, parameters.data(), nullptr);
        if (result == 0) result = cuda.synchronize.call();
        if (result != 0) error = fmt::format("the launch failed with CUDA error {}", result);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (error.empty()) (void)cuda.read.call(run.buffers[i].data(), places[i], run.buffers[i].size());
        (void)cuda.free.call(places[i]);
    }
    return error;
}

} // namespace

std::string run_on_hardware(KernelRun& run) {
    const Driver& cuda = driver();
    if (!cuda.error.empty()) return cuda.error;
    std::vector<char> log(4096);
    int options[] = {5, 6}; // CU_JIT_ERROR_LOG_BUFFER, its size
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    void* module = nullptr;
    if (cuda.load.call(&module, run.text.c_str(), 2, options, values) != 0) return std::string("refused: ") + log.data();
    void* function = nullptr;
    std::string error = cuda.function.call(&function, module, "k") != 0 ? "the module has no kernel k" : launch(run, function);
    (void)cuda.unload.call(module);
    return error;
}

} // namespace apod::emu::testing
