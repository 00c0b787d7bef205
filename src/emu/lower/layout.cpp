#include "emu/lower/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace apod::emu {

namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

void collect_symbols(const ptx::Operand& operand, std::set<std::uint32_t>& module_variables) {
    if (operand.kind == ptx::OperandKind::symbol && operand.symbol == ptx::SymbolKind::module_variable)
        module_variables.insert(operand.index);
    for (const ptx::Operand& child : operand.children) collect_symbols(child, module_variables);
}

std::set<std::uint32_t> named_module_variables(const ptx::Function& function) {
    std::set<std::uint32_t> named;
    for (const ptx::Instruction& instruction : function.instructions)
        for (const ptx::Operand& operand : instruction.operands) collect_symbols(operand, named);
    return named;
}

constexpr std::uint64_t most_bytes = 1ull << 31;

Result<void> place(const ptx::Module& module, const ptx::Variable& variable, std::uint32_t& top, Layout& layout) {
    const std::uint64_t at = round_up(top, std::max<std::uint64_t>(variable.alignment_bytes(), 1));
    const std::uint64_t end = at + variable.size_bytes();
    if (end > most_bytes || end < at)
        return bad_input(module.position(variable.position), fmt::format("'{}' makes this kernel's {} memory larger than 2 GiB",
                                                                         variable.name, ptx::space_name(variable.space)));
    layout.offset[&variable] = at;
    top = static_cast<std::uint32_t>(end);
    return {};
}

} // namespace

Result<Layout> lay_out(const ptx::Module& module, const ptx::Function& function) {
    Layout layout;
    std::vector<const ptx::Variable*> dynamic;
    for (const ptx::Variable& parameter : function.parameters)
        if (auto placed = place(module, parameter, layout.parameter_bytes, layout); !placed) return placed.error();
    const auto place_shared = [&](const ptx::Variable& variable) -> Result<void> {
        if (variable.unsized_array || variable.elements == 0) {
            dynamic.push_back(&variable);
            return {};
        }
        return place(module, variable, layout.shared_bytes, layout);
    };
    for (const std::uint32_t index : named_module_variables(function)) {
        const ptx::Variable& variable = module.variables[index];
        if (variable.space != ptx::Space::shared) continue;
        if (auto placed = place_shared(variable); !placed) return placed.error();
    }
    for (const ptx::Variable& variable : function.variables) {
        if (variable.space == ptx::Space::shared)
            if (auto placed = place_shared(variable); !placed) return placed.error();
        if (variable.space == ptx::Space::local)
            if (auto placed = place(module, variable, layout.local_bytes, layout); !placed) return placed.error();
    }
    // All extern shared arrays start where the static ones end, at the strictest of their alignments.
    std::uint64_t align = 1;
    for (const ptx::Variable* variable : dynamic) align = std::max(align, variable->alignment_bytes());
    if (!dynamic.empty()) layout.shared_bytes = static_cast<std::uint32_t>(round_up(layout.shared_bytes, align));
    for (const ptx::Variable* variable : dynamic) layout.offset[variable] = layout.shared_bytes;
    layout.dynamic_shared = !dynamic.empty();
    layout.local_bytes = static_cast<std::uint32_t>(round_up(layout.local_bytes, 16));
    return layout;
}

} // namespace apod::emu
