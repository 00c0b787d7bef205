#include "ptx/control_flow.hpp"

#include <algorithm>
#include <array>

namespace apod::ptx {

namespace {

// What the first operand is to an instruction. A first operand in brackets is never written, whatever the opcode.
enum class First : std::uint8_t { written, read, both };

First first_operand(const Instruction& instruction) {
    constexpr auto readers =
        std::to_array<std::string_view>({"applypriority", "bra", "brx", "cp", "discard", "fence", "membar", "nanosleep", "pmevent",
                                         "prefetch", "prefetchu", "red", "setmaxnreg", "st", "stackrestore", "stmatrix", "sured", "sust"});
    const std::string_view opcode = instruction.opcode;
    if (std::find(readers.begin(), readers.end(), opcode) != readers.end()) return First::read;
    if (opcode == "bar" || opcode == "barrier") return instruction.has("red") ? First::written : First::read;
    if (opcode == "tcgen05") return instruction.has("ld") ? First::written : First::read;
    if (opcode == "wgmma") return First::both; // the accumulator
    return First::written;
}

class Collector {
public:
    Effects collect(const Instruction& instruction) {
        if (instruction.guard.reg != none) {
            effects_.may_keep_old = true;
            effects_.reads.push_back(instruction.guard.reg);
        }
        if (instruction.opcode == "call") {
            collect_call(instruction);
        } else {
            const First first = first_operand(instruction);
            for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
                const Operand& operand = instruction.operands[i];
                if (i > 0 || first != First::written) add_reads(operand);
                if (i == 0 && first != First::read) add_writes(operand);
            }
        }
        tidy(effects_.reads);
        tidy(effects_.writes);
        return std::move(effects_);
    }

private:
    // call [(returns),] target [, (arguments)] [, prototype]
    void collect_call(const Instruction& call) {
        for (std::size_t i = 0; i < call.operands.size(); ++i) {
            if (i == 0 && call.operands[i].kind == OperandKind::list) {
                add_writes(call.operands[i]);
            } else {
                add_reads(call.operands[i]);
            }
        }
    }

    void add_reads(const Operand& operand) {
        if (operand.kind == OperandKind::reg) effects_.reads.push_back(operand.index);
        for (const Operand& child : operand.children) add_reads(child);
    }

    void add_writes(const Operand& operand) {
        if (operand.kind == OperandKind::address) return add_reads(operand);
        if (operand.kind == OperandKind::reg) effects_.writes.push_back(operand.index);
        for (const Operand& child : operand.children) add_writes(child);
    }

    static void tidy(std::vector<std::uint32_t>& registers) {
        std::sort(registers.begin(), registers.end());
        registers.erase(std::unique(registers.begin(), registers.end()), registers.end());
    }

    Effects effects_;
};

} // namespace

Effects effects(const Instruction& instruction) { return Collector{}.collect(instruction); }

} // namespace apod::ptx
