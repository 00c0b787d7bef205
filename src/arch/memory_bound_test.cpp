#include "arch/memory_bound.hpp"

#include <gtest/gtest.h>

namespace apod::arch {
namespace {

Gpu gpu() {
    Gpu result;
    result.boost_mhz = 1000;
    result.sm_count = 10;
    result.memory.peak_gbs = 100;
    result.caches.l2_bytes = 1000;
    result.caches.l2_bytes_per_clk = 200;
    result.caches.l2_write_sectors_per_clk = 1;
    return result;
}

TEST(MemoryBound, what_l2_holds_comes_at_the_rate_of_l2) {
    const MemoryBound bound = memory_bound(gpu(), 1000, 1000);
    EXPECT_TRUE(bound.of_l2);
    EXPECT_DOUBLE_EQ(bound.ns(), 1000.0 / 328);
}

TEST(MemoryBound, what_is_twice_as_large_as_l2_comes_from_dram) {
    const MemoryBound bound = memory_bound(gpu(), 2000, 2000);
    EXPECT_FALSE(bound.of_l2);
    EXPECT_DOUBLE_EQ(bound.ns(), 20);
    EXPECT_DOUBLE_EQ(memory_bound(gpu(), 1e6, 1e6).ns(), 1e4);
}

TEST(MemoryBound, between_the_two_the_bound_grows_without_a_step) {
    double before = 0;
    for (double bytes = 100; bytes < 3000; bytes += 10) {
        const double now = memory_bound(gpu(), bytes, bytes).ns();
        EXPECT_GT(now, before) << bytes;
        EXPECT_LT(now - before, 0.5) << bytes;
        before = now;
    }
    EXPECT_DOUBLE_EQ(resident_share(gpu(), 1500), 1.0 / 3);
}

// Read and written: 12 bytes of traffic an element of 8.
TEST(MemoryBound, what_counts_is_how_much_is_distinct) {
    EXPECT_TRUE(memory_bound(gpu(), 1500, 1000).of_l2);
    EXPECT_FALSE(memory_bound(gpu(), 1500, 1500).of_l2);
}

TEST(MemoryBound, without_an_l2_or_what_is_known_of_it_dram_decides) {
    Gpu old = gpu();
    old.caches.l2_bytes = 0;
    EXPECT_DOUBLE_EQ(memory_bound(old, 1000, 1000).ns(), 10);
    Gpu unknown = gpu();
    unknown.caches.l2_bytes_per_clk = 0;
    EXPECT_DOUBLE_EQ(memory_bound(unknown, 1000, 1000).ns(), 0);
    EXPECT_DOUBLE_EQ(memory_bound(gpu(), 0, 0).ns(), 0);
}

} // namespace
} // namespace apod::arch
