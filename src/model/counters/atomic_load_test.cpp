#include "model/counters/atomic_load.hpp"

#include <gtest/gtest.h>

#include <array>

namespace apod::model {
namespace {

using Addresses = std::array<std::uint64_t, emu::lanes>;

emu::MemoryEvent request(const Addresses& address, std::uint32_t active = 0xffffffffu) {
    emu::MemoryEvent event;
    event.kind = emu::AccessKind::reduction;
    event.bytes = 4;
    event.active = active;
    event.address = address.data();
    return event;
}

TEST(AtomicLoad, LanesOnDifferentWordsOfASectorGoTogetherAndThoseOnOneWordTakeTurns) {
    AtomicLoad load;
    Addresses words;
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) words[lane] = 4096 + 4 * lane;
    load.add(request(words));
    EXPECT_EQ(load.demand().turns, 4u);
    EXPECT_EQ(load.demand().hottest_sector, 1u);
    EXPECT_EQ(load.demand().hottest_chunk, 4u);
    words.fill(4096);
    load.add(request(words));
    EXPECT_EQ(load.demand().turns, 36u);
    EXPECT_EQ(load.demand().hottest_sector, 33u);
    load.add(request(words, 0b101));
    EXPECT_EQ(load.demand().hottest_sector, 35u);
}

TEST(AtomicLoad, ChunksOf512BytesAddTheirSectorsUpAndWorkersAddTheirs) {
    AtomicLoad load;
    Addresses words;
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) words[lane] = 8192 + 32 * lane; // two chunks of 16 sectors
    load.add(request(words));
    AtomicLoad other;
    other.add(request(words, 0xffff));
    load += other;
    const AtomicDemand demand = load.demand();
    EXPECT_EQ(demand.turns, 48u);
    EXPECT_EQ(demand.hottest_sector, 2u);
    EXPECT_EQ(demand.hottest_chunk, 32u);
}

} // namespace
} // namespace apod::model
