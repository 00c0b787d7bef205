#include "model/counters/worker_sink.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace apod::model {

namespace {

bool is_atomic(emu::AccessKind kind) { return kind == emu::AccessKind::atomic || kind == emu::AccessKind::reduction; }

LineUse line_use(emu::AccessKind kind) {
    if (is_atomic(kind)) return LineUse::atomic;
    return kind == emu::AccessKind::store ? LineUse::store : LineUse::load;
}

void count_atomic(const emu::MemoryEvent& event, Traffic& traffic) {
    const AtomicShape shape = atomic_shape(event);
    traffic.atomic_addresses += shape.addresses;
    traffic.atomic_max_lanes += shape.max_lanes;
}

// Words that a request of constant memory asks for: the cache answers one a pass.
std::uint32_t distinct_words(const emu::MemoryEvent& event) {
    if (event.pattern == emu::Pattern::uniform) return 1;
    std::array<std::uint64_t, emu::lanes> words;
    std::uint32_t count = 0;
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane)
        if ((event.active >> lane & 1) != 0) words[count++] = event.address[lane] / std::max(4u, event.bytes);
    std::sort(words.begin(), words.begin() + count);
    return static_cast<std::uint32_t>(std::unique(words.begin(), words.begin() + count) - words.begin());
}

constexpr std::uint32_t scattered = 8; // lines of a request; fewer come in whatever order at the full rate

// Whether the lanes' lines lie anywhere: most distances from one to the next are others than those before. Rows of a tile, columns and
// strides have one or two.
bool is_random(const emu::MemoryEvent& event) {
    constexpr std::size_t few = 4;
    std::array<std::int64_t, few> distances;
    std::size_t known = 0;
    std::uint32_t steps = 0;
    std::uint32_t others = 0;
    bool any = false;
    std::uint64_t last = 0;
    for (std::uint32_t lane = 0; lane < emu::lanes; ++lane) {
        if ((event.active >> lane & 1) == 0) continue;
        const std::uint64_t line = event.address[lane] / line_bytes;
        if (any && line != last) {
            const auto distance = static_cast<std::int64_t>(line - last);
            ++steps;
            const auto end = distances.begin() + static_cast<std::ptrdiff_t>(known);
            if (std::find(distances.begin(), end, distance) == end) {
                if (known < few)
                    distances[known++] = distance;
                else
                    ++others;
            }
        }
        any = true;
        last = line;
    }
    return 2 * others > steps;
}

} // namespace

void WorkerSink::global(const emu::MemoryEvent& event, Traffic& traffic) {
    const GlobalShape shape = global_shape(event, lines_);
    traffic.sectors += shape.sectors;
    traffic.lines += shape.lines;
    if (shape.lines >= scattered && is_random(event)) traffic.random_lines += shape.lines;
    traffic.wavefronts += shape.wavefronts;
    log_.add(lines_, event.op, line_use(event.kind), event.warp);
    if (is_atomic(event.kind)) atomics_.add(event);
    thread_.add(event, traffic);
}

void WorkerSink::memory(const emu::MemoryEvent& event) {
    Traffic& traffic = traffic_[traffic_index(event.op, event.space)];
    const std::uint32_t lanes = static_cast<std::uint32_t>(std::popcount(event.active));
    ++traffic.requests;
    longest_.add(event.op, event.warp);
    traffic.lanes += lanes;
    traffic.bytes += std::uint64_t{lanes} * event.bytes;
    traffic.kind = event.kind;
    traffic.lane_bytes = event.bytes;
    switch (event.space) {
    case emu::MemorySpace::global:
        traffic.ideal_sectors += ideal_sectors(lanes, event.bytes);
        global(event, traffic);
        break;
    case emu::MemorySpace::shared: {
        const SharedShape shape = shared_shape(event);
        traffic.wavefronts += shape.wavefronts;
        traffic.ideal_wavefronts += shape.ideal;
        break;
    }
    case emu::MemorySpace::local:
        traffic.sectors += local_sectors(event);
        local_lines(event, lines_);
        traffic.lines += lines_.count;
        if (lines_.count >= scattered) traffic.random_lines += lines_.count; // lanes choose words of their own
        log_.add(lines_, event.op, line_use(event.kind), event.warp, true);
        traffic.ideal_sectors += ideal_sectors(lanes, event.bytes);
        break;
    case emu::MemorySpace::constant: traffic.wavefronts += distinct_words(event); break;
    }
    if (is_atomic(event.kind)) count_atomic(event, traffic);
}

} // namespace apod::model
