#include "ladder/signature.hpp"

#include <gtest/gtest.h>

namespace apod::ladder {
namespace {

using Types = std::vector<std::string>;

TEST(Signature, parameters_are_told_apart) {
    EXPECT_EQ(signature_types("tiled(float*, float const*, int)"), (Types{"float*", "float const*", "int"}));
    EXPECT_EQ(signature_types("void tiled<32>(float*, float const*, int)"), (Types{"float*", "float const*", "int"}));
    EXPECT_EQ(signature_types("k<f(1, 2)>(A<int, B<3>>, void (*)(int, int))"), (Types{"A<int, B<3>>", "void (*)(int, int)"}));
    EXPECT_EQ(signature_types("none()"), Types{});
    EXPECT_EQ(signature_types("plain_c_name"), std::nullopt);
    EXPECT_EQ(signature_types(")"), std::nullopt);
    EXPECT_EQ(signature_types(""), std::nullopt);
}

TEST(Signature, types_are_understood) {
    EXPECT_TRUE(read_cxx_type("float const*").pointer);
    EXPECT_EQ(read_cxx_type("float const*").element, ElementType::f32);
    EXPECT_EQ(read_cxx_type("float4*").element, ElementType::f32);
    EXPECT_EQ(read_cxx_type("uchar3*").element, ElementType::u8);
    EXPECT_EQ(read_cxx_type("const unsigned long long *").element, ElementType::u64);
    EXPECT_EQ(read_cxx_type("double const* __restrict__").element, ElementType::f64);
    EXPECT_FALSE(read_cxx_type("int").pointer);
    EXPECT_TRUE(read_cxx_type("Node*").pointer);
    EXPECT_EQ(read_cxx_type("Node*").element, std::nullopt);
    EXPECT_EQ(read_cxx_type("void*").element, std::nullopt);
}

} // namespace
} // namespace apod::ladder
