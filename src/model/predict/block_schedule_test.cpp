#include "model/predict/block_schedule.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

using Memory = ScheduledOp::Memory;

ScheduledOp op(std::vector<std::uint32_t> reads, std::vector<std::uint32_t> writes, double latency = 4, Memory memory = Memory::none) {
    ScheduledOp result;
    result.latency = latency;
    result.memory = memory;
    result.reads = std::move(reads);
    result.writes = std::move(writes);
    return result;
}

double clocks(std::vector<ScheduledOp> ops) {
    WarpState state(16);
    return BlockSchedule(std::move(ops)).run(state);
}

TEST(BlockSchedule, IndependentInstructionsIssueOneAClock) { EXPECT_EQ(clocks({op({}, {0}), op({}, {1}), op({}, {2}), op({}, {3})}), 4); }

TEST(BlockSchedule, ADependentInstructionWaitsForItsOperand) { EXPECT_EQ(clocks({op({}, {0}), op({0}, {1}), op({1}, {2})}), 9); }

TEST(BlockSchedule, LoadsMoveAheadOfTheUseOfEarlierOnes) {
    // load a; use a; load b; use b: both loads are on their way together.
    const std::vector<ScheduledOp> ops = {op({0}, {1}, 100, Memory::load), op({1}, {2}), op({0}, {3}, 100, Memory::load), op({3}, {4})};
    EXPECT_EQ(clocks(ops), 102);
}

TEST(BlockSchedule, APlainLoadStaysBehindAStoreThatMayWriteWhatItReads) {
    const auto chain = [](Memory second_load) {
        return clocks({op({0}, {1}, 100, Memory::load), op({1, 5}, {}, 0, Memory::store), op({0}, {3}, 100, second_load),
                       op({3, 5}, {}, 0, Memory::store)});
    };
    EXPECT_GT(chain(Memory::load), 200);
    EXPECT_LT(chain(Memory::read_only_load), 110);
}

TEST(BlockSchedule, AWarpCarriesWhatIsOnItsWayToTheNextBlock) {
    WarpState state(16);
    BlockSchedule({op({0}, {1}, 100, Memory::load)}).run(state);
    EXPECT_EQ(BlockSchedule({op({1}, {2})}).run(state), 100);
}

} // namespace
} // namespace apod::model
