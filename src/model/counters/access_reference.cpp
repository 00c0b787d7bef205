#include "model/counters/access_reference.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace apod::model::reference {

namespace {

bool is_active(const emu::MemoryEvent& event, std::uint32_t lane) { return (event.active >> lane & 1u) != 0; }

// May lanes of [first, first + count) that differ in bit `step` of their number be served as one: do they want the same word, or only one?
bool partners_agree(const emu::MemoryEvent& event, std::uint32_t first, std::uint32_t count, std::uint32_t step) {
    for (std::uint32_t lane = first; lane < first + count; ++lane) {
        const std::uint32_t partner = lane ^ step;
        if (is_active(event, lane) && is_active(event, partner) && event.address[lane] != event.address[partner]) return false;
    }
    return true;
}

// Lanes go in passes of 128 B: 32 lanes of up to 4 B, 16 of 8 B, 8 of 16 B. Wide loads from shared memory go two passes at a time where
// every lane agrees with its neighbour, or every lane with its next but one.
std::vector<std::pair<std::uint32_t, std::uint32_t>> passes(const emu::MemoryEvent& event) {
    const std::uint32_t lanes_per_pass = 128 / std::max(4u, event.bytes);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result; // first lane, lanes
    const bool may_merge = event.space == emu::MemorySpace::shared && event.kind == emu::AccessKind::load && lanes_per_pass < emu::lanes;
    for (std::uint32_t first = 0; first < emu::lanes; first += lanes_per_pass) {
        const std::uint32_t two = 2 * lanes_per_pass;
        if (may_merge && first % two == 0 && (partners_agree(event, first, two, 1) || partners_agree(event, first, two, 2))) {
            result.emplace_back(first, two);
            first += lanes_per_pass;
        } else {
            result.emplace_back(first, lanes_per_pass);
        }
    }
    std::erase_if(result, [&](const auto& pass) {
        for (std::uint32_t lane = pass.first; lane < pass.first + pass.second; ++lane)
            if (is_active(event, lane)) return false;
        return true;
    });
    return result;
}

// A pass takes as many wavefronts as its busiest bank has distinct words.
std::uint32_t bank_wavefronts(const emu::MemoryEvent& event) {
    const std::uint32_t word = std::max(4u, event.bytes);
    const std::uint32_t banks = 128 / word;
    std::uint32_t wavefronts = 0;
    for (const auto& [first, count] : passes(event)) {
        std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
        for (std::uint32_t lane = first; lane < first + count; ++lane) {
            if (!is_active(event, lane)) continue;
            const std::uint64_t index = event.address[lane] / word;
            words_of_bank[index % banks].insert(index);
        }
        std::size_t degree = 0;
        for (const auto& [bank, words] : words_of_bank) degree = std::max(degree, words.size());
        wavefronts += static_cast<std::uint32_t>(degree);
    }
    return wavefronts;
}

} // namespace

GlobalShape global_shape(const emu::MemoryEvent& event) {
    std::set<std::uint64_t> sectors;
    std::set<std::uint64_t> lines;
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) {
        if (!is_active(event, lane)) continue;
        sectors.insert(event.address[lane] / sector_bytes);
        lines.insert(event.address[lane] / line_bytes);
    }
    return {static_cast<std::uint32_t>(sectors.size()), static_cast<std::uint32_t>(lines.size()), bank_wavefronts(event)};
}

SharedShape shared_shape(const emu::MemoryEvent& event) {
    return {bank_wavefronts(event), static_cast<std::uint32_t>(passes(event).size())};
}

AtomicShape atomic_shape(const emu::MemoryEvent& event) {
    std::map<std::uint64_t, std::uint32_t> lanes_of_address;
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane)
        if (is_active(event, lane)) ++lanes_of_address[event.address[lane]];
    AtomicShape shape{static_cast<std::uint32_t>(lanes_of_address.size()), 0};
    for (const auto& [address, count] : lanes_of_address) shape.max_lanes = std::max(shape.max_lanes, count);
    return shape;
}

std::uint32_t local_sectors(const emu::MemoryEvent& event) {
    std::set<std::uint64_t> sectors;
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) {
        if (!is_active(event, lane)) continue;
        const std::uint64_t first = event.address[lane] / 4;
        const std::uint64_t last = (event.address[lane] + event.bytes - 1) / 4;
        for (std::uint64_t word = first; word <= last; ++word) sectors.insert((word * emu::lanes + lane) * 4 / sector_bytes);
    }
    return static_cast<std::uint32_t>(sectors.size());
}

} // namespace apod::model::reference
