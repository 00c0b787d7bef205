#include "base/file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

namespace apod {
namespace {

namespace fs = std::filesystem;

TEST(File, what_is_written_is_read_back_byte_for_byte) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    const fs::path path = directory.path() / "deep" / "er" / "a.bin";
    const std::string bytes("a\0b\r\n\xff", 6);
    ASSERT_TRUE(write_file(path, bytes).ok());
    EXPECT_EQ(read_file(path).value(), bytes);
}

TEST(File, writing_replaces_the_old_contents_and_leaves_nothing_beside_it) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    ASSERT_TRUE(write_file(directory.path() / "a", "a long first text").ok());
    ASSERT_TRUE(write_file(directory.path() / "a", "new").ok());
    EXPECT_EQ(read_file(directory.path() / "a").value(), "new");
    EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()), 1);
}

TEST(File, writing_keeps_the_permissions_of_what_was_there) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    const fs::path path = directory.path() / "private";
    ASSERT_TRUE(write_file(path, "mine").ok());
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_TRUE(write_file(path, "new").ok());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(read_file(path).value(), "new");
}

// Root may write everything, so another user tries.
TEST(File, what_may_not_be_written_stays_as_it_is) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    const fs::path path = directory.path() / "protected";
    ASSERT_TRUE(write_file(path, "keep this").ok());
    fs::permissions(path, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    fs::permissions(directory.path(), fs::perms::all);
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(2);
        const Result<void> written = write_file(path, "lost");
        ::_exit(!written.ok() && written.error().message.find("Permission denied") != std::string::npos ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_file(path).value(), "keep this");
}

TEST(File, a_name_as_long_as_the_file_system_allows_can_be_written) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    const fs::path path = directory.path() / std::string(255, 'n');
    ASSERT_TRUE(write_file(path, "short").ok());
    EXPECT_EQ(read_file(path).value(), "short");
    EXPECT_FALSE(write_file(directory.path() / std::string(256, 'n'), "x").ok());
}

TEST(File, a_missing_file_is_bad_input_that_names_it) {
    const auto result = read_file("/no/such/file");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(result.error().where.file, "/no/such/file");
    EXPECT_NE(result.error().message.find("No such file"), std::string::npos);
}

TEST(File, a_name_that_is_empty_is_said_to_be) {
    const auto result = read_file("");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
    EXPECT_NE(result.error().message.find("its name is empty"), std::string::npos);
}

TEST(File, a_file_without_an_end_is_read_no_further_than_the_limit) {
    const auto result = read_file("/dev/zero", 1 << 16);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(result.error().message, "the file is larger than 65536 bytes");
}

TEST(File, a_directory_cannot_be_read_as_a_file) {
    const auto result = read_file("/");
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message.find("directory"), std::string::npos);
}

TEST(File, a_file_over_the_limit_is_refused_before_it_is_read) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    ASSERT_TRUE(write_file(directory.path() / "a", "12345").ok());
    EXPECT_TRUE(read_file(directory.path() / "a", 5).ok());
    EXPECT_FALSE(read_file(directory.path() / "a", 4).ok());
}

TEST(File, a_file_that_does_not_tell_its_size_is_read_whole) { EXPECT_FALSE(read_file("/proc/self/status").value().empty()); }

TEST(File, writing_below_a_file_is_an_error_not_a_crash) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    ASSERT_TRUE(write_file(directory.path() / "a", "x").ok());
    EXPECT_FALSE(write_file(directory.path() / "a" / "b", "x").ok());
}

TEST(File, a_temporary_directory_goes_with_its_object) {
    fs::path path;
    {
        const TempDirectory directory = std::move(TempDirectory::make("apod-test").value());
        path = directory.path();
        ASSERT_TRUE(write_file(path / "x", "y").ok());
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(File, executables_are_found_in_the_path) {
    EXPECT_FALSE(find_executable("sh").empty());
    EXPECT_TRUE(find_executable("no-such-program-here").empty());
    EXPECT_TRUE(find_executable("").empty());
}

} // namespace
} // namespace apod
