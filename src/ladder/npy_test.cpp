#include "ladder/npy.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace apod::ladder {
namespace {

// A version 1 file with the header as given, without padding.
std::string file_with(std::string_view header, std::string_view data) {
    std::string contents("\x93NUMPY\1\0", 8);
    contents += static_cast<char>(header.size() & 0xff);
    contents += static_cast<char>(header.size() >> 8);
    return contents.append(header).append(data);
}

std::string error_of(std::string_view contents) {
    const auto array = parse_npy(contents, "a.npy");
    return array.ok() ? "no error" : to_text(array.error());
}

TEST(Npy, what_is_written_is_read_back) {
    Array array{ElementType::f32, {2, 3}, std::vector<std::byte>(24)};
    for (std::size_t i = 0; i < 6; ++i) store_real(ElementType::f32, 0.5 * static_cast<double>(i), array.bytes.data() + 4 * i);
    const std::string contents = to_npy(array).value();
    EXPECT_EQ((contents.size() - 24) % 64, 0u);
    const auto back = parse_npy(contents, "a.npy");
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->shape, array.shape);
    EXPECT_EQ(back->bytes, array.bytes);
    EXPECT_EQ(back->type, ElementType::f32);
}

TEST(Npy, every_type_but_bf16_goes_both_ways) {
    for (const std::string& name : element_type_names()) {
        const ElementType type = element_type_from_name(name).value();
        const Array array{type, {3}, std::vector<std::byte>(3 * element_bytes(type), std::byte{1})};
        const auto contents = to_npy(array);
        ASSERT_EQ(contents.ok(), name != "bf16");
        if (!contents) continue;
        const auto back = parse_npy(*contents, "a.npy");
        ASSERT_TRUE(back.ok()) << name;
        EXPECT_EQ(back->type, type);
        EXPECT_EQ(back->bytes, array.bytes);
    }
}

TEST(Npy, scalars_empty_arrays_and_long_shapes) {
    for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{}, {0, 5}, std::vector<std::uint64_t>(60, 1)}) {
        std::uint64_t count = 1;
        for (const auto extent : shape) count *= extent;
        const Array array{ElementType::u8, shape, std::vector<std::byte>(count)};
        const auto back = parse_npy(to_npy(array).value(), "a.npy");
        ASSERT_TRUE(back.ok());
        EXPECT_EQ(back->shape, shape);
    }
}

TEST(Npy, versions_2_and_3_are_read) {
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n";
    for (const char version : {'\2', '\3'}) {
        std::string contents("\x93NUMPY", 6);
        contents += version;
        contents += '\0';
        contents += static_cast<char>(header.size());
        contents.append(3, '\0').append(header).append("ab");
        ASSERT_TRUE(parse_npy(contents, "a.npy").ok());
    }
}

TEST(Npy, fortran_order_becomes_c_order) {
    const auto array = parse_npy(file_with("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", "adbecf"), "a.npy");
    ASSERT_TRUE(array.ok());
    EXPECT_EQ(std::memcmp(array->bytes.data(), "abcdef", 6), 0);
}

TEST(Npy, whatever_is_wrong_is_said) {
    EXPECT_NE(error_of("").find("not an .npy file"), std::string::npos);
    EXPECT_NE(error_of("PK\3\4 and so on").find("not an .npy file"), std::string::npos);
    EXPECT_NE(error_of(std::string("\x93NUMPY\x9\0\0\0", 10)).find("version 9.0"), std::string::npos);
    EXPECT_NE(error_of(std::string("\x93NUMPY\1\0\xff\xff", 10)).find("truncated"), std::string::npos);
    EXPECT_NE(error_of(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)).find("truncated"), std::string::npos);
    EXPECT_NE(error_of(file_with("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", "aaaa")).find("big-endian"), std::string::npos);
    EXPECT_NE(error_of(file_with("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "")).find("'<c8'"), std::string::npos);
    EXPECT_NE(error_of(file_with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "")).find("structured"),
              std::string::npos);
    EXPECT_NE(error_of(file_with("{'descr': '<f4', 'shape': (1,)}", "aaaa")).find("missing"), std::string::npos);
    EXPECT_NE(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "aaaa")).find("needs 8 bytes of data and 4"),
              std::string::npos);
    EXPECT_NE(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "aaaab")).find("too long"), std::string::npos);
    EXPECT_NE(error_of(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "")).find("64 bits"),
              std::string::npos);
    EXPECT_NE(error_of(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", "")).find("not a number"), std::string::npos);
}

TEST(Npy, every_truncation_and_every_flipped_byte_gives_an_answer) {
    const Array array{ElementType::s16, {2, 2}, std::vector<std::byte>(8)};
    const std::string good = to_npy(array).value();
    for (std::size_t length = 0; length < good.size(); ++length) EXPECT_FALSE(parse_npy(good.substr(0, length), "a.npy").ok());
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const int flip : {1, 0x20, 0x80, 0xff}) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ flip);
            (void)parse_npy(bad, "a.npy").ok();
        }
    }
}

} // namespace
} // namespace apod::ladder
