#include "workloads/spmv/npz.hpp"

#include "workloads/spmv/inflate.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace apod::spmv {
namespace {

std::string little(std::uint64_t value, std::size_t width) {
    std::string bytes;
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& data) {
    const std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n", descr, shape);
    return "\x93NUMPY" + std::string("\1\0", 2) + little(header.size(), 2) + header + data;
}

std::string int64s(const std::vector<std::int64_t>& values) {
    std::string data;
    for (const std::int64_t value : values) data += little(static_cast<std::uint64_t>(value), 8);
    return npy("<i8", fmt::format("({},)", values.size()), data);
}

struct Member {
    std::string name;
    std::string contents;
};

std::string zip(const std::vector<Member>& members) {
    std::string archive;
    std::string directory;
    for (const Member& member : members) {
        const std::string common = little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(crc32(member.contents), 4) +
                                   little(member.contents.size(), 4) + little(member.contents.size(), 4) + little(member.name.size(), 2) +
                                   little(0, 2);
        directory += std::string("PK\1\2") + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                     little(archive.size(), 4) + member.name;
        archive += std::string("PK\3\4") + common + member.name + member.contents;
    }
    return archive + directory + std::string("PK\5\6") + little(0, 4) + little(members.size(), 2) + little(members.size(), 2) +
           little(directory.size(), 4) + little(archive.size(), 4) + little(0, 2);
}

// A 2 x 3 matrix: (0, 2) = 5, (1, 0) = 7.
std::vector<Member> good() {
    return {{"format.npy", npy("|S3", "()", "csr")},
            {"shape.npy", int64s({2, 3})},
            {"indices.npy", int64s({2, 0})},
            {"indptr.npy", int64s({0, 1, 2})},
            {"data.npy", npy("|i1", "(2,)", std::string("\5\7"))}};
}

std::string error_with(std::size_t member, const std::string& contents) {
    std::vector<Member> members = good();
    members[member].contents = contents;
    const auto matrix = parse_npz(zip(members), "a.npz");
    return matrix ? "no error" : matrix.error().message;
}

TEST(Npz, a_stored_matrix_is_read) {
    const auto matrix = parse_npz(zip(good()), "a.npz");
    ASSERT_TRUE(matrix.ok()) << to_text(matrix.error());
    EXPECT_EQ(matrix->matrix.columns, 3);
    EXPECT_EQ(matrix->matrix.row_indices, (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(matrix->matrix.column_indices, (std::vector<std::int64_t>{2, 0}));
    EXPECT_EQ(matrix->matrix.values, (std::vector<double>{5, 7}));
}

TEST(Npz, every_mistake_is_named) {
    EXPECT_EQ(error_with(0, npy("|S3", "()", "lil")), "the format 'lil' is not known: csr, csc, coo, bsr and dia are");
    EXPECT_EQ(error_with(0, "csr"), "the array 'format' is no .npy file");
    EXPECT_EQ(error_with(1, int64s({2})), "its shape is not two numbers");
    EXPECT_EQ(error_with(1, int64s({-2, 3})), "its shape is not two numbers");
    EXPECT_EQ(error_with(1, int64s({3, 3})), "indptr has 3 elements, and should have 4");
    EXPECT_EQ(error_with(2, int64s({2, 3})), "entry 1 is at row 1, column 3, outside a matrix of 2 x 3");
    EXPECT_EQ(error_with(2, int64s({2})), "indices and data differ in length");
    EXPECT_EQ(error_with(2, npy("<f8", "(1,)", std::string(8, '\0'))), "the array 'indices' is of type 'f8', and indices are i4 or i8");
    EXPECT_EQ(error_with(3, int64s({0, 2, 1})), "indptr descends at its element 2");
    EXPECT_EQ(error_with(3, int64s({0, 1, 1})), "indptr goes from 0 to 1, and there are 2 indices");
    EXPECT_EQ(error_with(4, npy(">f8", "(2,)", std::string(16, '\0'))), "the array 'data' is big-endian");
    EXPECT_EQ(error_with(4, npy("|O8", "(2,)", std::string(16, '\0'))), "the array 'data' is of type 'O8', which is not supported");
    EXPECT_EQ(error_with(4, npy("<f8", "(2,)", std::string(15, '\0'))), "the array 'data' is truncated, or longer than its shape");
    std::vector<Member> without = good();
    without.pop_back();
    EXPECT_EQ(parse_npz(zip(without), "a.npz").error().message,
              "the archive has no array 'data'; a sparse matrix of scipy.sparse.save_npz has");
}

TEST(Npz, a_truncated_or_altered_archive_is_an_error) {
    const std::string archive = zip(good());
    for (std::size_t length = 0; length < archive.size(); ++length)
        EXPECT_FALSE(parse_npz(archive.substr(0, length), "a.npz").ok()) << length;
    std::string altered = archive;
    altered[altered.find("csr")] = 'x';
    EXPECT_EQ(parse_npz(altered, "a.npz").error().message, "the member 'format.npy' of the archive is garbled: its checksum differs");
}

TEST(Inflate, stored_fixed_and_garbled_streams) {
    EXPECT_EQ(inflate(std::string("\1\3\0\374\377abc", 8), 3).value(), "abc");
    EXPECT_EQ(inflate(std::string("\x4b\x4c\x84\x02\x00", 5), 9).value(), "aaaaaaaaa"); // zlib's, with a match that overlaps itself
    EXPECT_FALSE(inflate(std::string("\1\3\0\374\377ab", 7), 3).ok());
    EXPECT_FALSE(inflate(std::string("\1\3\0\374\376abc", 8), 3).ok());
    EXPECT_FALSE(inflate(std::string("\7", 1), 0).ok());
    EXPECT_FALSE(inflate("", 0).ok());
    EXPECT_EQ(crc32("123456789"), 0xcbf43926u);
}

} // namespace
} // namespace apod::spmv
