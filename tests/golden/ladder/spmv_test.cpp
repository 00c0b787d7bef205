// The ladder of sparse matrix times vector: every rung right for matrices of every shape, and wrong ones found.
#include "base/assets.hpp"
#include "base/file.hpp"
#include "emulated_climb.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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

std::vector<std::string> names_of(const ladder::ClimbResult& climb, bool skipped) {
    std::vector<std::string> names;
    for (const ladder::RungResult& rung : climb.rungs)
        if (rung.skipped_because.empty() != skipped) names.push_back(rung.name);
    return names;
}

// In the order of the ladder file's choices.
constexpr double random_matrix = 0;
constexpr double power_law = 1;
constexpr double stencil = 2;

TEST(SpmvLadder, each_matrix_has_its_rungs_and_the_others_say_for_which_they_are) {
    const std::vector<std::vector<std::string>> wanted = {{"thread_per_row", "warp_per_row", "read_only", "aligned", "resident"},
                                                          {"thread_per_row", "warp_per_row", "merge_path", "tiled"},
                                                          {"thread_per_row", "groups_4", "coded", "repeats"}};
    for (const double matrix : {random_matrix, power_law, stencil}) {
        const auto climb = climb_emulated("spmv", {{"matrix", matrix}, {"shrink", matrix == stencil ? 5 : 8}});
        ASSERT_EQ(expect_all_right(climb), static_cast<int>(wanted[static_cast<std::size_t>(matrix)].size()));
        EXPECT_EQ(names_of(*climb, false), wanted[static_cast<std::size_t>(matrix)]);
        for (const ladder::RungResult& rung : climb->rungs) {
            if (rung.skipped_because.empty()) continue;
            EXPECT_EQ(rung.skipped_because.substr(0, 10), "pays where") << rung.name;
            EXPECT_NE(rung.skipped_because.find(": -p "), std::string::npos) << rung.name;
        }
    }
}

TEST(SpmvLadder, the_last_rung_reads_less_than_those_before) {
    const auto climb = climb_emulated("spmv", {{"shrink", 8}});
    ASSERT_EQ(expect_all_right(climb), 5);
    constexpr const char* load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    EXPECT_GT(metric(*climb, "resident", load_requests), 0);
    EXPECT_LT(metric(*climb, "resident", load_requests), metric(*climb, "aligned", load_requests));
    EXPECT_LT(metric(*climb, "resident", load_requests), metric(*climb, "warp_per_row", load_requests));
}

TEST(SpmvLadder, every_gpu_from_maxwell_on_runs_it) {
    double matrix = random_matrix;
    for (const std::string& id : arch::known_gpu_ids()) {
        const auto gpu = arch::find_gpu(id);
        ASSERT_TRUE(gpu.ok());
        if (gpu->cc.major < 5) continue;
        SCOPED_TRACE(id);
        expect_all_right(climb_emulated("spmv", {{"matrix", matrix}, {"rows", 300}, {"length", 60}, {"longest", 290}}, {}, id));
        matrix = matrix == stencil ? random_matrix : matrix + 1; // by turns
    }
}

// The lines of the ladder that say for whom a rung is, without those that say where it can run at all.
std::string for_every_matrix(std::string_view ladder) {
    std::string text;
    for (std::size_t at = 0; at < ladder.size();) {
        const std::size_t end = std::min(ladder.find('\n', at), ladder.size() - 1) + 1;
        std::string line(ladder.substr(at, end - at));
        at = end;
        if (line.starts_with("when = ")) {
            const std::size_t limit = line.find("a_longest <= 16384");
            line = limit != std::string::npos                     ? "when = \"a_longest <= 16384\"\n"
                   : line.find("gpu_shared") != std::string::npos ? "when = \"4*a_columns <= gpu_shared - 1024\"\n"
                                                                  : "";
            text += line;
        } else if (!line.starts_with("otherwise = ")) {
            text += line;
        }
    }
    return text;
}

// The built-in ladder with another matrix, all of its rungs.
class SpmvMatrices : public ::testing::Test {
protected:
    void climb_with(const std::string& matrix, int least_rungs) {
        std::string text = for_every_matrix(*find_asset("workloads/spmv/ladder.toml"));
        const std::size_t from = text.find("choose = ");
        text.replace(from, text.find("[[buffer]]") - from, matrix + "\n\n");
        // Its source is the PTX: what is compiled here is tested elsewhere.
        text.replace(text.find("spmv.cu"), 7, "spmv.ptx");
        ASSERT_TRUE(write_file(directory_.path() / "l.toml", text).ok());
        ASSERT_TRUE(write_file(directory_.path() / "spmv.ptx", *find_asset("workloads/spmv/spmv_80.ptx")).ok());
        SCOPED_TRACE(matrix);
        EXPECT_GE(expect_all_right(climb_emulated((directory_.path() / "l.toml").string())), least_rungs);
    }
    TempDirectory directory_ = std::move(TempDirectory::make("apod-spmv").value());
};

TEST_F(SpmvMatrices, of_every_length_of_rows_are_right) {
    for (const int length : {1, 2, 4, 9, 40, 200})
        climb_with(fmt::format("kind = \"power_law\"\nrows = 700\nlength = {}\nwidth = 600\nhuge = 2", length), 11);
}

TEST_F(SpmvMatrices, of_every_kind_are_right) {
    climb_with("kind = \"diagonal\"\nrows = 2000", 11);
    climb_with("kind = \"banded\"\nrows = 1500\nwidth = 9", 11);
    climb_with("kind = \"stencil7\"\nside = 11", 11);
    climb_with("kind = \"block\"\nrows = 960\nlength = 3\nwidth = 16", 11);
    climb_with("kind = \"mostly_empty\"\nrows = 9000\nlength = 40\nwidth = 5", 11);
    climb_with("kind = \"dense_row\"\nrows = 3000\nlength = 2", 11);
    climb_with("kind = \"uniform\"\nrows = 1\ncolumns = 5000\nlength = 5000", 11);
    climb_with("kind = \"uniform\"\nrows = 3000\ncolumns = 200000\nlength = 30", 10); // more windows than a tile may have
}

TEST_F(SpmvMatrices, from_a_file_are_right) {
    ASSERT_TRUE(
        write_file(directory_.path() / "a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 4\n2 1\n3 3\n5 1\n5 4\n").ok());
    climb_with("file = \"a.mtx\"", 11);
    ASSERT_TRUE(write_file(directory_.path() / "a.mtx", "%%MatrixMarket matrix coordinate real general\n40 3 0\n").ok());
    climb_with("file = \"a.mtx\"", 11);
}

} // namespace
} // namespace apod::golden
