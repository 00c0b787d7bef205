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

// Of an H200, measured: pinned 9.91 ms in a row, 5.70 as 32 chunks over 3 streams (docs/transfer.md).
TEST(PipelineModel, is_near_what_an_h200_took) {
    EXPECT_NEAR(time_ns(HostKind::pinned, 1, 1), 9.91e6, 0.05 * 9.91e6);
    EXPECT_NEAR(time_ns(HostKind::pinned, 32, 3), 5.70e6, 0.07 * 5.70e6);
    EXPECT_EQ(predict(HostKind::pinned, 1, 1).time_ns.source, Source::predicted);
}

TEST(PipelineModel, in_one_stream_the_steps_add_up) {
    const PipelineRecord whole = predict(HostKind::pinned, 1, 1);
    EXPECT_NEAR(whole.time_ns.value, whole.copy_in_ns->value + whole.kernel_ns->value + whole.copy_out_ns->value, 1);
    // Chunks alone only add their latencies.
    EXPECT_NEAR(time_ns(HostKind::pinned, 8, 1), whole.time_ns.value + 2 * 7 * 1600, 1);
}

TEST(PipelineModel, streams_overlap_and_no_pipeline_is_faster_than_its_slowest_part) {
    double before = time_ns(HostKind::pinned, 32, 1);
    for (const std::uint32_t streams : {2u, 3u}) {
        const double now = time_ns(HostKind::pinned, 32, streams);
        EXPECT_LT(now, before) << streams;
        before = now;
    }
    EXPECT_LT(time_ns(HostKind::pinned, 64, 4), time_ns(HostKind::pinned, 16, 4)); // small chunks fill and drain faster
    EXPECT_GT(time_ns(HostKind::pinned, 64, 4), predict(HostKind::pinned, 1, 1).copy_in_ns->value);
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
    EXPECT_NEAR(mapped.time_ns.value, bytes / 51.4, 0.01 * bytes / 51.4);
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
