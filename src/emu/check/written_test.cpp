#include "emu/check/written.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace apod::emu {

TEST(WrittenBytes, KnowWhatWasSetAndClearedAcrossPagesAsAPlainArrayDoes) {
    constexpr std::uint64_t bytes = 10000;
    WrittenBytes written(bytes, false);
    std::vector<bool> plain(bytes, false);
    std::mt19937 random(7);
    for (int step = 0; step < 2000; ++step) {
        const std::uint64_t first = random() % bytes;
        const std::uint64_t count = std::min<std::uint64_t>(random() % 300, bytes - first);
        const bool set = random() % 3 != 0;
        set ? written.set(first, count) : written.clear(first, count);
        for (std::uint64_t i = first; i < first + count; ++i) plain[i] = set;
        const std::uint64_t at = random() % (bytes - 16);
        std::uint32_t expected = 0;
        for (std::uint32_t i = 0; i < 16; ++i) expected |= static_cast<std::uint32_t>(plain[at + i]) << i;
        ASSERT_EQ(written.test(at, 16), expected) << "step " << step;
    }
}

TEST(WrittenBytes, AreAllWrittenOnceTheLastIsAndNotAfterOneIsCleared) {
    WrittenBytes written(5000, false);
    written.set(0, 4999);
    EXPECT_FALSE(written.all());
    written.set(4999, 1);
    EXPECT_TRUE(written.all());
    written.clear(4097, 1);
    EXPECT_FALSE(written.all());
    EXPECT_EQ(written.test(4096, 4), 0b1101u);
    EXPECT_EQ(written.test(4998, 8), 0xffu); // beyond the end nothing is missing
}

} // namespace apod::emu
