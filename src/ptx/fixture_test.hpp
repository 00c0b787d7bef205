// Shorthands for the tests of this folder.
#pragma once

#include "ptx/control_flow.hpp"
#include "ptx/module.hpp"

#include <string>

namespace apod::ptx::testing {

using ModulePtr = std::shared_ptr<const Module>;

inline constexpr const char* header = ".version 9.0\n.target sm_90\n.address_size 64\n"; // three lines

// Parses the header and `text`; a failure is a test failure, and gives an empty module.
[[nodiscard]] ModulePtr parsed(const std::string& text);

// A kernel k(a, n) with a few registers and the given body, which begins on line 5 of header and kernel, column 1.
[[nodiscard]] std::string kernel(const std::string& body);

// "line:column: message" of the error of header and `text`, or "" when there is none.
[[nodiscard]] std::string error_of(const std::string& text);

[[nodiscard]] std::string file_text(const std::string& path);
[[nodiscard]] std::string data_path(const std::string& name); // of tests/data/ptx
[[nodiscard]] ModulePtr parsed_file(const std::string& name); // of tests/data/ptx

// A test failure and an empty function, or none, when there is no such name.
[[nodiscard]] const Function& function_of(const ModulePtr& module, const std::string& name);
[[nodiscard]] std::uint32_t register_of(const Function& function, std::string_view name);

// Control flow of the function, which must have one.
[[nodiscard]] ControlFlow flow_of(const ModulePtr& module, const std::string& name);

} // namespace apod::ptx::testing
