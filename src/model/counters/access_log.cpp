#include "model/counters/access_log.hpp"

#include <algorithm>

namespace apod::model {

void AccessLog::thin(std::uint64_t rate) {
    if (rate <= rate_) return;
    rate_ = rate;
    std::size_t kept = 0;
    std::size_t next = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const std::size_t last = b + 1 < blocks_.size() ? blocks_[b + 1].first : accesses_.size();
        next = blocks_[b].first;
        blocks_[b].first = kept;
        for (; next < last; ++next)
            if (is_sampled(accesses_[next].line(), rate_)) accesses_[kept++] = accesses_[next];
    }
    accesses_.resize(kept);
}

namespace {

// The parts of every interrupted block become one run of accesses. `blocks` is sorted by block, parts in order.
void join_parts(MergedLog& merged) {
    std::size_t kept = 0;
    for (std::size_t b = 0; b < merged.blocks.size();) {
        std::size_t end = b + 1;
        while (end < merged.blocks.size() && merged.blocks[end].block == merged.blocks[b].block) ++end;
        BlockAccesses whole = merged.blocks[b];
        if (end - b > 1) {
            std::vector<LoggedAccess>& joined = merged.gathered.emplace_back();
            for (std::size_t part = b; part < end; ++part) joined.insert(joined.end(), merged.blocks[part].first, merged.blocks[part].last);
            whole = {whole.block, joined.data(), joined.data() + joined.size()};
        }
        merged.blocks[kept++] = whole;
        b = end;
    }
    merged.blocks.resize(kept);
}

} // namespace

MergedLog merge_logs(const std::vector<AccessLog*>& logs) {
    MergedLog merged;
    std::uint64_t seen = 0;
    for (const AccessLog* log : logs) seen += log->seen();
    // A worker saw no more than the total, so its own rate is no higher than this one.
    for (const AccessLog* log : logs)
        while (seen > log->limit() * merged.rate) merged.rate *= 2;
    for (AccessLog* log : logs) {
        log->thin(merged.rate);
        const LoggedAccess* data = log->accesses().data();
        const std::vector<AccessLog::Block>& blocks = log->blocks();
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const std::size_t last = b + 1 < blocks.size() ? blocks[b + 1].first : log->accesses().size();
            merged.blocks.push_back({blocks[b].block, data + blocks[b].first, data + last});
        }
    }
    std::stable_sort(merged.blocks.begin(), merged.blocks.end(),
                     [](const BlockAccesses& a, const BlockAccesses& b) { return a.block < b.block; });
    join_parts(merged);
    return merged;
}

} // namespace apod::model
