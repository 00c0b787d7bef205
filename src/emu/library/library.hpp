// The functions of the device's runtime library that PTX calls and no module defines: vprintf, __assertfail, malloc and free. One for each
// block of threads: what it prints is kept until the launch is over, so that it comes in the order of the blocks.
#pragma once

#include "emu/frames.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apod::emu {

struct LaunchState;

class Library {
public:
    explicit Library(const LaunchState& launch) : launch_(launch) {}

    void begin_block(std::uint64_t index);
    // Executes a call for the lanes of `mask`, arguments and results in `frame`. A fault is reported to the block.
    void call(WarpContext& warp, const Frame& frame, const Op& op, const CallSite& call, std::uint32_t mask);

    [[nodiscard]] std::string take_output() { return std::move(output_); }
    // Lines of assertions that failed; the expression and function of the first.
    [[nodiscard]] const std::string& assertions() const { return assertions_; }
    [[nodiscard]] const std::string& failed_expression() const { return failed_expression_; }

private:
    struct LaneCall;

    void print(const LaneCall& lane);
    void fail_assertion(const LaneCall& lane);
    void release(const LaneCall& lane);
    // The memory from a generic address to the end of what it lies in; null: the lane may not read there.
    [[nodiscard]] const std::byte* readable(const LaneCall& lane, std::uint64_t address, std::uint64_t& bytes) const;
    bool read_text(const LaneCall& lane, std::uint64_t address, std::string& text) const;

    const LaunchState& launch_;
    std::uint64_t block_ = 0;
    std::string output_;
    std::string assertions_;
    std::string failed_expression_;
};

} // namespace apod::emu
