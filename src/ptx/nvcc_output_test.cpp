// Real output of nvcc 13 (tests/data/ptx, made by regenerate.sh there), and one instance of every form it was seen to emit.
#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <sstream>

namespace apod::ptx {
namespace {

using testing::flow_of;
using testing::function_of;
using testing::parsed_file;

class NvccOutput : public ::testing::TestWithParam<std::string> {};

TEST_P(NvccOutput, parses_and_every_body_has_control_flow_and_liveness) {
    const auto m = parsed_file(GetParam());
    EXPECT_EQ(m->version_major, 9u);
    std::size_t bodies = 0;
    for (const Function& function : m->functions) {
        if (!function.has_body) continue;
        ++bodies;
        const auto flow = control_flow(*m, function);
        ASSERT_TRUE(flow) << to_text(flow.error());
        const auto live = liveness(function, *flow);
        EXPECT_LT(live.max_pressure_32, 256u) << function.name;
        for (const Instruction& instruction : function.instructions) {
            for (const Operand& operand : instruction.operands) {
                EXPECT_FALSE(operand.kind == OperandKind::symbol && operand.symbol == SymbolKind::unresolved) << operand.name;
                EXPECT_FALSE(operand.kind == OperandKind::label && operand.index >= function.labels.size()) << operand.name;
            }
        }
    }
    EXPECT_GT(bodies, 0u);
}

INSTANTIATE_TEST_SUITE_P(Files, NvccOutput,
                         ::testing::Values("traps_75.ptx", "traps_80.ptx", "traps_90.ptx", "traps_debug_80.ptx", "warps_75.ptx",
                                           "warps_80.ptx", "warps_90.ptx", "numbers_75.ptx", "numbers_80.ptx", "numbers_90.ptx",
                                           "matrices_75.ptx", "matrices_80.ptx", "matrices_90.ptx", "forms.ptx"),
                         [](const auto& file) { return file.param.substr(0, file.param.find('.')); });

const Function& kernel_named(const testing::ModulePtr& module, const std::string& plain) {
    static const Function missing;
    for (const Function& function : module->functions)
        if (demangle(function.name).starts_with(plain + "(")) return function;
    ADD_FAILURE() << "no function " << plain;
    return missing;
}

TEST(NvccTraps, variables_hold_addresses_strings_and_managed_counters) {
    const auto m = parsed_file("traps_90.ptx");
    const Variable* middle = m->find_variable("middle");
    ASSERT_NE(middle, nullptr);
    ASSERT_EQ(middle->relocations.size(), 2u);
    EXPECT_TRUE(middle->relocations[1].generic);
    EXPECT_EQ(middle->relocations[1].symbol, "table");
    EXPECT_EQ(middle->relocations[1].addend, 8);
    EXPECT_TRUE(m->find_variable("counter")->managed);
    EXPECT_TRUE(m->find_variable("dynamic")->unsized_array);
    EXPECT_EQ(m->find_variable("operations")->relocations.size(), 2u);
    EXPECT_EQ(m->find_variable("grid_values")->size_bytes(), 24u);
}

TEST(NvccTraps, launch_bounds_and_structures_passed_by_value) {
    const auto m = parsed_file("traps_90.ptx");
    const Function& k = kernel_named(m, "inlined");
    EXPECT_EQ(k.tuning.max_threads[0], 256u);
    EXPECT_EQ(k.tuning.min_blocks_per_sm, 2u);
    ASSERT_EQ(k.parameters.size(), 4u);
    EXPECT_EQ(k.parameters[2].size_bytes(), 16u);
    EXPECT_EQ(k.parameters[2].alignment_bytes(), 4u);
}

TEST(NvccTraps, inlined_code_is_traced_to_its_function_and_call_site) {
    const auto m = parsed_file("traps_90.ptx");
    std::set<std::string> functions;
    for (const SourceLocation& location : m->locations) {
        if (!location.function.empty()) functions.insert(demangle(location.function));
        EXPECT_EQ(location.inlined_line == 0, location.function.empty());
    }
    EXPECT_TRUE(functions.contains("quartered(float)"));
    EXPECT_TRUE(functions.contains("halved(float)"));
    EXPECT_EQ(m->file_name(1), "traps.cu");
}

TEST(NvccTraps, early_returns_do_not_keep_a_loop_from_reconverging) {
    const auto m = parsed_file("traps_90.ptx");
    const Function& k = kernel_named(m, "loops");
    const auto flow = control_flow(*m, k);
    ASSERT_TRUE(flow);
    std::uint32_t deepest = 0;
    for (const BasicBlock& block : flow->blocks) deepest = std::max(deepest, block.loop_depth);
    EXPECT_EQ(deepest, 2u);
    EXPECT_NE(flow->blocks[0].reconvergence, none);
}

TEST(NvccForms, every_listed_form_parses) {
    const auto m = parsed_file("forms.ptx");
    std::set<std::string> found;
    for (const Function& function : m->functions)
        for (const Instruction& instruction : function.instructions) found.insert(instruction.name());
    std::istringstream listed{testing::file_text(testing::data_path("forms.txt"))};
    std::size_t count = 0;
    for (std::string form; std::getline(listed, form); ++count) EXPECT_TRUE(found.contains(form)) << form;
    EXPECT_EQ(count, 474u);
}

TEST(NvccForms, ten_megabytes_parse_in_the_time_of_a_blink) {
    const std::string one = testing::file_text(testing::data_path("numbers_90.ptx"));
    const std::size_t header_end = one.find(".address_size 64") + 16;
    std::string text = one.substr(0, header_end);
    for (int copy = 0; text.size() < 10'000'000; ++copy) {
        text += "\n.entry copy" + std::to_string(copy) + "() {\n.reg .b32 %r<4000>;\n.reg .b64 %rd<4000>;\n";
        for (int i = 0; i < 2000; ++i) {
            const auto n = std::to_string(i);
            text += "\tmad.lo.s32 \t%r" + n + ", %r" + n + ", 7, %r1;\n\tld.global.u32 \t%r" + n + ", [%rd" + n + "+4];\n";
        }
        text += "ret; }\n";
    }
    const auto size = static_cast<double>(text.size());
    const auto start = std::chrono::steady_clock::now();
    const auto result = parse(std::move(text), "large");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ASSERT_TRUE(result);
    RecordProperty("megabytes_per_second", static_cast<int>(size / seconds / 1e6));
    EXPECT_LT(seconds, 20.0); // generous: sanitizers and busy machines; the recorded property is the rate
}

} // namespace
} // namespace apod::ptx
