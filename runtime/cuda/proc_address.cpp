// Finding entries by name, as programs do that load the driver themselves. Private tables are never given.
#include "runtime/cuda/call.hpp"
#include "runtime/cuda/entry_points.hpp"

#include <string>
#include <string_view>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr int driver_version = 13000;
constexpr std::uint64_t flag_per_thread = 2;

enum Status : int { found = 0, not_there = 1, version_too_low = 2 };

struct Found {
    void* function = nullptr;
    int version = 0;
    bool named = false; // the name exists, whatever its version
};

// The newest of name, name_v2, name_v3, ... (with the ending, if any) that is not newer than the version asked for.
void look_up(std::string_view name, std::string_view ending, int version, Found& best) {
    for (int i = 0; i < entry_point_count; ++i) {
        std::string_view symbol = entry_points[i].symbol;
        if (!symbol.starts_with(name) || !symbol.ends_with(ending)) continue;
        symbol.remove_prefix(name.size());
        symbol.remove_suffix(ending.size());
        const bool plain = symbol.empty() || (symbol.size() == 3 && symbol.starts_with("_v"));
        if (!plain) continue;
        best.named = true;
        if (entry_points[i].version <= version && entry_points[i].version >= best.version) {
            best.version = entry_points[i].version;
            best.function = entry_points[i].function;
        }
    }
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags, int* status) {
    if (name == nullptr || function == nullptr || version > driver_version || flags > flag_per_thread) return refuse(Error::invalid_value);
    Found best;
    if (flags == flag_per_thread)
        for (const char* ending : {"_ptsz", "_ptds"})
            if (best.function == nullptr) look_up(name, ending, version, best);
    if (best.function == nullptr) look_up(name, "", version, best);
    *function = best.function;
    if (status != nullptr) *status = best.function != nullptr ? found : best.named ? version_too_low : not_there;
    return Error::success; // an unknown name is no error (cuda.h)
}

Error cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
    return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

Error cuGetExportTable(const void** table, const void*) {
    if (table != nullptr) *table = nullptr;
    return missing("cuGetExportTable, whose tables are private to NVIDIA's libraries,");
}

Error cuProfilerInitialize(const char*, const char*, int) { return Error::success; }
Error cuProfilerStart() { return Error::success; }
Error cuProfilerStop() { return Error::success; }

} // extern "C"
#pragma GCC visibility pop
