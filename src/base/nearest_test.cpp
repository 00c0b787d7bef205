#include "base/nearest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace apod {
namespace {

const std::vector<std::string> gpus = {"a100", "h100-sxm", "h200", "rtx4090", "t4"};

TEST(Nearest, CountsInsertionsDeletionsReplacementsAndSwapsAsOneEach) {
    EXPECT_EQ(edit_distance("", ""), 0u);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
    EXPECT_EQ(edit_distance("h200", "h020"), 1u);
    EXPECT_EQ(edit_distance("tile", "tiled"), 1u);
}

TEST(Nearest, IgnoresCaseAndKindOfDash) {
    EXPECT_EQ(edit_distance("H100_SXM", "h100-sxm"), 0u);
    EXPECT_EQ(nearest_name("H100_SXM", gpus), "h100-sxm");
}

TEST(Nearest, FindsTheSlipOfTheFinger) {
    EXPECT_EQ(nearest_name("h20", gpus), "h200");
    EXPECT_EQ(nearest_name("rtx4080", gpus), "rtx4090");
    EXPECT_EQ(nearest_name("h2000", gpus), "h200");
}

TEST(Nearest, SaysNothingWhenNothingIsNear) {
    EXPECT_EQ(nearest_name("banana", gpus), std::nullopt);
    EXPECT_EQ(nearest_name("", gpus), std::nullopt);
    EXPECT_EQ(nearest_name("h200", std::vector<std::string>{}), std::nullopt);
}

TEST(Nearest, TakesTheFirstAmongEquals) {
    const std::vector<std::string> known = {"ab", "ac"};
    EXPECT_EQ(nearest_name("ad", known), "ab");
}

TEST(Nearest, HintNamesTheNearestAndListsTheRest) {
    EXPECT_EQ(nearest_hint("h20", gpus), "did you mean 'h200'? known: a100, h100-sxm, h200, rtx4090, t4");
    EXPECT_EQ(nearest_hint("banana", gpus, 2), "known: a100, h100-sxm and 3 more");
    EXPECT_EQ(nearest_hint("x", std::vector<std::string>{}), "none is known");
}

} // namespace
} // namespace apod
