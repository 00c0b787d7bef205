#include "base/chunks.hpp"

#include <gtest/gtest.h>

namespace apod {
namespace {

void expect_whole(const std::vector<Chunk>& chunks, std::uint64_t total, std::uint64_t multiple) {
    std::uint64_t next = 0;
    for (const Chunk& chunk : chunks) {
        EXPECT_EQ(chunk.first, next);
        EXPECT_EQ(chunk.first % multiple, 0u);
        EXPECT_GT(chunk.count, 0u);
        next += chunk.count;
    }
    EXPECT_EQ(next, total);
}

TEST(Chunks, are_equal_and_make_up_the_whole) {
    EXPECT_EQ(split_in_chunks(1024, 4, 256), (std::vector<Chunk>{{0, 256}, {256, 256}, {512, 256}, {768, 256}}));
    EXPECT_EQ(split_in_chunks(1000, 1, 256), (std::vector<Chunk>{{0, 1000}}));
    for (const std::uint64_t total : {1, 255, 256, 257, 1000, 65537, 1 << 20}) {
        for (const std::uint32_t chunks : {1u, 2u, 3u, 7u, 32u}) {
            const std::vector<Chunk> made = split_in_chunks(total, chunks, 256);
            expect_whole(made, total, 256);
            EXPECT_LE(made.size(), chunks);
        }
    }
    EXPECT_TRUE(split_in_chunks(0, 4, 256).empty());
}

} // namespace
} // namespace apod
