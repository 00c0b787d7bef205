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
