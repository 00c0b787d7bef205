#include "model/cache/sector_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <tuple>

namespace apod::model {
namespace {

TEST(SectorCache, TheLineUsedLongestAgoLeavesFirst) {
    SectorCache cache(2);
    std::ignore = cache.find_or_insert(1);
    std::ignore = cache.find_or_insert(2);
    ASSERT_NE(cache.find(1), nullptr);
    std::ignore = cache.find_or_insert(3);
    EXPECT_EQ(cache.find(2), nullptr);
    EXPECT_NE(cache.find(1), nullptr);
    EXPECT_NE(cache.find(3), nullptr);
}

TEST(SectorCache, DirtySectorsComeBackWhenTheirLineLeaves) {
    SectorCache cache(1);
    cache.find_or_insert(1).line->dirty = 0b0110;
    EXPECT_EQ(cache.dirty_sectors(), 2u);
    EXPECT_EQ(cache.find_or_insert(2).evicted_dirty, 0b0110);
    EXPECT_EQ(cache.dirty_sectors(), 0u);
}

// Against a list that is searched from its front.
TEST(SectorCache, BehavesAsAnObviousListDoes) {
    const std::uint32_t seed = 7;
    std::mt19937 random(seed);
    for (const std::uint64_t capacity : {1u, 2u, 7u, 64u, 300u}) {
        SectorCache cache(capacity);
        std::list<std::uint64_t> recent;
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t line = random() % (capacity * 2) * (i % 3 == 0 ? 32 : 1);
            const auto place = std::find(recent.begin(), recent.end(), line);
            const bool hit = place != recent.end();
            if (hit) recent.erase(place);
            recent.push_front(line);
            if (recent.size() > capacity) recent.pop_back();
            const bool mine = cache.find(line) != nullptr;
            std::ignore = cache.find_or_insert(line);
            ASSERT_EQ(mine, hit) << "seed " << seed << " capacity " << capacity << " step " << i;
        }
    }
}

} // namespace
} // namespace apod::model
