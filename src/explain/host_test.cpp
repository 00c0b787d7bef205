#include "explain/host.hpp"

#include <gtest/gtest.h>

namespace apod::explain {
namespace {

arch::Gpu gpu() {
    arch::Gpu made;
    made.pcie = "5.0 x16";
    made.launch.stream_ns = 4000;
    made.launch.graph_ns = 500;
    return made;
}

TEST(ExplainHost, ManySmallCopiesMaySaveAllButOne) {
    HostWork work;
    work.kernel_ns = 300e3;
    work.copies = {{"device to host", true, 100, 400, 800e3, 400, 800e3}};
    const std::vector<Finding> findings = explain_host(work, gpu());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "small-copies");
    EXPECT_NEAR(*findings[0].gain_ns, 792e3, 100);
    EXPECT_NE(findings[0].evidence.find("100 copies of 4 B"), std::string::npos) << findings[0].evidence;
    work.kernel_ns = 300e6;
    EXPECT_TRUE(explain_host(work, gpu()).empty()) << "of no weight";
    work = {{{"device to device", false, 100, 400, 800e3, 0, 0}}, 1, 1000};
    EXPECT_TRUE(explain_host(work, gpu()).empty());
}

TEST(ExplainHost, LargePageableCopiesMaySaveWhatTheyLackToTheLink) {
    HostWork work;
    work.copies = {{"host to device", true, 4, 1 << 30, 100e6, 1 << 30, 100e6}};
    const std::vector<Finding> findings = explain_host(work, gpu());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "pageable-copies");
    EXPECT_NEAR(*findings[0].gain_ns, 100e6 - (1 << 30) / (63.015 * 0.88), 1e4);
    work.copies = {{"host to device", true, 1, 1 << 30, 100e6, 1 << 30, 100e6}};
    EXPECT_TRUE(explain_host(work, gpu()).empty()) << "to lock memory for one copy does not pay";
    work.copies = {{"host to device", true, 4, 1 << 30, 20e6, 0, 0}};
    EXPECT_TRUE(explain_host(work, gpu()).empty());
}

TEST(ExplainHost, KernelsShorterThanTheirLaunchesLoseTheTimeBetween) {
    HostWork work;
    work.launches = 200;
    work.kernel_ns = 200 * 1800;
    const std::vector<Finding> findings = explain_host(work, gpu());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "short-kernels");
    EXPECT_NEAR(*findings[0].gain_ns, 200 * 2200, 1);
    work.kernel_ns = 200 * 5000;
    EXPECT_TRUE(explain_host(work, gpu()).empty());
    work = {{}, 5, 5 * 1800};
    EXPECT_TRUE(explain_host(work, gpu()).empty());
}

} // namespace
} // namespace apod::explain
