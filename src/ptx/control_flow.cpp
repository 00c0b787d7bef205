#include "ptx/control_flow.hpp"

#include "ptx/graph_passes.hpp"
#include "ptx/lexer.hpp"

#include <algorithm>
#include <array>

namespace apod::ptx {

namespace {

// Where control goes after an instruction that ends a block.
struct Transfer {
    std::vector<std::uint32_t> targets; // instructions
    bool falls_through = true;
    Ending ending = Ending::stays;
};

bool never_returns(const Module& module, const Function& function, const Instruction& call) {
    return std::any_of(call.operands.begin(), call.operands.end(), [&](const Operand& operand) {
        if (operand.kind != OperandKind::symbol) return false;
        if (operand.symbol == SymbolKind::function) return module.functions[operand.index].noreturn;
        return operand.symbol == SymbolKind::prototype && function.prototypes[operand.index].noreturn;
    });
}

class Builder {
public:
    Builder(const Module& module, const Function& function) : module_(module), function_(function) {}

    Result<ControlFlow> build() {
        if (function_.instructions.empty())
            return error(function_.position, "function " + in_quotes(function_.name) + " has no instructions");
        if (const auto reached = reach(); !reached) return reached.error();
        make_blocks();
        make_edges();
        const auto set = [&](std::uint32_t BasicBlock::*field, const std::vector<std::uint32_t>& values) {
            for (std::size_t b = 0; b < flow_.blocks.size(); ++b) flow_.blocks[b].*field = values[b];
        };
        set(&BasicBlock::post_dominator, immediate_post_dominators(flow_.blocks, endings_));
        set(&BasicBlock::reconvergence, reconvergence_points(flow_.blocks, endings_, function_.is_entry));
        set(&BasicBlock::loop_depth, loop_depths(flow_.blocks));
        return std::move(flow_);
    }

private:
    Diagnostic error(TextPosition at, std::string message, std::string hint = {}) const {
        return bad_input(module_.position(at), std::move(message), std::move(hint));
    }

    Result<std::vector<std::uint32_t>> branch_targets(const Instruction& branch) const {
        std::vector<std::uint32_t> targets;
        const bool indexed = branch.opcode == "brx";
        const std::size_t place = indexed ? 1 : 0;
        if (branch.operands.size() != place + 1) {
            return error(branch.position, indexed ? "brx takes an index and a list of targets" : "bra takes one label");
        }
        const Operand& operand = branch.operands[place];
        if (!indexed && operand.kind == OperandKind::label) {
            targets.push_back(function_.labels[operand.index].instruction);
        } else if (indexed && operand.kind == OperandKind::symbol && operand.symbol == SymbolKind::label_list) {
            for (const Operand& target : function_.label_lists[operand.index].targets) {
                if (target.kind != OperandKind::label) return error(operand.position, "brx takes a list made by .branchtargets");
                targets.push_back(function_.labels[target.index].instruction);
            }
        } else {
            return error(operand.position, indexed ? "brx takes the name of a .branchtargets list" : "bra takes a label");
        }
        return targets;
    }

    Result<Transfer> transfer(const Instruction& instruction) const {
        Transfer result;
        const std::string_view opcode = instruction.opcode;
        const bool guarded = instruction.guard.reg != none;
        if (opcode == "bra" || opcode == "brx") {
            auto targets = branch_targets(instruction);
            if (!targets) return targets.error();
            result.targets = std::move(targets).value();
            result.falls_through = guarded;
        } else if (opcode == "ret" || opcode == "exit" || opcode == "trap") {
            result.ending = opcode == "trap" ? Ending::aborts : Ending::returns;
            result.falls_through = guarded;
        } else if (opcode == "call" && never_returns(module_, function_, instruction)) {
            result.ending = Ending::aborts;
            result.falls_through = guarded;
        }
        return result;
    }

    // Marks the instructions that can execute and those where a block begins.
    Result<void> reach() {
        const auto count = static_cast<std::uint32_t>(function_.instructions.size());
        reached_.assign(count, false);
        leader_.assign(count, false);
        leader_[0] = true;
        std::vector<std::uint32_t> work{0};
        while (!work.empty()) {
            std::uint32_t at = work.back();
            work.pop_back();
            while (!reached_[at]) {
                reached_[at] = true;
                const Instruction& instruction = function_.instructions[at];
                bool falls_through = true;
                if (ends_block(instruction)) {
                    const auto to = transfer(instruction);
                    if (!to) return to.error();
                    falls_through = to->falls_through;
                    edges_ += to->targets.size();
                    if (edges_ > max_edges) return error(instruction.position, "too many branch targets in " + in_quotes(function_.name));
                    for (const std::uint32_t target : to->targets) {
                        if (target == count) return falls_off(instruction);
                        leader_[target] = true;
                        work.push_back(target);
                    }
                    if (falls_through && at + 1 < count) leader_[at + 1] = true;
                }
                if (!falls_through) break;
                if (++at == count) return falls_off(instruction);
            }
        }
        return {};
    }

    Diagnostic falls_off(const Instruction& last) const {
        return error(last.position, "execution can run past the end of " + in_quotes(function_.name) + " after this instruction",
                     "end every path with ret or exit");
    }

    void make_blocks() {
        const auto count = static_cast<std::uint32_t>(reached_.size());
        flow_.block_of.assign(count, none);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (!reached_[i]) continue;
            if (leader_[i] || !reached_[i - 1]) flow_.blocks.push_back({.first = i});
            flow_.blocks.back().last = i + 1;
            flow_.block_of[i] = static_cast<std::uint32_t>(flow_.blocks.size() - 1);
        }
    }

    void make_edges() {
        endings_.assign(flow_.blocks.size(), Ending::stays);
        for (std::uint32_t b = 0; b < flow_.blocks.size(); ++b) {
            BasicBlock& block = flow_.blocks[b];
            const Instruction& last = function_.instructions[block.last - 1];
            Transfer to;
            if (ends_block(last)) to = transfer(last).value();
            endings_[b] = to.ending;
            for (const std::uint32_t target : to.targets) block.successors.push_back(flow_.block_of[target]);
            if (to.falls_through) block.successors.push_back(flow_.block_of[block.last]);
            for (const std::uint32_t s : block.successors) {
                auto& predecessors = flow_.blocks[s].predecessors;
                if (predecessors.empty() || predecessors.back() != b) predecessors.push_back(b);
            }
        }
    }

    static constexpr std::size_t max_edges = 1u << 24; // one list of targets may serve many brx: memory must not grow with the product

    const Module& module_;
    const Function& function_;
    std::size_t edges_ = 0;
    std::vector<bool> reached_;
    std::vector<bool> leader_;
    std::vector<Ending> endings_;
    ControlFlow flow_;
};

} // namespace

bool ends_block(const Instruction& instruction) {
    constexpr auto enders = std::to_array<std::string_view>(
        {"bar", "barrier", "bra", "brkpt", "brx", "call", "elect", "exit", "match", "nanosleep", "redux", "ret", "shfl", "trap", "vote"});
    return std::find(enders.begin(), enders.end(), instruction.opcode) != enders.end();
}

Result<ControlFlow> control_flow(const Module& module, const Function& function) { return Builder{module, function}.build(); }

} // namespace apod::ptx
