#include "device/async.hpp"

#include <array>
#include <utility>

namespace apod::device {

namespace {

// nvmlClocksEventReason*: https://docs.nvidia.com/deploy/nvml-api, "nvmlClocksEventReasons". Idle (1), application clocks (2), sync boost
// (16) and display clocks (256) are left out: they are choices, not limits that a measurement ran into.
constexpr std::array<std::pair<std::uint64_t, const char*>, 5> limits = {{{0x4, "power limit"},
                                                                          {0x8, "hardware slowdown"},
                                                                          {0x20, "heat (software limit)"},
                                                                          {0x40, "heat (hardware limit)"},
                                                                          {0x80, "power brake"}}};

} // namespace

std::vector<std::string> throttle_names(std::uint64_t reasons) {
    std::vector<std::string> names;
    for (const auto& [bit, name] : limits)
        if ((reasons & bit) != 0) names.emplace_back(name);
    return names;
}

} // namespace apod::device
