#include "runtime/static_runtime/island.hpp"
#include "runtime/static_runtime/jump.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include <sys/mman.h>

namespace apod::runtime::static_runtime {
namespace {

constexpr std::uint64_t far_away = std::uint64_t{1} << 40;

int seven() { return 7; }

std::int32_t near_distance(const Write& write) {
    std::int32_t distance = 0;
    std::memcpy(&distance, write.bytes.data() + 1, sizeof distance);
    return distance;
}

} // namespace

TEST(PlanJumps, ATargetWithinReachTakesFiveBytes) {
    const std::array entries = {Entry{"a", 0x1000, 16, 0x5000}, Entry{"b", 0x9000, 5, 0x5000}};
    const auto writes = plan_jumps(entries);
    ASSERT_TRUE(writes);
    ASSERT_EQ(writes->size(), 2u);
    EXPECT_EQ((*writes)[0].bytes.size(), 5u);
    EXPECT_EQ(near_distance((*writes)[0]), 0x5000 - 0x1005);
    EXPECT_EQ(near_distance((*writes)[1]), 0x5000 - 0x9005);
}

TEST(PlanJumps, ATargetFurtherAwayTakesFourteenBytes) {
    const std::array entries = {Entry{"a", 0x1000, 14, far_away}};
    const auto writes = plan_jumps(entries);
    ASSERT_TRUE(writes);
    ASSERT_EQ((*writes)[0].bytes.size(), 14u);
    std::uint64_t target = 0;
    std::memcpy(&target, (*writes)[0].bytes.data() + 6, sizeof target);
    EXPECT_EQ(target, far_away);
}

TEST(PlanJumps, AShortFunctionGoesThroughTheRoomOfALongOne) {
    const std::array entries = {Entry{"short", 0x1000, 3, 0x5000}, Entry{"long", 0x1010, 64, 0x6000}};
    const auto writes = plan_jumps(entries);
    ASSERT_TRUE(writes);
    ASSERT_EQ(writes->size(), 3u);
    const Write& through = (*writes)[1];
    const Write& entry = (*writes)[2];
    EXPECT_EQ(entry.bytes.size(), 2u);
    EXPECT_EQ(entry.address + 2 + static_cast<std::uint64_t>(entry.bytes[1]), through.address);
    EXPECT_GE(through.address, 0x1010u + 5);
    EXPECT_LE(through.address + through.bytes.size(), 0x1010u + 64);
    EXPECT_EQ(near_distance(through), static_cast<std::int32_t>(0x5000 - (through.address + 5)));
}

TEST(PlanJumps, ShortFunctionsDoNotShareRoom) {
    const std::array entries = {Entry{"one", 0x1000, 2, 0x5000}, Entry{"two", 0x1004, 2, 0x5100}, Entry{"long", 0x1010, 15, 0x6000}};
    const auto writes = plan_jumps(entries);
    ASSERT_TRUE(writes);
    ASSERT_EQ(writes->size(), 5u);
    EXPECT_GE((*writes)[3].address, (*writes)[1].address + 5);
}

TEST(PlanJumps, WithoutRoomItIsAnErrorThatNamesTheFunction) {
    for (const Entry& entry :
         {Entry{"cudaTiny", 0x1000, 3, 0x5000}, Entry{"cudaTiny", 0x1000, 1, 0x5000}, Entry{"cudaTiny", 0x1000, 13, far_away}}) {
        const auto writes = plan_jumps({&entry, 1});
        ASSERT_FALSE(writes);
        EXPECT_NE(writes.error().message.find("cudaTiny"), std::string::npos);
    }
}

TEST(PlanJumps, TheProcessorFollowsThem) {
    std::byte* memory = memory_near(0x10000000, 0x10001000, 4096);
    ASSERT_NE(memory, nullptr);
    const auto at = reinterpret_cast<std::uint64_t>(memory);
    const std::array entries = {Entry{"short", at, 3, at + 256}, Entry{"long", at + 16, 64, at + 256},
                                Entry{"island", at + 256, 16, reinterpret_cast<std::uint64_t>(&seven)}};
    const auto writes = plan_jumps(entries);
    ASSERT_TRUE(writes);
    for (const Write& write : *writes) std::memcpy(reinterpret_cast<void*>(write.address), write.bytes.data(), write.bytes.size());
    ASSERT_EQ(::mprotect(memory, 4096, PROT_READ | PROT_EXEC), 0);
    for (const std::uint64_t entry : {at, at + 16, at + 256}) EXPECT_EQ(reinterpret_cast<int (*)()>(entry)(), 7);
    ::munmap(memory, 4096);
}

TEST(MemoryNear, LiesWithinReachOfNearJumps) {
    const auto code = reinterpret_cast<std::uint64_t>(&seven);
    std::byte* memory = memory_near(code, code + 0x100000, 4096);
    ASSERT_NE(memory, nullptr);
    const auto away = static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(memory) - code);
    EXPECT_LT(std::abs(away), std::int64_t{1} << 31);
    ::munmap(memory, 4096);
}

} // namespace apod::runtime::static_runtime
