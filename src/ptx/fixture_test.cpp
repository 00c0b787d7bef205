#include "ptx/fixture_test.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace apod::ptx::testing {

ModulePtr parsed(const std::string& text) {
    auto result = parse(header + text, "test.ptx");
    if (result) return *result;
    ADD_FAILURE() << to_text(result.error());
    return std::make_shared<const Module>();
}

std::string kernel(const std::string& body) {
    return ".entry k(.param .u64 a, .param .u32 n) { .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n" + body +
           "\n}\n";
}

std::string error_of(const std::string& text) {
    const auto result = parse(header + text, "test.ptx");
    if (result) return "";
    const auto& error = result.error();
    return std::to_string(error.where.line) + ":" + std::to_string(error.where.column) + ": " + error.message;
}

std::string file_text(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    EXPECT_TRUE(file) << path;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string data_path(const std::string& name) { return std::string{APOD_SOURCE_DIR} + "/tests/data/ptx/" + name; }

ModulePtr parsed_file(const std::string& name) {
    auto result = parse(file_text(data_path(name)), name);
    if (result) return *result;
    ADD_FAILURE() << to_text(result.error());
    return std::make_shared<const Module>();
}

const Function& function_of(const ModulePtr& module, const std::string& name) {
    static const Function missing;
    if (const Function* found = module->find_function(name)) return *found;
    ADD_FAILURE() << "no function " << name;
    return missing;
}

std::uint32_t register_of(const Function& function, std::string_view name) {
    for (std::uint32_t i = 0; i < function.registers.size(); ++i)
        if (function.registers[i].name == name) return i;
    ADD_FAILURE() << "no register " << name;
    return none;
}

ControlFlow flow_of(const ModulePtr& module, const std::string& name) {
    auto flow = control_flow(*module, function_of(module, name));
    if (flow) return *flow;
    ADD_FAILURE() << to_text(flow.error());
    return {};
}

} // namespace apod::ptx::testing
