// The transpose ladder: the counters that an H200's hardware counters give, and right results at every size.
#include "arch/memory_bound.hpp"
#include "emulated_climb.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace apod::golden {
namespace {

constexpr const char* load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* store_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
constexpr const char* load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* store_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* load_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
constexpr const char* store_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";

std::string text_of(const ladder::RungResult& rung) {
    if (rung.error) return rung.name + ": " + to_text(*rung.error);
    if (!rung.mismatch) return rung.name;
    return fmt::format("{}: element {} of {} is {}, expected {}", rung.name, rung.mismatch->index, rung.mismatch->buffer,
                       rung.mismatch->actual, rung.mismatch->expected);
}

void expect_all_right(const ladder::ClimbResult& climb) {
    for (const ladder::RungResult& rung : climb.rungs) {
        if (!rung.skipped_because.empty()) continue;
        EXPECT_EQ(rung.verification, ladder::Verification::correct) << text_of(rung);
        EXPECT_GT(rung.time_ns.value, 0) << rung.name;
        EXPECT_GE(rung.time_ns.value, rung.floor_ns.value) << rung.name;
    }
}

// The figures of an H200 for these kernels at n = 1024; measured bank conflicts are 31 * 32768 and a little noise.
TEST(TransposeLadder, counters_at_1024_are_those_of_the_hardware) {
    const auto climb = climb_emulated("transpose", {{"n", 1024}});
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    ASSERT_EQ(climb->rungs.size(), 11u);
    expect_all_right(*climb);
    EXPECT_EQ(metric(*climb, "per_element_32", load_requests), 32768);
    EXPECT_EQ(metric(*climb, "per_element_32", store_requests), 32768);
    EXPECT_EQ(metric(*climb, "per_element_32", load_sectors), 131072);
    EXPECT_EQ(metric(*climb, "per_element_32", store_sectors), 1048576);
    EXPECT_EQ(metric(*climb, "tiled_32", load_conflicts), 1015808);
    EXPECT_EQ(metric(*climb, "tiled_32", store_conflicts), 0);
    EXPECT_EQ(metric(*climb, "tiled_32", store_sectors), 131072);
    EXPECT_EQ(metric(*climb, "padded", load_conflicts), 0);
    EXPECT_EQ(metric(*climb, "coarse", load_conflicts), 0);
    for (const char* rung : {"vectorised", "down_columns", "small_tiles"}) {
        EXPECT_EQ(metric(*climb, rung, load_conflicts), 0);
        EXPECT_EQ(metric(*climb, rung, store_conflicts), 0);
    }
    // 16 bytes a lane: a quarter of the requests, the same sectors.
    EXPECT_EQ(metric(*climb, "vectorised", load_requests), 8192);
    EXPECT_EQ(metric(*climb, "vectorised", load_sectors), 131072);
    EXPECT_EQ(metric(*climb, "vectorised", store_sectors), 131072);
    ASSERT_TRUE(climb->yardstick);
    EXPECT_EQ(climb->yardstick->error, std::nullopt);
}

TEST(TransposeLadder, every_size_is_right) {
    for (const int n : {1, 2, 3, 31, 33, 64, 65, 100, 130, 257}) {
        const auto climb = climb_emulated("transpose", {{"n", n}});
        ASSERT_TRUE(climb.ok()) << to_text(climb.error());
        SCOPED_TRACE(fmt::format("n = {}", n));
        expect_all_right(*climb);
    }
}

// From 5.0 on: what came before has other limits and no driver for this PTX.
TEST(TransposeLadder, every_gpu_from_maxwell_on_runs_it) {
    for (const std::string& id : arch::known_gpu_ids()) {
        const auto gpu = arch::find_gpu(id);
        ASSERT_TRUE(gpu.ok());
        if (gpu->cc.major < 5) continue;
        const auto climb = climb_emulated("transpose", {{"n", 96}}, {}, id);
        ASSERT_TRUE(climb.ok()) << id << ": " << to_text(climb.error());
        SCOPED_TRACE(id);
        expect_all_right(*climb);
    }
}

TEST(TransposeLadder, one_thread_is_left_out_of_large_matrices) {
    const auto climb = climb_emulated("transpose", {{"n", 4097}}, {"one_thread"});
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    EXPECT_EQ(climb->rungs[0].verification, ladder::Verification::not_run);
    EXPECT_EQ(climb->rungs[0].skipped_because, "runs only when n <= 4096");
}

TEST(SaxpyExample, climbs_from_its_source_or_the_ptx_beside_it) {
    const auto climb = climb_emulated(std::string(APOD_SOURCE_DIR) + "/examples/saxpy/saxpy.toml", {{"n", 10001}});
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    ASSERT_EQ(climb->rungs.size(), 3u);
    expect_all_right(*climb);
    EXPECT_DOUBLE_EQ(climb->rungs[0].floor_ns.value, arch::memory_bound(climb->gpu, 3 * 4 * 10001, 2 * 4 * 10001).ns());
    EXPECT_LT(climb->rungs[0].floor_ns.value, 3 * 4 * 10001 / climb->gpu.memory.peak_gbs) << "x and y stay in L2";
}

} // namespace
} // namespace apod::golden
