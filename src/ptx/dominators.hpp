// Dominator trees over the blocks of a function, forwards or backwards; private to the passes of control_flow.cpp.
//
// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", with one virtual root in front of the given ones.
#pragma once

#include "ptx/control_flow.hpp"

#include <span>

namespace apod::ptx {

class DominatorTree {
public:
    enum class Direction : std::uint8_t { forward, backward }; // from the entry along the edges; from the ends against them

    DominatorTree(const std::vector<BasicBlock>& blocks, Direction direction);

    // Adds the blocks that can be reached from these roots and that no earlier call reached.
    void add(std::span<const std::uint32_t> roots);

    [[nodiscard]] bool reached(std::uint32_t block) const { return run_of_[block] != 0; }
    // none: only the virtual root dominates, or the block was not reached.
    [[nodiscard]] std::uint32_t parent(std::uint32_t block) const { return parents_[block] == root_ ? none : parents_[block]; }
    // Blocks that the last call added, each after its parent.
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }

private:
    [[nodiscard]] const std::vector<std::uint32_t>& onward(std::uint32_t block) const;
    [[nodiscard]] const std::vector<std::uint32_t>& back(std::uint32_t block) const;
    void search(std::span<const std::uint32_t> roots);
    bool update(std::uint32_t block);
    [[nodiscard]] std::uint32_t meet(std::uint32_t a, std::uint32_t b) const;

    const std::vector<BasicBlock>& blocks_;
    Direction direction_;
    std::uint32_t root_;
    std::uint32_t run_ = 0;
    std::vector<std::uint32_t> run_of_; // 0: not reached
    std::vector<std::uint32_t> rooted_; // the last run in which the block was a root
    std::vector<std::uint32_t> number_; // in postorder, larger for those nearer the root
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint32_t> order_;
};

} // namespace apod::ptx
