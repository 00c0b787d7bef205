// The frames of a warp's functions: registers, predicates, and where the locals lie in each thread's stack. A call that several lanes make
// together has one frame; lanes that are in different calls have different ones.
#pragma once

#include "emu/code.hpp"
#include "emu/warp_context.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace apod::emu {

struct FreeBytes {
    void operator()(std::byte* memory) const { std::free(memory); }
};
using OwnedBytes = std::unique_ptr<std::byte[], FreeBytes>;

struct Frame {
    std::byte* registers = nullptr;
    std::uint32_t* predicates = nullptr;
    std::uint32_t local_base = 0; // in each thread's local memory
    std::uint32_t local_top = 0;
    std::uint32_t function = 0;       // into Code::functions
    std::uint32_t caller = ptx::none; // frame
    std::uint32_t call_path = ptx::none;
    std::uint32_t call = ptx::none; // into Code::calls
    std::uint32_t depth = 0;        // calls on the way here
    std::uint32_t paths = 0;        // of the warp that are in it
    OwnedBytes storage;             // of registers and predicates; the kernel's own frame belongs to the block
    std::size_t capacity = 0;
};

class Frames {
public:
    // Frame 0 is the kernel's.
    void set_kernel(std::byte* registers, std::uint32_t* predicates, std::uint32_t local_bytes);
    // All paths have left.
    void reset();
    // A frame for a call of `function` whose locals begin at `local_base`; its registers hold whatever they held.
    // References to frames are good until the next take().
    std::uint32_t take(const FunctionCode& function, std::uint32_t local_base);

    // A path enters the frame, or leaves it; nobody left: it is free again.
    void enter(std::uint32_t frame) { ++frames_[frame].paths; }
    void leave(std::uint32_t frame) {
        if (--frames_[frame].paths == 0 && frame != 0) free_.push_back(frame);
    }

    [[nodiscard]] Frame& operator[](std::uint32_t frame) { return frames_[frame]; }
    [[nodiscard]] const Frame& operator[](std::uint32_t frame) const { return frames_[frame]; }

private:
    std::vector<Frame> frames_ = std::vector<Frame>(1);
    std::vector<std::uint32_t> free_;
};

// Copies an argument or a result, for the lanes of `mask`.
void copy_value(const WarpContext& warp, const Frame& from, const ValuePlace& source, const Frame& to, const ValuePlace& target,
                std::uint32_t mask);
// One lane's value, zero-extended; at most 8 bytes.
[[nodiscard]] std::uint64_t read_value(const WarpContext& warp, const Frame& frame, const ValuePlace& place, unsigned lane);
void write_value(const WarpContext& warp, const Frame& frame, const ValuePlace& place, unsigned lane, std::uint64_t value);

} // namespace apod::emu
