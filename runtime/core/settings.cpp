#include "runtime/core/settings.hpp"

#include <algorithm>
#include <cstdlib>

namespace apod::runtime {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

} // namespace

Settings settings_from_environment() {
    Settings settings;
    if (const std::string device = environment("APOD_DEVICE"); !device.empty()) settings.device = device;
    if (const std::string devices = environment("APOD_DEVICES"); !devices.empty())
        settings.devices = std::clamp(std::atoi(devices.c_str()), 1, 16);
    settings.threads = static_cast<unsigned>(std::clamp(std::atoi(environment("APOD_THREADS").c_str()), 0, 4096));
    if (const std::string counted = environment("APOD_COUNTED"); !counted.empty())
        settings.counted = static_cast<unsigned>(std::clamp<long long>(std::atoll(counted.c_str()), 0, every_launch));
    settings.check = environment("APOD_CHECK") == "1";
    const std::string fresh = environment("APOD_FRESH_MEMORY");
    settings.poison = fresh == "ones" || (fresh != "zeros" && settings.check);
    settings.record = environment("APOD_RUN_RECORD");
    return settings;
}

} // namespace apod::runtime
