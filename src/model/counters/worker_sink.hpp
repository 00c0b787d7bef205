// The event sink of one worker thread: adds requests up by op and space, and keeps the access log.
#pragma once

#include "emu/event.hpp"
#include "model/counters/access_log.hpp"
#include "model/counters/atomic_load.hpp"
#include "model/counters/block_work.hpp"
#include "model/counters/followed_thread.hpp"
#include "model/counters/traffic.hpp"

#include <cstdint>
#include <vector>

namespace apod::model {

class WorkerSink final : public emu::EventSink {
public:
    explicit WorkerSink(std::size_t ops) : traffic_(ops * space_count) {}

    void block_begin(const emu::BlockEvent& event) override {
        log_.begin_block(event.block);
        thread_.begin_block(event.block);
    }
    void block_resume(const emu::BlockEvent& event) override {
        log_.resume_block(event.block);
        thread_.begin_block(event.block);
    }
    void memory(const emu::MemoryEvent& event) override;
    void block_end(const emu::BlockEvent& event) override { work_.push_back({event.block, event.warp_instructions, event.longest_warp}); }

    [[nodiscard]] const std::vector<Traffic>& traffic() const { return traffic_; }
    [[nodiscard]] AccessLog& log() { return log_; }
    [[nodiscard]] const AtomicLoad& atomics() const { return atomics_; }
    [[nodiscard]] const std::vector<BlockWork>& work() const { return work_; }

private:
    void global(const emu::MemoryEvent& event, Traffic& traffic);

    std::vector<Traffic> traffic_; // traffic_index(op, space)
    AccessLog log_;
    LineList lines_;
    AtomicLoad atomics_;
    FollowedThread thread_;
    std::vector<BlockWork> work_;
};

} // namespace apod::model
