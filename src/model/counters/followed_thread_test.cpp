#include "model/counters/followed_thread.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace apod::model {
namespace {

Traffic loads_of(std::uint64_t block, const std::vector<std::uint64_t>& addresses, std::uint32_t warp = 0) {
    FollowedThread thread;
    thread.begin_block(block);
    Traffic traffic;
    std::array<std::uint64_t, emu::lanes> address{};
    for (const std::uint64_t at : addresses) {
        address[FollowedThread::lane] = at;
        emu::MemoryEvent event;
        event.active = 2;
        event.warp = warp;
        event.address = address.data();
        thread.add(event, traffic);
    }
    return traffic;
}

TEST(FollowedThread, CountsWhatItLoadsAgain) {
    const Traffic traffic = loads_of(0, {100, 104, 100, 100, 108});
    EXPECT_EQ(traffic.followed_loads, 5u);
    EXPECT_EQ(traffic.reloads, 2u);
}

// A loop over two arrays, two elements a round: op 0 and 1 of one array, 2 and 3 of the other.
TEST(FollowedThread, TellsNeighboursFromArraysThatItWalksTogether) {
    FollowedThread thread;
    thread.begin_block(0);
    std::array<Traffic, 4> traffic;
    std::array<std::uint64_t, emu::lanes> address{};
    for (std::uint64_t round = 0; round < 5; ++round)
        for (std::uint32_t op = 0; op < 4; ++op) {
            address[FollowedThread::lane] = (op < 2 ? 1012 : 8180) + 8 * round + op % 2 * 4;
            emu::MemoryEvent event;
            event.op = op;
            event.active = 2;
            event.address = address.data();
            thread.add(event, traffic[op]);
        }
    EXPECT_EQ(traffic[0].apart[0], 5u);
    EXPECT_EQ(traffic[1].apart[1], 5u);
    EXPECT_EQ(traffic[2].apart[0], 5u);
    EXPECT_EQ(traffic[3].apart[1], 5u);
}

TEST(FollowedThread, WhatLiesTooFarBackCouldNotHaveBeenKept) {
    std::vector<std::uint64_t> addresses;
    for (int time = 0; time < 2; ++time)
        for (std::uint64_t i = 0; i < FollowedThread::reach + 1; ++i) addresses.push_back(4 * i);
    EXPECT_EQ(loads_of(0, addresses).reloads, 0u);
    addresses.pop_back();
    addresses.erase(addresses.begin() + FollowedThread::reach);
    EXPECT_EQ(loads_of(0, addresses).reloads, FollowedThread::reach);
}

TEST(FollowedThread, OneThreadOfEveryEighthBlockIs) {
    EXPECT_EQ(loads_of(8, {100, 100}).reloads, 1u);
    EXPECT_EQ(loads_of(7, {100, 100}).followed_loads, 0u);
    EXPECT_EQ(loads_of(8, {100, 100}, 1).followed_loads, 0u);
}

TEST(FollowedThread, ABlockBeginsAnew) {
    FollowedThread thread;
    std::array<std::uint64_t, emu::lanes> address{};
    emu::MemoryEvent event;
    event.active = ~0u;
    event.address = address.data();
    Traffic traffic;
    for (const std::uint64_t block : {0, 8}) {
        thread.begin_block(block);
        thread.add(event, traffic);
    }
    EXPECT_EQ(traffic.followed_loads, 2u);
    EXPECT_EQ(traffic.reloads, 0u);
    event.kind = emu::AccessKind::store;
    thread.add(event, traffic);
    EXPECT_EQ(traffic.followed_loads, 2u);
}

} // namespace
} // namespace apod::model
