#include "model/counters/atomic_load.hpp"

#include "model/counters/access.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace apod::model {

void AtomicLoad::add(const emu::MemoryEvent& event) {
    std::array<std::uint64_t, emu::lanes> address;
    std::uint32_t count = 0;
    for (std::uint32_t rest = event.active; rest != 0; rest &= rest - 1) address[count++] = event.address[std::countr_zero(rest)];
    std::sort(address.begin(), address.begin() + count);
    for (std::uint32_t i = 0; i < count;) {
        const std::uint64_t sector = address[i] / sector_bytes;
        std::uint64_t most = 0;
        while (i < count && address[i] / sector_bytes == sector) {
            const std::uint32_t first = i;
            while (i < count && address[i] == address[first]) ++i;
            most = std::max<std::uint64_t>(most, i - first);
        }
        turns_[sector] += most;
    }
}

AtomicLoad& AtomicLoad::operator+=(const AtomicLoad& other) {
    for (const auto& [sector, turns] : other.turns_) turns_[sector] += turns;
    return *this;
}

AtomicDemand AtomicLoad::demand() const {
    AtomicDemand demand;
    std::unordered_map<std::uint64_t, std::uint64_t> chunks;
    for (const auto& [sector, turns] : turns_) {
        demand.turns += turns;
        demand.hottest_sector = std::max(demand.hottest_sector, turns);
        std::uint64_t& chunk = chunks[sector / (atomic_chunk_bytes / sector_bytes)];
        chunk += turns;
        demand.hottest_chunk = std::max(demand.hottest_chunk, chunk);
    }
    return demand;
}

} // namespace apod::model
