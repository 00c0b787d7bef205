#include "arch/link.hpp"

#include <gtest/gtest.h>

namespace apod::arch {
namespace {

TEST(Link, a_generation_and_a_width_give_the_rate_each_way) {
    EXPECT_NEAR(pcie_gbs(3, 16), 15.754, 0.001);
    EXPECT_NEAR(pcie_gbs(5, 16), 63.015, 0.001);
    EXPECT_NEAR(pcie_gbs(1, 16), 4, 1e-9);
    EXPECT_EQ(pcie_gbs(0, 16), 0);
    EXPECT_EQ(pcie_gbs(7, 16), 0);
}

TEST(Link, a_description_names_both_or_is_not_on_pcie) {
    Gpu gpu;
    gpu.pcie = "4.0 x8";
    EXPECT_EQ(pcie_gbs(gpu), pcie_gbs(4, 8));
    for (const char* other : {"integrated", "C2C + 5.0", "", "5.0 x", ".0 x16", "5.0 x16 twice"}) {
        gpu.pcie = other;
        EXPECT_EQ(pcie_gbs(gpu), 0) << other;
    }
}

} // namespace
} // namespace apod::arch
