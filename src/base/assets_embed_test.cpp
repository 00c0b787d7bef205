// Linked with its own set of embedded files instead of apod's: what is hard to quote, what is binary, and what is long.
#include "base/assets.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace apod {
namespace {

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(EmbedAssets, KeepsEveryByteOfTextBinaryAndEmptyFiles) {
    for (const auto* name : {"bytes.npy", "tricky.txt", "empty.txt"}) {
        const auto asset = find_asset(name);
        ASSERT_TRUE(asset) << name;
        EXPECT_EQ(*asset, read_file(std::string(APOD_EMBED_TEST_DIR "/") + name)) << name;
    }
}

TEST(EmbedAssets, KeepsFilesLongerThanTheStandardsMinimumForLiterals) {
    const auto asset = find_asset("long.txt");
    ASSERT_TRUE(asset);
    EXPECT_GT(asset->size(), 65536u * 4);
    EXPECT_EQ(*asset, read_file(APOD_EMBED_TEST_DIR "/long.txt"));
}

TEST(EmbedAssets, ListsExactlyWhatTheGlobsFound) { EXPECT_EQ(asset_names("").size(), 4u); }

} // namespace
} // namespace apod
