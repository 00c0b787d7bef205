// The global accesses of a run, line by line, thinned to what a cache simulation needs.
//
// Every line whose hash falls in 1 of `rate` classes is kept with all its accesses; sampled lines behave in a cache of size / rate as all
// lines do in the whole cache. The rate starts at 1 and doubles whenever a log grows beyond its limit, so small launches are exact. The
// rate of merged logs depends on the total only (combined_rate), never on how the blocks were shared among workers.
#pragma once

#include "model/counters/access.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace apod::model {

enum class LineUse : std::uint8_t { load, store, atomic };

// One access to one line, packed: line index (40 bits), op (18), use (2), sector mask (4).
struct LoggedAccess {
    std::uint64_t bits = 0;
    std::uint32_t turn = 0; // the how many'th request of its warp it belongs to, from 0
    std::uint16_t warp = 0; // within the block
    bool is_local = false;  // the line is one of local_lines()

    static constexpr std::uint32_t max_op = (1u << 18) - 1;
    LoggedAccess() = default;
    LoggedAccess(std::uint64_t line, std::uint32_t op, LineUse use, std::uint32_t mask, std::uint32_t turn_of_warp = 0,
                 std::uint32_t warp_of_block = 0, bool local = false) :
        bits(line << 24 | std::uint64_t{op < max_op ? op : max_op} << 6 | std::uint64_t{static_cast<std::uint8_t>(use)} << 4 | mask),
        turn(turn_of_warp),
        warp(static_cast<std::uint16_t>(warp_of_block)),
        is_local(local) {}
    [[nodiscard]] std::uint64_t line() const { return bits >> 24; }
    [[nodiscard]] std::uint32_t op() const { return static_cast<std::uint32_t>(bits >> 6) & max_op; }
    [[nodiscard]] LineUse use() const { return static_cast<LineUse>(bits >> 4 & 3); }
    [[nodiscard]] std::uint32_t mask() const { return static_cast<std::uint32_t>(bits & 15); }
};

// Spreads line indices: neighbouring lines, and lines at any regular distance, are dealt evenly to the classes (Fibonacci hashing).
[[nodiscard]] inline std::uint64_t line_hash(std::uint64_t line) { return line * 0x9e3779b97f4a7c15u >> 40; }

[[nodiscard]] inline bool is_sampled(std::uint64_t line, std::uint64_t rate) { return (line_hash(line) & (rate - 1)) == 0; }

class AccessLog {
public:
    static constexpr std::uint64_t default_limit = 1u << 18; // accesses kept

    explicit AccessLog(std::uint64_t limit = default_limit) : limit_(limit) {}

    // What follows belongs to this block. A block that was interrupted comes again.
    void begin_block(std::uint64_t block) {
        blocks_.push_back({block, accesses_.size()});
        turns_.fill(0);
    }

    // Of a block that goes on: requests of its warps are counted from where they were as far as that is known, which is all but exact.
    void resume_block(std::uint64_t block) { blocks_.push_back({block, accesses_.size()}); }

    void add(const LineList& lines, std::uint32_t op, LineUse use, std::uint32_t warp = 0, bool local = false) {
        seen_ += lines.count;
        const std::uint32_t turn = turns_[warp % turns_.size()]++;
        if (rate_ == 1) {
            for (std::uint32_t i = 0; i < lines.count; ++i)
                accesses_.emplace_back(lines.line[i], op, use, lines.mask[i], turn, warp, local);
        } else {
            for (std::uint32_t i = 0; i < lines.count; ++i)
                if (is_sampled(lines.line[i], rate_)) accesses_.emplace_back(lines.line[i], op, use, lines.mask[i], turn, warp, local);
        }
        if (seen_ > limit_ * rate_) thin(rate_ * 2);
    }

    // Keeps only the lines of the given (power of two, larger) rate.
    void thin(std::uint64_t rate);

    struct Block {
        std::uint64_t block = 0;
        std::size_t first = 0; // its accesses: [first, first of the next block)
    };
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] const std::vector<LoggedAccess>& accesses() const { return accesses_; }
    [[nodiscard]] std::uint64_t seen() const { return seen_; }
    [[nodiscard]] std::uint64_t rate() const { return rate_; }
    [[nodiscard]] std::uint64_t limit() const { return limit_; }

private:
    std::uint64_t limit_;
    std::uint64_t rate_ = 1;
    std::uint64_t seen_ = 0;
    std::vector<LoggedAccess> accesses_;
    std::vector<Block> blocks_;
    std::array<std::uint32_t, 32> turns_{}; // by warp of the block
};

// One block's accesses in execution order.
struct BlockAccesses {
    std::uint64_t block = 0;
    const LoggedAccess* first = nullptr;
    const LoggedAccess* last = nullptr;
};

struct MergedLog {
    std::uint64_t rate = 1;
    std::vector<BlockAccesses> blocks;              // by block index, each once
    std::deque<std::vector<LoggedAccess>> gathered; // accesses of blocks that ran in several parts
};

// Brings all logs to their common rate and orders their blocks. The logs must outlive the result.
[[nodiscard]] MergedLog merge_logs(const std::vector<AccessLog*>& logs);

} // namespace apod::model
