#include "emu/lower/reach.hpp"

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::SymbolKind;

// Sizes of the parameters and of the results.
using Signature = std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>>;

template<class F> Signature signature(const F& function) {
    Signature result;
    for (const ptx::Variable& parameter : function.parameters) result.first.push_back(parameter.size_bytes());
    for (const ptx::Variable& value : function.returns) result.second.push_back(value.size_bytes());
    return result;
}

class Reach {
public:
    explicit Reach(const ptx::Module& module) : module_(module), known_(module.functions.size()), taken_(module.functions.size()) {}

    std::vector<const ptx::Function*> from(const ptx::Function& kernel) {
        note_initialisers();
        functions_.push_back(&kernel);
        known_[static_cast<std::size_t>(&kernel - module_.functions.data())] = true;
        std::size_t read = 0;
        do {
            for (; read < functions_.size(); ++read)
                for (const ptx::Instruction& instruction : functions_[read]->instructions) note(*functions_[read], instruction);
            add_pointed_to();
        } while (read < functions_.size());
        return std::move(functions_);
    }

private:
    void note_initialisers() {
        std::unordered_map<std::string_view, std::size_t> by_name;
        for (std::size_t f = 0; f < module_.functions.size(); ++f) by_name.emplace(module_.functions[f].name, f);
        for (const ptx::Variable& variable : module_.variables)
            for (const ptx::Relocation& relocation : variable.relocations)
                if (const auto found = by_name.find(relocation.symbol); found != by_name.end()) taken_[found->second] = true;
    }

    void note(const ptx::Function& function, const ptx::Instruction& instruction) {
        const bool call = instruction.opcode == "call";
        for (const Operand& operand : instruction.operands) {
            if (operand.kind != OperandKind::symbol) continue;
            if (operand.symbol == SymbolKind::function) {
                if (call)
                    add(operand.index);
                else
                    taken_[operand.index] = true;
            } else if (operand.symbol == SymbolKind::prototype) {
                pointer_calls_.insert(signature(function.prototypes[operand.index]));
            } else if (call && operand.symbol == SymbolKind::label_list) {
                for (const Operand& target : function.label_lists[operand.index].targets)
                    if (target.symbol == SymbolKind::function) add(target.index);
            }
        }
    }

    void add(std::uint32_t index) {
        const ptx::Function& function = module_.functions[index];
        if (known_[index] || !function.has_body || function.is_entry) return;
        known_[index] = true;
        functions_.push_back(&function);
    }

    void add_pointed_to() {
        for (std::uint32_t f = 0; f < module_.functions.size(); ++f)
            if (!known_[f] && taken_[f] && pointer_calls_.contains(signature(module_.functions[f]))) add(f);
    }

    const ptx::Module& module_;
    std::vector<bool> known_;
    std::vector<bool> taken_;
    std::set<Signature> pointer_calls_;
    std::vector<const ptx::Function*> functions_;
};

} // namespace

std::vector<const ptx::Function*> reachable_functions(const ptx::Module& module, const ptx::Function& kernel) {
    return Reach(module).from(kernel);
}

} // namespace apod::emu
