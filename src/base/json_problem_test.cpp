#include "base/json_problem.hpp"

#include <gtest/gtest.h>

namespace apod {
namespace {

TEST(JsonProblem, IsWhatTheLibrarySaysWithoutItsTag) {
    EXPECT_EQ(json_problem("[json.exception.out_of_range.403] key 'device' not found"), "key 'device' not found");
    EXPECT_EQ(json_problem("a text [of another] kind"), "a text [of another] kind");
    EXPECT_EQ(json_problem("[json.exception.cut"), "[json.exception.cut");
    EXPECT_EQ(json_problem(""), "");
}

TEST(JsonProblem, LeavesTheMiddleOfALongTextOut) {
    const std::string number(100'000, '7');
    const std::string problem = json_problem("[json.exception.out_of_range.406] number overflow parsing '" + number + "' in line 3");
    EXPECT_EQ(problem.size(), 305U);
    EXPECT_TRUE(problem.starts_with("number overflow parsing '777")) << problem;
    EXPECT_TRUE(problem.ends_with("777' in line 3")) << problem;
    EXPECT_NE(problem.find("7 ... 7"), std::string::npos) << problem;
}

} // namespace
} // namespace apod
