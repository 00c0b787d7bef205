#include "ptx/kernel_lookup.hpp"

#include "base/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace apod::ptx {

namespace {

constexpr std::size_t readings = 5;

// Where the parameter list of a demangled name begins: the bracket that matches the last one. npos without one.
std::size_t parameter_list(std::string_view display) {
    if (display.empty() || display.back() != ')') return std::string_view::npos;
    int depth = 0;
    for (std::size_t at = display.size(); at-- > 0;) {
        if (display[at] == ')') ++depth;
        if (display[at] == '(' && --depth == 0) return at;
    }
    return std::string_view::npos;
}

// Template functions are demangled with their return type, which nobody writes: "void tiled<16>(float*)" -> "tiled<16>(float*)".
std::string_view without_return_type(std::string_view display) {
    const std::size_t end = std::min(parameter_list(display), display.size());
    int depth = 0;
    for (std::size_t at = end; at-- > 0;) {
        if (display[at] == '>') ++depth;
        if (display[at] == '<') --depth;
        if (display[at] == ' ' && depth == 0) return display.substr(at + 1);
    }
    return display;
}

std::string_view without_template_arguments(std::string_view name) {
    if (name.empty() || name.back() != '>') return name;
    int depth = 0;
    for (std::size_t at = name.size(); at-- > 0;) {
        if (name[at] == '>') ++depth;
        if (name[at] == '<' && --depth == 0) return name.substr(0, at);
    }
    return name;
}

// From the most exact to the least.
std::array<std::string, readings> readings_of(std::string_view mangled) {
    const std::string display = demangle(mangled);
    const std::string_view plain = without_return_type(display);
    const std::string_view bare = plain.substr(0, std::min(parameter_list(plain), plain.size()));
    return {std::string(mangled), display, std::string(plain), std::string(bare), std::string(without_template_arguments(bare))};
}

bool is_kernel(const Function& function) { return function.is_entry && function.has_body; }

std::vector<std::string> short_names(const Module& module) {
    std::vector<std::string> names;
    for (const Function& function : module.functions)
        if (is_kernel(function)) names.push_back(readings_of(function.name)[3]);
    return names;
}

Diagnostic not_found(const Module& module, std::string_view name) {
    const std::vector<std::string> names = short_names(module);
    Diagnostic error = bad_input({module.file, 0, 0}, fmt::format("there is no kernel '{}'", name));
    error.hint = names.empty()
                     ? std::string("the module has no kernel at all: is there a __global__ function, and is it used or not static?")
                     : nearest_hint(name, names);
    if (!names.empty()) error.notes.push_back(fmt::format("kernels of this module: {}", fmt::join(names, ", ")));
    return error;
}

Diagnostic ambiguous(const Module& module, std::string_view name, const std::vector<const Function*>& found) {
    Diagnostic error = bad_input({module.file, 0, 0}, fmt::format("'{}' names {} kernels", name, found.size()),
                                 "write the template arguments or the parameters too");
    for (const Function* function : found) error.notes.push_back(demangle(function->name));
    return error;
}

} // namespace

std::vector<std::string> kernel_displays(const Module& module) {
    std::vector<std::string> names;
    for (const Function& function : module.functions)
        if (is_kernel(function)) names.push_back(demangle(function.name));
    return names;
}

Result<const Function*> find_kernel(const Module& module, std::string_view name) {
    std::array<std::vector<const Function*>, readings> found;
    for (const Function& function : module.functions) {
        if (!is_kernel(function)) continue;
        const std::array<std::string, readings> names = readings_of(function.name);
        for (std::size_t r = 0; r < readings; ++r)
            if (names[r] == name) found[r].push_back(&function);
    }
    for (const auto& matches : found) {
        if (matches.size() == 1) return matches.front();
        if (!matches.empty()) return ambiguous(module, name, matches);
    }
    return not_found(module, name);
}

} // namespace apod::ptx
