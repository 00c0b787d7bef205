#include "device/cuda/counters.hpp"

#include <gtest/gtest.h>

namespace apod::device::cuda {

namespace {

constexpr const char* restricted = "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n";
constexpr const char* open_to_all = "RmProfilingAdminOnly: 0\n";
constexpr const char* root = "Name:\tapod\nCapEff:\t000001ffffffffff\n";
constexpr const char* user = "Name:\tapod\nCapEff:\t0000000000000000\n";

} // namespace

TEST(CounterPermission, FollowsTheDriversParameterAndTheProcessesRights) {
    EXPECT_EQ(counter_permission(open_to_all, user).allowed, true);
    EXPECT_EQ(counter_permission(restricted, root).allowed, true);
    EXPECT_EQ(counter_permission(restricted, "CapEff:\t0000004000000000\n").allowed, true) << "CAP_PERFMON";
    const CounterPermission refused = counter_permission(restricted, user);
    EXPECT_EQ(refused.allowed, false);
    EXPECT_NE(refused.why.find("ERR_NVGPUCTRPERM"), std::string::npos);
    EXPECT_NE(refused.how.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
}

TEST(CounterPermission, IsNotKnownWhereTheDriverCannotBeAsked) {
    EXPECT_EQ(counter_permission("", root).allowed, std::nullopt);
    EXPECT_EQ(counter_permission("", user).allowed, std::nullopt);
    EXPECT_FALSE(counter_permission("", user).how.empty());
    EXPECT_EQ(counter_permission("RmProfilingAdminOnly", user).allowed, std::nullopt);
    EXPECT_EQ(counter_permission("RmProfilingAdminOnly: x", user).allowed, std::nullopt);
}

} // namespace apod::device::cuda
