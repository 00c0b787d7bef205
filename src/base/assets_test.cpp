#include "base/assets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace apod {
namespace {

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(Assets, EveryEmbeddedFileEqualsTheFileInTheTree) {
    const auto names = asset_names("");
    for (const auto name : names) EXPECT_EQ(find_asset(name), read_file(std::string(APOD_SOURCE_DIR "/").append(name))) << name;
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(Assets, APrefixSelects) {
    for (const auto name : asset_names("data/arch/")) EXPECT_TRUE(name.starts_with("data/arch/"));
    EXPECT_TRUE(asset_names("no such folder/").empty());
}

TEST(Assets, AnUnknownPathGivesNothing) {
    EXPECT_EQ(find_asset(""), std::nullopt);
    EXPECT_EQ(find_asset("data/arch/"), std::nullopt);
    EXPECT_EQ(find_asset("zzz"), std::nullopt);
}

} // namespace
} // namespace apod
