#include "runtime/inspect/program.hpp"

#include <gtest/gtest.h>

namespace apod::runtime {
namespace {

// What nvcc makes by default, with PTX.
ProgramFacts usual() {
    ProgramFacts facts;
    facts.path = "app";
    facts.dynamic_loader = true;
    facts.x86_64 = true;
    facts.runtime = RuntimeLink::linked;
    facts.device_code = true;
    facts.ptx = {90};
    facts.machine_code = {90};
    return facts;
}

std::string hint(const ProgramFacts& facts, std::uint32_t capability = 90) {
    const std::optional<Diagnostic> why = why_it_cannot_run(facts, capability);
    return why ? why->hint : "runs";
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST(InspectProgram, WhatNvccMakesByDefaultRuns) { EXPECT_EQ(hint(usual()), "runs"); }

TEST(InspectProgram, AStrippedStaticProgramIsToldToLinkTheSharedRuntime) {
    ProgramFacts facts = usual();
    facts.runtime = RuntimeLink::hidden;
    EXPECT_TRUE(has(hint(facts), "-cudart shared"));
    EXPECT_TRUE(has(hint(facts), "CMAKE_CUDA_RUNTIME_LIBRARY"));
    EXPECT_EQ(exit_code(why_it_cannot_run(facts, 90)->kind), 3);
}

TEST(InspectProgram, AProgramWithoutPtxIsToldTheExactFlag) {
    ProgramFacts facts = usual();
    facts.ptx.clear();
    EXPECT_TRUE(has(hint(facts), "-gencode arch=compute_90,code=compute_90"));
    EXPECT_EQ(exit_code(why_it_cannot_run(facts, 90)->kind), 3);
}

TEST(InspectProgram, PtxForANewerDeviceIsRefused) {
    EXPECT_TRUE(has(hint(usual(), 80), "-gencode arch=compute_80,code=compute_80"));
    EXPECT_EQ(hint(usual(), 100), "runs");
}

TEST(InspectProgram, ClosedLibrariesAreNamedAndNeedADevice) {
    ProgramFacts facts = usual();
    facts.closed = {"libcublas.so.13", "libcudnn.so.9"};
    const std::optional<Diagnostic> why = why_it_cannot_run(facts, 90);
    ASSERT_TRUE(why);
    EXPECT_TRUE(has(why->message, "libcublas.so.13, libcudnn.so.9"));
    EXPECT_EQ(exit_code(why->kind), 4);
    EXPECT_TRUE(is_closed_library("libcusparse.so.12"));
    EXPECT_FALSE(is_closed_library("libcudart.so.13"));
    EXPECT_FALSE(is_closed_library("libnvrtc.so.13"));
}

TEST(InspectProgram, OldRuntimesAndFullyStaticProgramsAreRefused) {
    ProgramFacts facts = usual();
    facts.dynamic_loader = false;
    EXPECT_TRUE(has(hint(facts), "-static"));
    facts = usual();
    facts.runtime = RuntimeLink::shared;
    facts.runtime_library = "libcudart.so.11.0";
    EXPECT_TRUE(has(hint(facts), "CUDA 12 or 13"));
    facts.runtime_library = "libcudart.so.12";
    EXPECT_EQ(hint(facts), "runs");
}

TEST(InspectProgram, AProgramOfItsOwnIsNothingOfCuda) {
    const Result<std::optional<ProgramFacts>> facts = inspect_program("/proc/self/exe");
    ASSERT_TRUE(facts);
    ASSERT_TRUE(*facts);
    EXPECT_EQ((*facts)->runtime, RuntimeLink::none);
    EXPECT_FALSE((*facts)->device_code);
    EXPECT_FALSE(why_it_cannot_run(**facts, 90));
}

} // namespace apod::runtime
