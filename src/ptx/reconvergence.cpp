#include "ptx/dominators.hpp"
#include "ptx/graph_passes.hpp"

#include <algorithm>
#include <span>

namespace apod::ptx {

namespace {

class Reconvergence {
public:
    Reconvergence(const std::vector<BasicBlock>& blocks, const std::vector<Ending>& endings) : blocks_(blocks), endings_(endings) {}

    std::vector<std::uint32_t> compute(bool is_entry) {
        std::vector<std::uint32_t> result(blocks_.size());
        for (std::uint32_t b = 0; b < blocks_.size(); ++b) result[b] = blocks_[b].post_dominator;
        if (is_entry) cut_bare_returns(); // lanes of a function meet at its return, as their caller goes on with all of them
        DominatorTree tree{blocks_, DominatorTree::Direction::backward};
        for (const std::uint32_t end : ranked_ends()) tree.add(std::span{&end, 1});
        for (std::uint32_t b = 0; b < blocks_.size(); ++b)
            if (tree.reached(b) && tree.parent(b) != none) result[b] = tree.parent(b);
        return result;
    }

private:
    // nvcc sends every return of a kernel to one block that holds nothing but ret. Lanes need not meet to leave: those who branch there
    // leave where they branch.
    void cut_bare_returns() {
        for (std::uint32_t b = 1; b < blocks_.size(); ++b) {
            const BasicBlock& block = blocks_[b];
            if (endings_[b] != Ending::returns || !block.successors.empty() || block.last - block.first != 1) continue;
            for (const std::uint32_t p : block.predecessors) {
                auto& successors = blocks_[p].successors;
                std::erase(successors, b);
                if (successors.empty() && endings_[p] == Ending::stays) endings_[p] = Ending::returns;
            }
            blocks_[b].predecessors.clear();
        }
    }

    std::vector<std::uint32_t> dominator_depths() const {
        std::vector<std::uint32_t> depths(blocks_.size(), none);
        DominatorTree tree{blocks_, DominatorTree::Direction::forward};
        const std::uint32_t entry = 0;
        tree.add(std::span{&entry, 1});
        for (const std::uint32_t b : tree.order()) depths[b] = tree.parent(b) == none ? 0 : depths[tree.parent(b)] + 1;
        return depths;
    }

    // The main end of the function first: a return rather than a trap, depending on as few branches as possible, late in the text.
    std::vector<std::uint32_t> ranked_ends() const {
        const auto depths = dominator_depths();
        std::vector<std::uint32_t> ends;
        for (std::uint32_t b = 0; b < blocks_.size(); ++b)
            if (endings_[b] != Ending::stays && blocks_[b].successors.empty()) ends.push_back(b);
        std::sort(ends.begin(), ends.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (endings_[a] != endings_[b]) return endings_[a] == Ending::returns;
            if (depths[a] != depths[b]) return depths[a] < depths[b];
            return a > b;
        });
        return ends;
    }

    std::vector<BasicBlock> blocks_; // edges are cut in this copy
    std::vector<Ending> endings_;
};

} // namespace

std::vector<std::uint32_t> reconvergence_points(const std::vector<BasicBlock>& blocks, const std::vector<Ending>& endings, bool is_entry) {
    return Reconvergence{blocks, endings}.compute(is_entry);
}

} // namespace apod::ptx
