#include "model/cache/hierarchy.hpp"

#include "model/cache/sector_cache.hpp"
#include "model/cache/touched_lines.hpp"
#include "model/counters/access.hpp"
#include "model/sampling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

namespace apod::model {

namespace {

std::uint32_t sectors_of(std::uint32_t mask) { return static_cast<std::uint32_t>(std::popcount(mask)); }

// The whole granules that a sector mask touches.
std::uint32_t granule_mask(std::uint32_t mask, std::uint32_t fetch_bytes) {
    if (fetch_bytes < 64) return mask;
    return ((mask & 3) != 0 ? 3u : 0u) | ((mask & 12) != 0 ? 12u : 0u);
}

// Where a block runs.
struct Place {
    std::uint64_t block = 0;
    std::uint32_t sm = 0;
    std::uint32_t slot = 0; // among those of the wave
    std::uint32_t wave = 0;
};

class Replay {
public:
    Replay(std::uint64_t rate, std::size_t ops, const HierarchyShape& shape) :
        rate_(rate), shape_(shape), l2_(shape.l2_bytes / line_bytes / rate), l1_(shape.sm_count) {
        result_.ops.resize(ops);
    }

    // Returns where the data of a load comes from: 0 L1, 1 L2, 2 DRAM.
    std::uint8_t access(const LoggedAccess& access, const Place& place) {
        const std::uint64_t line = access.is_local ? place_line(access.line(), place) : access.line();
        TouchedLines::Line& touched = touched_.at(line);
        const std::uint32_t mask = access.mask();
        if (access.use() != LineUse::store) touched.read |= static_cast<std::uint8_t>(mask);
        if (access.use() != LineUse::load) touched.written |= static_cast<std::uint8_t>(mask);
        group_ = &groups_[line_hash(access.line()) / rate_ % sampling_groups];
        const Asker asker{static_cast<std::uint32_t>(place.block * 32 + access.warp),
                          place.wave << turn_bits | std::min(access.turn, last_turn)};
        switch (access.use()) {
        case LineUse::load: return load(access, line, asker, place.sm);
        case LineUse::store: write(access, line, place.sm); return 0;
        case LineUse::atomic:
            read_l2(access, line, mask, asker, none);
            write(access, line, place.sm);
            return 0;
        }
        return 0;
    }

    // A request is over: the furthest of its lines is what it waited for.
    void end_request(std::uint32_t op, std::uint8_t level) {
        if (rate_ != 1) return;
        OpCache& cache = result_.ops[op];
        cache.requests += 1;
        cache.l2_requests += level >= 1 ? 1 : 0;
        cache.dram_requests += level >= 2 ? 1 : 0;
    }

    CacheResult finish() {
        result_.dram_dirty_bytes = static_cast<double>(l2_.dirty_sectors() * sector_bytes);
        touched_.each([this](const TouchedLines::Line& touched) {
            result_.footprint_bytes += sectors_of(static_cast<std::uint32_t>(touched.read | touched.written)) * sector_bytes;
            if (touched.line() >= local_lines_begin) return; // no data of the problem's
            result_.footprint_read_bytes += sectors_of(touched.read) * sector_bytes;
            result_.footprint_write_bytes += sectors_of(touched.written) * sector_bytes;
        });
        set_errors();
        scale(static_cast<double>(rate_));
        return std::move(result_);
    }

private:
    static constexpr unsigned turn_bits = 20;
    static constexpr std::uint32_t last_turn = (1u << turn_bits) - 1;

    struct Asker {
        std::uint32_t warp = 0;
        std::uint32_t turn = 0; // with the wave above
    };

    // Where the sectors that another fetched at the same time come from; 0: none did. A line's sectors are fetched one by one: by then its
    // others may long have been asked for.
    [[nodiscard]] std::uint8_t pending(const SectorCache::Line& line, std::uint32_t mask, const Asker& asker) const {
        std::uint8_t level = 0;
        for (std::size_t s = 0; s < line.level.size(); ++s) {
            if ((mask >> s & 1) == 0 || line.by[s] == asker.warp || line.turn[s] >> turn_bits != asker.turn >> turn_bits) continue;
            const std::uint32_t apart = line.turn[s] > asker.turn ? line.turn[s] - asker.turn : asker.turn - line.turn[s];
            if (apart <= shape_.pending_requests) level = std::max(level, line.level[s]);
        }
        return level;
    }

    static void fetched(SectorCache::Line& line, std::uint32_t mask, const Asker& asker, std::uint8_t level) {
        for (std::size_t s = 0; s < line.level.size(); ++s) {
            if ((mask >> s & 1) == 0) continue;
            line.by[s] = asker.warp;
            line.turn[s] = asker.turn;
            line.level[s] = level;
        }
    }

    // Beyond all lines of global memory, which have 40 bits.
    static constexpr std::uint64_t local_lines_begin = std::uint64_t{1} << 60;

    [[nodiscard]] static std::uint64_t place_line(std::uint64_t line, const Place& place) {
        return local_lines_begin | std::uint64_t{place.slot} << (local_word_bits + local_warp_bits) | line;
    }

    SectorCache& l1_of(std::uint32_t sm) {
        std::unique_ptr<SectorCache>& l1 = l1_[sm];
        if (!l1) l1 = std::make_unique<SectorCache>(shape_.l1_bytes / line_bytes / rate_);
        return *l1;
    }

    std::uint8_t load(const LoggedAccess& access, std::uint64_t index, const Asker& asker, std::uint32_t sm) {
        OpCache& op = result_.ops[access.op()];
        op.load_sectors += sectors_of(access.mask());
        std::uint8_t level = 0;
        if (shape_.l1_bytes == 0) {
            level = read_l2(access, index, access.mask(), asker, sm);
        } else {
            SectorCache::Line* line = l1_of(sm).find_or_insert(index).line;
            const std::uint32_t missing = access.mask() & ~std::uint32_t{line->valid};
            line->valid |= static_cast<std::uint8_t>(access.mask());
            op.l1_hits += sectors_of(access.mask() & ~missing);
            group_->l1_hits += sectors_of(access.mask() & ~missing);
            level = pending(*line, access.mask() & ~missing, asker);
            if (missing != 0) {
                const std::uint8_t from = read_l2(access, index, missing, asker, sm);
                fetched(*line, missing, asker, from);
                level = std::max(level, from);
            }
        }
        op.lines += 1;
        op.l2_lines += level >= 1 ? 1 : 0;
        op.dram_lines += level >= 2 ? 1 : 0;
        return level;
    }

    static constexpr std::uint32_t none = 0xffffffff; // atomics are done where the line is at home

    // A sector's home is in any partition alike: who reads it first in one of two finds it there half of the time.
    void pass_partitions(SectorCache::Line& line, std::uint32_t mask, const Asker& asker, std::uint32_t sm) {
        if (line.read_turn != asker.turn + 1) line.read_now = 0;
        result_.l2_merged_sectors += sectors_of(mask & line.read_now);
        line.read_turn = asker.turn + 1;
        line.read_now |= static_cast<std::uint8_t>(mask);
        if (shape_.partitions < 2) return;
        const std::uint32_t shift = sm % 2 * 4;
        result_.l2_copied_sectors += 0.5 * sectors_of(mask & ~(std::uint32_t{line.copied} >> shift));
        line.copied |= static_cast<std::uint8_t>(mask << shift);
    }

    std::uint8_t read_l2(const LoggedAccess& access, std::uint64_t index, std::uint32_t mask, const Asker& asker, std::uint32_t sm) {
        OpCache& op = result_.ops[access.op()];
        op.l2_reads += sectors_of(mask);
        result_.l2_read_sectors += sectors_of(mask);
        group_->l2_reads += sectors_of(mask);
        result_.l2_read_lines += 1;
        const SectorCache::Inserted found = l2_.find_or_insert(index);
        if (sm != none) pass_partitions(*found.line, mask, asker, sm);
        result_.dram_written_back_bytes += sectors_of(found.evicted_dirty) * sector_bytes;
        group_->dram_writes += sectors_of(found.evicted_dirty);
        const std::uint32_t missing = mask & ~std::uint32_t{found.line->valid};
        op.l2_hits += sectors_of(mask & ~missing);
        if (missing == 0) return std::max<std::uint8_t>(1, pending(*found.line, mask, asker));
        const std::uint32_t brought = granule_mask(missing, shape_.fetch_bytes) & ~std::uint32_t{found.line->valid};
        result_.dram_read_bytes += sectors_of(brought) * sector_bytes;
        group_->dram_reads += sectors_of(brought);
        found.line->valid |= static_cast<std::uint8_t>(brought);
        fetched(*found.line, brought, asker, 2);
        return 2;
    }

    void write(const LoggedAccess& access, std::uint64_t index, std::uint32_t sm) {
        result_.l2_write_sectors += sectors_of(access.mask());
        group_->l2_writes += sectors_of(access.mask());
        result_.l2_write_lines += 1;
        const SectorCache::Inserted found = l2_.find_or_insert(index);
        result_.dram_written_back_bytes += sectors_of(found.evicted_dirty) * sector_bytes;
        group_->dram_writes += sectors_of(found.evicted_dirty);
        found.line->valid |= static_cast<std::uint8_t>(access.mask());
        found.line->dirty |= static_cast<std::uint8_t>(access.mask());
        found.line->copied &= static_cast<std::uint8_t>(~(access.mask() | access.mask() << 4));
        if (access.is_local && shape_.l1_bytes > 0) l1_of(sm).find_or_insert(index).line->valid |= static_cast<std::uint8_t>(access.mask());
    }

    void set_errors() {
        const auto error = [this](double CacheErrors::*of) {
            std::vector<double> totals;
            for (const CacheErrors& group : groups_) totals.push_back(group.*of);
            return sampling_error(totals, 1.0 / static_cast<double>(rate_));
        };
        result_.errors = {error(&CacheErrors::l1_hits), error(&CacheErrors::l2_reads), error(&CacheErrors::l2_writes),
                          error(&CacheErrors::dram_reads), error(&CacheErrors::dram_writes)};
    }

    void scale(double rate) {
        for (OpCache& op : result_.ops) {
            op.load_sectors *= rate;
            op.l1_hits *= rate;
            op.l2_hits *= rate;
            op.l2_reads *= rate;
        }
        for (double* value :
             {&result_.l2_read_sectors, &result_.l2_copied_sectors, &result_.l2_merged_sectors, &result_.l2_write_sectors,
              &result_.l2_write_lines, &result_.l2_read_lines, &result_.dram_read_bytes, &result_.dram_written_back_bytes,
              &result_.dram_dirty_bytes, &result_.footprint_read_bytes, &result_.footprint_write_bytes, &result_.footprint_bytes})
            *value *= rate;
    }

    std::uint64_t rate_;
    HierarchyShape shape_;
    SectorCache l2_;
    std::vector<std::unique_ptr<SectorCache>> l1_;
    TouchedLines touched_;
    CacheResult result_;
    std::array<CacheErrors, sampling_groups> groups_; // totals, of the sampled lines in as many classes
    CacheErrors* group_ = groups_.data();
};

} // namespace

namespace {

// A block on its way through its accesses.
struct Running {
    BlockAccesses rest;
    Place place;
    std::uint8_t level = 0; // of the request so far
};

bool ends_request(const BlockAccesses& rest, const LoggedAccess& access) {
    return rest.first == rest.last || rest.first->turn != access.turn || rest.first->warp != access.warp || rest.first->op() != access.op();
}

void step(Replay& replay, Running& block) {
    const LoggedAccess& access = *block.rest.first++;
    block.level = std::max(block.level, replay.access(access, block.place));
    if (!ends_request(block.rest, access)) return;
    if (access.use() == LineUse::load) replay.end_request(access.op(), block.level);
    block.level = 0;
}

} // namespace

CacheResult simulate(const MergedLog& log, std::size_t ops, const HierarchyShape& shape) {
    // An op beyond what an entry can hold is logged as the last one.
    Replay replay(log.rate, std::max<std::size_t>(ops, 1), shape);
    const std::uint32_t sms = std::max(shape.sm_count, 1u);
    const std::size_t wave = std::size_t{sms} * std::max(shape.blocks_per_sm, 1u);
    std::vector<Running> running;
    for (std::size_t first = 0; first < log.blocks.size(); first += wave) {
        running.clear();
        for (std::size_t b = first; b < std::min(first + wave, log.blocks.size()); ++b)
            running.push_back({log.blocks[b],
                               {log.blocks[b].block, static_cast<std::uint32_t>(log.blocks[b].block % sms),
                                static_cast<std::uint32_t>(b - first), static_cast<std::uint32_t>(first / wave)},
                               0});
        while (!running.empty()) {
            std::size_t kept = 0;
            for (Running& block : running) {
                if (block.rest.first == block.rest.last) continue;
                step(replay, block);
                running[kept++] = block;
            }
            running.resize(kept);
        }
    }
    return replay.finish();
}

} // namespace apod::model
