#include "transfer/result.hpp"

#include "transfer/pinning.hpp"
#include "transfer/session.hpp"
#include "transfer/why.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace apod::transfer {
namespace {

bench::Summary time_of(double ns) {
    bench::Summary summary;
    summary.median = ns;
    summary.samples = 5;
    return summary;
}

// `latency` and so many bytes a nanosecond; the host needs 5 us more.
CopyCurve curve(HostKind kind, Direction direction, double latency_ns, double gbs, bool events = true) {
    CopyCurve made;
    made.kind = kind;
    made.direction = direction;
    for (const std::uint64_t bytes : sizes_of(1024, 1 << 30, 4)) {
        const double time = latency_ns + static_cast<double>(bytes) / gbs;
        CopyPoint point;
        point.bytes = bytes;
        if (events) point.event_ns = time_of(time);
        point.host_ns = time_of(time + 5000);
        made.points.push_back(point);
    }
    return made;
}

Findings findings() {
    Findings found;
    found.facts.name = "NVIDIA H200";
    found.facts.pcie_generation_max = 5;
    found.facts.pcie_width_max = 16;
    found.facts.pcie_width = 16;
    found.facts.numa_node = 1;
    found.host.nodes = {1};
    found.host.memcpy_gbs = 11;
    found.host.memcpy_bytes = 1 << 28;
    found.curves = {curve(HostKind::pinned, Direction::to_device, 1500, 55), curve(HostKind::pinned, Direction::to_host, 1500, 54),
                    curve(HostKind::pageable, Direction::to_device, 8000, 10, false)};
    return found;
}

bool says(const std::vector<std::string>& why, const std::string& words) {
    return std::any_of(why.begin(), why.end(), [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

} // namespace

TEST(Sizes, GrowByTheStepAndEndAtTheLargest) {
    EXPECT_EQ(sizes_of(1024, 16384, 4), (std::vector<std::uint64_t>{1024, 4096, 16384}));
    EXPECT_EQ(sizes_of(1024, 10000, 4), (std::vector<std::uint64_t>{1024, 4096, 10000}));
    EXPECT_EQ(sizes_of(64, 64, 4), (std::vector<std::uint64_t>{64}));
}

TEST(CurveFacts, AreLatencyBestRateAndWhereItIsNearlyReached) {
    const CurveFacts facts = facts_of(curve(HostKind::pinned, Direction::to_device, 1500, 55));
    EXPECT_NEAR(facts.latency_ns, 1500 + 1024 / 55.0, 1e-9);
    EXPECT_NEAR(facts.peak_gbs, 55, 0.1);
    EXPECT_EQ(facts.peak_bytes, 1U << 30);
    EXPECT_EQ(facts.enough_bytes, 1U << 20); // 1500 ns are a tenth of the whole at 742 kB
    EXPECT_EQ(facts_of({}).peak_gbs, 0);
}

TEST(HostTime, IsInterpolatedBetweenPointsAndNowhereElse) {
    const CopyCurve copies = curve(HostKind::pinned, Direction::to_device, 1000, 10);
    EXPECT_NEAR(host_time_at(copies, 4096).value(), 6000 + 409.6, 1e-6);
    EXPECT_NEAR(host_time_at(copies, 2560).value(), 6000 + 256, 1e-6);
    EXPECT_FALSE(host_time_at(copies, 512));
    EXPECT_FALSE(host_time_at(copies, std::uint64_t{1} << 31));
}

TEST(Pinning, PaysAfterSoManyCopiesAsItsPriceIsTimesTheirGain) {
    PinningPoint point;
    point.plain_ns = 100;
    point.allocate_ns = 1000;
    point.free_ns = 300;
    EXPECT_DOUBLE_EQ(copies_to_pay(point, 500, 100).value(), 3);
    EXPECT_FALSE(copies_to_pay(point, 100, 100)); // no gain, never
    EXPECT_FALSE(copies_to_pay(point, std::nullopt, 100));
}

TEST(Why, NamesTheLinkAndWhatWasReachedOfIt) {
    const std::vector<std::string> why = explain(findings());
    EXPECT_TRUE(says(why, "PCIe 5.0 x16 carries 63.0 GB/s"));
    EXPECT_TRUE(says(why, "55.0 GB/s (87 % of it)"));
}

TEST(Why, NamesStagingOfPageableMemoryWhereItCosts) {
    EXPECT_TRUE(says(explain(findings()), "pinned buffer of its own (one core's memcpy"));
    Findings quick = findings();
    quick.curves[2] = curve(HostKind::pageable, Direction::to_device, 1500, 55, false);
    EXPECT_FALSE(says(explain(quick), "pinned buffer of its own"));
}

TEST(Why, NamesTheNumaNodeAndWhatToDoOnTheWrongOne) {
    EXPECT_TRUE(says(explain(findings()), "NUMA node 1, on which this process runs"));
    Findings wrong = findings();
    wrong.host.nodes = {0};
    EXPECT_TRUE(says(explain(wrong), "numactl --cpunodebind=1"));
    Findings unknown = findings();
    unknown.facts.numa_node.reset();
    EXPECT_TRUE(says(explain(unknown), "not told"));
}

TEST(Why, NamesALinkThatRunsWithFewerLanes) {
    Findings narrow = findings();
    narrow.facts.pcie_width = 8;
    EXPECT_TRUE(says(explain(narrow), "8 of its 16 lanes"));
}

TEST(Why, NamesTheBestPipelineAndItsBound) {
    Findings found = findings();
    found.pipeline = Pipeline{1 << 28, 5e6, 1e5, 5e6, {{1, 1, 10.1e6}, {4, 16, 5.4e6}}};
    EXPECT_TRUE(says(explain(found), "16 chunk(s) over 4 stream(s), takes 5.40 ms (1.87x). The longest part alone takes 5.00 ms, which no "
                                     "overlap can go below."));
    found.curves.push_back(curve(HostKind::pinned, Direction::both_ways, 0, 100));
    EXPECT_TRUE(says(explain(found), "5.00 ms, which no overlap can go below; the two copies at once take 5.37 ms."));
}

TEST(Why, SaysWhatBothWaysShare) {
    for (const auto& [gbs, words] : {std::pair{108.0, "1.96x one way alone: the link is duplex."},
                                     {102.0, "the link is duplex, but the requests for what comes in share the way out."},
                                     {80.0, "the link is duplex, but each way's acknowledgements and the host's memory share it."}}) {
        Findings found = findings();
        found.curves.push_back(curve(HostKind::pinned, Direction::both_ways, 0, gbs));
        EXPECT_TRUE(says(explain(found), words)) << words;
    }
}

TEST(Why, SaysThatPredictedTimesArePredicted) {
    Findings found = findings();
    found.source = Source::predicted;
    EXPECT_TRUE(says(explain(found), "predictions"));
    EXPECT_FALSE(says(explain(findings()), "predictions"));
}

TEST(Breakdown, StagesWaitsAndTheRestAddUp) {
    Breakdown breakdown;
    breakdown.stages = {{"allocation in", {}, 100}, {"copy in", 300, 400}, {"kernel", 50, 70}};
    breakdown.elapsed_ns = 600;
    EXPECT_DOUBLE_EQ(breakdown.stages_ns(), 570);
    EXPECT_DOUBLE_EQ(breakdown.other_ns(), 30);
    EXPECT_DOUBLE_EQ(breakdown.waits_ns(), 120);
}

} // namespace apod::transfer
