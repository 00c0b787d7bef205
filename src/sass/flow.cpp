#include "sass/flow.hpp"

#include <algorithm>
#include <map>

namespace apod::sass {

namespace {

std::vector<Block> cut(const std::vector<Instruction>& code) {
    std::vector<bool> begins(code.size() + 1, false);
    begins[0] = true;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
        if (code[i].flow == Flow::next) continue;
        begins[i + 1] = true;
        if (code[i].target < code.size()) begins[code[i].target] = true;
    }
    std::vector<Block> blocks;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
        if (begins[i]) {
            blocks.emplace_back();
            blocks.back().first = i;
        }
        blocks.back().last = i + 1;
    }
    return blocks;
}

void connect(std::vector<Block>& blocks, const std::vector<Instruction>& code) {
    std::vector<std::uint32_t> block_of(code.size());
    for (std::uint32_t b = 0; b < blocks.size(); ++b)
        for (std::uint32_t i = blocks[b].first; i < blocks[b].last; ++i) block_of[i] = b;
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
        const Instruction& last = code[blocks[b].last - 1];
        const bool goes_on = last.flow == Flow::next || last.flow == Flow::call || last.guarded || last.only_divergent;
        if (last.flow == Flow::branch && last.target < code.size()) blocks[b].successors.push_back(block_of[last.target]);
        if (last.flow == Flow::call && last.target < code.size()) blocks[b].called = block_of[last.target];
        if (goes_on && b + 1 < blocks.size()) blocks[b].successors.push_back(b + 1);
    }
}

// Blocks in reverse post-order from the roots; what cannot be reached (behind an indirect branch) counts as a root of its own.
// Roots are noted in `is_root`.
std::vector<std::uint32_t> reverse_post_order(const std::vector<Block>& blocks, std::vector<std::uint8_t>& is_root) {
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> seen(blocks.size(), 0);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    std::vector<std::vector<std::uint32_t>> trees;
    for (std::uint32_t root = 0; root < blocks.size(); ++root) {
        if (seen[root] != 0) continue;
        seen[root] = is_root[root] = 1;
        stack.emplace_back(root, 0);
        std::vector<std::uint32_t> tree;
        while (!stack.empty()) {
            auto& [block, next] = stack.back();
            if (next == blocks[block].successors.size()) {
                tree.push_back(block);
                stack.pop_back();
                continue;
            }
            const std::uint32_t to = blocks[block].successors[next++];
            if (seen[to] == 0) {
                seen[to] = 1;
                stack.emplace_back(to, 0);
            }
        }
        std::reverse(tree.begin(), tree.end());
        trees.push_back(std::move(tree));
    }
    for (const auto& tree : trees) order.insert(order.end(), tree.begin(), tree.end());
    return order;
}

// Immediate dominators (Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm"). Above all roots stands one that is no block: blocks
// that two roots lead to have it in common, without which the search would go back and forth between the two.
class Dominators {
public:
    explicit Dominators(const std::vector<Block>& blocks) :
        top_(static_cast<std::uint32_t>(blocks.size())), parent_(blocks.size() + 1, nowhere), place_(blocks.size() + 1, 0) {
        std::vector<std::uint8_t> is_root(blocks.size(), 0);
        const std::vector<std::uint32_t> order = reverse_post_order(blocks, is_root);
        for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i + 1;
        parent_[top_] = top_;
        std::vector<std::vector<std::uint32_t>> predecessors(blocks.size());
        for (std::uint32_t b = 0; b < blocks.size(); ++b)
            for (const std::uint32_t to : blocks[b].successors) predecessors[to].push_back(b);
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::uint32_t block : order) {
                std::uint32_t found = is_root[block] != 0 ? top_ : nowhere;
                for (const std::uint32_t from : predecessors[block])
                    if (parent_[from] != nowhere) found = found == nowhere ? from : meet(found, from);
                if (parent_[block] == found) continue;
                parent_[block] = found;
                changed = true;
            }
        }
    }

    [[nodiscard]] bool dominates(std::uint32_t above, std::uint32_t block) const {
        while (place_[block] > place_[above]) block = parent_[block];
        return block == above;
    }

    // The immediate dominator; of a block that no other dominates itself.
    [[nodiscard]] std::uint32_t above(std::uint32_t block) const { return parent_[block] == top_ ? block : parent_[block]; }

private:
    [[nodiscard]] std::uint32_t meet(std::uint32_t a, std::uint32_t b) const {
        while (a != b) {
            std::uint32_t& later = place_[a] > place_[b] ? a : b;
            later = parent_[later];
        }
        return a;
    }

    std::uint32_t top_;
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint32_t> place_;
};

// Dominators of the reversed graph, in which a block of its own follows all that leave.
std::vector<std::uint32_t> find_joins(const std::vector<Block>& blocks) {
    const auto end = static_cast<std::uint32_t>(blocks.size());
    std::vector<Block> reversed(blocks.size() + 1);
    for (std::uint32_t b = 0; b < end; ++b) {
        for (const std::uint32_t to : blocks[b].successors) reversed[end - to].successors.push_back(end - b);
        if (blocks[b].successors.empty()) reversed[0].successors.push_back(end - b);
    }
    const Dominators dominators(reversed);
    std::vector<std::uint32_t> joins;
    for (std::uint32_t b = 0; b < end; ++b) {
        const std::uint32_t found = dominators.above(end - b);
        joins.push_back(found == 0 || found == end - b ? nowhere : end - found);
    }
    return joins;
}

std::vector<Loop> find_loops(const std::vector<Block>& blocks) {
    const Dominators dominators(blocks);
    std::vector<std::vector<std::uint32_t>> predecessors(blocks.size());
    for (std::uint32_t b = 0; b < blocks.size(); ++b)
        for (const std::uint32_t to : blocks[b].successors) predecessors[to].push_back(b);
    std::map<std::uint32_t, std::vector<bool>> bodies; // by header
    for (std::uint32_t tail = 0; tail < blocks.size(); ++tail)
        for (const std::uint32_t header : blocks[tail].successors) {
            if (!dominators.dominates(header, tail)) continue;
            std::vector<bool>& body = bodies.try_emplace(header, std::vector<bool>(blocks.size(), false)).first->second;
            body[header] = true;
            std::vector<std::uint32_t> open = {tail};
            while (!open.empty()) {
                const std::uint32_t block = open.back();
                open.pop_back();
                if (body[block]) continue;
                body[block] = true;
                open.insert(open.end(), predecessors[block].begin(), predecessors[block].end());
            }
        }
    std::vector<Loop> loops;
    for (const auto& [header, body] : bodies) {
        Loop loop;
        loop.header = header;
        for (std::uint32_t b = 0; b < blocks.size(); ++b)
            if (body[b]) loop.blocks.push_back(b);
        loops.push_back(std::move(loop));
    }
    std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.blocks.size() > b.blocks.size(); });
    return loops;
}

// Whether a block before leads behind this one as well.
bool bypassed(const CodeFlow& flow, std::uint32_t block) {
    for (std::uint32_t from = 0; from < flow.blocks.size(); ++from) {
        const auto& next = flow.blocks[from].successors;
        if (from != block && next.size() == 2 && std::find(next.begin(), next.end(), block) != next.end()) return true;
    }
    return false;
}

// What only rare blocks lead to is rare too: the way back from the slow path.
void mark_behind_rare(CodeFlow& flow) {
    std::vector<bool> seen(flow.blocks.size(), false);
    std::vector<std::uint32_t> open = {0};
    while (!open.empty()) {
        const std::uint32_t block = open.back();
        open.pop_back();
        if (seen[block] || flow.blocks[block].rare) continue;
        seen[block] = true;
        open.insert(open.end(), flow.blocks[block].successors.begin(), flow.blocks[block].successors.end());
    }
    std::vector<bool> behind(flow.blocks.size(), false);
    for (std::uint32_t b = 0; b < flow.blocks.size(); ++b)
        if (flow.blocks[b].rare) open.push_back(b);
    while (!open.empty()) {
        const std::uint32_t block = open.back();
        open.pop_back();
        if (seen[block] || behind[block]) continue;
        behind[block] = true;
        flow.blocks[block].rare = true;
        open.insert(open.end(), flow.blocks[block].successors.begin(), flow.blocks[block].successors.end());
    }
}

void mark_special(CodeFlow& flow, const std::vector<Instruction>& code) {
    const auto reach = [&](std::vector<std::uint32_t> open, bool rare_edges) {
        std::vector<bool> seen(flow.blocks.size(), false);
        while (!open.empty()) {
            const std::uint32_t block = open.back();
            open.pop_back();
            if (seen[block]) continue;
            seen[block] = true;
            const Instruction& last = code[flow.blocks[block].last - 1];
            for (const std::uint32_t to : flow.blocks[block].successors) {
                const bool taken = last.flow == Flow::branch && flow.blocks[to].first == last.target;
                if (rare_edges || !last.only_divergent || !taken) open.push_back(to);
            }
        }
        return seen;
    };
    std::vector<std::uint32_t> called;
    for (const Block& block : flow.blocks)
        if (block.called != nowhere) called.push_back(block.called);
    const std::vector<bool> from_entry = reach({0}, true);
    const std::vector<bool> usual = reach({0}, false);
    const std::vector<bool> from_calls = reach(called, true);
    for (std::uint32_t b = 0; b < flow.blocks.size(); ++b) {
        flow.blocks[b].subroutine = from_calls[b] && !from_entry[b];
        flow.blocks[b].rare = from_entry[b] && !usual[b];
    }
    // What does nothing but call lies beside the usual way: the slow path of a division.
    for (std::uint32_t b = 1; b < flow.blocks.size(); ++b)
        if (flow.blocks[b].called != nowhere && flow.blocks[flow.blocks[b].called].subroutine && bypassed(flow, b))
            flow.blocks[b].rare = true;
    mark_behind_rare(flow);
}

} // namespace

CodeFlow code_flow(const std::vector<Instruction>& instructions) {
    CodeFlow flow;
    if (instructions.empty()) return flow;
    flow.blocks = cut(instructions);
    connect(flow.blocks, instructions);
    flow.loops = find_loops(flow.blocks);
    for (std::uint32_t l = 0; l < flow.loops.size(); ++l) {
        Loop& loop = flow.loops[l];
        loop.parent = flow.blocks[loop.header].loop; // loops come from large to small: the smallest so far around it
        loop.depth = loop.parent == nowhere ? 1 : flow.loops[loop.parent].depth + 1;
        for (const std::uint32_t b : loop.blocks) flow.blocks[b].loop = l;
    }
    mark_special(flow, instructions);
    flow.join = find_joins(flow.blocks);
    return flow;
}

} // namespace apod::sass
