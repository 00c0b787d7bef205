#include "emu/memory.hpp"

#include "emu/fresh_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace apod::emu {
namespace {

TEST(DeviceMemory, AddressesAreAlignedAndTheSameInEveryRun) {
    DeviceMemory first(1 << 24);
    const DeviceAddress a = *first.allocate(100, "a");
    const DeviceAddress b = *first.allocate(100, "b");
    EXPECT_EQ(a % 256, 0u);
    EXPECT_EQ(b % 256, 0u);
    EXPECT_GE(b, a + 100 + 4096 - 256);
    ASSERT_TRUE(first.free(a));
    EXPECT_EQ(*first.allocate(50, "again"), a);
}

TEST(DeviceMemory, CapacityIsThatOfTheGpu) {
    DeviceMemory memory(1000);
    ASSERT_TRUE(memory.allocate(900, "most"));
    const auto refused = memory.allocate(200, "more");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
    EXPECT_NE(refused.error().message.find("100 of 1000 are free"), std::string::npos) << refused.error().message;
}

TEST(DeviceMemory, CopiesAreChecked) {
    DeviceMemory memory(1 << 20);
    const DeviceAddress a = *memory.allocate(64, "a");
    std::vector<std::byte> bytes(128);
    EXPECT_TRUE(memory.write(a, bytes.data(), 64));
    EXPECT_FALSE(memory.write(a, bytes.data(), 65));
    EXPECT_FALSE(memory.write(a - 1, bytes.data(), 1));
    EXPECT_FALSE(memory.read(bytes.data(), a + 60, 8));
    EXPECT_FALSE(memory.free(a + 4));
}

// All bytes of a fresh allocation, which lies where others were written and freed: on a part of their pages, and across their borders.
std::vector<std::byte> bytes_after_others(DeviceMemory& memory) {
    std::vector<DeviceAddress> used;
    for (const std::uint64_t bytes : {100, 5000, 256, 9000}) {
        used.push_back(*memory.allocate(bytes, "used"));
        EXPECT_TRUE(memory.fill(used.back(), std::byte{7}, bytes));
    }
    for (const DeviceAddress base : used) EXPECT_TRUE(memory.free(base));
    std::vector<std::byte> bytes(30000);
    const DeviceAddress fresh = *memory.allocate(bytes.size(), "fresh");
    EXPECT_EQ(fresh, used[0]);
    EXPECT_TRUE(memory.read(bytes.data(), fresh, bytes.size()));
    return bytes;
}

TEST(DeviceMemory, FreshMemoryIsPoisonOrZerosWhateverWasThereBefore) {
    const auto all = [](const std::vector<std::byte>& bytes, std::byte value) {
        return std::all_of(bytes.begin(), bytes.end(), [value](std::byte byte) { return byte == value; });
    };
    DeviceMemory poisoned(1 << 20);
    EXPECT_TRUE(all(bytes_after_others(poisoned), std::byte{0xff}));
    set_fresh_memory(FreshMemory::zeros);
    DeviceMemory cleared(1 << 20);
    set_fresh_memory(FreshMemory::poison);
    EXPECT_TRUE(all(bytes_after_others(cleared), std::byte{0}));
}

TEST(DeviceMemory, HostMemoryIsAdoptedAtItsOwnAddressAndLeavesTheAllocatorAlone) {
    DeviceMemory memory(1 << 20);
    const DeviceAddress a = *memory.allocate(64, "a");
    std::vector<std::byte> host(4096);
    const auto base = reinterpret_cast<DeviceAddress>(host.data());
    ASSERT_TRUE(memory.adopt(base, host.size(), "host"));
    EXPECT_EQ(memory.used_bytes(), 64U);
    EXPECT_EQ(memory.find(base + 4095)->name, "host");
    EXPECT_FALSE(memory.adopt(base + 100, 8, "twice"));
    EXPECT_FALSE(memory.adopt(a, 8, "of the device"));
    EXPECT_GT(*memory.allocate(64, "b"), a);
    EXPECT_FALSE(memory.free(base));
    EXPECT_FALSE(memory.forget(a));
    EXPECT_TRUE(memory.forget(base));
    EXPECT_FALSE(memory.find(base).has_value());
}

TEST(DeviceMemory, FindsTheAllocationOfAnAddressAndTheNearestToAStrayOne) {
    DeviceMemory memory(1 << 20);
    const DeviceAddress a = *memory.allocate(64, "a");
    EXPECT_EQ(memory.find(a + 63)->name, "a");
    EXPECT_FALSE(memory.find(a + 64).has_value());
    EXPECT_EQ(memory.nearest(a + 64)->name, "a");
}

} // namespace
} // namespace apod::emu
