#include "base/host_memory.hpp"

#include <fstream>
#include <limits>
#include <string>

namespace apod {

std::uint64_t available_host_memory() {
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::uint64_t kibibytes = 0;
    std::string unit;
    while (file >> name >> kibibytes) {
        if (name == "MemAvailable:") return kibibytes * 1024;
        std::getline(file, unit); // " kB", or nothing
    }
    return std::numeric_limits<std::uint64_t>::max();
}

} // namespace apod
