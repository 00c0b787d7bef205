#include "model/cache/hierarchy.hpp"

#include "model/cache/sector_cache.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <unordered_map>

namespace apod::model {

namespace {

std::uint32_t sectors_of(std::uint32_t mask) { return static_cast<std::uint32_t>(std::popcount(mask)); }

// The whole granules that a sector mask touches.
std::uint32_t granule_mask(std::uint32_t mask, std::uint32_t fetch_bytes) {
    if (fetch_bytes < 64) return mask;
    return ((mask & 3) != 0 ? 3u : 0u) | ((mask & 12) != 0 ? 12u : 0u);
}

struct Touched {
    std::uint8_t read = 0;
    std::uint8_t written = 0;
};

class Replay {
public:
    Replay(std::uint64_t rate, std::size_t ops, const HierarchyShape& shape) :
        rate_(rate), shape_(shape), l2_(shape.l2_bytes / line_bytes / rate), l1_(shape.sm_count) {
        result_.ops.resize(ops);
    }

    void access(const LoggedAccess& access, std::uint32_t sm) {
        Touched& touched = touched_[access.line()];
        const std::uint32_t mask = access.mask();
        if (access.use() != LineUse::store) touched.read |= static_cast<std::uint8_t>(mask);
        if (access.use() != LineUse::load) touched.written |= static_cast<std::uint8_t>(mask);
        switch (access.use()) {
        case LineUse::load: load(access, sm); break;
        case LineUse::store: write(access); break;
        case LineUse::atomic:
            read_l2(access, mask);
            write(access);
            break;
        }
    }

    CacheResult finish() {
        result_.dram_dirty_bytes = static_cast<double>(l2_.dirty_sectors() * sector_bytes);
        for (const auto& [line, touched] : touched_) {
            result_.footprint_read_bytes += sectors_of(touched.read) * sector_bytes;
            result_.footprint_write_bytes += sectors_of(touched.written) * sector_bytes;
            result_.footprint_bytes += sectors_of(static_cast<std::uint32_t>(touched.read | touched.written)) * sector_bytes;
        }
        scale(static_cast<double>(rate_));
        return std::move(result_);
    }

private:
    void load(const LoggedAccess& access, std::uint32_t sm) {
        OpCache& op = result_.ops[access.op()];
        op.load_sectors += sectors_of(access.mask());
        if (shape_.l1_bytes == 0) return read_l2(access, access.mask());
        std::unique_ptr<SectorCache>& l1 = l1_[sm];
        if (!l1) l1 = std::make_unique<SectorCache>(shape_.l1_bytes / line_bytes / rate_);
        SectorCache::Line* line = l1->find_or_insert(access.line()).line;
        const std::uint32_t missing = access.mask() & ~std::uint32_t{line->valid};
        line->valid |= static_cast<std::uint8_t>(access.mask());
        op.l1_hits += sectors_of(access.mask() & ~missing);
        if (missing != 0) read_l2(access, missing);
    }

    void read_l2(const LoggedAccess& access, std::uint32_t mask) {
        OpCache& op = result_.ops[access.op()];
        op.l2_reads += sectors_of(mask);
        result_.l2_read_sectors += sectors_of(mask);
        result_.l2_read_lines += 1;
        const SectorCache::Inserted found = l2_.find_or_insert(access.line());
        result_.dram_written_back_bytes += sectors_of(found.evicted_dirty) * sector_bytes;
        const std::uint32_t missing = mask & ~std::uint32_t{found.line->valid};
        op.l2_hits += sectors_of(mask & ~missing);
        if (missing == 0) return;
        const std::uint32_t fetched = granule_mask(missing, shape_.fetch_bytes) & ~std::uint32_t{found.line->valid};
        result_.dram_read_bytes += sectors_of(fetched) * sector_bytes;
        found.line->valid |= static_cast<std::uint8_t>(fetched);
    }

    void write(const LoggedAccess& access) {
        result_.l2_write_sectors += sectors_of(access.mask());
        result_.l2_write_lines += 1;
        const SectorCache::Inserted found = l2_.find_or_insert(access.line());
        result_.dram_written_back_bytes += sectors_of(found.evicted_dirty) * sector_bytes;
        found.line->valid |= static_cast<std::uint8_t>(access.mask());
        found.line->dirty |= static_cast<std::uint8_t>(access.mask());
    }

    void scale(double rate) {
        for (OpCache& op : result_.ops) {
            op.load_sectors *= rate;
            op.l1_hits *= rate;
            op.l2_hits *= rate;
            op.l2_reads *= rate;
        }
        for (double* value : {&result_.l2_read_sectors, &result_.l2_write_sectors, &result_.l2_write_lines, &result_.l2_read_lines,
                              &result_.dram_read_bytes, &result_.dram_written_back_bytes, &result_.dram_dirty_bytes,
                              &result_.footprint_read_bytes, &result_.footprint_write_bytes, &result_.footprint_bytes})
            *value *= rate;
    }

    std::uint64_t rate_;
    HierarchyShape shape_;
    SectorCache l2_;
    std::vector<std::unique_ptr<SectorCache>> l1_;
    std::unordered_map<std::uint64_t, Touched> touched_;
    CacheResult result_;
};

} // namespace

CacheResult simulate(const MergedLog& log, std::size_t ops, const HierarchyShape& shape) {
    // An op beyond what an entry can hold is logged as the last one.
    Replay replay(log.rate, std::max<std::size_t>(ops, 1), shape);
    const std::size_t wave = std::size_t{std::max(shape.sm_count, 1u)} * std::max(shape.blocks_per_sm, 1u);
    std::vector<BlockAccesses> running;
    for (std::size_t first = 0; first < log.blocks.size(); first += wave) {
        const std::size_t last = std::min(first + wave, log.blocks.size());
        running.assign(log.blocks.begin() + static_cast<std::ptrdiff_t>(first), log.blocks.begin() + static_cast<std::ptrdiff_t>(last));
        while (!running.empty()) {
            std::size_t kept = 0;
            for (BlockAccesses& block : running) {
                if (block.first == block.last) continue;
                replay.access(*block.first++, static_cast<std::uint32_t>(block.block % std::max(shape.sm_count, 1u)));
                running[kept++] = block;
            }
            running.resize(kept);
        }
    }
    return replay.finish();
}

} // namespace apod::model
