#include "device/emulated/pipeline_model.hpp"

#include <gtest/gtest.h>

namespace apod::device {
namespace {

constexpr std::uint64_t bytes = std::uint64_t{256} << 20;

arch::Gpu gpu() {
    arch::Gpu made;
    made.name = "NVIDIA H200";
    made.pcie = "5.0 x16";
    return made;
}

PipelineRecord predict(HostKind host, std::uint32_t chunks, std::uint32_t streams) {
    const std::vector<double> kernels(chunks, 200e3 / chunks);
    const Result<PipelineRecord> made = predict_pipeline({host, chunks, streams, false, bytes, bytes}, kernels, gpu());
    EXPECT_TRUE(made.ok());
    return made ? *made : PipelineRecord();
}

double time_ns(HostKind host, std::uint32_t chunks, std::uint32_t streams) { return predict(host, chunks, streams).time_ns.value; }

struct Measured {
    std::uint32_t chunks;
    std::uint32_t streams; // 0: one for each stage
    double ms;
};

// Of an H200 (docs/results/h200_transfer_ways.csv; the first three by the ladder, h200_climb_transfer.txt of that day).
constexpr Measured measured[] = {{1, 1, 9.832},   {8, 1, 9.983},  {8, 3, 6.051},   {16, 0, 5.664}, {24, 0, 5.596},  {32, 0, 5.572},
                                 {48, 0, 5.597},  {64, 0, 5.597}, {128, 0, 5.858}, {16, 2, 5.850}, {32, 2, 5.839},  {64, 2, 6.100},
                                 {128, 2, 6.784}, {16, 3, 5.748}, {32, 3, 5.707},  {64, 3, 5.876}, {128, 3, 6.246}, {16, 4, 5.822},
                                 {32, 4, 5.778},  {64, 4, 5.911}, {128, 4, 6.278}};

TEST(PipelineModel, is_within_5_percent_of_what_an_h200_took) {
    for (const Measured& each : measured) {
        const std::vector<double> kernels(each.chunks, 125e3 / each.chunks + 700);
        const PipelineShape shape{HostKind::pinned, each.chunks, each.streams == 0 ? 3 : each.streams, each.streams == 0, bytes, bytes};
        const Result<PipelineRecord> made = predict_pipeline(shape, kernels, gpu());
        ASSERT_TRUE(made.ok());
        EXPECT_NEAR(made->time_ns.value / 1e6, each.ms, 0.05 * each.ms) << each.chunks << " chunks, " << each.streams << " streams";
        EXPECT_EQ(made->time_ns.source, Source::predicted);
    }
    const PipelineRecord both = predict(HostKind::pinned, 32, 3);
    ASSERT_TRUE(both.both_ways_ns);
    EXPECT_NEAR(both.both_ways_ns->value, 5.292e6, 0.005 * 5.292e6);
    EXPECT_FALSE(predict(HostKind::pinned, 32, 1).both_ways_ns);
}

TEST(PipelineModel, the_best_number_of_chunks_is_that_of_the_gpu) {
    const auto stages_ns = [](std::uint32_t chunks) {
        const std::vector<double> kernels(chunks, 125e3 / chunks + 700);
        return predict_pipeline({HostKind::pinned, chunks, 3, true, bytes, bytes}, kernels, gpu()).value().time_ns.value;
    };
    for (const std::uint32_t other : {8u, 16u, 64u, 128u, 256u}) EXPECT_LT(stages_ns(32), stages_ns(other)) << other;
}

TEST(PipelineModel, in_one_stream_the_steps_add_up) {
    const PipelineRecord whole = predict(HostKind::pinned, 1, 1);
    EXPECT_NEAR(whole.time_ns.value, whole.copy_in_ns->value + whole.kernel_ns->value + whole.copy_out_ns->value + 2 * 5000, 1);
    // Seven chunks more add only what lies between copies, and three times from one engine to the next.
    EXPECT_NEAR(time_ns(HostKind::pinned, 8, 1), whole.time_ns.value + 7 * (2600 + 1900) + 7 * 3 * 5000, 1);
}

TEST(PipelineModel, streams_overlap_and_no_pipeline_is_faster_than_its_slowest_part) {
    double before = time_ns(HostKind::pinned, 32, 1);
    for (const std::uint32_t streams : {2u, 3u}) {
        const double now = time_ns(HostKind::pinned, 32, streams);
        EXPECT_LT(now, before) << streams;
        before = now;
    }
    EXPECT_LT(time_ns(HostKind::pinned, 16, 4), time_ns(HostKind::pinned, 4, 4)); // small chunks fill and drain faster
    EXPECT_GT(time_ns(HostKind::pinned, 16, 4), predict(HostKind::pinned, 1, 1).copy_in_ns->value);
    // Kernels that take longest hide the copies.
    const Result<PipelineRecord> busy =
        predict_pipeline({HostKind::pinned, 8, 4, false, bytes, bytes}, std::vector<double>(8, 10e6), gpu());
    ASSERT_TRUE(busy.ok());
    EXPECT_GT(busy->time_ns.value, 80e6);
    EXPECT_LT(busy->time_ns.value, 80e6 + 2 * busy->copy_in_ns->value / 8 + 1e5);
}

TEST(PipelineModel, pageable_memory_is_the_slowest_and_mapped_memory_has_no_copies) {
    EXPECT_GT(time_ns(HostKind::pageable, 1, 1), 4 * time_ns(HostKind::pinned, 1, 1));
    const PipelineRecord mapped = predict(HostKind::mapped, 1, 1);
    EXPECT_FALSE(mapped.copy_in_ns);
    EXPECT_NEAR(mapped.time_ns.value, bytes / 41.5, 0.01 * bytes / 41.5); // it reads and writes
    const Result<PipelineRecord> reads = predict_pipeline({HostKind::mapped, 1, 1, false, bytes, 0}, {1}, gpu());
    ASSERT_TRUE(reads.ok());
    EXPECT_NEAR(reads->time_ns.value, bytes / 51.4, 0.01 * bytes / 51.4);
}

TEST(PipelineModel, a_way_may_carry_nothing) {
    const Result<PipelineRecord> made = predict_pipeline({HostKind::pinned, 4, 2, false, bytes, 0}, {1, 1, 1, 1}, gpu());
    ASSERT_TRUE(made.ok());
    EXPECT_LT(made->time_ns.value, 1.01 * (made->copy_in_ns->value + 4 * 1600));
}

TEST(PipelineModel, without_a_known_link_there_is_no_time) {
    arch::Gpu other = gpu();
    other.pcie = "integrated";
    EXPECT_FALSE(predict_pipeline({HostKind::pinned, 1, 1, false, 1, 1}, {1}, other).ok());
}

} // namespace
} // namespace apod::device
