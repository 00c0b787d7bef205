#include "ptx/module.hpp"

#include <algorithm>

namespace apod::ptx {

namespace {

std::uint64_t element_bytes(Type type) { return (type_bits(type) + 7) / 8; }

} // namespace

std::uint64_t Variable::size_bytes() const { return elements * vector * element_bytes(type); }

std::uint64_t Variable::alignment_bytes() const {
    if (align != 0) return align;
    return std::max<std::uint64_t>(1, element_bytes(type) * vector);
}

bool Instruction::has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string Instruction::name() const {
    std::string result{opcode};
    for (const std::string_view modifier : modifiers) {
        result += '.';
        result += modifier;
    }
    return result;
}

const Function* Module::find_function(std::string_view name) const {
    const auto found = std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
    return found == functions.end() ? nullptr : &*found;
}

const Variable* Module::find_variable(std::string_view name) const {
    const auto found = std::find_if(variables.begin(), variables.end(), [&](const Variable& v) { return v.name == name; });
    return found == variables.end() ? nullptr : &*found;
}

std::string_view Module::file_name(std::uint32_t index) const {
    const auto found = std::find_if(files.begin(), files.end(), [&](const File& f) { return f.index == index; });
    return found == files.end() ? std::string_view{} : std::string_view{found->name};
}

SourcePosition Module::position(TextPosition at) const {
    const Module* unit = this;
    for (const std::shared_ptr<const Module>& candidate : units)
        if (candidate->lines_before < at.line) unit = candidate.get();
    return {unit->file, at.line - std::min(at.line, unit->lines_before), at.column};
}

} // namespace apod::ptx
