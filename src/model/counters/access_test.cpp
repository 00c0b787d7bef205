#include "model/counters/access.hpp"
#include "model/counters/access_reference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace apod::model {
namespace {

struct Request {
    std::array<std::uint64_t, emu::lanes> address{};
    emu::MemoryEvent event;

    Request() { event.active = 0xffffffffu; }
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    const emu::MemoryEvent& get() {
        event.address = address.data();
        return event;
    }
    template<class Place> Request& at(Place place) {
        for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) address[lane] = place(std::uint64_t{lane});
        return *this;
    }
};

void expect_same(const emu::MemoryEvent& event, const std::string& what) {
    LineList lines;
    const GlobalShape global = global_shape(event, lines);
    const GlobalShape global_reference = reference::global_shape(event);
    EXPECT_EQ(global.sectors, global_reference.sectors) << what;
    EXPECT_EQ(global.lines, global_reference.lines) << what;
    EXPECT_EQ(lines.count, global_reference.lines) << what;
    std::uint32_t sectors = 0;
    for (std::uint32_t i = 0; i < lines.count; ++i) sectors += static_cast<std::uint32_t>(std::popcount(lines.mask[i]));
    EXPECT_EQ(sectors, global_reference.sectors) << what;
    EXPECT_EQ(global.wavefronts, global_reference.wavefronts) << what;
    EXPECT_EQ(atomic_shape(event).addresses, reference::atomic_shape(event).addresses) << what;
    EXPECT_EQ(atomic_shape(event).max_lanes, reference::atomic_shape(event).max_lanes) << what;
    EXPECT_EQ(local_sectors(event), reference::local_sectors(event)) << what;
    emu::MemoryEvent shared = event;
    shared.space = emu::MemorySpace::shared;
    EXPECT_EQ(shared_shape(shared).wavefronts, reference::shared_shape(shared).wavefronts) << what;
    EXPECT_EQ(shared_shape(shared).ideal, reference::shared_shape(shared).ideal) << what;
}

TEST(Access, CoalescedLoadOfAWarpIsFourSectors) {
    Request request;
    request.at([](std::uint64_t lane) { return 0x10000 + lane * 4; });
    request.event.pattern = emu::Pattern::contiguous;
    LineList lines;
    const GlobalShape shape = global_shape(request.get(), lines);
    EXPECT_EQ(shape.sectors, 4u);
    EXPECT_EQ(shape.lines, 1u);
    EXPECT_EQ(shape.wavefronts, 1u);
}

TEST(Access, AMisalignedContiguousLoadTouchesOneSectorMore) {
    Request request;
    request.at([](std::uint64_t lane) { return 0x10004 + lane * 4; });
    request.event.pattern = emu::Pattern::contiguous;
    LineList lines;
    const GlobalShape shape = global_shape(request.get(), lines);
    EXPECT_EQ(shape.sectors, 5u);
    EXPECT_EQ(shape.lines, 2u);
}

TEST(Access, AColumnOfAMatrixIsASectorALane) {
    Request request;
    request.at([](std::uint64_t lane) { return 0x10000 + lane * 4096; });
    LineList lines;
    const GlobalShape shape = global_shape(request.get(), lines);
    EXPECT_EQ(shape.sectors, 32u);
    EXPECT_EQ(shape.wavefronts, 32u);
}

TEST(Access, AColumnOfAnUnpaddedTileConflictsThirtyOneTimesAndOfAPaddedOneNever) {
    Request request;
    request.event.space = emu::MemorySpace::shared;
    request.at([](std::uint64_t lane) { return lane * 32 * 4; });
    SharedShape shape = shared_shape(request.get());
    EXPECT_EQ(shape.wavefronts - shape.ideal, 31u);
    request.at([](std::uint64_t lane) { return lane * 33 * 4; });
    shape = shared_shape(request.get());
    EXPECT_EQ(shape.wavefronts - shape.ideal, 0u);
}

TEST(Access, LocalWordsOfAWarpLieSideBySide) {
    Request request;
    request.event.space = emu::MemorySpace::local;
    request.at([](std::uint64_t) { return std::uint64_t{8}; });
    EXPECT_EQ(local_sectors(request.get()), 4u);
    request.event.bytes = 16;
    request.at([](std::uint64_t) { return std::uint64_t{16}; });
    EXPECT_EQ(local_sectors(request.get()), 16u);
}

TEST(Access, OnePlaceInEveryLanesLocalMemoryCountsAsTheReferenceCounts) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
        for (const std::uint64_t place : {0u, 3u, 8u, 30u})
            for (const std::uint32_t active : {1u, 0x80000000u, 0xffu, 0x100u, 0x01010101u, 0xff00ff00u, 0xffffffffu}) {
                Request request;
                request.event.space = emu::MemorySpace::local;
                request.event.bytes = bytes;
                request.event.active = active;
                request.event.pattern = emu::Pattern::uniform;
                request.at([&](std::uint64_t) { return place; });
                EXPECT_EQ(local_sectors(request.get()), reference::local_sectors(request.get())) << bytes << " at " << place;
            }
}

TEST(Access, EverySpacingMatchesTheReference) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
        for (const std::int64_t stride : {0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 33, 64, 65, 100, 127, 128, 129, 256, 1024, 4096}) {
            for (const std::uint64_t offset : {0u, 1u, 3u, 7u}) {
                for (const std::int64_t sign : {1, -1}) {
                    Request request;
                    request.event.bytes = bytes;
                    request.at([&](std::uint64_t lane) {
                        return (std::uint64_t{1} << 32) + (offset + static_cast<std::uint64_t>(sign * stride) * lane) * bytes;
                    });
                    expect_same(request.get(), "bytes " + std::to_string(bytes) + " stride " + std::to_string(sign * stride));
                }
            }
        }
    }
}

// Random words of a range, in the shapes that have paths of their own: any order, ascending, in groups of equal lanes, with lanes off.
TEST(Access, RandomRequestsMatchTheReference) {
    const std::uint32_t seed = 20261101;
    std::mt19937 random(seed);
    for (int round = 0; round < 20000; ++round) {
        Request request;
        request.event.bytes = 1u << random() % 5;
        if (random() % 2 == 0) request.event.kind = emu::AccessKind::store;
        const std::uint64_t range = std::uint64_t{1} << (1 + random() % 16);
        const std::uint32_t same = 1u << random() % 4;
        const bool next_but_one = random() % 4 == 0;
        for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) {
            const std::uint64_t word = random() % range;
            const std::uint32_t like = next_but_one ? lane & ~2u : lane / same * same;
            request.address[lane] = like == lane ? 4096 + word * request.event.bytes : request.address[like];
        }
        if (random() % 3 == 0) std::sort(request.address.begin(), request.address.end());
        if (random() % 3 == 0) request.event.active = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(random()));
        expect_same(request.get(), "seed " + std::to_string(seed) + " round " + std::to_string(round));
        if (HasFailure()) break; // one seed is enough to look at
    }
}

TEST(Access, PatternsThatTheEmulatorNamesMatchTheReference) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
        for (const std::uint64_t start : {0u, 1u, 2u, 5u, 8u}) {
            Request contiguous;
            contiguous.event.bytes = bytes;
            contiguous.event.pattern = emu::Pattern::contiguous;
            contiguous.at([&](std::uint64_t lane) { return 4096 + (start + lane) * bytes; });
            expect_same(contiguous.get(), "contiguous " + std::to_string(bytes));
            for (const std::uint32_t active : {0xffffffffu, 1u, 0x80000000u, 0x00ff0000u, 0xff0000ffu}) {
                Request uniform;
                uniform.event.bytes = bytes;
                uniform.event.pattern = emu::Pattern::uniform;
                uniform.event.active = active;
                uniform.at([&](std::uint64_t) { return 4096 + start * bytes; });
                expect_same(uniform.get(), "uniform " + std::to_string(bytes) + " mask " + std::to_string(active));
            }
        }
    }
}

TEST(LocalLines, LanesOfOneWordShareALineAndEightOfThemASector) {
    LineList lines;
    emu::MemoryEvent event;
    std::uint64_t address[emu::lanes];
    for (std::uint64_t& a : address) a = 12;
    event.space = emu::MemorySpace::local;
    event.address = address;
    event.active = 0xffff;
    event.warp = 3;
    local_lines(event, lines);
    ASSERT_EQ(lines.count, 1u);
    EXPECT_EQ(lines.line[0], 3u << local_word_bits | 3u);
    EXPECT_EQ(lines.mask[0], 3);
    event.active = 0xffffffff;
    event.bytes = 8;
    local_lines(event, lines);
    ASSERT_EQ(lines.count, 2u);
    EXPECT_EQ(lines.mask[1], 15);
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) address[lane] = 4 * (lane % 4);
    event.bytes = 4;
    local_lines(event, lines);
    EXPECT_EQ(lines.count, 4u);
}

TEST(LocalLines, OnePlaceInEveryLaneIsCountedAsLanesOneByOneAre) {
    emu::MemoryEvent event;
    std::uint64_t address[emu::lanes];
    event.space = emu::MemorySpace::local;
    event.address = address;
    event.warp = 37;
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
        for (const std::uint32_t active : {0x1u, 0x00ff0000u, 0x80000001u, 0xffffffffu}) {
            std::fill(address, address + emu::lanes, 4096u + 16u);
            event.bytes = bytes;
            event.active = active;
            LineList uniform;
            event.pattern = emu::Pattern::uniform;
            local_lines(event, uniform);
            LineList scattered;
            event.pattern = emu::Pattern::scattered;
            local_lines(event, scattered);
            ASSERT_EQ(uniform.count, scattered.count);
            for (std::uint32_t i = 0; i < uniform.count; ++i) {
                EXPECT_EQ(uniform.line[i], scattered.line[i]);
                EXPECT_EQ(uniform.mask[i], scattered.mask[i]) << bytes << " bytes, lanes " << active;
            }
        }
}

} // namespace
} // namespace apod::model
