// Registers to slots: a linear scan over live intervals, so that a warp's register file holds what is live at once and stays in the host's
// cache. Per-lane correctness under divergence follows from that of one thread: every write is masked to the lanes that execute it.
#pragma once

#include "emu/code.hpp"
#include "ptx/control_flow.hpp"

#include <cstdint>
#include <vector>

namespace apod::emu {

enum class SlotClass : std::uint8_t { predicate, narrow, wide, quad }; // lane mask; 4, 8, 16 bytes a lane

[[nodiscard]] SlotClass slot_class(ptx::Type type);

struct SlotMap {
    std::vector<std::uint32_t> slot; // by register: byte offset in the warp's registers, or predicate slot
    std::uint32_t register_bytes = 0;
    std::uint32_t predicates = 0;
};

// `reserved_bytes` at the start of the register file are left to special registers, `reserved_predicates` likewise.
[[nodiscard]] SlotMap allocate_slots(const ptx::Function& function, const ptx::ControlFlow& flow, const ptx::Liveness& live,
                                     std::uint32_t reserved_bytes, std::uint32_t reserved_predicates);

} // namespace apod::emu
