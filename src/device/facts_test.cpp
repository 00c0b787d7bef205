#include "device/facts.hpp"

#include <gtest/gtest.h>

namespace apod::device {

namespace {

DeviceFacts h200_facts() {
    DeviceFacts facts;
    facts.name = "NVIDIA H200";
    facts.cc = {9, 0};
    facts.sm_count = 132;
    facts.boost_mhz = 1980;
    facts.memory_mhz = 3201;
    facts.bus_bits = 6016;
    facts.memory_bytes = 150109880320;
    facts.l2_bytes = 62914560;
    return facts;
}

} // namespace

TEST(Facts, PeakBandwidthCountsBothEdgesOfTheClock) { EXPECT_NEAR(h200_facts().peak_gbs(), 4814.3, 0.1); }

TEST(Facts, TheLinksPeakFollowsFromGenerationAndWidth) {
    DeviceFacts facts;
    EXPECT_EQ(facts.pcie_gbs(), 0) << "not known";
    facts.pcie_width_max = 16;
    facts.pcie_generation_max = 5;
    EXPECT_NEAR(facts.pcie_gbs(), 63.02, 0.01);
    facts.pcie_generation_max = 3;
    EXPECT_NEAR(facts.pcie_gbs(), 15.75, 0.01);
    facts.pcie_generation_max = 2;
    EXPECT_NEAR(facts.pcie_gbs(), 8, 0.01);
    facts.pcie_generation_max = 9;
    EXPECT_EQ(facts.pcie_gbs(), 0);
}

TEST(Describe, AKnownGpuIsRecognisedByItsNameAndSize) {
    DeviceFacts facts = h200_facts();
    const Result<arch::Gpu> gpu = describe(facts);
    ASSERT_TRUE(gpu.ok());
    EXPECT_EQ(facts.known_as, "h200");
    EXPECT_EQ(gpu->id, "h200");
    EXPECT_EQ(gpu->provenance.at("sm_count").source, "the driver of this GPU");
    EXPECT_EQ(gpu->latency.dram, 580);
}

TEST(Describe, AGpuThatNobodyDescribedTakesTheNearestAndSaysSo) {
    DeviceFacts facts = h200_facts();
    facts.name = "NVIDIA H199";
    facts.sm_count = 100;
    const Result<arch::Gpu> gpu = describe(facts);
    ASSERT_TRUE(gpu.ok());
    EXPECT_EQ(facts.known_as, "");
    EXPECT_EQ(gpu->name, "NVIDIA H199");
    EXPECT_EQ(gpu->sm_count, 100u);
    EXPECT_EQ(gpu->cc.number(), 90);
    EXPECT_EQ(gpu->provenance.at("sm_count").confidence, "M");
    EXPECT_EQ(gpu->provenance.at("latency.dram").confidence, "?");
    EXPECT_NE(gpu->note.find("NVIDIA H200"), std::string::npos) << gpu->note;
}

TEST(Describe, ZeroOfADriverThatDoesNotTellReplacesNothing) {
    DeviceFacts facts = h200_facts();
    facts.memory_mhz = 0;
    facts.boost_mhz = 0;
    const Result<arch::Gpu> gpu = describe(facts);
    ASSERT_TRUE(gpu.ok());
    EXPECT_EQ(gpu->boost_mhz, 1980);
    EXPECT_EQ(gpu->memory.peak_gbs, 4814);
}

} // namespace apod::device
