// Each planted mistake is found, in its line, and nothing else; correct kernels have no reports.
#include "run_checked.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apod::checks {
namespace {

const CheckedLaunch bugs[] = {
    {"global_overrun", {3}, {128}},
    {"global_underrun", {1}, {64}},
    {"into_neighbour", {1}, {64}},
    {"null_pointer", {1}, {32}},
    {"misaligned_vector", {1}, {32}},
    {"shared_overrun", {1}, {64}},
    {"dynamic_shared_overrun", {1}, {64}, 256, 256},
    {"local_overrun", {1}, {32}},
    {"uninitialised_global", {1}, {64}, 128},
    {"uninitialised_shared", {1}, {64}},
    {"uninitialised_local", {1}, {64}},
    {"uninitialised_member", {1}, {64}},
    {"race_in_reduction", {1}, {256}},
    {"race_without_barrier", {1}, {256}},
    {"race_write_after_read", {1}, {256}},
    {"race_in_warp", {1}, {32}},
    {"race_same_store", {1}, {32}},
    {"race_between_blocks", {2}, {64}},
    {"race_with_atomic", {1}, {64}},
    {"flag_without_fence", {2}, {32}, 256, 0, true},
    {"divergent_barrier", {1}, {64}},
    {"barrier_not_reached", {1}, {64}},
    {"named_barrier_counts", {1}, {96}},
    {"arrival_without_wait", {1}, {32}},
    {"shuffle_from_inactive", {1}, {32}},
    {"mask_without_self", {1}, {32}},
    {"use_after_device_free", {1}, {32}},
    {"device_double_free", {1}, {32}},
    {"heap_overrun", {1}, {32}},
    {"copy_not_waited_for", {1}, {64}},
    {"stack_overflow", {1}, {32}},
    {"inlined_overrun", {1}, {32}},
    {"stale_stencil", {4}, {64}, 256, 0, true},
    {"read_and_write_overrun", {3}, {128}},
    {"histogram_without_atomic", {1}, {256}},
    {"sum_without_atomic", {4}, {64}, 256, 0, true},
    {"largest_without_atomic", {1}, {256}, 256, 0, true},
    {"largest_float_without_atomic", {1}, {256}, 256, 0, true},
    {"scan_in_place", {1}, {256}},
    {"stencil_in_place", {4}, {64}, 256, 0, true},
    {"stencil_of_zeros", {4}, {64}, 256, 0, true},
    {"barrier_left_out", {1}, {64}},
};

// The mistakes that are more than one report: each of two barriers; the read and the write of one line; a write with reads of another line
// and with writes of its own.
bool is_two_reports(const std::string& kernel) {
    return kernel == "divergent_barrier" || kernel == "read_and_write_overrun" || kernel == "sum_without_atomic";
}

const CheckedLaunch correct[] = {
    {"tiled_transpose", {1}, {32, 8}, 1024},
    {"reduce_shared", {1}, {256}},
    {"reduce_warp_end", {1}, {256}},
    {"reduce_shuffle", {1}, {256}},
    {"reduce_half_warp", {1}, {32}},
    {"scan_in_block", {1}, {256}},
    {"scan_look_back", {16}, {64}, 1024},
    {"last_block_sums", {16}, {64}, 1024},
    {"spin_lock", {4}, {64}},
    {"histogram_shared", {4}, {128}, 2048},
    {"grid_barrier", {6}, {64}, 512, 0, false, true},
    {"producer_consumer", {1}, {128}},
    {"async_double_buffer", {1}, {64}},
    {"mbarrier_pipeline", {1}, {64}},
    {"padded_copies", {1}, {64}, 1024},
    {"same_value_flags", {4}, {64}},
    {"bytes_beside_each_other", {1}, {256}, 512},
    {"early_exit", {1}, {96}},
    {"diverging_warps", {1}, {32}},
    {"tile_groups", {1}, {256}},
    {"device_heap", {2}, {64}},
    {"calls_and_stacks", {1}, {64}},
    {"pointers_on_the_move", {1}, {32}},
    {"acquire_release", {2}, {32}},
    {"flag_in_block", {1}, {96}},
    {"optimistic_atomics", {4}, {64}},
    {"flag_chain", {8}, {32}},
    {"tensor_tiles", {1}, {32}, 512},
    {"stencil_halo", {4}, {64}},
};

std::string all_text(const CheckedRun& run) {
    std::string text = run.error.empty() ? "" : run.error + "\n";
    for (const CheckReport& report : run.reports) text += to_text(report);
    return text;
}

bool is_expected(const CheckPlace& place, CheckKind kind, const std::vector<Expectation>& expected) {
    return std::any_of(expected.begin(), expected.end(),
                       [&](const Expectation& e) { return e.kind == kind_name(kind) && names_line(place, "bugs.cu", e.line); });
}

class PlantedBug : public testing::TestWithParam<CheckedLaunch> {};

TEST_P(PlantedBug, IsFoundInItsLineAndNothingElseIsReported) {
    const auto all = expectations("bugs");
    ASSERT_TRUE(all.contains(GetParam().kernel));
    const std::vector<Expectation>& expected = all.at(GetParam().kernel);
    ASSERT_FALSE(expected.empty());
    const CheckedRun run = run_checked("bugs", GetParam());
    ASSERT_FALSE(run.reports.empty()) << run.error;
    for (const CheckReport& report : run.reports) {
        EXPECT_TRUE(is_expected(report.access.place, report.kind, expected)) << to_text(report);
        if (report.other) EXPECT_TRUE(is_expected(report.other->place, report.kind, expected)) << to_text(report);
        EXPECT_FALSE(report.message.empty());
        EXPECT_FALSE(report.advice.empty()) << to_text(report);
        EXPECT_EQ(report.kernel, GetParam().kernel);
    }
    EXPECT_EQ(run.reports.size(), is_two_reports(GetParam().kernel) ? 2u : 1u) << all_text(run);
    for (const Expectation& e : expected) {
        const bool named = std::any_of(run.reports.begin(), run.reports.end(), [&](const CheckReport& report) {
            return names_line(report.access.place, "bugs.cu", e.line) ||
                   (report.other && names_line(report.other->place, "bugs.cu", e.line));
        });
        EXPECT_TRUE(named) << "line " << e.line << " is not named\n" << all_text(run);
    }
}

TEST(Checks, EveryPlantedBugIsRun) {
    for (const auto& expected : expectations("bugs"))
        EXPECT_TRUE(std::any_of(std::begin(bugs), std::end(bugs), [&](const CheckedLaunch& bug) { return bug.kernel == expected.first; }))
            << expected.first;
}

// What mends a race is in its report, and what does not is not.
struct Remedy {
    const char* kernel;
    const char* says;
    const char* says_not;
};
const Remedy remedies[] = {
    {"histogram_without_atomic", "use atomicAdd", "put __syncthreads()"},
    {"sum_without_atomic", "use atomicAdd", "__threadfence"},
    {"largest_without_atomic", "use atomicMax", "put __syncthreads()"},
    {"largest_float_without_atomic", "use a loop with atomicCAS", "put __syncthreads()"},
    {"scan_in_place", "read it into a variable, put __syncthreads() between", "between the two"},
    {"stencil_in_place", "read from one buffer and write to another", "put __syncthreads()"},
    {"stencil_of_zeros", "read from one buffer and write to another", "put __syncthreads()"},
    {"race_in_reduction", "put __syncthreads() behind it, at the end of each round", "variable"},
    {"race_without_barrier", "put __syncthreads() between the two", "round"},
    {"race_write_after_read", "put __syncthreads() behind the read too", "between the two"},
    {"race_in_warp", "put __syncwarp() between the two", "__syncthreads"},
    {"race_same_store", "let one thread write", "__syncthreads"},
    {"race_between_blocks", "__threadfence()", "put __syncthreads()"},
};

TEST(Checks, TheRemedyOfARaceFollowsFromTheCode) {
    for (const Remedy& remedy : remedies) {
        const auto bug = std::find_if(std::begin(bugs), std::end(bugs), [&](const CheckedLaunch& b) { return b.kernel == remedy.kernel; });
        ASSERT_NE(bug, std::end(bugs)) << remedy.kernel;
        const CheckedRun run = run_checked("bugs", *bug);
        ASSERT_FALSE(run.reports.empty()) << remedy.kernel;
        for (const CheckReport& report : run.reports) {
            EXPECT_NE(report.advice.find(remedy.says), std::string::npos) << remedy.kernel << ": " << report.advice;
            EXPECT_EQ(report.advice.find(remedy.says_not), std::string::npos) << remedy.kernel << ": " << report.advice;
        }
    }
}

CheckedRun run_bug(const std::string& kernel) {
    return run_checked("bugs", *std::find_if(std::begin(bugs), std::end(bugs), [&](const CheckedLaunch& b) { return b.kernel == kernel; }));
}

TEST(Checks, AReadAndAWriteOfOneLineAreToldApart) {
    const CheckedRun run = run_bug("read_and_write_overrun");
    ASSERT_EQ(run.reports.size(), 2u);
    EXPECT_EQ(run.reports[0].access.what, "read of 4 bytes");
    EXPECT_EQ(run.reports[0].object->name, "in");
    EXPECT_EQ(run.reports[1].access.what, "write of 4 bytes");
    EXPECT_EQ(run.reports[1].object->name, "out");
    for (const CheckReport& report : run.reports) EXPECT_EQ(report.count, 1u);
}

TEST(Checks, ARaceWhoseWritesChangeNothingSaysSo) {
    const auto says = [](const CheckedRun& run) {
        return run.reports.size() == 1 &&
               std::any_of(run.reports[0].notes.begin(), run.reports[0].notes.end(),
                           [](const std::string& note) { return note.find("changed nothing") != std::string::npos; });
    };
    EXPECT_TRUE(says(run_bug("stencil_of_zeros")));
    EXPECT_FALSE(says(run_bug("stencil_in_place")));
}

TEST(Checks, AFunctionOfTheToolkitIsToldInTheLineThatCallsIt) {
    const CheckedRun run = run_bug("shuffle_from_inactive");
    ASSERT_EQ(run.reports.size(), 1u);
    const CheckReport& report = run.reports[0];
    EXPECT_EQ(report.access.place.file, "bugs.cu");
    EXPECT_TRUE(report.access.place.inlined_at.empty());
    ASSERT_FALSE(report.notes.empty());
    EXPECT_TRUE(report.notes[0].starts_with("in __shfl_down_sync (sm_30_intrinsics.hpp:")) << report.notes[0];
}

class CorrectKernel : public testing::TestWithParam<CheckedLaunch> {};

TEST_P(CorrectKernel, HasNoReport) {
    CheckedLaunch launch = GetParam();
    launch.fills_out = true;
    const CheckedRun run = run_checked("correct", launch);
    EXPECT_TRUE(run.error.empty()) << run.error;
    EXPECT_TRUE(run.reports.empty()) << all_text(run);
}

TEST(Checks, EveryCorrectKernelIsRun) {
    for (const auto& expected : expectations("correct"))
        EXPECT_TRUE(std::any_of(std::begin(correct), std::end(correct), [&](const CheckedLaunch& launch) {
            return launch.kernel == expected.first;
        })) << expected.first;
}

std::string kernel_of(const testing::TestParamInfo<CheckedLaunch>& info) { return info.param.kernel; }
INSTANTIATE_TEST_SUITE_P(Checks, PlantedBug, testing::ValuesIn(bugs), kernel_of);
INSTANTIATE_TEST_SUITE_P(Checks, CorrectKernel, testing::ValuesIn(correct), kernel_of);

} // namespace
} // namespace apod::checks
