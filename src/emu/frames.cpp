#include "emu/frames.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace apod::emu {

namespace {

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

std::byte* lane_place(const WarpContext& warp, const Frame& frame, const ValuePlace& place, unsigned lane) {
    if (!place.in_slot) return warp.local + std::size_t{lane} * warp.block->local_stride + frame.local_base + place.offset;
    const OperandRef region = place.slot & region_mask;
    std::byte* base = region == region_registers ? frame.registers : warp.region[region];
    const std::size_t element = place.bytes > 8 ? 16 : place.bytes > 4 ? 8 : 4;
    return base + (place.slot & ~region_mask) + lane * element;
}

} // namespace

void Frames::set_kernel(std::byte* registers, std::uint32_t* predicates, std::uint32_t local_bytes) {
    Frame& frame = frames_[0];
    frame.registers = registers;
    frame.predicates = predicates;
    frame.local_top = local_bytes;
}

void Frames::reset() {
    free_.clear();
    for (Frame& frame : frames_) frame.paths = 0;
    for (auto f = static_cast<std::uint32_t>(frames_.size()); f-- > 1;) free_.push_back(f);
}

std::uint32_t Frames::take(const FunctionCode& function, std::uint32_t local_base) {
    std::uint32_t index = 0;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(frames_.size());
        frames_.emplace_back();
    } else {
        index = free_.back();
        free_.pop_back();
    }
    Frame& frame = frames_[index];
    const std::size_t register_bytes = round_up(function.register_bytes, 64);
    const std::size_t bytes = round_up(register_bytes + function.predicates * sizeof(std::uint32_t), 64);
    if (frame.capacity < bytes) {
        auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, bytes));
        if (memory == nullptr) throw std::bad_alloc();
        std::memset(memory, 0, bytes);
        frame.storage.reset(memory);
        frame.capacity = bytes;
    }
    frame.registers = frame.storage.get();
    frame.predicates = reinterpret_cast<std::uint32_t*>(frame.storage.get() + register_bytes);
    frame.predicates[true_predicate] = 0xffffffffu;
    frame.local_base = local_base;
    frame.local_top = local_base + function.frame_bytes;
    // The address of the frame is a register of every function but the kernel.
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const std::uint64_t base = local_base;
        std::memcpy(frame.registers + frame_base_ref + lane * sizeof(base), &base, sizeof(base));
    }
    return index;
}

void copy_value(const WarpContext& warp, const Frame& from, const ValuePlace& source, const Frame& to, const ValuePlace& target,
                std::uint32_t mask) {
    const std::uint32_t bytes = std::min(source.bytes, target.bytes);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        std::byte* into = lane_place(warp, to, target, lane);
        if (target.in_slot && bytes < 4) std::memset(into, 0, 4);
        std::memcpy(into, lane_place(warp, from, source, lane), bytes);
    }
}

std::uint64_t read_value(const WarpContext& warp, const Frame& frame, const ValuePlace& place, unsigned lane) {
    std::uint64_t value = 0;
    std::memcpy(&value, lane_place(warp, frame, place, lane), std::min<std::uint32_t>(place.bytes, 8));
    return value;
}

void write_value(const WarpContext& warp, const Frame& frame, const ValuePlace& place, unsigned lane, std::uint64_t value) {
    std::memcpy(lane_place(warp, frame, place, lane), &value, std::min<std::uint32_t>(place.bytes, 8));
}

} // namespace apod::emu
