// A program, and as a shared library a plug-in of it, that carries functions with the names of NVIDIA's static runtime, so that the
// redirection is tested where there is no nvcc. Each of them ends the process: none may ever run.   usage: stand_in [PLUGIN]
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

#if defined(__clang__)
#define STAND_IN extern "C" __attribute__((noinline, visibility("hidden")))
#else
#define STAND_IN extern "C" __attribute__((noipa, visibility("hidden")))
#endif

namespace {

[[noreturn]] void ran(const char* name) {
    std::printf("%s was not redirected\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

} // namespace

// Shorter than a jump.
__asm__(".text\n.p2align 4\n.globl cudaPeekAtLastError\n.hidden cudaPeekAtLastError\n.type cudaPeekAtLastError, @function\n"
        "cudaPeekAtLastError:\nud2\nret\n.size cudaPeekAtLastError, 3\n");
extern "C" int cudaPeekAtLastError();

STAND_IN void** __cudaRegisterFatBinary(void*) { ran("__cudaRegisterFatBinary"); }
STAND_IN int cudaRuntimeGetVersion(int*) { ran("cudaRuntimeGetVersion"); }
STAND_IN int cudaGetDeviceCount(int*) { ran("cudaGetDeviceCount"); }

namespace {

int early_version = 0;

// As nvcc's own registration does, this calls the runtime before main.
__attribute__((constructor)) void before_main() { cudaRuntimeGetVersion(&early_version); }

int check() {
    int devices = 0;
    const bool right = cudaGetDeviceCount(&devices) == 0 && devices == 1 && cudaPeekAtLastError() == 0 && early_version == 13000;
    std::printf("%d devices, version %d: %s\n", devices, early_version, right ? "PASS" : "not so");
    return right ? 0 : 1;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int check_plugin() { return check(); }

int main(int argc, char** argv) {
    if (argc < 2) return check();
    void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) {
        std::printf("%s\n", dlerror());
        return 1;
    }
    auto* function = reinterpret_cast<int (*)()>(dlsym(plugin, "check_plugin"));
    return function != nullptr ? function() : 1;
}
