#include "model/machine/frequency.hpp"

#include "model/predict/memory_cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace apod::model {

namespace {

struct Weighted {
    double value = 0;
    double weight = 0;
};

// The smallest value with at least the given share of the weight at or below it.
double quantile(std::vector<Weighted> values, double share) {
    std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    double total = 0;
    for (const Weighted& value : values) total += value.weight;
    double seen = 0;
    for (const Weighted& value : values) {
        seen += value.weight;
        if (seen >= total * share) return value.value;
    }
    return 0;
}

double median(std::vector<Weighted> values) { return quantile(std::move(values), 0.5); }

// An instruction that was made from an op.
struct Made {
    std::uint32_t block = 0; // of machine code
    double weight = 0;
    bool does_it = false; // accesses the memory or waits at the barrier; what is beside it only prepares
};

// What one loop of the machine code (or all that is outside of loops) has of one block of the PTX.
struct Share {
    std::uint32_t loop = sass::nowhere;
    std::uint32_t depth = 0;
    double copies = 1;
    bool first = false;                                    // before the loop: a round that was taken out of it
    bool between = false;                                  // only leads from one of the others to the next
    std::map<std::uint32_t, double> weight_of_block;       // by block of machine code
    std::map<std::uint32_t, std::vector<Made>> made_of_op; // its instructions here
};

class Frequencies {
public:
    Frequencies(const LaunchFacts& facts, const std::vector<double>& executions) :
        facts_(facts), code_(*facts.machine), executions_(executions), votes_(code_.flow.blocks.size()) {}

    std::vector<double> find() {
        for (auto& [block, shares] : shares_by_block()) vote(block, shares);
        std::vector<double> result(votes_.size(), 0);
        for (std::uint32_t b = 0; b < votes_.size(); ++b) {
            const sass::Block& block = code_.flow.blocks[b];
            if (block.subroutine || block.rare) continue;
            result[b] = b == 0 ? 1 : median(votes_[b]);
        }
        connect(result);
        for (std::uint32_t loop = 0; loop < code_.flow.loops.size(); ++loop) {
            if (code_.swapped[loop] == no_op) continue;
            const double rounds = swap_rounds(facts_, code_.swapped[loop]);
            for (const std::uint32_t b : code_.flow.loops[loop].blocks) result[b] *= rounds;
        }
        return result;
    }

private:
    // What runs must be reached, and loops must be left: where only blocks that seem never to run lead on (what they held was made from a
    // loop's instructions, or from nothing that the PTX has), those on the shortest way get the frequency of what they connect.
    void connect(std::vector<double>& frequency) const {
        for (const sass::Loop& loop : code_.flow.loops) {
            std::vector<std::uint32_t> exits;
            bool runs = false;
            for (const std::uint32_t b : loop.blocks) {
                runs = runs || frequency[b] > 0;
                for (const std::uint32_t to : code_.flow.blocks[b].successors)
                    if (!std::binary_search(loop.blocks.begin(), loop.blocks.end(), to)) exits.push_back(to);
            }
            const bool left = std::any_of(exits.begin(), exits.end(), [&](std::uint32_t b) { return frequency[b] > 0; });
            if (runs && !left) bridge(frequency, exits);
        }
        for (std::uint32_t b = 1; b < frequency.size(); ++b)
            if (frequency[b] > 0 && !is_reached(frequency, b)) bridge_to(frequency, b);
    }

    [[nodiscard]] bool is_reached(const std::vector<double>& frequency, std::uint32_t block) const {
        for (std::uint32_t from = 0; from < frequency.size(); ++from) {
            const auto& next = code_.flow.blocks[from].successors;
            if (frequency[from] > 0 && !comes_round(from, block) && std::find(next.begin(), next.end(), block) != next.end()) return true;
        }
        return false;
    }

    // Whether the way from one to the other is that of a loop's next round.
    [[nodiscard]] bool comes_round(std::uint32_t from, std::uint32_t header) const {
        for (const sass::Loop& loop : code_.flow.loops)
            if (loop.header == header) return std::binary_search(loop.blocks.begin(), loop.blocks.end(), from);
        return false;
    }

    // From the starts, over blocks that do not run, to the first that does.
    void bridge(std::vector<double>& frequency, const std::vector<std::uint32_t>& starts) const {
        std::map<std::uint32_t, std::uint32_t> from;
        std::vector<std::uint32_t> open;
        for (const std::uint32_t b : starts)
            if (from.emplace(b, sass::nowhere).second) open.push_back(b);
        for (std::size_t next = 0; next < open.size(); ++next)
            for (const std::uint32_t to : code_.flow.blocks[open[next]].successors) {
                if (frequency[to] > 0) return fill(frequency, from, open[next], frequency[to]);
                if (from.emplace(to, open[next]).second) open.push_back(to);
            }
    }

    // From a block that runs, over some that do not, to the given one.
    void bridge_to(std::vector<double>& frequency, std::uint32_t block) const {
        std::map<std::uint32_t, std::uint32_t> from;
        std::vector<std::uint32_t> open;
        for (std::uint32_t b = 0; b < frequency.size(); ++b)
            if (frequency[b] > 0 && b != block && !comes_round(b, block) && !code_.flow.blocks[b].subroutine) {
                from.emplace(b, sass::nowhere);
                open.push_back(b);
            }
        for (std::size_t next = 0; next < open.size(); ++next)
            for (const std::uint32_t to : code_.flow.blocks[open[next]].successors) {
                if (to == block) return fill(frequency, from, open[next], frequency[block]);
                if (from.emplace(to, open[next]).second) open.push_back(to);
            }
    }

    static void fill(std::vector<double>& frequency, const std::map<std::uint32_t, std::uint32_t>& from, std::uint32_t block,
                     double value) {
        for (std::uint32_t b = block; b != sass::nowhere; b = from.at(b))
            if (frequency[b] > 0) value = std::min(value, frequency[b]);
        for (; block != sass::nowhere && frequency[block] <= 0; block = from.at(block)) frequency[block] = value;
    }

    // A block that became a predicate runs more often than the PTX counts it: what is guarded says little.
    [[nodiscard]] static double weight_of(const sass::Instruction& instruction) {
        if (instruction.flow == sass::Flow::branch) return 4;
        if (instruction.guarded) return 0.05;
        return instruction.access != sass::Access::none || instruction.waits_for_block ? 4 : 1;
    }

    // Parameters come from constant memory wherever they are used.
    [[nodiscard]] bool does(const sass::Instruction& instruction, std::uint32_t op) const {
        if (instruction.space == sass::Space::constant) return facts_.program.ops[op].op_class == emu::OpClass::load_constant;
        return instruction.access != sass::Access::none || instruction.waits_for_block;
    }

    std::map<std::uint32_t, std::vector<Share>> shares_by_block() {
        std::map<std::uint32_t, std::vector<Share>> all;
        for (std::uint32_t b = 0; b < code_.flow.blocks.size(); ++b) {
            const sass::Block& block = code_.flow.blocks[b];
            if (block.subroutine || block.rare) continue;
            for (std::uint32_t i = block.first; i < block.last; ++i) {
                if (code_.op[i] == no_op) continue;
                std::vector<Share>& shares = all[facts_.program.ops[code_.op[i]].block];
                auto share = std::find_if(shares.begin(), shares.end(), [&](const Share& s) { return s.loop == block.loop; });
                if (share == shares.end()) {
                    shares.push_back({block.loop, code_.flow.depth(b), 1, false, false, {}, {}});
                    share = std::prev(shares.end());
                }
                const sass::Instruction& instruction = code_.kernel.instructions[i];
                const double weight = weight_of(instruction);
                share->weight_of_block[b] += weight;
                share->made_of_op[code_.op[i]].push_back({b, weight, does(instruction, code_.op[i])});
            }
        }
        for (auto& [block, shares] : all) {
            if (ptx_depth(block) > 0) part_leftovers(shares, ptx_depth(block));
            for (Share& share : shares) share.copies = ptx_depth(block) > 0 && !share.between ? copies_of(share) : 1;
        }
        return all;
    }

    // What an unrolled loop leaves over may be done by straight code behind it, two rounds and then one: blocks that lie outside of the
    // loop and hold different numbers of copies. Each is a share of its own, which runs once an entry or not at all. A round before the
    // loop, taken out of it, runs whenever there is one.
    void part_leftovers(std::vector<Share>& shares, std::uint32_t depth) const {
        std::vector<Share> parts;
        const std::uint32_t loop = first_block_in_loops(shares, depth);
        for (Share& share : shares) {
            if (share.depth >= depth) continue;
            const std::map<std::uint32_t, std::size_t> copies = copies_by_block(share);
            if (copies.size() < 2) continue;
            std::vector<std::size_t> numbers;
            for (const auto& [block, number] : copies)
                if (block > loop) numbers.push_back(number);
            std::sort(numbers.begin(), numbers.end());
            if (std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end()) continue; // copies of a round that all run
            for (const auto& [block, number] : copies) {
                parts.push_back(part_of(share, block));
                parts.back().first = block < loop;
            }
            share.between = true;
        }
        shares.insert(shares.end(), parts.begin(), parts.end());
    }

    static std::uint32_t first_block_in_loops(const std::vector<Share>& shares, std::uint32_t depth) {
        std::uint32_t first = 0;
        for (const Share& share : shares)
            if (share.depth >= depth && !share.weight_of_block.empty() && (first == 0 || share.weight_of_block.begin()->first < first))
                first = share.weight_of_block.begin()->first;
        return first;
    }

    // By block: how often the op occurs that occurs in most of them.
    static std::map<std::uint32_t, std::size_t> copies_by_block(const Share& share) {
        std::map<std::uint32_t, std::size_t> most;
        for (const auto& [op, made] : share.made_of_op) {
            std::map<std::uint32_t, std::size_t> number;
            for (const Made& one : made)
                if (one.does_it) ++number[one.block];
            if (number.size() > most.size()) most = std::move(number);
        }
        return most;
    }

    // Takes the block out of the share.
    static Share part_of(Share& share, std::uint32_t block) {
        Share part{share.loop, share.depth, 1, false, false, {}, {}};
        part.weight_of_block[block] = share.weight_of_block[block];
        share.weight_of_block.erase(block);
        for (auto& [op, made] : share.made_of_op) {
            for (const Made& one : made)
                if (one.block == block) part.made_of_op[op].push_back(one);
            std::erase_if(made, [block](const Made& one) { return one.block == block; });
        }
        return part;
    }

    // An op becomes one instruction a copy or several; memory accesses and floating-point operations nearly always one, so that they tell
    // where there are any. What counts the rounds of a loop appears once, however often the loop is unrolled.
    [[nodiscard]] double copies_of(const Share& share) const {
        std::vector<Weighted> memory;
        std::vector<Weighted> floats;
        std::vector<Weighted> others;
        std::vector<Weighted> wide; // several instructions a copy
        for (const auto& [op, made] : share.made_of_op) {
            Weighted count = count_of(made);
            count.value /= std::max(1.0, requests_each(facts_, op)); // a load of a matrix' tile is several instructions
            switch (facts_.program.ops[op].op_class) {
            case emu::OpClass::branch: break;
            case emu::OpClass::load_global:
            case emu::OpClass::load_shared:
            case emu::OpClass::store_global:
            case emu::OpClass::store_shared:
            case emu::OpClass::load_local:
            case emu::OpClass::store_local:
            case emu::OpClass::load_generic:
            case emu::OpClass::store_generic:
            case emu::OpClass::barrier: memory.push_back(count); break;
            case emu::OpClass::fp32:
            case emu::OpClass::fp64:
            case emu::OpClass::fp16:
            case emu::OpClass::shuffle: floats.push_back(count); break;
            default: (is_wide(op) ? wide : others).push_back(count);
            }
        }
        for (std::vector<Weighted>* counts : {&memory, &floats})
            if (!counts->empty()) return std::max(1.0, median(std::move(*counts)));
        if (!others.empty()) return std::max(1.0, quantile(std::move(others), 0.25));
        return wide.empty() ? 1 : std::max(1.0, std::floor(median(std::move(wide)) / 2));
    }

    static Weighted count_of(const std::vector<Made>& made) {
        Weighted count;
        double doing = 0;
        for (const Made& one : made) {
            count.weight = std::max(count.weight, one.weight);
            doing += one.does_it ? 1 : 0;
        }
        count.value = doing > 0 ? doing : static_cast<double>(made.size());
        return count;
    }

    // What becomes several instructions: arithmetic of 64 bits, and what has sequences of its own.
    [[nodiscard]] bool is_wide(std::uint32_t op) const {
        const emu::OpInfo& info = facts_.program.ops[op];
        const ptx::Instruction& instruction = info.function->instructions[info.instruction];
        switch (info.op_class) {
        case emu::OpClass::logic:
        case emu::OpClass::int_add:
        case emu::OpClass::compare:
        case emu::OpClass::select:
        case emu::OpClass::int_mul:
        case emu::OpClass::popc:
            return instruction.has("s64") || instruction.has("u64") || instruction.has("b64") || instruction.has("wide");
        default: return true;
        }
    }

    // Loops take the executions of a PTX block: the one with the most copies first and in whole rounds, as unrolled loops and the loops for
    // what is left over do; then what lies outside, as first rounds that were peeled off do.
    void vote(std::uint32_t block, std::vector<Share>& shares) {
        const std::uint32_t depth = ptx_depth(block);
        std::stable_sort(shares.begin(), shares.end(),
                         [](const Share& a, const Share& b) { return a.depth != b.depth ? a.depth > b.depth : a.copies > b.copies; });
        std::stable_partition(shares.begin(), shares.end(), [](const Share& share) { return !share.between; });
        std::stable_partition(shares.begin(), shares.end(), [](const Share& share) { return share.first; });
        std::set<std::uint32_t> idle; // blocks that hold copies for more rounds than there are
        double left = executions(block);
        const double entries = shares.size() > 1 ? entries_of(block) : 0;
        for (std::size_t s = 0; s < shares.size(); ++s) {
            const Share& share = shares[s];
            if (share.between) {
                for (const auto& [b, weight] : share.weight_of_block) votes_[b].push_back({leads_on(b, idle) ? entries : 0, weight});
                continue;
            }
            double frequency = left / share.copies;
            if (share.first && entries > 0)
                frequency = std::min(frequency, entries);
            else if (s + 1 < shares.size() && !shares[s + 1].between && entries > 0)
                frequency = std::floor(left / entries / share.copies + 1e-6) * entries;
            left = std::max(0.0, left - frequency * share.copies);
            const double moved = share.depth < depth ? 0.02 : share.depth > depth ? 0.3 : 1;
            for (const auto& [b, weight] : share.weight_of_block) votes_[b].push_back({frequency, weight * moved});
            if (frequency <= 0)
                for (const auto& [b, weight] : share.weight_of_block) idle.insert(b);
        }
    }

    // Whether the block has another way than to blocks that do not run.
    [[nodiscard]] bool leads_on(std::uint32_t block, const std::set<std::uint32_t>& idle) const {
        const auto& next = code_.flow.blocks[block].successors;
        return next.empty() || std::any_of(next.begin(), next.end(), [&idle](std::uint32_t to) { return !idle.contains(to); });
    }

    [[nodiscard]] std::uint32_t ptx_depth(std::uint32_t block) const {
        const auto& flow = facts_.program.flow.blocks;
        return block < flow.size() ? flow[block].loop_depth : 0;
    }

    // How often the PTX loop around the block is entered.
    [[nodiscard]] double entries_of(std::uint32_t block) const {
        const auto& blocks = facts_.program.flow.blocks;
        if (block >= blocks.size() || blocks[block].loop_depth == 0) return 0;
        const double own = executions(block);
        const std::uint32_t depth = blocks[block].loop_depth;
        while (block > 0 && blocks[block - 1].loop_depth >= depth) --block; // the blocks of a loop lie together in the text
        double entries = 0;
        for (const std::uint32_t from : blocks[block].predecessors)
            if (blocks[from].loop_depth < depth) entries += executions(from);
        return std::min(entries, own);
    }

    // Of a block of the PTX.
    [[nodiscard]] double executions(std::uint32_t block) const { return block < executions_.size() ? executions_[block] : 0; }

    const LaunchFacts& facts_;
    const MachineCode& code_;
    const std::vector<double>& executions_; // of the PTX's blocks, by one warp
    std::vector<std::vector<Weighted>> votes_;
};

} // namespace

namespace {

// Of each block of the PTX; its first op tells.
std::vector<double> of_average_warp(const LaunchFacts& facts) {
    std::vector<double> executions;
    std::vector<bool> is_known;
    const double warps = std::max<double>(1, static_cast<double>(facts.execution.warps_run));
    for (std::uint32_t op = 0; op < facts.program.ops.size(); ++op) {
        const std::uint32_t block = facts.program.ops[op].block;
        if (block >= executions.size()) executions.resize(block + 1, 0);
        is_known.resize(executions.size(), false);
        if (is_known[block]) continue;
        is_known[block] = true;
        executions[block] = static_cast<double>(facts.execution.counts[op].warps) / warps;
    }
    return executions;
}

// Where the block accesses memory, as often as the warp did; elsewhere it goes with the block before of the same depth.
std::vector<double> of_longest_warp(const LaunchFacts& facts) {
    std::vector<double> executions = of_average_warp(facts);
    std::vector<double> counted(executions.size(), -1);
    for (std::uint32_t op = 0; op < facts.longest_requests.size(); ++op) {
        const std::uint32_t block = facts.program.ops[op].block;
        const double each = requests_each(facts, op);
        if (block < counted.size() && each > 0) counted[block] = std::max(counted[block], facts.longest_requests[op] / std::max(1.0, each));
    }
    const auto& flow = facts.program.flow.blocks;
    std::map<std::uint32_t, double> longer; // by depth
    for (std::uint32_t block = 0; block < executions.size(); ++block) {
        const std::uint32_t depth = block < flow.size() ? flow[block].loop_depth : 0;
        if (counted[block] >= 0) {
            if (executions[block] > 0) longer[depth] = counted[block] / executions[block];
            executions[block] = counted[block];
        } else if (depth > 0) {
            executions[block] *= longer.contains(depth) ? longer[depth] : 1;
        } else {
            executions[block] = std::min(1.0, executions[block] * facts.longest_warp);
        }
    }
    return executions;
}

} // namespace

std::vector<double> block_frequencies(const LaunchFacts& facts) { return Frequencies(facts, of_average_warp(facts)).find(); }

std::vector<double> longest_frequencies(const LaunchFacts& facts) {
    if (facts.longest_requests.empty()) return {};
    return Frequencies(facts, of_longest_warp(facts)).find();
}

} // namespace apod::model
