#include "ptx/dominators.hpp"

#include <algorithm>

namespace apod::ptx {

DominatorTree::DominatorTree(const std::vector<BasicBlock>& blocks, Direction direction) :
    blocks_(blocks),
    direction_(direction),
    root_(static_cast<std::uint32_t>(blocks.size())),
    run_of_(blocks.size(), 0),
    rooted_(blocks.size(), 0),
    number_(blocks.size() + 1, none),
    parents_(blocks.size() + 1, none) {
    parents_[root_] = root_;
}

const std::vector<std::uint32_t>& DominatorTree::onward(std::uint32_t block) const {
    return direction_ == Direction::forward ? blocks_[block].successors : blocks_[block].predecessors;
}

const std::vector<std::uint32_t>& DominatorTree::back(std::uint32_t block) const {
    return direction_ == Direction::forward ? blocks_[block].predecessors : blocks_[block].successors;
}

void DominatorTree::add(std::span<const std::uint32_t> roots) {
    ++run_;
    for (const std::uint32_t r : roots) rooted_[r] = run_;
    search(roots);
    for (std::size_t i = 0; i < order_.size(); ++i) number_[order_[i]] = static_cast<std::uint32_t>(order_.size() - i);
    number_[root_] = static_cast<std::uint32_t>(order_.size() + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (const std::uint32_t block : order_) changed |= update(block);
    }
}

// Depth first, without recursion; leaves the reverse postorder in order_.
void DominatorTree::search(std::span<const std::uint32_t> roots) {
    struct Visit {
        std::uint32_t block;
        std::size_t next;
    };
    std::vector<Visit> stack;
    order_.clear();
    const auto enter = [&](std::uint32_t block) {
        if (run_of_[block] != 0) return;
        run_of_[block] = run_;
        stack.push_back({block, 0});
    };
    for (const std::uint32_t r : roots) {
        enter(r);
        while (!stack.empty()) {
            Visit& top = stack.back();
            const auto& edges = onward(top.block);
            if (top.next < edges.size()) {
                enter(edges[top.next++]);
            } else {
                order_.push_back(top.block);
                stack.pop_back();
            }
        }
    }
    std::reverse(order_.begin(), order_.end());
}

bool DominatorTree::update(std::uint32_t block) {
    std::uint32_t parent = rooted_[block] == run_ ? root_ : none;
    for (const std::uint32_t from : back(block)) {
        if (run_of_[from] != run_ || parents_[from] == none) continue; // of another run, or not yet known
        parent = parent == none ? from : meet(parent, from);
    }
    if (parents_[block] == parent) return false;
    parents_[block] = parent;
    return true;
}

std::uint32_t DominatorTree::meet(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
        while (number_[a] < number_[b]) a = parents_[a];
        while (number_[b] < number_[a]) b = parents_[b];
    }
    return a;
}

} // namespace apod::ptx
