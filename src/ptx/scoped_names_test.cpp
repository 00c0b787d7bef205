#include "ptx/scoped_names.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

using Kind = Binding::Kind;

std::int64_t index_of(const ScopedNames& names, std::string_view name) {
    Binding found;
    return names.find(name, found) ? std::int64_t{found.index} : -1;
}

TEST(ScopedNames, the_innermost_declaration_is_found_and_ends_with_its_scope) {
    ScopedNames names;
    names.open();
    EXPECT_TRUE(names.declare("t", {Kind::reg, 1, 1}));
    EXPECT_FALSE(names.declare("t", {Kind::reg, 2, 1}));
    names.open();
    EXPECT_TRUE(names.declare("t", {Kind::reg, 3, 1}));
    EXPECT_EQ(index_of(names, "t"), 3);
    names.close();
    EXPECT_EQ(index_of(names, "t"), 1);
    names.close();
    EXPECT_EQ(index_of(names, "t"), -1);
}

TEST(ScopedNames, a_range_declares_its_members_and_no_more) {
    ScopedNames names;
    names.open();
    EXPECT_TRUE(names.declare("%r", {Kind::reg_range, 10, 12}));
    EXPECT_EQ(index_of(names, "%r0"), 10);
    EXPECT_EQ(index_of(names, "%r11"), 21);
    for (const auto* name : {"%r12", "%r", "%r01", "%rx", "%r4294967296000000000000", "11"}) EXPECT_EQ(index_of(names, name), -1) << name;
    EXPECT_FALSE(names.declare("%r3", {Kind::reg, 0, 1}));
}

TEST(ScopedNames, a_prefix_may_itself_end_in_a_digit) {
    ScopedNames names;
    names.open();
    EXPECT_TRUE(names.declare("%r1", {Kind::reg_range, 100, 30}));
    EXPECT_EQ(index_of(names, "%r123"), 123);
    EXPECT_EQ(index_of(names, "%r1"), -1);
}

TEST(ScopedNames, ranges_and_names_of_inner_scopes_hide_each_other) {
    ScopedNames names;
    names.open();
    EXPECT_TRUE(names.declare("%r", {Kind::reg_range, 0, 9}));
    names.open();
    EXPECT_TRUE(names.declare("%r5", {Kind::reg, 50, 1}));
    EXPECT_EQ(index_of(names, "%r5"), 50);
    names.open();
    EXPECT_TRUE(names.declare("%r", {Kind::reg_range, 100, 9}));
    EXPECT_EQ(index_of(names, "%r5"), 105);
    names.close();
    EXPECT_EQ(index_of(names, "%r5"), 50);
}

} // namespace
} // namespace apod::ptx
