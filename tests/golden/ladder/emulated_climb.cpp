#include "emulated_climb.hpp"

#include "device/emulated/emulated.hpp"

#include <gtest/gtest.h>

namespace apod::golden {

Result<ladder::ClimbResult> climb_emulated(const std::string& name, const std::map<std::string, double>& parameters,
                                           const std::vector<std::string>& rungs, const std::string& gpu_id) {
    const auto ladder = ladder::load_ladder(name);
    if (!ladder) return ladder.error();
    auto gpu = arch::find_gpu(gpu_id);
    if (!gpu) return gpu.error();
    const auto device = device::make_emulated(*std::move(gpu));
    ladder::ClimbOptions options;
    options.parameters = parameters;
    options.rungs = rungs;
    return ladder::climb(*ladder, *device, options);
}

const ladder::RungResult& rung_of(const ladder::ClimbResult& climb, const std::string& name) {
    for (const ladder::RungResult& rung : climb.rungs) {
        if (rung.name == name) return rung;
    }
    ADD_FAILURE() << "there is no rung " << name;
    static const ladder::RungResult none;
    return none;
}

double metric(const ladder::ClimbResult& climb, const std::string& rung, const std::string& name) {
    const MetricMap& metrics = rung_of(climb, rung).metrics;
    const auto found = metrics.find(name);
    if (found != metrics.end()) return found->second.value;
    ADD_FAILURE() << rung << " has no metric " << name;
    return -1;
}

} // namespace apod::golden
