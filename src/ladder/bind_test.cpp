#include "ladder/bind.hpp"

#include <gtest/gtest.h>

namespace apod::ladder {
namespace {

// A kernel with one pointer, given the buffer `b` of that type.
std::string refusal(const std::string& pointer, ElementType type) {
    device::KernelInfo kernel;
    kernel.display = "k(" + pointer + ")";
    kernel.parameters = {{"p", "u64", 0, 8}};
    kernel.parameter_bytes = 8;
    KernelLaunch launch;
    launch.kernel = "k";
    launch.arguments = {{"b", {}, {"l.toml", 1, 1}}};
    const auto packed = pack_arguments(launch, kernel, {{"b", type, 4096}}, {});
    return packed ? "" : packed.error().message;
}

TEST(Bind, a_buffer_of_bytes_serves_rungs_that_read_it_by_bytes_and_by_short_vectors) {
    EXPECT_EQ(refusal("unsigned char const*", ElementType::u8), "");
    EXPECT_EQ(refusal("uint4 const*", ElementType::u8), "");
    EXPECT_EQ(refusal("uint2*", ElementType::u16), "");
}

TEST(Bind, what_does_not_fit_is_still_refused) {
    EXPECT_NE(refusal("unsigned int*", ElementType::u8), "");
    EXPECT_NE(refusal("float4*", ElementType::u8), "");
    EXPECT_NE(refusal("uchar4*", ElementType::u32), "");
    EXPECT_NE(refusal("uint4*", ElementType::f32), "");
}

} // namespace
} // namespace apod::ladder
