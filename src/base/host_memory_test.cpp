#include "base/host_memory.hpp"

#include <gtest/gtest.h>

namespace apod {
namespace {

TEST(HostMemory, IsMoreThanThisTestNeeds) { EXPECT_GT(available_host_memory(), 1ull << 20); }

} // namespace
} // namespace apod
