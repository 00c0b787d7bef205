#include "device/cuda/shared_library.hpp"

#include <dlfcn.h>

namespace apod::device::cuda {

Result<std::shared_ptr<SharedLibrary>> SharedLibrary::open(const std::string& name) {
    void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* why = ::dlerror();
        return unavailable("cannot load " + name + ": " + (why == nullptr ? "no reason given" : why));
    }
    return std::make_shared<SharedLibrary>(handle);
}

void* SharedLibrary::find(const char* symbol) const { return ::dlsym(handle_, symbol); }

} // namespace apod::device::cuda
