#include "bench/plausible.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace apod::bench {

TEST(Impossible, ATimeBelowTheFloorIsRefusedWithBothFigures) {
    const Result<void> refused = refuse_impossible("tiled", 900, 1000);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::check_failed);
    EXPECT_NE(refused.error().message.find("900 ns"), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().message.find("1.000 us"), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().hint, "");
}

TEST(Impossible, ATimeAtTheFloorIsNot) {
    EXPECT_TRUE(refuse_impossible("tiled", 1000, 1000));
    EXPECT_TRUE(refuse_impossible("tiled", 985, 1000)); // within what the peaks are known to
    EXPECT_TRUE(refuse_impossible("tiled", 5, 0));      // no floor is known
}

TEST(Impossible, NoTimeAtAllIsRefused) {
    EXPECT_FALSE(refuse_impossible("x", 0, 0));
    EXPECT_FALSE(refuse_impossible("x", -5, 0));
    EXPECT_FALSE(refuse_impossible("x", std::numeric_limits<double>::quiet_NaN(), 0));
}

} // namespace apod::bench
