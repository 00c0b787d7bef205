#include "ptx/graph_passes.hpp"

#include <algorithm>

namespace apod::ptx {

namespace {

class LoopDepths {
public:
    explicit LoopDepths(const std::vector<BasicBlock>& blocks) : blocks_(blocks), region_(blocks.size(), 0), depth_(blocks.size(), 0) {}

    std::vector<std::uint32_t> compute() {
        if (blocks_.empty()) return {};
        std::vector<std::uint32_t> all(blocks_.size());
        for (std::uint32_t b = 0; b < all.size(); ++b) all[b] = b;
        entered_.assign(blocks_.size(), none);
        work_.push_back(std::move(all));
        regions_ = 1;
        while (!work_.empty()) {
            const std::vector<std::uint32_t> nodes = std::move(work_.back());
            work_.pop_back();
            components(nodes);
        }
        return std::move(depth_);
    }

private:
    struct Visit {
        std::uint32_t node;
        std::size_t next;
    };

    // Tarjan's algorithm within the region of `nodes`, without recursion. `nodes` come in the order of the first search, so that each
    // search starts where the first one entered.
    void components(const std::vector<std::uint32_t>& nodes) {
        const std::uint32_t region = region_[nodes.front()];
        index_.resize(blocks_.size());
        low_.resize(blocks_.size());
        on_stack_.resize(blocks_.size());
        for (const std::uint32_t n : nodes) index_[n] = none;
        std::uint32_t counter = 0;
        for (const std::uint32_t root : nodes) {
            if (index_[root] != none) continue;
            enter(root, counter);
            while (!visits_.empty()) step(region, counter);
        }
    }

    void enter(std::uint32_t node, std::uint32_t& counter) {
        index_[node] = low_[node] = counter++;
        if (entered_[node] == none) entered_[node] = index_[node]; // set once, by the search of the whole graph
        on_stack_[node] = true;
        stack_.push_back(node);
        visits_.push_back({node, 0});
    }

    void step(std::uint32_t region, std::uint32_t& counter) {
        Visit& top = visits_.back();
        const std::uint32_t node = top.node;
        const auto& successors = blocks_[node].successors;
        while (top.next < successors.size()) {
            const std::uint32_t to = successors[top.next++];
            if (region_[to] != region) continue;
            if (index_[to] == none) return enter(to, counter);
            if (on_stack_[to]) low_[node] = std::min(low_[node], index_[to]);
        }
        visits_.pop_back();
        if (!visits_.empty()) low_[visits_.back().node] = std::min(low_[visits_.back().node], low_[node]);
        if (low_[node] == index_[node]) close(node);
    }

    // `root` is the last node of its component on the stack. A component leaves the region: its nodes get a region of their own.
    void close(std::uint32_t root) {
        const auto begin = std::find(stack_.rbegin(), stack_.rend(), root).base() - 1;
        std::vector<std::uint32_t> members(begin, stack_.end());
        stack_.erase(begin, stack_.end());
        for (const std::uint32_t n : members) {
            on_stack_[n] = false;
            region_[n] = none; // trivial components and headers belong to no later region
        }
        const auto& successors = blocks_[root].successors;
        const bool loop = members.size() > 1 || std::find(successors.begin(), successors.end(), root) != successors.end();
        if (!loop) return;
        for (const std::uint32_t n : members) ++depth_[n];
        std::sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) { return entered_[a] < entered_[b]; });
        members.erase(members.begin()); // the header
        if (members.empty()) return;
        for (const std::uint32_t n : members) region_[n] = regions_;
        ++regions_;
        work_.push_back(std::move(members));
    }

    const std::vector<BasicBlock>& blocks_;
    std::vector<std::uint32_t> region_;
    std::vector<std::uint32_t> depth_;
    std::vector<std::uint32_t> entered_;
    std::vector<std::uint32_t> index_;
    std::vector<std::uint32_t> low_;
    std::vector<bool> on_stack_;
    std::vector<std::uint32_t> stack_;
    std::vector<Visit> visits_;
    std::vector<std::vector<std::uint32_t>> work_;
    std::uint32_t regions_ = 0;
};

} // namespace

std::vector<std::uint32_t> loop_depths(const std::vector<BasicBlock>& blocks) { return LoopDepths{blocks}.compute(); }

} // namespace apod::ptx
