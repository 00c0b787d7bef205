#include "workloads/spmv/matrix_market.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

namespace apod::spmv {
namespace {

using Entries = std::map<std::pair<int, int>, double>;

Entries entries_of(const MatrixFile& file) {
    Entries entries;
    for (std::size_t i = 0; i < file.matrix.values.size(); ++i) {
        entries[{static_cast<int>(file.matrix.row_indices[i]), static_cast<int>(file.matrix.column_indices[i])}] += file.matrix.values[i];
    }
    return entries;
}

MatrixFile parsed(const std::string& text) {
    auto matrix = parse_matrix_market(text, "a.mtx");
    EXPECT_TRUE(matrix.ok()) << to_text(matrix.error());
    return matrix ? *matrix : MatrixFile{};
}

std::string error_of(const std::string& text) {
    const auto matrix = parse_matrix_market(text, "a.mtx");
    return matrix ? "no error" : fmt::format("{}:{}: {}", matrix.error().where.line, matrix.error().where.column, matrix.error().message);
}

TEST(MatrixMarket, a_general_real_matrix_is_read) {
    const MatrixFile file = parsed("%%MatrixMarket matrix coordinate real general\n% a comment\n2 3 3\n1 1 1.5\n2 3 -2e3\n1 2 +4\n");
    EXPECT_EQ(file.matrix.rows, 2);
    EXPECT_EQ(file.matrix.columns, 3);
    EXPECT_EQ(entries_of(file), (Entries{{{0, 0}, 1.5}, {{1, 2}, -2000}, {{0, 1}, 4}}));
    EXPECT_TRUE(file.imaginary.empty());
}

TEST(MatrixMarket, mixed_case_carriage_returns_blank_lines_and_comments_within_are_taken) {
    const MatrixFile file =
        parsed("%%matrixmarket MATRIX Coordinate REAL General\r\n%\r\n\r\n  2 2 2\r\n\r\n% here\r\n1 1\t1D2\r\n2 2 .5d-1\r\n\r\n");
    EXPECT_EQ(entries_of(file), (Entries{{{0, 0}, 100}, {{1, 1}, 0.05}}));
}

TEST(MatrixMarket, halves_of_symmetric_matrices_are_written_out) {
    EXPECT_EQ(entries_of(parsed("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 4\n")),
              (Entries{{{0, 0}, 3}, {{1, 0}, 4}, {{0, 1}, 4}}));
    EXPECT_EQ(entries_of(parsed("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 4\n")),
              (Entries{{{1, 0}, 4}, {{0, 1}, -4}}));
    const MatrixFile hermitian = parsed("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 4\n");
    EXPECT_EQ(hermitian.matrix.values, (std::vector<double>{1, 3, 3}));
    EXPECT_EQ(hermitian.imaginary, (std::vector<double>{0, 4, -4}));
}

TEST(MatrixMarket, patterns_are_ones_and_duplicates_are_kept_for_the_conversion_to_sum) {
    EXPECT_EQ(entries_of(parsed("%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n1 2\n2 1\n")),
              (Entries{{{0, 1}, 2}, {{1, 0}, 1}}));
}

TEST(MatrixMarket, arrays_go_down_the_columns) {
    EXPECT_EQ(entries_of(parsed("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n")),
              (Entries{{{0, 0}, 1}, {{1, 0}, 2}, {{0, 1}, 3}, {{1, 1}, 4}}));
    EXPECT_EQ(entries_of(parsed("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n4\n")),
              (Entries{{{0, 0}, 1}, {{1, 0}, 2}, {{0, 1}, 2}, {{1, 1}, 4}}));
    EXPECT_EQ(entries_of(parsed("%%MatrixMarket matrix array real skew-symmetric\n2 2\n2\n")), (Entries{{{1, 0}, 2}, {{0, 1}, -2}}));
    EXPECT_EQ(parsed("%%MatrixMarket matrix array complex general\n1 2\n1 2\n3 4\n").imaginary, (std::vector<double>{2, 4}));
}

TEST(MatrixMarket, a_matrix_without_entries_is_one) {
    const MatrixFile file = parsed("%%MatrixMarket matrix coordinate real general\n0 5 0");
    EXPECT_EQ(file.matrix.columns, 5);
    EXPECT_TRUE(file.matrix.values.empty());
    EXPECT_TRUE(parsed("%%MatrixMarket matrix array real general\n0 900000000000\n").matrix.values.empty());
}

TEST(MatrixMarket, every_mistake_has_its_place) {
    const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
    EXPECT_EQ(error_of(""), "1:1: this is no Matrix Market file: its first line is not the banner");
    EXPECT_EQ(error_of("%%MatrixMarket vector coordinate real general\n"), "1:16: the banner's object is not 'matrix'");
    EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate quaternion general\n"), "1:34: 'quaternion' is no field of a Matrix Market file");
    EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real\n"), "1:38: the banner lacks the symmetry");
    EXPECT_EQ(error_of("%%MatrixMarket matrix array pattern general\n"), "1:37: an array has values, so its field cannot be 'pattern'");
    EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real hermitian\n"), "1:39: only a complex matrix can be hermitian");
    EXPECT_EQ(error_of(banner), "1:1: the line with the sizes is missing");
    EXPECT_EQ(error_of(banner + "2 2\n"), "2:4: the number of entries is missing");
    EXPECT_EQ(error_of(banner + "2 -2 1\n"), "2:3: the number of columns is -2, a negative number");
    EXPECT_EQ(error_of(banner + "2 99999999999999999999 1\n"),
              "2:3: the number of columns is 99999999999999999999, which does not fit 64 bits");
    EXPECT_EQ(error_of(banner + "2 2 1 7\n"), "2:7: something follows the sizes");
    EXPECT_EQ(error_of(banner + "2 2 1\n0 1 5\n"), "3:1: the row is 0, and the matrix has 2; the first is 1");
    EXPECT_EQ(error_of(banner + "2 2 1\n1 3 5\n"), "3:3: the column is 3, and the matrix has 2; the first is 1");
    EXPECT_EQ(error_of(banner + "2 2 1\n1 1.5 5\n"), "3:3: the column is '1.5', no whole number");
    EXPECT_EQ(error_of(banner + "2 2 1\n1 1\n"), "3:4: the value is missing");
    EXPECT_EQ(error_of(banner + "2 2 1\n1 1 five\n"), "3:5: the value is 'five', no number");
    EXPECT_EQ(error_of(banner + "2 2 1\n1 1 5 6\n"), "3:7: something follows the entry's value");
    EXPECT_EQ(error_of(banner + "2 2 2\n1 1 5\n"), "3:1: the file ends after 1 entries, and announces 2");
    EXPECT_EQ(error_of(banner + "2 2 1\n1 1 5\n2 2 6\n"), "4:1: something follows the 1 entries that the file announces");
    EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"),
              "2:3: a matrix of 2 x 3 is not square and has no symmetry");
    EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n"),
              "3:5: the diagonal of a skew-symmetric matrix is zero, and row 2 has something there");
    EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 2 1.5\n"),
              "3:5: the value is no whole number, and the field is 'integer'");
}

TEST(MatrixMarket, announced_sizes_that_no_file_holds_cost_no_memory) {
    EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate real general\n2 2 9000000000000000000\n1 1 1\n"),
              "3:1: the file ends after 1 entries, and announces 9000000000000000000");
}

TEST(MatrixMarket, numbers_at_the_ends_of_their_range_are_read) {
    const MatrixFile file = parsed("%%MatrixMarket matrix coordinate real general\n1 4 4\n1 1 1e999\n1 2 1e-999\n1 3 inf\n1 4 4.9e-324\n");
    EXPECT_EQ(file.matrix.values[0], HUGE_VAL);
    EXPECT_EQ(file.matrix.values[1], 0);
    EXPECT_EQ(file.matrix.values[2], HUGE_VAL);
    EXPECT_EQ(file.matrix.values[3], 4.9e-324);
}

} // namespace
} // namespace apod::spmv
