#include "model/machine/warp_path.hpp"

#include <algorithm>
#include <cmath>

namespace apod::model {

PathFinder::PathFinder(const std::vector<sass::Instruction>& code, const sass::CodeFlow& flow, const std::vector<double>& frequency) :
    code_(code), flow_(flow), frequency_(frequency), loop_of_header_(flow.blocks.size(), sass::nowhere) {
    for (std::uint32_t l = 0; l < flow.loops.size(); ++l) {
        loop_of_header_[flow.loops[l].header] = l;
        loops_.push_back(facts_of(l));
    }
}

bool PathFinder::contains(std::uint32_t loop, std::uint32_t block) const {
    const auto& blocks = flow_.loops[loop].blocks;
    return std::binary_search(blocks.begin(), blocks.end(), block);
}

PathFinder::LoopFacts PathFinder::facts_of(std::uint32_t loop) const {
    const std::uint32_t header = flow_.loops[loop].header;
    LoopFacts facts;
    double entries = 0;
    for (std::uint32_t from = 0; from < flow_.blocks.size(); ++from) {
        const auto& next = flow_.blocks[from].successors;
        if (contains(loop, from) || std::find(next.begin(), next.end(), header) == next.end()) continue;
        // Of a fork, what does not go the other way.
        double other = 0;
        for (const std::uint32_t to : next)
            if (to != header) other += frequency_[to];
        entries += other < frequency_[from] ? frequency_[from] - other : frequency_[from];
    }
    double most = 0;
    for (const std::uint32_t b : flow_.loops[loop].blocks)
        if (flow_.blocks[b].loop == loop) most = std::max(most, frequency_[b]);
    if (entries > 0 && most > 0) facts.rounds = std::max(1.0, most / std::min(entries, most));
    double largest = -1;
    for (const std::uint32_t b : flow_.loops[loop].blocks)
        for (const std::uint32_t to : flow_.blocks[b].successors) {
            if (contains(loop, to) || frequency_[b] <= 0) continue;
            // Of several ways out the usual one; later ones rather than the guard at the top.
            if (frequency_[to] < largest) continue;
            largest = frequency_[to];
            facts.exit = b;
        }
    return facts;
}

void PathFinder::begin(WarpPath& path, double share) const {
    path.share = share;
    path.along = {};
    path.entered.assign(flow_.loops.size(), {});
    path.credit.assign(flow_.blocks.size(), -1.0F);
    path.parting.assign(flow_.blocks.size(), -1.0F);
    path.parted.clear();
    path.round.assign(flow_.loops.size(), 0);
    path.rounds.assign(flow_.loops.size(), 1);
}

bool PathFinder::chance(float& credit, double probability, WarpPath& path) {
    if (credit < 0) credit = static_cast<float>(1 - path.along.place_of(path.share));
    credit += static_cast<float>(probability);
    const bool is_part = credit >= 1.0F;
    if (is_part) credit -= 1.0F;
    // In a loop's later rounds other warps have their turn.
    if ((path.along.place_of(path.share) < probability) == is_part) {
        const double middle = path.along.low + probability * path.along.width();
        path.along = is_part ? Shares{path.along.low, middle} : Shares{middle, path.along.high};
    }
    return is_part;
}

// Of a block, in a round of its innermost loop or, outside of loops, of a warp.
double PathFinder::visits_a_round(std::uint32_t block) const {
    const std::uint32_t loop = flow_.blocks[block].loop;
    const double rounds = loop == sass::nowhere ? 1 : frequency_[flow_.loops[loop].header];
    return rounds > 0 ? std::min(1.0, frequency_[block] / rounds) : 1;
}

// Ways meet: more warps come to the block than those that went this one.
void PathFinder::come_to(std::uint32_t block, WarpPath& path) const {
    const std::uint32_t loop = flow_.blocks[block].loop;
    const Shares all = loop == sass::nowhere ? Shares{} : path.entered[loop];
    const double part = visits_a_round(block);
    constexpr double near = 0.01;
    if (std::abs(path.along.width() - part * all.width()) <= near * all.width()) return;
    const double middle = all.low + part * all.width();
    path.along = path.share < middle ? Shares{all.low, middle} : all;
}

std::uint32_t PathFinder::next(std::uint32_t block, WarpPath& path) const {
    std::uint32_t to = choose(block, path);
    if (to == sass::nowhere) return to;
    if (!path.parted.empty() && to == path.parted.back().join) {
        to = path.parted.back().other;
        path.parted.pop_back();
    }
    if (loop_of_header_[to] == sass::nowhere) {
        come_to(to, path);
        return to;
    }
    const std::uint32_t loop = loop_of_header_[to];
    if (contains(loop, block)) {
        path.along = path.entered[loop];
        // Never for ever, whatever the frequencies say.
        return ++path.round[loop] > 2 * path.rounds[loop] + 4 ? sass::nowhere : to;
    }
    path.entered[loop] = path.along;
    path.round[loop] = 1;
    path.rounds[loop] = static_cast<std::uint32_t>(std::floor(loops_[loop].rounds + path.along.place_of(path.share)));
    return to;
}

// Both ways together run more often than the branch: where lanes part, the warp goes both, one after the other.
double PathFinder::part_both_ways(std::uint32_t block, std::uint32_t first, std::uint32_t second) const {
    const std::uint32_t join = flow_.join[block];
    if (join == sass::nowhere || join == first || join == second) return 0;
    return std::clamp((frequency_[first] + frequency_[second]) / frequency_[block] - 1, 0.0, 1.0);
}

bool PathFinder::parts(std::uint32_t block, std::uint32_t second, double probability, WarpPath& path) const {
    const Shares all = path.along;
    if (!chance(path.parting[block], probability, path)) return false;
    path.along = all;
    path.parted.push_back({flow_.join[block], second});
    return true;
}

std::uint32_t PathFinder::choose(std::uint32_t block, WarpPath& path) const {
    const std::vector<std::uint32_t>& successors = flow_.blocks[block].successors;
    const bool may_leave = code_[flow_.blocks[block].last - 1].flow == sass::Flow::leave;
    if (successors.empty()) return sass::nowhere;
    if (may_leave)
        return chance(path.credit[block], std::min(1.0, frequency_[successors[0]] / frequency_[block]), path) ? successors[0]
                                                                                                              : sass::nowhere;
    if (successors.size() == 1) return successors[0];
    std::uint32_t first = std::min(successors[0], successors[1]);
    std::uint32_t second = std::max(successors[0], successors[1]);
    // The end of a loop's round.
    for (std::uint32_t loop = flow_.blocks[block].loop; loop != sass::nowhere; loop = flow_.loops[loop].parent) {
        const bool first_stays = contains(loop, first);
        if (first_stays == contains(loop, second)) continue;
        const std::uint32_t stay = first_stays ? first : second;
        const std::uint32_t out = first_stays ? second : first;
        if (frequency_[stay] <= 0) return out;
        return block == loops_[loop].exit && path.round[loop] >= path.rounds[loop] ? out : stay;
    }
    // Two ways on: the rarer one in its part of the cases; of two that always run, first the one that comes first.
    if (frequency_[first] <= 0) return second;
    if (frequency_[second] <= 0) return first;
    const bool first_is_rarer = frequency_[first] <= frequency_[second];
    const double both = part_both_ways(block, first, second);
    if (both > 0 && parts(block, second, both, path)) return first;
    const double rarer = std::min(1.0, frequency_[first_is_rarer ? first : second] / frequency_[block]);
    const double part = both < 1 ? std::max(0.0, (rarer - both) / (1 - both)) : 0;
    return chance(path.credit[block], part, path) == first_is_rarer ? first : second;
}

} // namespace apod::model
