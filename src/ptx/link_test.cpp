#include "ptx/link.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace apod::ptx {
namespace {

LinkUnit unit(std::string file, std::string_view body, std::string_view target = "sm_70") {
    return {fmt::format(".version 7.8\n.target {}\n.address_size 64\n{}", target, body), std::move(file)};
}

std::shared_ptr<const Module> linked(std::vector<LinkUnit> units) {
    auto module = link(std::move(units));
    EXPECT_TRUE(module) << (module ? "" : to_text(module.error()));
    return module ? *module : nullptr;
}

std::string error_of(std::vector<LinkUnit> units) {
    const auto module = link(std::move(units));
    EXPECT_FALSE(module);
    return module ? "" : to_text(module.error());
}

const Operand& target_of_call(const Module& module, std::string_view function) {
    for (const Instruction& instruction : module.find_function(function)->instructions)
        if (instruction.opcode == "call")
            for (const Operand& operand : instruction.operands)
                if (operand.symbol == SymbolKind::function) return operand;
    throw std::runtime_error("no call");
}

constexpr std::string_view calls_twice = R"(
.extern .func (.param .b32 r) twice (.param .b32 x);
.visible .entry k()
{
    .reg .b32 %r<3>;
    .param .b32 a;
    .param .b32 b;
    call.uni (b), twice, (a);
    ret;
}
)";
constexpr std::string_view defines_twice = R"(
.visible .func (.param .b32 r) twice (.param .b32 x)
{
    ret;
}
)";

TEST(Link, ACallReachesTheFunctionOfAnotherUnitInEitherOrder) {
    for (const bool first : {true, false}) {
        const LinkUnit caller = unit("caller.ptx", calls_twice);
        const LinkUnit callee = unit("callee.ptx", defines_twice);
        const auto module = first ? linked({callee, caller}) : linked({caller, callee});
        ASSERT_NE(module, nullptr);
        EXPECT_EQ(module->functions.size(), 2u);
        const Operand& target = target_of_call(*module, "k");
        EXPECT_EQ(module->functions[target.index].name, "twice");
        EXPECT_TRUE(module->functions[target.index].has_body);
    }
}

TEST(Link, PlacesLeadBackToTheUnitAndItsLine) {
    const auto module = linked({unit("a.ptx", calls_twice), unit("b.ptx", defines_twice)});
    ASSERT_NE(module, nullptr);
    const SourcePosition in_b = module->position(module->find_function("twice")->position);
    EXPECT_EQ(in_b.file, "b.ptx");
    EXPECT_EQ(in_b.line, 5u);
    const SourcePosition in_a = module->position(module->find_function("k")->instructions.front().position);
    EXPECT_EQ(in_a.file, "a.ptx");
    EXPECT_EQ(in_a.line, 11u);
}

TEST(Link, AVariableIsSharedWithThoseThatDeclareIt) {
    const auto module = linked({unit("a.ptx", ".extern .global .align 4 .u32 counter;\n.visible .global .align 8 .u64 where = counter;\n"),
                                unit("b.ptx", ".visible .global .align 4 .u32 counter = 5;\n")});
    ASSERT_NE(module, nullptr);
    ASSERT_EQ(module->variables.size(), 2u);
    const Variable* counter = module->find_variable("counter");
    ASSERT_NE(counter, nullptr);
    EXPECT_EQ(counter->linkage, Linkage::visible);
    EXPECT_EQ(counter->initial.size(), 4u);
}

TEST(Link, PrivateNamesOfTwoUnitsStayApart) {
    constexpr std::string_view body =
        ".global .align 4 .u32 state = {};\n.func helper()\n{{\n    .reg .b32 %r<2>;\n"
        "    ld.global.u32 %r1, [state];\n    ret;\n}}\n.visible .entry k{}()\n{{\n    call.uni helper;\n    ret;\n}}\n"
        ".visible .global .align 8 .u64 p{} = state;\n";
    const auto module =
        linked({unit("a.ptx", fmt::format(fmt::runtime(body), 1, 1, 1)), unit("b.ptx", fmt::format(fmt::runtime(body), 2, 2, 2))});
    ASSERT_NE(module, nullptr);
    const Operand& one = target_of_call(*module, "k1");
    const Operand& two = target_of_call(*module, "k2");
    EXPECT_NE(one.index, two.index);
    EXPECT_EQ(module->functions[one.index].name, "helper");
    EXPECT_EQ(module->functions[two.index].name, "helper$1");
    EXPECT_EQ(two.name, "helper$1");
    ASSERT_NE(module->find_variable("state"), nullptr);
    ASSERT_NE(module->find_variable("state$1"), nullptr);
    EXPECT_EQ(module->find_variable("p2")->relocations.at(0).symbol, "state$1");
    EXPECT_EQ(module->find_variable("p1")->relocations.at(0).symbol, "state");
}

TEST(Link, APrivateNameGivesWayToAVisibleOne) {
    const auto module = linked({unit("a.ptx", ".global .align 4 .u32 x = 1;\n"), unit("b.ptx", ".visible .global .align 4 .u32 x = 2;\n")});
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(module->variables.size(), 2u);
    EXPECT_EQ(module->find_variable("x")->linkage, Linkage::visible);
    EXPECT_NE(module->find_variable("x$1"), nullptr);
}

TEST(Link, TwoDefinitionsAreAnErrorThatNamesBothPlaces) {
    const std::string text = error_of({unit("a.ptx", defines_twice), unit("b.ptx", defines_twice)});
    EXPECT_NE(text.find("b.ptx:5:"), std::string::npos) << text;
    EXPECT_NE(text.find("a.ptx:5:"), std::string::npos) << text;
    EXPECT_NE(text.find("'twice' is defined twice"), std::string::npos) << text;
}

TEST(Link, WeakDefinitionsAreOneAndAVisibleOneWins) {
    constexpr std::string_view weak = ".weak .global .align 4 .u32 x = 1;\n";
    EXPECT_EQ(linked({unit("a.ptx", weak), unit("b.ptx", weak)})->variables.size(), 1u);
    const auto module = linked({unit("a.ptx", weak), unit("b.ptx", ".visible .global .align 4 .u32 x = 9;\n"), unit("c.ptx", weak)});
    ASSERT_EQ(module->variables.size(), 1u);
    EXPECT_EQ(module->variables[0].initial.at(0), std::byte{9});
}

TEST(Link, OfCommonVariablesTheLargestIsTaken) {
    const auto module =
        linked({unit("a.ptx", ".common .global .align 4 .b8 x[4];\n"), unit("b.ptx", ".common .global .align 4 .b8 x[16];\n"),
                unit("c.ptx", ".common .global .align 4 .b8 x[8];\n")});
    ASSERT_EQ(module->variables.size(), 1u);
    EXPECT_EQ(module->variables[0].size_bytes(), 16u);
}

TEST(Link, DeclarationsThatDoNotFitAreErrorsThatNameBothPlaces) {
    const LinkUnit number = unit("number.ptx", ".visible .global .align 4 .u32 x = 9;\n");
    for (const char* other : {".extern .global .align 8 .u64 x;\n", ".extern .const .align 4 .u32 x;\n", ".extern .func x();\n"}) {
        const std::string text = error_of({number, unit("other.ptx", other)});
        EXPECT_NE(text.find("other.ptx:4:"), std::string::npos) << text;
        EXPECT_NE(text.find("number.ptx:4:"), std::string::npos) << text;
    }
    const std::string text = error_of({unit("a.ptx", defines_twice), unit("b.ptx", ".extern .func twice();\n")});
    EXPECT_NE(text.find("parameters differ"), std::string::npos) << text;
}

TEST(Link, DynamicSharedMemoryAndFunctionsOfTheLibraryStayDeclarations) {
    constexpr std::string_view body = ".extern .shared .align 16 .b8 buffer[];\n.extern .func free(.param .b64 p);\n";
    const auto module = linked({unit("a.ptx", body), unit("b.ptx", body)});
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(module->variables.size(), 1u);
    EXPECT_EQ(module->functions.size(), 1u);
    EXPECT_FALSE(module->functions[0].has_body);
}

TEST(Link, LinesOfSourceKeepTheirFiles) {
    constexpr std::string_view body = ".visible .entry {0}()\n{{\n    .loc 1 7 3\n    ret;\n}}\n.file 1 \"{0}.cu\"\n";
    const auto module =
        linked({unit("a.ptx", fmt::format(fmt::runtime(body), "one")), unit("b.ptx", fmt::format(fmt::runtime(body), "two"))});
    ASSERT_NE(module, nullptr);
    for (const char* name : {"one", "two"}) {
        const Instruction& instruction = module->find_function(name)->instructions.at(0);
        const SourceLocation& location = module->locations.at(instruction.location);
        EXPECT_EQ(module->file_name(location.file), std::string(name) + ".cu");
        EXPECT_EQ(location.line, 7u);
    }
}

TEST(Link, TheNewestTargetAndVersionAreTheResultsOnes) {
    const auto module = linked({unit("a.ptx", "", "sm_70"), unit("b.ptx", "", "sm_90"), unit("c.ptx", "", "sm_80")});
    EXPECT_EQ(module->target, "sm_90");
    EXPECT_EQ(module->version_major, 7u);
}

TEST(Link, AnErrorInAUnitHasThatUnitsPlace) {
    const std::string text =
        error_of({unit("a.ptx", defines_twice), unit("b.ptx", ".visible .entry k()\n{\n    add.s32 %r1, %r2, %r3;\n}\n")});
    EXPECT_NE(text.find("b.ptx:6:"), std::string::npos) << text;
}

} // namespace
} // namespace apod::ptx
