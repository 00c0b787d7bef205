#include "bench/chunked_streams.hpp"

#include "bench/fake_gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace apod::bench {
namespace {

class Chunked : public ::testing::Test {
protected:
    void SetUp() override {
        auto made = ChunkedStreams::make(gpu_, 4);
        ASSERT_TRUE(made.ok());
        chunked_ = std::make_unique<ChunkedStreams>(*std::move(made));
        auto stream = gpu_.make_stream();
        ASSERT_TRUE(stream.ok());
        timed_ = *std::move(stream);
    }
    std::vector<const device::Stream*> streams_of(std::uint32_t streams, std::size_t chunks) {
        std::vector<const device::Stream*> used;
        const auto queue_chunk = [&](device::Stream& stream, std::size_t chunk) -> Result<void> {
            EXPECT_EQ(chunk, used.size());
            used.push_back(&stream);
            return {};
        };
        EXPECT_TRUE(chunked_->queue(*timed_, streams, chunks, queue_chunk).ok());
        return used;
    }
    testing::FakeGpu gpu_;
    std::unique_ptr<ChunkedStreams> chunked_;
    std::unique_ptr<device::Stream> timed_;
};

TEST_F(Chunked, the_streams_take_the_chunks_in_turn_and_the_timed_one_begins) {
    const auto used = streams_of(3, 8);
    ASSERT_EQ(used.size(), 8u);
    EXPECT_EQ(used[0], timed_.get());
    for (std::size_t i = 3; i < used.size(); ++i) EXPECT_EQ(used[i], used[i - 3]);
    EXPECT_EQ(std::set(used.begin(), used.end()).size(), 3u);
}

TEST_F(Chunked, one_stream_is_the_timed_one) {
    for (const device::Stream* stream : streams_of(1, 5)) EXPECT_EQ(stream, timed_.get());
    EXPECT_TRUE(streams_of(4, 0).empty());
}

TEST_F(Chunked, by_stage_each_stage_has_a_stream_of_its_own) {
    std::array<std::vector<const device::Stream*>, 3> used;
    std::vector<std::size_t> order;
    const auto stage = [&](std::size_t number) {
        return [&, number](device::Stream& stream, std::size_t chunk) -> Result<void> {
            used[number].push_back(&stream);
            order.push_back(3 * chunk + number);
            return {};
        };
    };
    ASSERT_TRUE(chunked_->queue_by_stage(*timed_, 5, {stage(0), stage(1), stage(2)}).ok());
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(order.size(), 15u);
    EXPECT_EQ(used[0].front(), timed_.get());
    std::set<const device::Stream*> all;
    for (const auto& streams : used) {
        EXPECT_EQ(std::set(streams.begin(), streams.end()).size(), 1u);
        all.insert(streams.front());
    }
    EXPECT_EQ(all.size(), 3u);
}

TEST_F(Chunked, a_chunk_that_cannot_be_queued_ends_it) {
    std::size_t queued = 0;
    const auto fails = [&](device::Stream&, std::size_t chunk) -> Result<void> {
        ++queued;
        return chunk == 2 ? Result<void>(unavailable("no memory")) : Result<void>();
    };
    const Result<void> done = chunked_->queue(*timed_, 2, 6, fails);
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().message, "no memory");
    EXPECT_EQ(queued, 3u);
}

} // namespace
} // namespace apod::bench
