// shfl, vote, match, redux, elect and activemask: what 32 lanes tell each other, with all of them and with a part.
#include "tests/emu/warp_kernel.hpp"

#include "tests/emu/float_reference.hpp"
#include "tests/emu/form_runner.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

namespace apod::emu::testing {

namespace {

// Lanes that take part.
constexpr std::uint32_t member_sets[] = {0xffffffffu, 0x0000ffffu, 0xaaaaaaaau, 0x80000001u, 0x00000010u, 0xfffffffeu};

Lanes operands(std::uint32_t seed) {
    Lanes v{};
    std::uint32_t state = seed;
    for (std::uint32_t& x : v) {
        state = state * 1664525u + 1013904223u;
        x = state >> (state % 31);
    }
    v[3] = v[17];
    v[30] = v[17];
    return v;
}

// The manual's table of shfl.sync.
std::pair<std::uint32_t, bool> shuffled(const Lanes& a, unsigned lane, const std::string& mode, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t segment = (c >> 8) & 0x1f;
    const auto highest = static_cast<int>((lane & segment) | (c & 0x1f & ~segment));
    const auto lowest = static_cast<int>(lane & segment);
    const int offset = static_cast<int>(b & 0x1f);
    int j = 0;
    bool valid = false;
    if (mode == "up") {
        j = static_cast<int>(lane) - offset;
        valid = j >= highest;
    } else if (mode == "down") {
        j = static_cast<int>(lane) + offset;
        valid = j <= highest;
    } else if (mode == "bfly") {
        j = static_cast<int>(lane) ^ offset;
        valid = j <= highest;
    } else {
        j = lowest | (offset & ~static_cast<int>(segment));
        valid = j <= highest;
    }
    return {a[valid ? static_cast<unsigned>(j) : lane], valid};
}

} // namespace

TEST(EmulatorWarps, ShufflesFetchFromTheLaneThatTheManualNames) {
    for (const char* mode : {"up", "down", "bfly", "idx"})
        for (const std::uint32_t b : {0u, 1u, 5u, 16u, 31u})
            for (const std::uint32_t c : {0x1fu, 0u, 0x181fu, 0x1c1fu, 0x1800u, 0x1007u}) {
                const Lanes a = operands(b + c);
                const WarpResult got = run_warp(fmt::format("shfl.sync.{}.b32 {{d}}|{{p}}, {{a}}, {}, {}, 0xffffffff;", mode, b, c), a);
                ASSERT_EQ(got.error, "");
                for (unsigned lane = 0; lane < 32; ++lane) {
                    const auto [value, valid] = shuffled(a, lane, mode, b, c);
                    ASSERT_EQ(got.value[lane], value) << mode << " " << b << " " << c << " lane " << lane;
                    ASSERT_EQ(got.predicate[lane], valid) << mode << " " << b << " " << c << " lane " << lane;
                }
            }
}

TEST(EmulatorWarps, VotesCountTheMembersOnly) {
    const Lanes a = operands(7);
    for (const std::uint32_t members : member_sets) {
        std::uint32_t bits = 0;
        for (unsigned lane = 0; lane < 32; ++lane) bits |= (a[lane] & 1) << lane;
        bits &= members;
        const auto expect = [&](const char* name, bool wanted) {
            const WarpResult got = run_warp(fmt::format("vote.sync.{}.pred {{p}}, {{odd}}, {:#x};", name, members), a, members);
            ASSERT_EQ(got.error, "");
            for (unsigned lane = 0; lane < 32; ++lane)
                ASSERT_EQ(got.predicate[lane], ((members >> lane) & 1) != 0 && wanted) << name << " lane " << lane;
        };
        expect("all", bits == members);
        expect("any", bits != 0);
        expect("uni", bits == members || bits == 0);
        const WarpResult ballot = run_warp(fmt::format("vote.sync.ballot.b32 {{d}}, {{odd}}, {:#x};", members), a, members);
        ASSERT_EQ(ballot.error, "");
        for (unsigned lane = 0; lane < 32; ++lane) ASSERT_EQ(ballot.value[lane], ((members >> lane) & 1) != 0 ? bits : untouched);
    }
}

TEST(EmulatorWarps, MatchesAreFoundAmongTheMembers) {
    for (const std::uint32_t members : member_sets)
        for (const bool wide : {false, true}) {
            Lanes a = operands(11);
            for (const bool same : {false, true}) {
                if (same) a.fill(0x1234567);
                const std::string type = wide ? "b64" : "b32";
                const std::string operand = wide ? "{wide_a}" : "{a}";
                const WarpResult any = run_warp(fmt::format("match.any.sync.{} {{d}}, {}, {:#x};", type, operand, members), a, members);
                const WarpResult all =
                    run_warp(fmt::format("match.all.sync.{} {{d}}|{{p}}, {}, {:#x};", type, operand, members), a, members);
                ASSERT_EQ(any.error + all.error, "");
                bool equal = true;
                for (unsigned l = 0; l < 32; ++l)
                    if (((members >> l) & 1) != 0) equal = equal && a[l] == a[static_cast<unsigned>(std::countr_zero(members))];
                for (unsigned lane = 0; lane < 32; ++lane) {
                    if (((members >> lane) & 1) == 0) continue;
                    std::uint32_t alike = 0;
                    for (unsigned other = 0; other < 32; ++other) alike |= (a[other] == a[lane] ? 1u : 0u) << other;
                    ASSERT_EQ(any.value[lane], alike & members);
                    ASSERT_EQ(all.value[lane], equal ? members : 0);
                    ASSERT_EQ(all.predicate[lane], equal);
                }
            }
        }
}

TEST(EmulatorWarps, ReductionsOfIntegersFoldTheMembers) {
    using Fold = std::uint32_t (*)(std::uint32_t, std::uint32_t);
    const struct {
        const char* name;
        Fold fold;
    } operations[] = {
        {"add.u32", [](std::uint32_t x, std::uint32_t y) { return x + y; }},
        {"add.s32", [](std::uint32_t x, std::uint32_t y) { return x + y; }},
        {"min.u32", [](std::uint32_t x, std::uint32_t y) { return x < y ? x : y; }},
        {"max.u32", [](std::uint32_t x, std::uint32_t y) { return x < y ? y : x; }},
        {"min.s32", [](std::uint32_t x, std::uint32_t y) { return static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y) ? x : y; }},
        {"max.s32", [](std::uint32_t x, std::uint32_t y) { return static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y) ? y : x; }},
        {"and.b32", [](std::uint32_t x, std::uint32_t y) { return x & y; }},
        {"or.b32", [](std::uint32_t x, std::uint32_t y) { return x | y; }},
        {"xor.b32", [](std::uint32_t x, std::uint32_t y) { return x ^ y; }},
    };
    Lanes a = operands(23);
    for (unsigned lane = 0; lane < 32; lane += 3) a[lane] = ~a[lane];
    for (const auto& operation : operations)
        for (const std::uint32_t members : member_sets) {
            const WarpResult got = run_warp(fmt::format("redux.sync.{} {{d}}, {{a}}, {:#x};", operation.name, members), a, members);
            ASSERT_EQ(got.error, "");
            const auto first = static_cast<unsigned>(std::countr_zero(members));
            std::uint32_t wanted = a[first];
            for (unsigned lane = first + 1; lane < 32; ++lane)
                if (((members >> lane) & 1) != 0) wanted = operation.fold(wanted, a[lane]);
            for (unsigned lane = 0; lane < 32; ++lane)
                ASSERT_EQ(got.value[lane], ((members >> lane) & 1) != 0 ? wanted : untouched) << operation.name;
        }
}

TEST(EmulatorWarps, ReductionsOfFloatsKnowNanAndMagnitude) {
    const auto values = values_of(Kind::f32, 40, 5);
    for (std::size_t start = 0; start + 32 <= values.size(); start += 16)
        for (const bool smallest : {true, false})
            for (const bool magnitude : {false, true})
                for (const bool nan : {false, true}) {
                    Lanes a{};
                    for (unsigned lane = 0; lane < 32; ++lane) a[lane] = static_cast<std::uint32_t>(values[start + lane]);
                    const std::uint32_t members = member_sets[start / 16 % 6];
                    const std::string name =
                        fmt::format("redux.sync.{}{}{}.f32", smallest ? "min" : "max", magnitude ? ".abs" : "", nan ? ".NaN" : "");
                    const WarpResult got = run_warp(fmt::format("{} {{d}}, {{a}}, {:#x};", name, members), a, members);
                    ASSERT_EQ(got.error, "");
                    std::uint64_t wanted = 0;
                    bool begun = false;
                    for (unsigned lane = 0; lane < 32; ++lane) {
                        if (((members >> lane) & 1) == 0) continue;
                        const std::uint64_t x = magnitude ? a[lane] & 0x7fffffffu : a[lane];
                        wanted = extreme(begun ? wanted : x, x, reference::f32, smallest, {"", nan, false});
                        begun = true;
                    }
                    for (unsigned lane = 0; lane < 32; ++lane)
                        ASSERT_EQ(got.value[lane], ((members >> lane) & 1) != 0 ? wanted : untouched) << name << " from " << start;
                }
}

TEST(EmulatorWarps, OneLaneIsElectedAndTheActiveOnesAreKnown) {
    for (const std::uint32_t members : member_sets) {
        const WarpResult elected = run_warp(fmt::format("elect.sync {{d}}|{{p}}, {:#x};", members), operands(1), members);
        const WarpResult active = run_warp("activemask.b32 {d};", operands(1), members);
        ASSERT_EQ(elected.error + active.error, "");
        const auto leader = static_cast<std::uint32_t>(std::countr_zero(members));
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (((members >> lane) & 1) == 0) continue;
            EXPECT_EQ(elected.value[lane], leader);
            EXPECT_EQ(elected.predicate[lane], lane == leader);
            EXPECT_EQ(active.value[lane], members);
        }
    }
}

} // namespace apod::emu::testing
