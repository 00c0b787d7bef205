#include "model/predict/fusion.hpp"

#include "ptx/control_flow.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace apod::model {

namespace {

enum class Kind : std::uint8_t { other, logic, invert, add, shift_left, multiply };

Kind kind_of(const ptx::Instruction& instruction) {
    const std::string_view opcode = instruction.opcode;
    const bool predicate = instruction.has("pred");
    if (predicate || instruction.has("cc") || instruction.has("sat")) return Kind::other;
    if (opcode == "not") return Kind::invert;
    if (opcode == "and" || opcode == "or" || opcode == "xor") return Kind::logic;
    const bool integer = instruction.has("s32") || instruction.has("u32") || instruction.has("s64") || instruction.has("u64");
    if (opcode == "add" || opcode == "sub") return integer ? Kind::add : Kind::other;
    if (opcode == "shl") return Kind::shift_left;
    if (opcode == "mul" && integer && (instruction.has("lo") || instruction.has("wide"))) return Kind::multiply;
    return Kind::other;
}

bool merges(Kind producer, Kind consumer) {
    switch (consumer) {
    case Kind::logic: return producer == Kind::logic || producer == Kind::invert;
    case Kind::add: return producer == Kind::add || producer == Kind::shift_left || producer == Kind::multiply;
    default: return false;
    }
}

std::vector<std::uint32_t> use_counts(const ptx::Function& function) {
    std::vector<std::uint32_t> uses(function.registers.size(), 0);
    for (const ptx::Instruction& instruction : function.instructions)
        for (const std::uint32_t reg : ptx::effects(instruction).reads) ++uses[reg];
    return uses;
}

struct Producer {
    std::uint32_t op = 0;
    Kind kind = Kind::other;
    bool full = false; // has taken another operation in already
};

} // namespace

std::vector<bool> merged_ops(const emu::Program& program) {
    std::vector<bool> merged(program.ops.size(), false);
    const std::vector<std::uint32_t> uses = use_counts(*program.function);
    std::unordered_map<std::uint32_t, Producer> producers; // by register, of the block
    std::optional<std::uint32_t> block;
    for (std::uint32_t op = 0; op < program.ops.size(); ++op) {
        const emu::OpInfo& info = program.ops[op];
        if (info.function != program.function) continue;
        if (block != info.block) producers.clear();
        block = info.block;
        const ptx::Instruction& instruction = program.function->instructions[info.instruction];
        const ptx::Effects effects = ptx::effects(instruction);
        const Kind kind = kind_of(instruction);
        bool full = false;
        for (const std::uint32_t reg : effects.reads) {
            const auto found = producers.find(reg);
            if (full || found == producers.end() || uses[reg] != 1 || found->second.full || !merges(found->second.kind, kind)) continue;
            merged[found->second.op] = true;
            full = found->second.kind != Kind::invert;
        }
        for (const std::uint32_t reg : effects.writes) producers[reg] = {op, kind, full};
    }
    return merged;
}

} // namespace apod::model
