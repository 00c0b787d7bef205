// Programs that compile at run time and ask NVRTC for machine code get the PTX of the same compilation in its place: it is what our driver
// loads, and a real driver would load it as well. A compilation for a virtual architecture has no machine code, and none is made up.
// NVRTC itself is NVIDIA's; these two of its functions come before its own because this library is loaded before all others.
#include <cstddef>
#include <cstdlib>

#include <dlfcn.h>

namespace {

constexpr int internal_error = 11; // NVRTC_ERROR_INTERNAL_ERROR

using SizeFunction = int (*)(void*, std::size_t*);
using DataFunction = int (*)(void*, char*);

template<typename Function> Function next(const char* name) { return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name)); }

bool emulated() { return std::getenv("APOD_DEVICE") != nullptr; }

} // namespace

#define APOD_SHOWN __attribute__((visibility("default")))

extern "C" {

APOD_SHOWN int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
    const auto own = next<SizeFunction>("nvrtcGetCUBINSize");
    const auto ptx = next<SizeFunction>("nvrtcGetPTXSize");
    if (own == nullptr || ptx == nullptr) return internal_error;
    const int result = own(program, bytes);
    return result == 0 && *bytes != 0 && emulated() ? ptx(program, bytes) : result;
}

APOD_SHOWN int nvrtcGetCUBIN(void* program, char* data) {
    const auto own = next<DataFunction>("nvrtcGetCUBIN");
    const auto ptx = next<DataFunction>("nvrtcGetPTX");
    const auto size = next<SizeFunction>("nvrtcGetCUBINSize");
    if (own == nullptr || ptx == nullptr || size == nullptr) return internal_error;
    std::size_t bytes = 0;
    if (!emulated() || size(program, &bytes) != 0 || bytes == 0) return own(program, data);
    return ptx(program, data);
}
}
