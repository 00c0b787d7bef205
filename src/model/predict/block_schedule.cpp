#include "model/predict/block_schedule.hpp"

#include <algorithm>
#include <unordered_map>

namespace apod::model {

namespace {

using Memory = ScheduledOp::Memory;

bool must_stay_in_order(const ScheduledOp& earlier, const ScheduledOp& later) {
    if (earlier.memory == Memory::none || later.memory == Memory::none) return false;
    if (earlier.memory == Memory::fence || later.memory == Memory::fence) return true;
    if (earlier.memory == Memory::read_only_load || later.memory == Memory::read_only_load) return false;
    const bool both_load = earlier.memory == Memory::load && later.memory == Memory::load;
    return !both_load && earlier.space == later.space;
}

// Blocks longer than this keep their order: choosing among thousands of candidates would cost more than it tells.
constexpr std::size_t longest_scheduled = 1500;

} // namespace

BlockSchedule::BlockSchedule(std::vector<ScheduledOp> ops) : ops_(std::move(ops)), edges_(ops_.size()), predecessors_(ops_.size(), 0) {
    if (ops_.size() <= longest_scheduled) {
        add_register_edges();
        add_memory_edges();
    }
    for (const std::vector<Edge>& list : edges_)
        for (const Edge& edge : list) ++predecessors_[edge.to];
    rank();
}

void BlockSchedule::add_register_edges() {
    std::unordered_map<std::uint32_t, std::uint32_t> last_write;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> reads_since;
    for (std::uint32_t i = 0; i < ops_.size(); ++i) {
        for (const std::uint32_t reg : ops_[i].reads) {
            if (const auto write = last_write.find(reg); write != last_write.end()) edges_[write->second].push_back({i, true});
            reads_since[reg].push_back(i);
        }
        for (const std::uint32_t reg : ops_[i].writes) {
            for (const std::uint32_t reader : reads_since[reg])
                if (reader != i) edges_[reader].push_back({i, false});
            if (const auto write = last_write.find(reg); write != last_write.end()) edges_[write->second].push_back({i, true});
            reads_since[reg].clear();
            last_write[reg] = i;
        }
    }
    // The branch that ends the block stays last.
    if (ops_.empty()) return;
    const std::uint32_t last = static_cast<std::uint32_t>(ops_.size() - 1);
    for (std::uint32_t i = 0; i < last; ++i) edges_[i].push_back({last, false});
}

void BlockSchedule::add_memory_edges() {
    std::vector<std::uint32_t> earlier;
    for (std::uint32_t i = 0; i < ops_.size(); ++i) {
        if (ops_[i].memory == Memory::none) continue;
        for (const std::uint32_t j : earlier)
            if (must_stay_in_order(ops_[j], ops_[i])) edges_[j].push_back({i, false});
        earlier.push_back(i);
    }
}

void BlockSchedule::rank() {
    rank_.assign(ops_.size(), 0);
    for (std::size_t i = ops_.size(); i-- > 0;) {
        for (const Edge& edge : edges_[i])
            rank_[i] = std::max(rank_[i], rank_[edge.to] + (edge.waits_for_result ? ops_[i].latency : ops_[i].slots));
    }
}

double BlockSchedule::run(WarpState& state) const {
    const double start = state.clock;
    const auto earliest = [&](const ScheduledOp& op) {
        double when = state.clock;
        for (const std::uint32_t reg : op.reads) when = std::max(when, state.ready[reg]);
        if (op.busy > 0) when = std::max(when, state.unit_free);
        return when;
    };
    const auto issue = [&](const ScheduledOp& op, double when) {
        state.clock = when + op.slots;
        if (op.busy > 0) state.unit_free = when + op.busy;
        for (const std::uint32_t reg : op.writes) state.ready[reg] = when + op.latency;
    };
    if (ops_.size() > longest_scheduled) {
        for (const ScheduledOp& op : ops_) issue(op, earliest(op));
        return state.clock - start;
    }
    std::vector<std::uint32_t> waiting = predecessors_;
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t i = 0; i < ops_.size(); ++i)
        if (waiting[i] == 0) candidates.push_back(i);
    while (!candidates.empty()) {
        std::size_t best = 0;
        double best_when = earliest(ops_[candidates[0]]);
        for (std::size_t c = 1; c < candidates.size(); ++c) {
            const double when = earliest(ops_[candidates[c]]);
            const bool sooner = when < best_when || (when == best_when && rank_[candidates[c]] > rank_[candidates[best]]);
            if (sooner) {
                best = c;
                best_when = when;
            }
        }
        const std::uint32_t chosen = candidates[best];
        candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(best));
        issue(ops_[chosen], best_when);
        for (const Edge& edge : edges_[chosen])
            if (--waiting[edge.to] == 0) candidates.push_back(edge.to);
    }
    return state.clock - start;
}

} // namespace apod::model
