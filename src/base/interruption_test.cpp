#include "base/interruption.hpp"

#include "base/file.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

namespace apod {
namespace {

namespace fs = std::filesystem;

// A process of our own with a temporary directory that has something in it, ended by the signal: how, and what is left.
struct End {
    int signal = 0;
    bool directory_is_left = false;
};
End ended_by(int signal, bool ignored) {
    const TempDirectory around = std::move(TempDirectory::make().value());
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("APOD_TEMP_DIR", around.path().c_str(), 1);
        if (ignored) ::signal(signal, SIG_IGN);
        remove_directories_when_interrupted();
        const auto directory = TempDirectory::make("mine");
        std::ofstream(directory->path() / "file") << "text";
        ::raise(signal);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFSIGNALED(status) ? WTERMSIG(status) : 0, !fs::is_empty(around.path())};
}

TEST(Interruption, EndsTheProcessAsBeforeAndLeavesNoTemporaryDirectory) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const End end = ended_by(signal, false);
        EXPECT_EQ(end.signal, signal);
        EXPECT_FALSE(end.directory_is_left) << signal;
    }
}

TEST(Interruption, WhatIsIgnoredStaysIgnored) {
    const End end = ended_by(SIGHUP, true);
    EXPECT_EQ(end.signal, 0);
    EXPECT_TRUE(end.directory_is_left); // _exit removes nothing
}

TEST(Interruption, ADirectoryThatIsGoneMakesRoomForAnother) {
    for (int i = 0; i < 100; ++i) {
        const auto directory = TempDirectory::make();
        ASSERT_TRUE(directory.ok());
        EXPECT_TRUE(fs::is_directory(directory->path()));
    }
    EXPECT_FALSE(ended_by(SIGTERM, false).directory_is_left);
}

} // namespace
} // namespace apod
