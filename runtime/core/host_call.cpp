#include "runtime/core/host_call.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

namespace apod::runtime {
namespace {

struct Place {
    std::string object; // path of the executable or the library
    std::string symbol; // exported, at or before the place; empty: none
    std::uintptr_t offset = 0;
};

// A return address lies behind the call: the byte before it is the call's.
Place place_of(void* return_address) {
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(return_address) - 1;
    Dl_info info = {};
    link_map* map = nullptr;
    if (::dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return {};
    const bool program = map == nullptr || map->l_name == nullptr || *map->l_name == '\0';
    return {program ? "/proc/self/exe" : map->l_name, info.dli_sname != nullptr ? info.dli_sname : "",
            address - (map != nullptr ? map->l_addr : 0)};
}

std::string_view folder(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

} // namespace

HostCall host_call() {
    constexpr std::size_t most_frames = 6; // of the program: further out is what every call has in common
    std::array<void*, 48> addresses = {};
    const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
    // The libraries of ours lie in one folder. The first frame is this function, or a sanitizer's in front of backtrace().
    const std::string ours(folder(place_of(reinterpret_cast<char*>(&host_call) + 1).object));
    int first = 0;
    while (first < count && folder(place_of(addresses[static_cast<std::size_t>(first)]).object) != ours) ++first;
    std::error_code ignored;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
    HostCall call;
    bool inside = true;
    for (int i = first; i < count && call.frames.size() < most_frames; ++i) {
        const Place place = place_of(addresses[static_cast<std::size_t>(i)]);
        inside = inside && folder(place.object) == ours;
        if (inside)
            call.name = place.symbol; // that of the outermost frame stays: the API's own function
        else if (!place.object.empty())
            call.frames.push_back(fmt::format("{}+{:#x}", place.object == "/proc/self/exe" ? program : place.object, place.offset));
    }
    return call;
}

} // namespace apod::runtime
