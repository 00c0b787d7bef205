#include "emu/library/library.hpp"

#include "emu/block.hpp"
#include "emu/library/heap.hpp"
#include "emu/library/print.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace apod::emu {

namespace {

// What one block may print: beyond this a kernel prints in an endless loop.
constexpr std::size_t most_output = 64u << 20;

} // namespace

// One lane's view of a call.
struct Library::LaneCall {
    WarpContext& warp;
    const Frame& frame;
    const Op& op;
    const CallSite& call;
    unsigned lane = 0;

    [[nodiscard]] std::uint64_t argument(std::size_t i) const { return read_value(warp, frame, call.arguments[i], lane); }
    void result(std::uint64_t value) const { write_value(warp, frame, call.results[0], lane, value); }
};

void Library::begin_block(std::uint64_t index) {
    block_ = index;
    output_.clear();
    assertions_.clear();
    failed_expression_.clear();
}

void Library::call(WarpContext& warp, const Frame& frame, const Op& op, const CallSite& call, std::uint32_t mask) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const LaneCall lane{warp, frame, op, call, static_cast<unsigned>(std::countr_zero(rest))};
        switch (call.builtin) {
        case Builtin::print: print(lane); break;
        case Builtin::assert_fail: fail_assertion(lane); break;
        case Builtin::allocate: lane.result(launch_.memory.heap().allocate(lane.argument(0))); break;
        case Builtin::release: release(lane); break;
        case Builtin::none: break;
        }
    }
}

const std::byte* Library::readable(const LaneCall& lane, std::uint64_t address, std::uint64_t& bytes) const {
    const std::uint64_t offset = address & ~window_mask;
    const BlockContext& block = *lane.warp.block;
    if ((address & window_mask) == shared_window) {
        if (offset >= block.shared_bytes) return nullptr;
        bytes = block.shared_bytes - offset;
        return block.shared + offset;
    }
    if ((address & window_mask) == local_window) {
        if (offset >= block.local_bytes) return nullptr;
        bytes = block.local_bytes - offset;
        return lane.warp.local + std::uint64_t{lane.lane} * block.local_stride + offset;
    }
    const auto found = launch_.memory.find(address);
    if (!found) return nullptr;
    bytes = found->base + found->bytes - address;
    return reinterpret_cast<const std::byte*>(address);
}

bool Library::read_text(const LaneCall& lane, std::uint64_t address, std::string& text) const {
    std::uint64_t bytes = 0;
    const std::byte* from = readable(lane, address, bytes);
    const auto* end = from != nullptr ? static_cast<const std::byte*>(std::memchr(from, 0, bytes)) : nullptr;
    if (end == nullptr) {
        report_fault(lane.warp, lane.op, FaultKind::out_of_bounds, MemorySpace::global, AccessKind::load, lane.lane,
                     from == nullptr ? address : address + bytes, 1);
        return false;
    }
    text.assign(reinterpret_cast<const char*>(from), static_cast<std::size_t>(end - from));
    return true;
}

// vprintf(format, arguments)
void Library::print(const LaneCall& lane) {
    std::string format;
    if (lane.argument(0) == 0) return lane.result(0xffffffffu);
    if (!read_text(lane, lane.argument(0), format)) return;
    const std::uint64_t packed = lane.argument(1);
    const PrintArguments arguments{[&](std::uint64_t offset, std::uint32_t wanted, void* to) {
                                       std::uint64_t bytes = 0;
                                       const std::byte* from = readable(lane, packed + offset, bytes);
                                       if (from != nullptr && bytes >= wanted) {
                                           std::memcpy(to, from, wanted);
                                           return true;
                                       }
                                       report_fault(lane.warp, lane.op, FaultKind::out_of_bounds, MemorySpace::global, AccessKind::load,
                                                    lane.lane, packed + offset, wanted);
                                       return false;
                                   },
                                   [&](std::uint64_t address, std::string& text) { return read_text(lane, address, text); }};
    const std::size_t before = output_.size();
    const int count = format_print(output_, format, arguments);
    if (output_.size() > most_output) output_.resize(before);
    lane.result(static_cast<std::uint32_t>(count));
}

// __assertfail(expression, file, line, function, bytes of a character)
void Library::fail_assertion(const LaneCall& lane) {
    std::string expression, file, function;
    if (!read_text(lane, lane.argument(0), expression) || !read_text(lane, lane.argument(1), file) ||
        !read_text(lane, lane.argument(3), function))
        return;
    const Dim3& grid = launch_.config.grid;
    const Dim3& shape = launch_.config.block;
    const std::uint64_t thread = std::uint64_t{lane.warp.index} * lanes + lane.lane;
    assertions_ +=
        fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", file,
                    static_cast<std::uint32_t>(lane.argument(2)), function, block_ % grid.x, block_ / grid.x % grid.y,
                    block_ / grid.x / grid.y, thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y, expression);
    if (failed_expression_.empty()) failed_expression_ = expression;
    report_fault(lane.warp, lane.op, FaultKind::assertion, MemorySpace::global, AccessKind::load, lane.lane, 0, 0);
}

void Library::release(const LaneCall& lane) {
    const std::uint64_t block = lane.argument(0);
    if (launch_.memory.heap().free(block)) return;
    report_fault(lane.warp, lane.op, FaultKind::bad_free, MemorySpace::global, AccessKind::store, lane.lane, block, 0);
}

} // namespace apod::emu
