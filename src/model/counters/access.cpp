#include "model/counters/access.hpp"

#include "model/counters/lane_sets.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace apod::model {

namespace {

constexpr std::uint32_t all_lanes = 0xffffffffu;

// The active addresses side by side; `count` of them. With all lanes active it points at the event's own array.
struct Active {
    const std::uint64_t* address = nullptr;
    std::uint32_t count = 0;
};

Active compress(const emu::MemoryEvent& event, std::array<std::uint64_t, emu::lanes>& buffer) {
    if (event.active == all_lanes) return {event.address, emu::lanes};
    std::uint32_t count = 0;
    for (std::uint32_t rest = event.active; rest != 0; rest &= rest - 1) buffer[count++] = event.address[std::countr_zero(rest)];
    return {buffer.data(), count};
}

// Bytes between neighbouring lanes when all 32 are active and evenly spaced.
std::optional<std::int64_t> even_stride(const emu::MemoryEvent& event) {
    if (event.active != all_lanes) return std::nullopt;
    const std::uint64_t* a = event.address;
    const std::uint64_t stride = a[1] - a[0];
    if (a[31] - a[0] != stride * 31) return std::nullopt; // most uneven requests leave here
    std::uint64_t different = 0;
    for (std::uint32_t lane = 1; lane < emu::lanes; ++lane) different |= (a[lane] - a[lane - 1]) ^ stride;
    if (different != 0) return std::nullopt;
    return static_cast<std::int64_t>(stride);
}

std::uint32_t word_bytes(std::uint32_t bytes) { return std::max(4u, bytes); }

// Passes of the data array that a request needs whatever its addresses.
std::uint32_t pass_count(std::uint32_t active, std::uint32_t bytes) {
    if (bytes <= 4) return 1;
    const std::uint32_t lanes_per_pass = 128 / bytes;
    const std::uint32_t pass_mask = (1u << lanes_per_pass) - 1;
    std::uint32_t passes = 0;
    for (std::uint32_t first = 0; first < emu::lanes; first += lanes_per_pass) passes += (active >> first & pass_mask) != 0 ? 1u : 0u;
    return passes;
}

// Bank wavefronts of evenly spaced lanes; nothing when the closed form does not cover them.
std::optional<std::uint32_t> even_wavefronts(std::int64_t stride, std::uint32_t bytes) {
    const std::uint32_t word = word_bytes(bytes);
    const std::uint32_t lanes_per_pass = 128 / word;
    const std::uint64_t distance = static_cast<std::uint64_t>(std::llabs(stride));
    const std::uint32_t passes = emu::lanes / lanes_per_pass;
    if (distance == 0) return passes;
    if (distance < word) return bytes <= 4 ? std::optional(1u) : std::nullopt; // neighbours share words and no bank comes twice
    if (distance % word != 0) return std::nullopt;
    return passes * static_cast<std::uint32_t>(std::gcd(distance / word, std::uint64_t{lanes_per_pass}));
}

std::uint32_t scattered_wavefronts(const emu::MemoryEvent& event) {
    const std::uint32_t word = word_bytes(event.bytes);
    const std::uint32_t shift = static_cast<std::uint32_t>(std::countr_zero(word));
    const std::uint32_t lanes_per_pass = 128 / word;
    if (lanes_per_pass == emu::lanes) return busiest_bank(event.address, event.active, shift, lanes_per_pass);
    const std::uint32_t pass = (1u << lanes_per_pass) - 1;
    std::uint32_t wavefronts = 0;
    for (std::uint32_t first = 0; first < emu::lanes; first += lanes_per_pass)
        if (const std::uint32_t active = event.active & pass << first; active != 0)
            wavefronts += busiest_bank(event.address, active, shift, lanes_per_pass);
    return wavefronts;
}

// Do all active lanes of [first, first + count) want the word of the lane whose number differs in bit `step`, where that one is active?
bool partners_agree(const emu::MemoryEvent& event, std::uint32_t first, std::uint32_t count, std::uint32_t step) {
    for (std::uint32_t lane = first; lane < first + count; ++lane) {
        if ((lane & step) != 0) continue;
        const std::uint32_t both = 1u << lane | 1u << (lane + step);
        if ((event.active & both) == both && event.address[lane] != event.address[lane + step]) return false;
    }
    return true;
}

// 8 and 16-byte loads from shared memory: two passes become one where every lane agrees with its neighbour, or every lane with its next
// but one (seen on an H200: docs/metrics.md).
SharedShape wide_load_shape(const emu::MemoryEvent& event) {
    const std::uint32_t lanes_per_pass = 128 / event.bytes;
    const std::uint32_t two = 2 * lanes_per_pass;
    const std::uint32_t shift = static_cast<std::uint32_t>(std::countr_zero(event.bytes));
    SharedShape shape;
    for (std::uint32_t first = 0; first < emu::lanes; first += two) {
        const bool merge = partners_agree(event, first, two, 1) || partners_agree(event, first, two, 2);
        const std::uint32_t step = merge ? two : lanes_per_pass;
        const std::uint32_t pass = step == emu::lanes ? all_lanes : (1u << step) - 1;
        for (std::uint32_t from = first; from < first + two; from += step) {
            const std::uint32_t active = event.active & pass << from;
            if (active == 0) continue;
            ++shape.ideal;
            shape.wavefronts += busiest_bank(event.address, active, shift, lanes_per_pass);
        }
    }
    return shape;
}

// All sectors from that of `first` to that of `last`, both included.
GlobalShape span_shape(std::uint64_t first, std::uint64_t last, LineList& lines) {
    const std::uint64_t first_line = first / line_bytes;
    const std::uint64_t last_line = last / line_bytes;
    const std::uint32_t first_sector = static_cast<std::uint32_t>(first / sector_bytes % 4);
    const std::uint32_t last_sector = static_cast<std::uint32_t>(last / sector_bytes % 4);
    lines.count = 0;
    for (std::uint64_t line = first_line; line <= last_line; ++line) {
        const std::uint32_t from = line == first_line ? first_sector : 0;
        const std::uint32_t to = line == last_line ? last_sector : 3;
        lines.line[lines.count] = line;
        lines.mask[lines.count++] = static_cast<std::uint8_t>((2u << to) - (1u << from));
    }
    return {static_cast<std::uint32_t>(last / sector_bytes - first / sector_bytes + 1), lines.count, 0};
}

std::uint8_t sector_bit(std::uint64_t address) { return static_cast<std::uint8_t>(1u << (address / sector_bytes % 4)); }

// Addresses that never go down: equal lines are neighbours. False, with `lines` spoilt, when they do go down.
bool ascending_lines(const Active& active, LineList& lines) {
    lines.count = 1;
    lines.line[0] = active.address[0] / line_bytes;
    lines.mask[0] = sector_bit(active.address[0]);
    for (std::uint32_t i = 1; i < active.count; ++i) {
        if (active.address[i] < active.address[i - 1]) return false;
        const std::uint64_t line = active.address[i] / line_bytes;
        if (line == lines.line[lines.count - 1]) {
            lines.mask[lines.count - 1] |= sector_bit(active.address[i]);
        } else {
            lines.line[lines.count] = line;
            lines.mask[lines.count++] = sector_bit(active.address[i]);
        }
    }
    return true;
}

// Any order: an open-addressing table of 64 places finds the line seen before.
void scattered_lines(const Active& active, LineList& lines) {
    std::array<std::uint8_t, 64> place{}; // 1 + index into lines, 0 free
    lines.count = 0;
    for (std::uint32_t i = 0; i < active.count; ++i) {
        const std::uint64_t line = active.address[i] / line_bytes;
        std::uint32_t at = static_cast<std::uint32_t>((line * 0x9e3779b97f4a7c15u) >> 58);
        while (place[at] != 0 && lines.line[place[at] - 1u] != line) at = (at + 1) & 63;
        if (place[at] == 0) {
            lines.line[lines.count] = line;
            lines.mask[lines.count] = 0;
            place[at] = static_cast<std::uint8_t>(++lines.count);
        }
        lines.mask[place[at] - 1u] |= sector_bit(active.address[i]);
    }
}

GlobalShape listed_shape(const LineList& lines) {
    GlobalShape shape;
    shape.lines = lines.count;
    for (std::uint32_t i = 0; i < lines.count; ++i) shape.sectors += static_cast<std::uint32_t>(std::popcount(lines.mask[i]));
    return shape;
}

// Lanes further apart than a line: one line and one sector each.
GlobalShape spread_shape(const emu::MemoryEvent& event, LineList& lines) {
    lines.count = emu::lanes;
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) {
        lines.line[lane] = event.address[lane] / line_bytes;
        lines.mask[lane] = sector_bit(event.address[lane]);
    }
    return {emu::lanes, emu::lanes, 0};
}

std::optional<GlobalShape> even_shape(const emu::MemoryEvent& event, LineList& lines) {
    const std::optional<std::int64_t> stride = even_stride(event);
    if (!stride) return std::nullopt;
    const std::uint64_t distance = static_cast<std::uint64_t>(std::llabs(*stride));
    GlobalShape shape;
    if (distance <= sector_bytes) { // no sector between the first and the last is left out
        const auto [low, high] = std::minmax(event.address[0], event.address[31]);
        shape = span_shape(low, high, lines);
    } else if (distance >= line_bytes) {
        shape = spread_shape(event, lines);
    } else {
        return std::nullopt;
    }
    const std::optional<std::uint32_t> wavefronts = even_wavefronts(*stride, event.bytes);
    shape.wavefronts = wavefronts ? *wavefronts : scattered_wavefronts(event);
    return shape;
}

// Addresses within 64 sectors: a bitmap holds them all.
std::optional<GlobalShape> near_shape(const emu::MemoryEvent& event, LineList& lines) {
    const AddressSpan span = address_span(event.address, event.active);
    const std::uint64_t first_line = span.low / line_bytes;
    if (span.high - first_line * line_bytes >= 64 * sector_bytes) return std::nullopt;
    const std::uint64_t sectors = occupied_units(event.address, event.active, first_line * line_bytes, 5);
    lines.count = 0;
    for (std::uint64_t line = first_line, rest = sectors; rest != 0; ++line, rest >>= 4) {
        if ((rest & 15) == 0) continue;
        lines.line[lines.count] = line;
        lines.mask[lines.count++] = static_cast<std::uint8_t>(rest & 15);
    }
    return GlobalShape{static_cast<std::uint32_t>(std::popcount(sectors)), lines.count, scattered_wavefronts(event)};
}

} // namespace

GlobalShape global_shape(const emu::MemoryEvent& event, LineList& lines) {
    if (event.pattern == emu::Pattern::contiguous) {
        if (event.bytes == 4 && event.address[0] % line_bytes == 0) { // the usual case
            lines.count = 1;
            lines.line[0] = event.address[0] / line_bytes;
            lines.mask[0] = 0b1111;
            return {4, 1, 1};
        }
        GlobalShape shape = span_shape(event.address[0], event.address[0] + emu::lanes * event.bytes - 1, lines);
        shape.wavefronts = pass_count(all_lanes, event.bytes);
        return shape;
    }
    if (event.pattern == emu::Pattern::uniform) {
        const std::uint64_t address = event.address[std::countr_zero(event.active)];
        lines.count = 1;
        lines.line[0] = address / line_bytes;
        lines.mask[0] = sector_bit(address);
        return {1, 1, pass_count(event.active, event.bytes)};
    }
    if (const std::optional<GlobalShape> even = even_shape(event, lines)) return *even;
    if (const std::optional<GlobalShape> near = near_shape(event, lines)) return *near;
    std::array<std::uint64_t, emu::lanes> buffer{};
    const Active active = compress(event, buffer);
    if (!ascending_lines(active, lines)) scattered_lines(active, lines);
    GlobalShape shape = listed_shape(lines);
    shape.wavefronts = scattered_wavefronts(event);
    return shape;
}

SharedShape shared_shape(const emu::MemoryEvent& event) {
    if (event.bytes > 4 && event.kind == emu::AccessKind::load && event.pattern != emu::Pattern::contiguous) return wide_load_shape(event);
    const std::uint32_t ideal = pass_count(event.active, event.bytes);
    if (event.pattern != emu::Pattern::scattered) return {ideal, ideal};
    if (const std::optional<std::int64_t> stride = even_stride(event))
        if (const std::optional<std::uint32_t> wavefronts = even_wavefronts(*stride, event.bytes)) return {*wavefronts, ideal};
    return {scattered_wavefronts(event), ideal};
}

AtomicShape atomic_shape(const emu::MemoryEvent& event) {
    const std::uint32_t count = static_cast<std::uint32_t>(std::popcount(event.active));
    if (event.pattern == emu::Pattern::uniform) return {1, count};
    if (event.pattern == emu::Pattern::contiguous) return {count, 1};
    const Multiplicity lanes = multiplicity(event.address, event.active);
    return {lanes.distinct, lanes.most};
}

std::uint32_t local_sectors(const emu::MemoryEvent& event) {
    if (event.pattern == emu::Pattern::uniform) { // what compilers make of arrays and spills: one place in every lane
        const std::uint64_t address = event.address[std::countr_zero(event.active)];
        const auto words = static_cast<std::uint32_t>((address + event.bytes - 1) / 4 - address / 4 + 1);
        std::uint32_t groups = 0;
        for (std::uint32_t first = 0; first < emu::lanes; first += 8) groups += (event.active >> first & 0xffu) != 0 ? 1 : 0;
        return words * groups;
    }
    std::uint32_t sectors = 0;
    for (std::uint32_t first = 0; first < emu::lanes; first += 8) {
        const std::uint32_t mask = event.active >> first & 0xffu;
        if (mask == 0) continue;
        std::array<std::uint64_t, 8 * 4> words;
        std::uint32_t used = 0;
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            const std::uint64_t address = event.address[first + static_cast<std::uint32_t>(std::countr_zero(rest))];
            for (std::uint64_t word = address / 4; word <= (address + event.bytes - 1) / 4; ++word)
                if (std::find(words.begin(), words.begin() + used, word) == words.begin() + used) words[used++] = word;
        }
        sectors += used;
    }
    return sectors;
}

namespace {

// One place in every lane, as nearly all of local memory is used: the lines differ by the word alone.
void uniform_local_lines(const emu::MemoryEvent& event, std::uint64_t of_warp, LineList& lines) {
    std::uint8_t sectors = 0;
    for (unsigned group = 0; group < 4; ++group)
        if ((event.active >> (8 * group) & 0xffu) != 0) sectors |= static_cast<std::uint8_t>(1u << group);
    const std::uint64_t address = event.address[std::countr_zero(event.active)];
    lines.count = 0;
    for (std::uint64_t word = address / 4; word <= (address + event.bytes - 1) / 4; ++word) {
        lines.line[lines.count] = of_warp | (word & ((1u << local_word_bits) - 1));
        lines.mask[lines.count++] = sectors;
    }
}

} // namespace

// Lanes that ask for the same word share a line of 128 B, eight of them a sector.
void local_lines(const emu::MemoryEvent& event, LineList& lines) {
    const std::uint64_t of_warp = std::uint64_t{event.warp & ((1u << local_warp_bits) - 1)} << local_word_bits;
    if (event.pattern == emu::Pattern::uniform) return uniform_local_lines(event, of_warp, lines);
    lines.count = 0;
    for (std::uint32_t rest = event.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = event.address[lane];
        for (std::uint64_t word = address / 4; word <= (address + event.bytes - 1) / 4; ++word) {
            const std::uint64_t line = of_warp | (word & ((1u << local_word_bits) - 1));
            std::uint32_t at = 0;
            while (at < lines.count && lines.line[at] != line) ++at;
            if (at == lines.line.size()) return; // more than a list holds: wide accesses of lanes that go apart
            if (at == lines.count) lines.line[lines.count++] = line, lines.mask[at] = 0;
            lines.mask[at] |= static_cast<std::uint8_t>(1u << lane / 8);
        }
    }
}

} // namespace apod::model
