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
    path.credit.assign(flow_.blocks.size(), static_cast<float>(1 - share));
    path.round.assign(flow_.loops.size(), 0);
    path.rounds.assign(flow_.loops.size(), 1);
}

bool PathFinder::chance(std::uint32_t block, double probability, WarpPath& path) const {
    float& credit = path.credit[block];
    credit += static_cast<float>(probability);
    if (credit < 1.0F) return false;
    credit -= 1.0F;
    return true;
}

std::uint32_t PathFinder::next(std::uint32_t block, WarpPath& path) const {
    const std::uint32_t to = choose(block, path);
    if (to == sass::nowhere || loop_of_header_[to] == sass::nowhere) return to;
    const std::uint32_t loop = loop_of_header_[to];
    if (contains(loop, block)) {
        // Never for ever, whatever the frequencies say.
        return ++path.round[loop] > 2 * path.rounds[loop] + 4 ? sass::nowhere : to;
    }
    path.round[loop] = 1;
    path.rounds[loop] = static_cast<std::uint32_t>(std::floor(loops_[loop].rounds + path.share));
    return to;
}

std::uint32_t PathFinder::choose(std::uint32_t block, WarpPath& path) const {
    const std::vector<std::uint32_t>& successors = flow_.blocks[block].successors;
    const bool may_leave = code_[flow_.blocks[block].last - 1].flow == sass::Flow::leave;
    if (successors.empty()) return sass::nowhere;
    if (may_leave) return chance(block, std::min(1.0, frequency_[successors[0]] / frequency_[block]), path) ? successors[0] : sass::nowhere;
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
    const double part = std::min(1.0, frequency_[first_is_rarer ? first : second] / frequency_[block]);
    return chance(block, part, path) == first_is_rarer ? first : second;
}

} // namespace apod::model
