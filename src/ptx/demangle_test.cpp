#include "ptx/module.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

TEST(Demangle, a_mangled_name_becomes_the_declaration) { EXPECT_EQ(demangle("_Z5tiledPfPKfi"), "tiled(float*, float const*, int)"); }

TEST(Demangle, other_names_stay_as_they_are) {
    for (const auto* name : {"", "kernel", "_Z", "_Znonsense", "vprintf"}) EXPECT_EQ(demangle(name), name);
}

TEST(Demangle, the_namespace_that_nvcc_makes_for_internal_linkage_is_dropped) {
    EXPECT_EQ(demangle("_ZN32_INTERNAL_638349ab_5_t1_cu_table10__syncwarpEj"), "__syncwarp(unsigned int)");
}

} // namespace
} // namespace apod::ptx
