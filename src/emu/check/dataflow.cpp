#include "emu/check/dataflow.hpp"

#include "ptx/control_flow.hpp"

#include <algorithm>

namespace apod::emu {

namespace {

bool reads_memory(const ptx::Instruction& instruction) {
    return instruction.opcode == "ld" || instruction.opcode == "ldu" || instruction.opcode == "atom" || instruction.opcode == "call";
}

const ptx::Operand* address_of(const ptx::Instruction& instruction) {
    for (const ptx::Operand& operand : instruction.operands)
        if (operand.kind == ptx::OperandKind::address && !operand.children.empty()) return &operand;
    return nullptr;
}

void add_registers(const ptx::Operand& operand, std::vector<std::uint32_t>& registers) {
    if (operand.kind == ptx::OperandKind::reg) registers.push_back(operand.index);
    for (const ptx::Operand& child : operand.children) add_registers(child, registers);
}

bool is_float(const ptx::Instruction& instruction) {
    return std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(), [](std::string_view modifier) {
        const auto type = ptx::type_from_name(modifier);
        return type && ptx::is_float(*type);
    });
}

} // namespace

const Dataflow::Writers& Dataflow::writers(const ptx::Function& function) {
    const auto [place, fresh] = writers_.try_emplace(&function);
    if (!fresh) return place->second;
    place->second.resize(function.registers.size());
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i)
        for (const std::uint32_t reg : ptx::effects(function.instructions[i]).writes) place->second[reg].push_back(i);
    return place->second;
}

// Whether one of the registers is made of what the instruction `load` reads.
bool Dataflow::reaches(const ptx::Function& function, std::vector<std::uint32_t> registers, std::uint32_t load) {
    const Writers& written_by = writers(function);
    std::vector<bool> seen(written_by.size(), false);
    while (!registers.empty()) {
        const std::uint32_t reg = registers.back();
        registers.pop_back();
        if (seen[reg]) continue;
        seen[reg] = true;
        for (const std::uint32_t writer : written_by[reg]) {
            if (writer == load) return true;
            const ptx::Instruction& made = function.instructions[writer];
            if (reads_memory(made)) continue; // of another place
            const ptx::Effects effects = ptx::effects(made);
            registers.insert(registers.end(), effects.reads.begin(), effects.reads.end());
        }
    }
    return false;
}

Dataflow::Change Dataflow::change(std::uint32_t load, std::uint32_t store) {
    const ptx::Function& function = *program_.ops[store].function;
    const ptx::Instruction& storing = instruction(store);
    if (program_.ops[load].function != &function || storing.operands.size() < 2 || !reads_memory(instruction(load))) return {};
    const std::uint32_t from = program_.ops[load].instruction;
    std::vector<std::uint32_t> values;
    add_registers(storing.operands[1], values);
    Change change;
    change.feeds = reaches(function, values, from);
    // Back through what only hands the value on.
    for (int steps = 0; change.feeds && steps < 8 && values.size() == 1; ++steps) {
        const std::vector<std::uint32_t>& made_by = writers(function)[values[0]];
        if (made_by.size() != 1 || made_by[0] == from) break;
        const ptx::Instruction& made = function.instructions[made_by[0]];
        change.opcode = made.opcode;
        change.is_float = is_float(made);
        const bool fused = (made.opcode == "fma" || made.opcode == "mad") && made.operands.size() == 4;
        std::vector<std::uint32_t> summand;
        if (fused) add_registers(made.operands[3], summand);
        change.adds = made.opcode == "add" || made.opcode == "sub" || (fused && reaches(function, summand, from));
        if ((made.opcode != "cvt" && made.opcode != "mov") || made.operands.size() < 2) break;
        values.clear();
        add_registers(made.operands[1], values);
        change.opcode = {};
    }
    return change;
}

bool Dataflow::same(const ptx::Function& function, const ptx::Operand& one, const ptx::Operand& other, int depth) {
    if (one.kind != other.kind || one.integer != other.integer || one.children.size() != other.children.size()) return false;
    for (std::size_t c = 0; c < one.children.size(); ++c)
        if (!same(function, one.children[c], other.children[c], depth)) return false;
    if (one.kind != ptx::OperandKind::reg) return one.name == other.name && one.real_bits == other.real_bits;
    if (one.index == other.index) return true;
    const std::vector<std::uint32_t>& first = writers(function)[one.index];
    const std::vector<std::uint32_t>& second = writers(function)[other.index];
    if (depth == 0 || first.size() != 1 || second.size() != 1) return false;
    const ptx::Instruction& a = function.instructions[first[0]];
    const ptx::Instruction& b = function.instructions[second[0]];
    if (a.opcode != b.opcode || a.modifiers != b.modifiers || a.operands.size() != b.operands.size()) return false;
    if (reads_memory(a) && !a.has("param")) return false; // may have changed in between
    for (std::size_t o = 1; o < a.operands.size(); ++o)
        if (!same(function, a.operands[o], b.operands[o], depth - 1)) return false;
    return true;
}

bool Dataflow::same_address(std::uint32_t one, std::uint32_t other) {
    const ptx::Operand* first = address_of(instruction(one));
    const ptx::Operand* second = address_of(instruction(other));
    const ptx::Function* function = program_.ops[one].function;
    return first != nullptr && second != nullptr && function == program_.ops[other].function && same(*function, *first, *second, 8);
}

std::uint32_t Dataflow::load_of_update(std::uint32_t store) {
    for (std::uint32_t op = 0; op < program_.ops.size(); ++op)
        if (instruction(op).opcode == "ld" && same_address(op, store) && feeds(op, store)) return op;
    return ptx::none;
}

bool Dataflow::begins_update(std::uint32_t load) {
    for (std::uint32_t op = 0; op < program_.ops.size(); ++op)
        if (instruction(op).opcode == "st" && same_address(load, op) && feeds(load, op)) return true;
    return false;
}

} // namespace apod::emu
