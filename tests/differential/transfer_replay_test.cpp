// What `apod transfer` measured on an H200, held against what was measured there before, and computed again.
#include "base/file.hpp"
#include "report/transfer_reader.hpp"
#include "report/transfer_view.hpp"
#include "transfer/crossing.hpp"
#include "transfer/why.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace apod::differential {
namespace {

using namespace transfer;

const std::string recording = APOD_SOURCE_DIR "/tests/replay/h200/transfer.json";

std::string text_of_recording() {
    const Result<std::string> text = read_file(recording);
    return text ? *text : "";
}

const Findings& recorded() {
    static const Result<Findings> findings = report::transfer_from_json(text_of_recording(), recording);
    static const Findings none;
    return findings ? *findings : none; // every test asks for something that `none` has not
}

double gbs_at(HostKind kind, Direction direction, std::uint64_t bytes) {
    for (const CopyCurve& curve : recorded().curves)
        if (curve.kind == kind && curve.direction == direction)
            for (const CopyPoint& point : curve.points)
                if (point.bytes == bytes) return point.gbs();
    return 0;
}

constexpr std::uint64_t mib = 1 << 20;

} // namespace

TEST(TransferReplay, TheStagesAddUpToTheElapsedTimeWithinOnePercent) {
    ASSERT_EQ(recorded().breakdowns.size(), 10U); // 4 KiB to 1 GiB
    for (const Breakdown& breakdown : recorded().breakdowns) {
        EXPECT_GE(breakdown.other_ns(), 0) << breakdown.bytes;
        EXPECT_LT(breakdown.other_ns(), 0.01 * breakdown.elapsed_ns) << breakdown.bytes;
        for (const Stage& stage : breakdown.stages) EXPECT_GE(stage.wait_ns(), 0) << stage.name << ", " << breakdown.bytes;
        if (breakdown.bytes < 4 * mib) continue; // below, what the events themselves cost the host shows
        EXPECT_NEAR(breakdown.elapsed_ns, breakdown.unobserved_ns, 0.07 * breakdown.elapsed_ns) << breakdown.bytes; // two sets of runs
    }
}

TEST(TransferReplay, PinnedAndPageableRatesAreNearThoseOfAnEarlierProgram) {
    // cudaMemcpy of 16 MB and 256 MB, the day before: 54 and 55 GB/s pinned, 18 and 9.8 (in), 19 (out) pageable.
    EXPECT_NEAR(gbs_at(HostKind::pinned, Direction::to_device, 16 * mib), 54, 54 * 0.05);
    EXPECT_NEAR(gbs_at(HostKind::pinned, Direction::to_device, 256 * mib), 55, 55 * 0.05);
    EXPECT_NEAR(gbs_at(HostKind::pinned, Direction::to_host, 256 * mib), 55, 55 * 0.05);
    // Pageable copies are the host's work, and the host is shared: 13.8, 7.0 and 14.6 GB/s in another run half an hour before this one.
    EXPECT_NEAR(gbs_at(HostKind::pageable, Direction::to_device, 16 * mib), 18, 18 * 0.55);
    EXPECT_NEAR(gbs_at(HostKind::pageable, Direction::to_device, 256 * mib), 9.8, 9.8 * 0.55);
    EXPECT_NEAR(gbs_at(HostKind::pageable, Direction::to_host, 256 * mib), 19, 19 * 0.55);
}

TEST(TransferReplay, NothingIsFasterThanTheLinkOrTheMemory) {
    const double link = recorded().facts.pcie_gbs();
    EXPECT_NEAR(link, 63.0, 0.1);
    for (const CopyCurve& curve : recorded().curves) {
        const bool on_device = curve.direction == Direction::within_device;
        // Managed pages that are on the host already are only read from there.
        if (curve.kind == HostKind::managed) continue;
        const double most = on_device ? 4814 : curve.direction == Direction::both_ways ? 2 * link : link;
        for (const CopyPoint& point : curve.points) EXPECT_LT(point.gbs(), most) << to_text(curve.kind) << ", " << point.bytes;
    }
}

TEST(TransferReplay, WhatIsReadIsWhatWasWritten) {
    // Noise is written as a share of the median and read as an interval: the last bits may differ.
    const nlohmann::json then = nlohmann::json::parse(text_of_recording()).flatten();
    const nlohmann::json again = nlohmann::json::parse(report::transfer_json(recorded())).flatten();
    ASSERT_EQ(then.size(), again.size());
    for (const auto& [path, value] : then.items()) {
        ASSERT_TRUE(again.contains(path)) << path;
        if (value.is_number())
            EXPECT_NEAR(again[path].get<double>(), value.get<double>(), 1e-9 * std::abs(value.get<double>())) << path;
        else
            EXPECT_EQ(again[path], value) << path;
    }
}

TEST(TransferReplay, TheSameCrossingsComeOut) {
    ASSERT_FALSE(recorded().versus.empty());
    for (const Versus& versus : recorded().versus) {
        Versus again = versus;
        find_crossings(again);
        EXPECT_EQ(again.kernel_over_one.bytes, versus.kernel_over_one.bytes);
        EXPECT_EQ(again.pinned_over_one.bytes, versus.pinned_over_one.bytes);
        EXPECT_EQ(again.pageable_over_one.bytes, versus.pageable_over_one.bytes);
        EXPECT_EQ(again.pageable_over_all.bytes, versus.pageable_over_all.bytes);
    }
    // More work an element never makes the GPU win later.
    const auto starts = [](const Versus& versus) { return versus.pinned_over_one.bytes.value_or(1e99); };
    EXPECT_TRUE(std::is_sorted(recorded().versus.rbegin(), recorded().versus.rend(), [&](const Versus& a, const Versus& b) {
        return starts(a) < starts(b) * 0.7; // in the noise of two short runs
    }));
}

TEST(TransferReplay, TheSameReasonsAreGivenAndShown) {
    ASSERT_FALSE(recorded().why.empty());
    const std::vector<std::string> again = explain(recorded());
    for (const std::string& reason : {std::string("PCIe 5.0 x16 carries 63.0 GB/s"), std::string("pinned buffer of its own")})
        EXPECT_TRUE(std::any_of(again.begin(), again.end(), [&](const std::string& line) {
            return line.find(reason) != std::string::npos;
        })) << reason;
    const std::string text = report::transfer_text(recorded(), {}, true);
    EXPECT_NE(text.find("driver 580.159.04, PCIe 5.0 x16 (63.0 GB/s each way)"), std::string::npos);
    EXPECT_NE(text.find("1 GiB"), std::string::npos);
}

} // namespace apod::differential
