#include "model/roofline.hpp"

#include "model/metric_registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace apod::model {
namespace {

arch::Gpu h200() { return *arch::find_gpu("h200"); }

const Ceiling* ceiling(const std::vector<Ceiling>& all, std::string_view name, std::string_view kind) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Ceiling& one) { return one.name == name && one.kind == kind; });
    return found == all.end() ? nullptr : &*found;
}

LaunchRecord measured() {
    LaunchRecord launch;
    const auto set = [&launch](std::string_view name, double value) { launch.metrics[std::string(name)] = {value, Source::measured, {}}; };
    set(metric::duration, 1000);
    set(metric::ffmas, 3000000);
    set(metric::fadds, 1000000);
    set(metric::dram_read_bytes, 1000000);
    set(metric::dram_write_bytes, 750000);
    set(metric::l2_read_sectors, 150000);
    set(metric::warp_instructions, 200000);
    return launch;
}

TEST(Roofline, CeilingsAreTheDescriptionsRates) {
    const std::vector<Ceiling> all = ceilings(h200());
    const auto value = [&all](const char* name, const char* kind) {
        const Ceiling* found = ceiling(all, name, kind);
        EXPECT_NE(found, nullptr) << name;
        return found == nullptr ? 0 : found->value;
    };
    EXPECT_NEAR(value("dram", "bandwidth"), 4814, 1);
    EXPECT_NEAR(value("l2", "bandwidth"), 4650 * 1.98, 0.1);
    EXPECT_NEAR(value("l1", "bandwidth"), 132 * 128 * 1.98, 0.1);
    EXPECT_NEAR(value("shared", "bandwidth"), 132 * 128 * 1.98, 0.1);
    EXPECT_NEAR(value("shared", "transactions"), 132 * 1.98, 0.01) << "a wavefront a clock and SM";
    EXPECT_NEAR(value("l1", "transactions"), 4 * 132 * 1.98, 0.01);
    EXPECT_NEAR(value("fp32", "compute"), 66908, 1);
    EXPECT_NEAR(value("fp64", "compute"), 33454, 1);
    EXPECT_NEAR(value("tensor_half", "compute"), 1070500, 1000);
    EXPECT_NEAR(value("issue", "issue"), 4 * 132 * 1.98, 0.01);
    EXPECT_EQ(value("global, neighbours", "wall"), 0.25);
}

TEST(Roofline, ACeilingIsAsSureAsItsLeastSureNumber) {
    const std::vector<Ceiling> all = ceilings(h200());
    EXPECT_EQ(ceiling(all, "dram", "bandwidth")->confidence, "M");
    EXPECT_EQ(ceiling(all, "tensor_half", "compute")->confidence, "R");
    for (const std::string& id : arch::known_gpu_ids()) {
        for (const Ceiling& one : ceilings(*arch::find_gpu(id))) {
            EXPECT_GT(one.value, 0) << id << ' ' << one.name;
            EXPECT_FALSE(one.source.empty()) << id << ' ' << one.name;
            EXPECT_EQ(one.confidence.size(), 1u) << id << ' ' << one.name;
        }
    }
    EXPECT_EQ(ceiling(ceilings(*arch::find_gpu("p100")), "tensor_half", "compute"), nullptr) << "it has no such unit";
}

TEST(Roofline, PointsOfMeasuredCountersAreUnderTheLowerRoof) {
    const std::vector<RooflinePoint> points = roofline(measured(), h200());
    ASSERT_EQ(points.size(), 4u); // fp32 and instructions, at dram and l2
    const RooflinePoint& dram = points[0];
    EXPECT_EQ(dram.work, "fp32");
    EXPECT_EQ(dram.level, "dram");
    EXPECT_EQ(dram.amount, 7e6);
    EXPECT_EQ(dram.intensity, 4);
    EXPECT_EQ(dram.performance, 7000);
    EXPECT_NEAR(dram.roof, 4 * h200().memory.peak_gbs, 1e-6);
    EXPECT_EQ(dram.ceiling, "dram");
    EXPECT_NEAR(dram.fraction, 7000 / (4 * h200().memory.peak_gbs), 1e-12);
    EXPECT_EQ(dram.source, Source::measured);
    const RooflinePoint& l2 = points[1];
    EXPECT_EQ(l2.traffic, 3200000) << "150000 sectors, half of which were seen twice";
    EXPECT_NEAR(l2.roof, 7e6 / 3.2e6 * 4650 * 1.98, 1e-6);
    LaunchRecord busy = measured();
    busy.metrics[std::string(metric::ffmas)].value *= 100;
    EXPECT_EQ(roofline(busy, h200())[0].ceiling, "fp32");
    EXPECT_NEAR(roofline(busy, h200())[0].roof, h200().fp32_gflops(), 1e-6);
}

TEST(Roofline, AMeasuredTimeHasNoPredictedDramBeneathItThatL2MayHaveSpared) {
    LaunchRecord launch = measured();
    launch.metrics.erase(std::string(metric::duration));
    launch.time_ns = {2000, Source::measured, {}};
    launch.metrics[std::string(metric::dram_read_bytes)].source = Source::predicted;
    launch.metrics[std::string(metric::footprint_read_bytes)] = {1e6, Source::counted, {}};
    const auto levels = [](const std::vector<RooflinePoint>& points) {
        std::set<std::string> names;
        for (const RooflinePoint& point : points) names.insert(point.level);
        return names;
    };
    EXPECT_EQ(levels(roofline(launch, h200())), (std::set<std::string>{"l2"}));
    launch.metrics[std::string(metric::footprint_read_bytes)].value = 1e9;
    EXPECT_EQ(levels(roofline(launch, h200())), (std::set<std::string>{"dram", "l2"}));
    EXPECT_EQ(roofline(launch, h200())[0].source, Source::predicted);
    EXPECT_EQ(roofline(launch, h200())[0].performance, 3500);
}

TEST(Roofline, NothingMeasuredIsNoPoint) {
    EXPECT_TRUE(roofline({}, h200()).empty());
    LaunchRecord untimed = measured();
    untimed.metrics.erase(std::string(metric::duration));
    EXPECT_TRUE(roofline(untimed, h200()).empty());
}

} // namespace
} // namespace apod::model
