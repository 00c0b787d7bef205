// The event sink of one worker thread: adds requests up by op and space, and keeps the access log.
#pragma once

#include "emu/event.hpp"
#include "model/counters/access_log.hpp"
#include "model/counters/atomic_load.hpp"
#include "model/counters/block_work.hpp"
#include "model/counters/followed_thread.hpp"
#include "model/counters/longest_warp.hpp"
#include "model/counters/traffic.hpp"

#include <cstdint>
#include <vector>

namespace apod::model {

class WorkerSink final : public emu::EventSink {
public:
    explicit WorkerSink(std::size_t ops) : traffic_(ops * space_count), longest_(ops) {}

    void block_begin(const emu::BlockEvent& event) override {
        log_.begin_block(event.block);
        thread_.begin_block(event.block);
        longest_.begin_block();
    }
    void block_resume(const emu::BlockEvent& event) override {
        log_.resume_block(event.block);
        thread_.begin_block(event.block);
        longest_.resume_block();
    }
    void memory(const emu::MemoryEvent& event) override;
    void block_end(const emu::BlockEvent& event) override {
        work_.push_back({event.block, event.warp_instructions, event.longest_warp});
        longest_.end_block(event);
    }

    [[nodiscard]] const std::vector<Traffic>& traffic() const { return traffic_; }
    [[nodiscard]] AccessLog& log() { return log_; }
    [[nodiscard]] const AtomicLoad& atomics() const { return atomics_; }
    [[nodiscard]] const std::vector<BlockWork>& work() const { return work_; }
    [[nodiscard]] const LongestWarp& longest() const { return longest_; }

private:
    void global(const emu::MemoryEvent& event, Traffic& traffic);

    std::vector<Traffic> traffic_; // traffic_index(op, space)
    AccessLog log_;
    LineList lines_;
    AtomicLoad atomics_;
    FollowedThread thread_;
    LongestWarp longest_;
    std::vector<BlockWork> work_;
};

} // namespace apod::model
