// libapod_preload.so: `apod run` has the loader put it before all else in the program. Its constructor runs before any other (the library
// is linked with -z initfirst) and redirects the CUDA runtimes that the program carries. Without apod it does nothing.
#include "runtime/static_runtime/objects.hpp"

#include <string_view>

namespace {

using apod::runtime::static_runtime::Options;

// This runs before C's library has set up its own environ: the loader hands the environment to constructors.
bool has(char** environment, std::string_view name) {
    for (; environment != nullptr && *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=') return true;
    }
    return false;
}

__attribute__((constructor)) void redirect_at_start(int, char**, char** environment) {
    if (!has(environment, "APOD_DEVICE")) return;
    apod::runtime::static_runtime::watch_objects({has(environment, "APOD_STATIC_TRAP"), has(environment, "APOD_STATIC_TELL")});
}

} // namespace
