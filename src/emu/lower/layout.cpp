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

void add_named_module_variables(const ptx::Function& function, std::set<std::uint32_t>& named) {
    for (const ptx::Instruction& instruction : function.instructions)
        for (const ptx::Operand& operand : instruction.operands) collect_symbols(operand, named);
}

constexpr std::uint64_t most_bytes = 1ull << 31;
constexpr std::uint32_t most_local_bytes = 512u << 10; // CUDA programming guide, technical specifications

std::uint32_t strictest_alignment(const ptx::Function& function) {
    std::uint64_t align = 16;
    for (const auto* variables : {&function.variables, &function.parameters, &function.returns})
        for (const ptx::Variable& variable : *variables)
            if (variable.space == ptx::Space::local || variable.space == ptx::Space::param)
                align = std::max(align, variable.alignment_bytes());
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(align, 1024));
}

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

class LayoutBuilder {
public:
    explicit LayoutBuilder(const ptx::Module& module) : module_(module) {}

    Result<Layout> build(std::span<const ptx::Function* const> functions) {
        for (const ptx::Variable& parameter : functions.front()->parameters)
            if (auto placed = place(module_, parameter, layout_.parameter_bytes, layout_); !placed) return placed.error();
        if (auto placed = place_module_shared(functions); !placed) return placed.error();
        for (const ptx::Function* function : functions)
            if (auto placed = place_variables(*function, function == functions.front()); !placed) return placed.error();
        // All extern shared arrays start where the static ones end, at the strictest of their alignments.
        std::uint64_t align = 1;
        for (const ptx::Variable* variable : dynamic_) align = std::max(align, variable->alignment_bytes());
        if (!dynamic_.empty()) layout_.shared_bytes = static_cast<std::uint32_t>(round_up(layout_.shared_bytes, align));
        for (const ptx::Variable* variable : dynamic_) layout_.offset[variable] = layout_.shared_bytes;
        layout_.dynamic_shared = !dynamic_.empty();
        return std::move(layout_);
    }

private:
    Result<void> place_shared(const ptx::Variable& variable) {
        if (variable.unsized_array || variable.elements == 0) {
            dynamic_.push_back(&variable);
            return {};
        }
        return place(module_, variable, layout_.shared_bytes, layout_);
    }

    Result<void> place_module_shared(std::span<const ptx::Function* const> functions) {
        std::set<std::uint32_t> named;
        for (const ptx::Function* function : functions) add_named_module_variables(*function, named);
        for (const std::uint32_t index : named) {
            const ptx::Variable& variable = module_.variables[index];
            if (variable.space != ptx::Space::shared) continue;
            if (auto placed = place_shared(variable); !placed) return placed;
        }
        return {};
    }

    Result<void> place_all(const std::vector<ptx::Variable>& variables, ptx::Space space, std::uint32_t& top) {
        for (const ptx::Variable& variable : variables) {
            if (variable.space != space) continue;
            if (auto placed = space == ptx::Space::shared ? place_shared(variable) : place(module_, variable, top, layout_); !placed)
                return placed;
        }
        return {};
    }

    // Local variables first, so that the kernel's own lie at the start of local memory whether it calls or not.
    Result<void> place_variables(const ptx::Function& function, bool kernel) {
        std::uint32_t top = 0;
        if (auto placed = place_all(function.variables, ptx::Space::shared, top); !placed) return placed;
        if (auto placed = place_all(function.variables, ptx::Space::local, top); !placed) return placed;
        top = static_cast<std::uint32_t>(round_up(top, 16));
        if (kernel) layout_.local_bytes = top;
        if (auto placed = place_all(function.variables, ptx::Space::param, top); !placed) return placed;
        if (!kernel) {
            if (auto placed = place_all(function.parameters, ptx::Space::param, top); !placed) return placed;
            if (auto placed = place_all(function.returns, ptx::Space::param, top); !placed) return placed;
        }
        // A call takes stack even when the function has nothing there: endless recursion comes to an end.
        if (!kernel) top = std::max(top, 16u);
        if (top > most_local_bytes)
            return bad_input(module_.position(function.position),
                             fmt::format("{} needs {} bytes of local memory a thread, GPUs give at most {}", ptx::demangle(function.name),
                                         top, most_local_bytes),
                             "put large arrays into global memory");
        layout_.frames[&function] = {static_cast<std::uint32_t>(round_up(top, 16)), strictest_alignment(function)};
        return {};
    }

    const ptx::Module& module_;
    Layout layout_;
    std::vector<const ptx::Variable*> dynamic_;
};

} // namespace

Result<Layout> lay_out(const ptx::Module& module, std::span<const ptx::Function* const> functions) {
    return LayoutBuilder(module).build(functions);
}

} // namespace apod::emu
