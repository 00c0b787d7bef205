#include "ptx/graph_passes.hpp"

#include <algorithm>
#include <span>

namespace apod::ptx {

namespace {

class PostDominators {
public:
    PostDominators(const std::vector<BasicBlock>& blocks, const std::vector<bool>& leaves) :
        blocks_(blocks),
        leaves_(leaves),
        end_(static_cast<std::uint32_t>(blocks.size())),
        order_of_(blocks.size() + 1, none),
        idom_(blocks.size() + 1, none) {
        for (std::uint32_t b = 0; b < end_; ++b)
            if (leaves[b]) leaving_.push_back(b);
    }

    std::vector<std::uint32_t> compute() {
        number();
        idom_[end_] = end_;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = postorder_.size() - 1; i-- > 0;) changed |= update(postorder_[i]);
        }
        idom_.pop_back();
        std::replace(idom_.begin(), idom_.end(), end_, none);
        return std::move(idom_);
    }

private:
    std::span<const std::uint32_t> reversed_edges(std::uint32_t node) const {
        return node == end_ ? std::span<const std::uint32_t>{leaving_} : std::span<const std::uint32_t>{blocks_[node].predecessors};
    }

    // Postorder of the reversed graph from the virtual end, which comes last.
    void number() {
        struct Visit {
            std::uint32_t node;
            std::size_t next;
        };
        std::vector<bool> seen(end_ + 1u);
        std::vector<Visit> stack{{end_, 0}};
        seen[end_] = true;
        while (!stack.empty()) {
            Visit& top = stack.back();
            const auto edges = reversed_edges(top.node);
            if (top.next == edges.size()) {
                order_of_[top.node] = static_cast<std::uint32_t>(postorder_.size());
                postorder_.push_back(top.node);
                stack.pop_back();
                continue;
            }
            const std::uint32_t to = edges[top.next++];
            if (seen[to]) continue;
            seen[to] = true;
            stack.push_back({to, 0});
        }
    }

    bool update(std::uint32_t node) {
        std::uint32_t meet = leaves_[node] ? end_ : none;
        for (const std::uint32_t to : blocks_[node].successors) {
            if (idom_[to] == none) continue; // not yet known, or never reaches the end
            meet = meet == none ? to : intersect(meet, to);
        }
        if (idom_[node] == meet) return false;
        idom_[node] = meet;
        return true;
    }

    std::uint32_t intersect(std::uint32_t a, std::uint32_t b) const {
        while (a != b) {
            while (order_of_[a] < order_of_[b]) a = idom_[a];
            while (order_of_[b] < order_of_[a]) b = idom_[b];
        }
        return a;
    }

    const std::vector<BasicBlock>& blocks_;
    const std::vector<bool>& leaves_;
    std::uint32_t end_;
    std::vector<std::uint32_t> leaving_;
    std::vector<std::uint32_t> order_of_;
    std::vector<std::uint32_t> postorder_;
    std::vector<std::uint32_t> idom_;
};

} // namespace

std::vector<std::uint32_t> immediate_post_dominators(const std::vector<BasicBlock>& blocks, const std::vector<bool>& leaves) {
    return PostDominators{blocks, leaves}.compute();
}

} // namespace apod::ptx
