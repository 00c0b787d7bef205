#include "model/scenario.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

arch::Gpu h200() { return *arch::find_gpu("h200"); }

Diagnostic error_of(const char* text) {
    const auto scenario = parse_scenario(text, h200());
    EXPECT_FALSE(scenario.ok()) << text;
    return scenario.ok() ? Diagnostic{} : scenario.error();
}

TEST(Scenario, SettingsChangeTheDeviceAndTheLaunch) {
    const auto scenario = parse_scenario("bandwidth=2x,sms=264,l2=96MiB,latency.dram=0.5x,block=128,registers=32,shared=1KiB", h200());
    ASSERT_TRUE(scenario.ok()) << to_text(scenario.error());
    EXPECT_EQ(scenario->name, "bandwidth=2x,sms=264,l2=96MiB,latency.dram=0.5x,block=128,registers=32,shared=1KiB");
    EXPECT_EQ(scenario->gpu.memory.peak_gbs, 2 * h200().memory.peak_gbs);
    EXPECT_EQ(scenario->gpu.sm_count, 264u);
    EXPECT_EQ(scenario->gpu.caches.l2_bytes, 96u << 20);
    EXPECT_EQ(scenario->gpu.latency.dram, 290);
    EXPECT_EQ(scenario->block_threads, 128u);
    EXPECT_EQ(scenario->registers, 32u);
    EXPECT_EQ(scenario->dynamic_shared_bytes, 1024u);
}

TEST(Scenario, TheL2sReadsAndWritesGoTogether) {
    const auto scenario = parse_scenario("l2-bandwidth=2x", h200());
    ASSERT_TRUE(scenario.ok());
    EXPECT_EQ(scenario->gpu.caches.l2_bytes_per_clk, 2 * h200().caches.l2_bytes_per_clk);
    EXPECT_EQ(scenario->gpu.caches.l2_write_sectors_per_clk, 2 * h200().caches.l2_write_sectors_per_clk);
}

TEST(Scenario, WhatMakesNoSenseIsAUsageErrorThatNamesIt) {
    EXPECT_EQ(error_of("").message, "--what-if is empty");
    EXPECT_EQ(error_of("bandwidth").message, "--what-if takes NAME=VALUE, not 'bandwidth'");
    EXPECT_EQ(error_of("bandwidth=fast").message, "the value of --what-if bandwidth=fast is no number");
    EXPECT_EQ(error_of("bandwith=2x").message, "what-if knows no 'bandwith'");
    EXPECT_NE(error_of("bandwith=2x").hint.find("bandwidth"), std::string::npos);
    EXPECT_EQ(error_of("sms=0").message, "sm_count = 0 makes no sense");
    EXPECT_EQ(error_of("block=2x").message, "block takes a whole number");
    EXPECT_EQ(error_of("limits.shared_carveouts_bytes=1").message, "'limits.shared_carveouts_bytes' is a list and cannot be set");
    EXPECT_EQ(error_of("sms=2.5").message, "sm_count takes a whole number, not 2.5");
    for (const char* text : {"block=0", "block=33", "block=2048"})
        EXPECT_EQ(error_of(text).message, std::string(text) + " is no block size");
    EXPECT_EQ(error_of("registers=0").message, "a thread cannot have 0 registers");
    EXPECT_EQ(error_of("registers=300").hint, "from 1 to 255 are accepted");
    EXPECT_EQ(error_of("sms=-1").kind, ErrorKind::usage);
    EXPECT_EQ(error_of("sms=1e999").kind, ErrorKind::usage);
}

} // namespace
} // namespace apod::model
