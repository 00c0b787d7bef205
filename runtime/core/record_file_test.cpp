#include "runtime/core/record_file.hpp"

#include "base/file.hpp"
#include "report/run_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apod::runtime {
namespace {

namespace fs = std::filesystem;

TEST(RecordFile, WhereAllIsWrittenTheMarkerStays) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    ASSERT_TRUE(write_file(directory.path() / whole_records, "").ok());
    RecordFile record;
    record.open(directory.path().string(), "./app", "emu:h200", 1);
    record.fill(64, 1000);
    EXPECT_TRUE(record.is_open());
    EXPECT_TRUE(fs::exists(directory.path() / whole_records));
    EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()), 2);
}

TEST(RecordFile, WhereTheDiskIsFullTheMarkerGoesAndNothingMoreIsRecorded) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    ASSERT_TRUE(write_file(directory.path() / whole_records, "").ok());
    fs::create_symlink("/dev/full", directory.path() / (std::to_string(::getpid()) + ".jsonl"));
    RecordFile record;
    ::testing::internal::CaptureStderr();
    record.open(directory.path().string(), "./app", "emu:h200", 1);
    record.begin("kernel", {1, 1, 1}, {32, 1, 1});
    record.fill(64, 1000);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "apod: cannot write the record of what runs: No space left on device; what follows is missing in it\n");
    EXPECT_FALSE(record.is_open());
    EXPECT_FALSE(fs::exists(directory.path() / whole_records));
}

// A process of its own: its files may have 1000 bytes, and what is beyond is refused in the middle of a line.
TEST(RecordFile, WhatIsThereEndsWithAWholeLine) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    const fs::path file = directory.path() / "run.jsonl";
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        constexpr rlimit limit = {1000, 1000};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
        RecordFile record;
        record.open(file.string(), "./app", "emu:h200", 1);
        for (int i = 0; i < 100; ++i) record.fill(64, 1000);
        ::_exit(record.is_open() ? 1 : 0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    const std::string text = read_file(file).value();
    EXPECT_GT(text.size(), 900U);
    EXPECT_EQ(text.back(), '\n');
    report::RunRecord read;
    const Result<void> done = report::read_run_lines(text, read);
    EXPECT_TRUE(done.ok()) << to_text(done.error());
    EXPECT_EQ(read.copies.at("fill").count, static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n') - 1));
}

} // namespace
} // namespace apod::runtime
