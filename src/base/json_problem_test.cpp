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

} // namespace
} // namespace apod
