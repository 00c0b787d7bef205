// A thread of some blocks, followed through its loads: which addresses it asks for again.
//
// One thread of every eighth block is followed, the same ones whoever runs the blocks. A load counts as one of what was loaded when the
// thread's last load of that address is at most `reach` loads ago: that much could have stayed in registers.
// And how far loads of one round of a loop lie from each other: those of arrays that it walks together come to new sectors together, those
// of neighbours in one array one after the other.
#pragma once

#include "emu/event.hpp"
#include "model/counters/traffic.hpp"

#include <cstdint>
#include <unordered_map>

namespace apod::model {

class FollowedThread {
public:
    static constexpr std::uint64_t reach = 256;
    static constexpr std::uint64_t every_block = 8;
    static constexpr std::uint32_t lane = 1; // of the first warp: lane 0 often does what nobody else does

    void begin_block(std::uint64_t block) {
        follows_ = block % every_block == 0;
        loads_ = 0;
        last_.clear();
        last_op_ = 0xffffffff;
    }
    // Of a request of global memory.
    void add(const emu::MemoryEvent& event, Traffic& traffic) {
        if (follows_ && event.warp == 0 && event.kind == emu::AccessKind::load && (event.active >> lane & 1) != 0)
            load(event.op, event.address[lane], traffic);
    }

private:
    void load(std::uint32_t op, std::uint64_t address, Traffic& traffic);

    bool follows_ = false;
    std::uint64_t loads_ = 0;                               // of the thread, so far
    std::uint32_t last_op_ = 0xffffffff;                    // of its last load
    std::uint64_t round_ = 0;                               // address of the first load since it went back in its code
    std::unordered_map<std::uint64_t, std::uint64_t> last_; // address to the number of its last load
};

} // namespace apod::model
