#include "explain/pipeline.hpp"

#include <gtest/gtest.h>

namespace apod::explain {
namespace {

constexpr std::uint64_t bytes = std::uint64_t{256} << 20;

arch::Gpu gpu() {
    arch::Gpu made;
    made.pcie = "5.0 x16";
    return made;
}

Quantity ms(double value) { return {value * 1e6, Source::measured, {}}; }

PipelineRecord pinned(std::uint32_t chunks, std::uint32_t streams, double time_ms) {
    return {{HostKind::pinned, chunks, streams, false, bytes, bytes}, ms(time_ms), ms(4.84), ms(0.2), ms(4.85), {}};
}

TEST(ExplainPipeline, pageable_memory_may_save_what_it_lacks_to_the_link) {
    PipelineRecord slow = pinned(1, 1, 55);
    slow.shape.host = HostKind::pageable;
    slow.copy_in_ns = ms(26);
    slow.copy_out_ns = ms(28);
    const std::vector<Finding> findings = explain_pipeline(slow, gpu());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "pageable-copies");
    EXPECT_NEAR(*findings[0].gain_ns, 54e6 - 2.0 * bytes / (63.015 * 0.88), 1e4);
    // As fast as page-locked memory: nothing to gain.
    slow.copy_in_ns = ms(4.84);
    slow.copy_out_ns = ms(4.84);
    slow.time_ns = ms(10);
    EXPECT_TRUE(explain_pipeline(slow, gpu()).empty());
    // Without PCIe nobody knows.
    slow.copy_in_ns = ms(26);
    EXPECT_TRUE(explain_pipeline(slow, {}).empty());
}

// 5.04 ms but the slowest part, 4.5 us a chunk: 33 chunks, which take both ways at once and 0.153 + 0.149 ms.
constexpr double both_ways_ns = 4.85e6 * 0.88 / 0.806;
constexpr double best_ns = both_ways_ns + 5.04e6 / 33 + 4500 * 33;

TEST(ExplainPipeline, steps_in_a_row_may_save_all_but_the_slowest) {
    for (const std::uint32_t chunks : {1u, 32u}) {
        const std::vector<Finding> findings = explain_pipeline(pinned(chunks, 1, 9.91), gpu());
        ASSERT_EQ(findings.size(), 1u) << chunks;
        EXPECT_EQ(findings[0].rule, "copies-in-a-row");
        EXPECT_NEAR(*findings[0].gain_ns, 9.91e6 - best_ns, 1);
        EXPECT_NE(findings[0].advice.find("some 33 chunks"), std::string::npos) << findings[0].advice;
    }
    // One chunk is in one stream, however many there are.
    EXPECT_EQ(explain_pipeline(pinned(1, 3, 9.91), gpu()).front().rule, "copies-in-a-row");
}

TEST(ExplainPipeline, coarse_chunks_may_save_at_the_ends) {
    const std::vector<Finding> findings = explain_pipeline(pinned(8, 3, 6.05), gpu());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "coarse-chunks");
    EXPECT_NEAR(*findings[0].gain_ns, 6.05e6 - best_ns, 1);
    EXPECT_NE(findings[0].advice.find("some 33 equal chunks"), std::string::npos) << findings[0].advice;
    EXPECT_TRUE(explain_pipeline(pinned(16, 3, 5.65), gpu()).empty()); // hardly any gain
    EXPECT_TRUE(explain_pipeline(pinned(17, 3, 6.05), gpu()).empty()); // not by chunks: they are fine enough
    EXPECT_TRUE(explain_pipeline(pinned(65, 3, 6.05), gpu()).empty()); // nor too fine
}

TEST(ExplainPipeline, fine_chunks_may_save_what_each_costs) {
    const std::vector<Finding> findings = explain_pipeline(pinned(128, 3, 5.86), gpu());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "fine-chunks");
    EXPECT_NEAR(*findings[0].gain_ns, 5.86e6 - best_ns, 1);
    EXPECT_EQ(findings[0].evidence, "128 chunks of 2.1 MB, and some 4.5 us of both ways from one to the next");
    EXPECT_TRUE(explain_pipeline(pinned(128, 3, 5.6), gpu()).empty());
}

TEST(ExplainPipeline, both_ways_at_once_are_the_bound_where_they_were_timed) {
    PipelineRecord slow = pinned(8, 3, 7);
    slow.both_ways_ns = ms(6);
    EXPECT_NEAR(*explain_pipeline(slow, gpu()).front().gain_ns, 1e6 - 5.04e6 / 33 - 4500 * 33, 1);
}

TEST(ExplainPipeline, of_mapped_memory_nothing_is_said) {
    EXPECT_TRUE(explain_pipeline({{HostKind::mapped, 1, 1, false, bytes, bytes}, ms(6), {}, {}, {}, {}}, gpu()).empty());
}

} // namespace
} // namespace apod::explain
