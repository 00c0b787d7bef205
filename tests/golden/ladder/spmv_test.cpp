// The ladder of sparse matrix times vector: every rung right for matrices of every shape, and wrong ones found.
#include "base/assets.hpp"
#include "base/file.hpp"
#include "emulated_climb.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace apod::golden {
namespace {

std::string text_of(const ladder::RungResult& rung) {
    if (rung.error) return rung.name + ": " + to_text(*rung.error);
    if (!rung.mismatch) return rung.name;
    return fmt::format("{}: element {} of {} is {}, expected {}", rung.name, rung.mismatch->index, rung.mismatch->buffer,
                       rung.mismatch->actual, rung.mismatch->expected);
}

// How many rungs ran.
int expect_all_right(const Result<ladder::ClimbResult>& climb) {
    EXPECT_TRUE(climb.ok()) << to_text(climb.error());
    if (!climb) return 0;
    int ran = 0;
    for (const ladder::RungResult& rung : climb->rungs) {
        if (!rung.skipped_because.empty()) continue;
        EXPECT_EQ(rung.verification, ladder::Verification::correct) << text_of(rung);
        ++ran;
    }
    return ran;
}

TEST(SpmvLadder, every_rung_is_right_and_the_last_reads_less_than_the_one_before) {
    const auto climb = climb_emulated("spmv");
    EXPECT_GE(expect_all_right(climb), 9);
    constexpr const char* load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    EXPECT_GT(metric(*climb, "thread_per_row", load_requests), 0);
    EXPECT_LT(metric(*climb, "read_only", load_requests), metric(*climb, "thread_per_row", load_requests));
}

TEST(SpmvLadder, every_length_of_rows_is_right) {
    for (const int length : {1, 2, 4, 9, 40, 200}) {
        SCOPED_TRACE(fmt::format("length = {}", length));
        EXPECT_GE(expect_all_right(climb_emulated("spmv", {{"rows", 700}, {"length", length}, {"longest", 600}})), 8);
    }
}

TEST(SpmvLadder, a_vector_that_fits_shared_memory_has_a_rung_of_its_own) {
    const auto climb = climb_emulated("spmv", {{"rows", 1500}, {"length", 70}, {"longest", 900}}, {"resident"});
    EXPECT_EQ(expect_all_right(climb), 1);
}

TEST(SpmvLadder, every_gpu_from_maxwell_on_runs_it) {
    for (const std::string& id : arch::known_gpu_ids()) {
        const auto gpu = arch::find_gpu(id);
        ASSERT_TRUE(gpu.ok());
        if (gpu->cc.major < 5) continue;
        SCOPED_TRACE(id);
        expect_all_right(climb_emulated("spmv", {{"rows", 300}, {"longest", 200}}, {}, id));
    }
}

// The built-in ladder with another matrix.
class SpmvMatrices : public ::testing::Test {
protected:
    void climb_with(const std::string& matrix, int least_rungs) {
        std::string text(*find_asset("workloads/spmv/ladder.toml"));
        const std::size_t from = text.find("kind = ");
        const std::size_t to = text.find("\n\n", from);
        text.replace(from, to - from, matrix);
        ASSERT_TRUE(write_file(directory_.path() / "l.toml", text).ok());
        ASSERT_TRUE(write_file(directory_.path() / "spmv.ptx", *find_asset("workloads/spmv/spmv.ptx")).ok());
        text = std::string(*find_asset("workloads/spmv/ladder.toml"));
        SCOPED_TRACE(matrix);
        // Its source is the PTX: what is compiled here is tested elsewhere.
        std::string ladder = read_file(directory_.path() / "l.toml").value();
        ladder.replace(ladder.find("spmv.cu"), 7, "spmv.ptx");
        ASSERT_TRUE(write_file(directory_.path() / "l.toml", ladder).ok());
        EXPECT_GE(expect_all_right(climb_emulated((directory_.path() / "l.toml").string())), least_rungs);
    }
    TempDirectory directory_ = std::move(TempDirectory::make("apod-spmv").value());
};

TEST_F(SpmvMatrices, of_every_kind_are_right) {
    climb_with("kind = \"diagonal\"\nrows = 2000", 9);
    climb_with("kind = \"banded\"\nrows = 1500\nwidth = 9", 9);
    climb_with("kind = \"stencil7\"\nside = 11", 9);
    climb_with("kind = \"block\"\nrows = 960\nlength = 3\nwidth = 16", 9);
    climb_with("kind = \"mostly_empty\"\nrows = 9000\nlength = 40\nwidth = 5", 9);
    climb_with("kind = \"dense_row\"\nrows = 3000\nlength = 2", 9);
    climb_with("kind = \"uniform\"\nrows = 1\ncolumns = 5000\nlength = 5000", 9);
    climb_with("kind = \"uniform\"\nrows = 3000\ncolumns = 200000\nlength = 30", 9); // more windows than a tile may have
}

TEST_F(SpmvMatrices, from_a_file_are_right) {
    ASSERT_TRUE(
        write_file(directory_.path() / "a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 4\n2 1\n3 3\n5 1\n5 4\n").ok());
    climb_with("file = \"a.mtx\"", 9);
    ASSERT_TRUE(write_file(directory_.path() / "a.mtx", "%%MatrixMarket matrix coordinate real general\n40 3 0\n").ok());
    climb_with("file = \"a.mtx\"", 9);
}

} // namespace
} // namespace apod::golden
