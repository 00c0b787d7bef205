#include "sass/cubin_cache.hpp"

#include "base/file.hpp"
#include "sass/assemble.hpp"

#include <gtest/gtest.h>

namespace apod::sass {
namespace {

namespace fs = std::filesystem;

std::size_t entries_in(const fs::path& directory) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(directory / "ptxas")) count += entry.path().extension() == ".cubin" ? 1 : 0;
    return count;
}

TEST(CubinCache, WhatIsKeptIsFoundByAllThatItDependsOn) {
    const auto directory = TempDirectory::make("apod-cubin-cache");
    ASSERT_TRUE(directory);
    const fs::path ptxas = directory->path() / "ptxas.sh";
    ASSERT_TRUE(write_file(ptxas, "one"));
    const CubinCache cache(directory->path(), ptxas, {"ptxas", "-arch=sm_90"}, "text");
    EXPECT_FALSE(cache.find());
    cache.keep(std::string_view("\0\1\2", 3));
    EXPECT_EQ(cache.find(), std::string("\0\1\2", 3));
    EXPECT_TRUE(CubinCache(directory->path(), ptxas, {"ptxas", "-arch=sm_90"}, "text").find());
    EXPECT_FALSE(CubinCache(directory->path(), ptxas, {"ptxas", "-arch=sm_80"}, "text").find());
    EXPECT_FALSE(CubinCache(directory->path(), ptxas, {"ptxas", "-arch=sm_90"}, "other text").find());
    EXPECT_FALSE(CubinCache(directory->path(), ptxas, {"ptxas"}, "-arch=sm_90text").find());
    ASSERT_TRUE(write_file(ptxas, "another ptxas"));
    EXPECT_FALSE(CubinCache(directory->path(), ptxas, {"ptxas", "-arch=sm_90"}, "text").find());
}

TEST(CubinCache, AnEntryThatIsNoneIsNotFound) {
    const auto directory = TempDirectory::make("apod-cubin-cache");
    ASSERT_TRUE(directory);
    const CubinCache cache(directory->path(), "/bin/sh", {"sh"}, "text");
    cache.keep("cubin");
    for (const auto& entry : fs::directory_iterator(directory->path() / "ptxas")) ASSERT_TRUE(write_file(entry.path(), "something else"));
    EXPECT_FALSE(cache.find());
    const CubinCache nowhere("/proc/apod", "/bin/sh", {"sh"}, "text"); // cannot be made
    nowhere.keep("cubin");
    EXPECT_FALSE(nowhere.find());
}

TEST(CubinCache, TheOldestEntriesMakeRoom) {
    const auto directory = TempDirectory::make("apod-cubin-cache");
    ASSERT_TRUE(directory);
    for (int i = 0; i < 20; ++i) CubinCache(directory->path(), "/bin/sh", {"sh"}, std::to_string(i)).keep("cubin", 8);
    EXPECT_LE(entries_in(directory->path()), 8u);
    EXPECT_TRUE(CubinCache(directory->path(), "/bin/sh", {"sh"}, "19").find());
}

// A kept cubin that cannot be read is assembled anew: the assembler here makes none, and says so.
TEST(CubinCache, ABadCubinIsNotTaken) {
    const auto directory = TempDirectory::make("apod-cubin-cache");
    ASSERT_TRUE(directory);
    ASSERT_EQ(::setenv("APOD_CACHE_DIR", directory->path().c_str(), 1), 0);
    CubinCache(directory->path(), "/bin/false", {"/bin/false", "-arch=sm_90", "--generate-line-info", "--entry=k"}, "text").keep("no ELF");
    const auto kernel = assemble("/bin/false", "text", "k", {90, 0});
    ASSERT_FALSE(kernel);
    EXPECT_NE(kernel.error().message.find("does not assemble"), std::string::npos) << kernel.error().message;
    ::unsetenv("APOD_CACHE_DIR");
}

} // namespace
} // namespace apod::sass
