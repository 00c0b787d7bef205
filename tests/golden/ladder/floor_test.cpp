// A floor is what nothing can beat: no kernel that is predicted, on any GPU, with its data in L2 or in DRAM, is faster than its own floor
// or its problem's.
#include "emulated_climb.hpp"

#include "model/metric_registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apod::golden {
namespace {

// The launch's own cost is in its time and not in the floor.
double work_ns(const LaunchRecord& launch, const arch::Gpu& gpu) {
    return model::value_or_zero(launch.metrics, model::metric::duration) - gpu.launch.fixed_ns;
}

constexpr double rounding_ns = 1;

void expect_nothing_below(const ladder::RungResult& rung, const arch::Gpu& gpu) {
    if (rung.pipeline || !rung.skipped_because.empty() || rung.error) return;
    double all = 0;
    for (const LaunchRecord& launch : rung.launches) {
        EXPECT_GE(work_ns(launch, gpu) + rounding_ns, launch.floor_ns.value) << rung.name << ": " << launch.kernel;
        EXPECT_GE(model::value_or_zero(launch.metrics, model::metric::cold_duration) + rounding_ns, launch.floor_ns.value) << rung.name;
        all += work_ns(launch, gpu);
    }
    EXPECT_GE(all + rounding_ns, rung.floor_ns.value) << rung.name;
}

void climb_everywhere(const std::string& name, const std::map<std::string, double>& parameters, std::uint64_t least_l2_bytes,
                      const std::vector<std::string>& rungs = {}) {
    std::size_t climbed = 0;
    for (const std::string& id : arch::known_gpu_ids()) {
        const auto gpu = arch::find_gpu(id);
        ASSERT_TRUE(gpu.ok());
        if (gpu->cc.major < 5 || gpu->caches.l2_bytes < least_l2_bytes) continue;
        const auto climb = climb_emulated(name, parameters, rungs, id);
        ASSERT_TRUE(climb.ok()) << id << ": " << to_text(climb.error());
        SCOPED_TRACE(name + " on " + id);
        for (const ladder::RungResult& rung : climb->rungs) expect_nothing_below(rung, *gpu);
        ++climbed;
    }
    EXPECT_GE(climbed, 4u);
}

const std::string saxpy = std::string(APOD_SOURCE_DIR) + "/examples/saxpy/saxpy.toml";

TEST(Floor, no_rung_of_the_transpose_is_below_it_on_any_gpu) { climb_everywhere("transpose", {{"n", 128}}, 0); }

TEST(Floor, no_rung_of_spmv_is_below_it_on_any_gpu) { climb_everywhere("spmv", {{"rows", 300}, {"length", 60}}, 0); }

TEST(Floor, no_rung_of_saxpy_is_below_it_on_any_gpu) { climb_everywhere(saxpy, {{"n", 100000}}, 0); }

// Where DRAM is slow and L2 large, a problem that stays in L2 takes a fraction of what DRAM would need for it.
TEST(Floor, a_problem_that_stays_in_a_large_l2_has_the_floor_of_l2) {
    climb_everywhere("transpose", {{"n", 1024}}, std::uint64_t{40} << 20, {"padded", "vectorised", "small_tiles"});
    const auto climb = climb_emulated("transpose", {{"n", 1024}}, {"small_tiles"}, "l4");
    ASSERT_TRUE(climb.ok());
    const double from_dram_ns = static_cast<double>(climb->useful_bytes) / climb->gpu.memory.peak_gbs;
    EXPECT_LT(work_ns(climb->rungs[0].launches[0], climb->gpu), from_dram_ns) << "else this shows nothing";
}

} // namespace
} // namespace apod::golden
