#include "model/machine/machine_code.hpp"

#include "ptx/text_of_kernel.hpp"
#include "sass/assemble.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>

namespace apod::model {

namespace {

// A loop that the PTX does not have, around the one atomic that it has instead.
std::uint32_t swapped_by(const MachineCode& code, const emu::Program& program, std::uint32_t loop) {
    std::uint32_t found = no_op;
    for (const std::uint32_t b : code.flow.loops[loop].blocks)
        for (std::uint32_t i = code.flow.blocks[b].first; i < code.flow.blocks[b].last; ++i) {
            if (code.kernel.instructions[i].access != sass::Access::atomic || code.op[i] == no_op) continue;
            if (found != no_op && found != code.op[i]) return no_op;
            found = code.op[i];
        }
    if (found == no_op) return no_op;
    const emu::OpClass kind = program.ops[found].op_class;
    if (kind != emu::OpClass::atomic_shared && kind != emu::OpClass::atomic_generic) return no_op;
    const std::uint32_t block = program.ops[found].block;
    const std::uint32_t depth = block < program.flow.blocks.size() ? program.flow.blocks[block].loop_depth : 0;
    return code.flow.loops[loop].depth > depth ? found : no_op;
}

// The unit of a linked module that defines the kernel, or the module itself. Calls of other units' functions stay calls.
const ptx::Module& unit_of(const emu::Program& program) {
    const ptx::Module* found = &program.image->module();
    for (const auto& unit : program.image->module().units)
        if (unit->lines_before < program.function->position.line) found = unit.get();
    return *found;
}

std::shared_ptr<const MachineCode> assembled(const emu::Program& program, const arch::Gpu& gpu, std::uint32_t most_registers) {
    const bool linked = !program.image->module().units.empty();
    const ptx::Module& module = unit_of(program);
    const auto ptxas = sass::find_ptxas();
    if (!ptxas) return nullptr;
    const sass::AssembleFor target{gpu.cc.number(), most_registers, linked};
    auto kernel = sass::assemble(*ptxas, ptx::text_of_kernel(module.text, program.name()), program.name(), target);
    // A kernel may name others, as those that launch some do.
    if (!kernel) kernel = sass::assemble(*ptxas, module.text, program.name(), target);
    if (!kernel || kernel->instructions.empty()) return nullptr;
    std::unordered_map<std::uint32_t, std::uint32_t> op_of_line;
    for (std::uint32_t op = 0; op < program.ops.size(); ++op) {
        const emu::OpInfo& info = program.ops[op];
        op_of_line.emplace(info.function->instructions[info.instruction].position.line, op);
    }
    std::vector<std::uint32_t> op_of;
    for (const sass::Instruction& instruction : kernel->instructions) {
        const auto op = op_of_line.find(instruction.ptx_line + module.lines_before);
        op_of.push_back(op == op_of_line.end() ? no_op : op->second);
    }
    return make_machine_code(*std::move(kernel), std::move(op_of), program);
}

std::size_t hash_of(const ptx::Module& module) {
    std::size_t hash = std::hash<std::string>()(module.text);
    for (const auto& unit : module.units) hash = hash * 31 + std::hash<std::string>()(unit->text);
    return hash;
}

} // namespace

std::shared_ptr<const MachineCode> make_machine_code(sass::Kernel kernel, std::vector<std::uint32_t> op, const emu::Program& program) {
    auto code = std::make_shared<MachineCode>();
    code->kernel = std::move(kernel);
    code->flow = sass::code_flow(code->kernel.instructions);
    code->op = std::move(op);
    for (std::uint32_t loop = 0; loop < code->flow.loops.size(); ++loop) code->swapped.push_back(swapped_by(*code, program, loop));
    return code;
}

std::shared_ptr<const MachineCode> machine_code_of(const emu::Program& program, const arch::Gpu& gpu, std::uint32_t most_registers) {
    static std::mutex mutex;
    static std::map<std::weak_ptr<const ptx::Module>, std::size_t, std::owner_less<>> hashes; // a text may have megabytes
    static std::map<std::tuple<std::size_t, std::string, int, std::uint32_t>, std::shared_ptr<const MachineCode>> known;
    const std::lock_guard lock(mutex);
    const auto [hash, is_new_text] = hashes.try_emplace(program.image->module_ptr());
    if (is_new_text) hash->second = hash_of(program.image->module());
    const auto [entry, is_new] = known.try_emplace({hash->second, std::string(program.name()), gpu.cc.number(), most_registers});
    if (is_new) entry->second = assembled(program, gpu, most_registers);
    return entry->second;
}

} // namespace apod::model
