// The launch's constants: immediates, broadcast to 32 lanes once, and what only the launch knows (parameters, sizes).
#pragma once

#include "emu/code.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace apod::emu {

class PoolBuilder {
public:
    explicit PoolBuilder(Code& code) : code_(code) {}

    OperandRef constant32(std::uint32_t value);
    OperandRef constant64(std::uint64_t value);
    // `slot_bytes`: slot32_bytes or slot64_bytes.
    OperandRef parameter(std::uint32_t offset, std::uint32_t bytes, bool sign_extend, std::uint32_t slot_bytes);
    OperandRef launch_value(PoolKind kind);

private:
    OperandRef entry(const PoolEntry& entry);

    Code& code_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, OperandRef> constants_; // slot bytes, value
    std::map<std::tuple<PoolKind, std::uint32_t, std::uint32_t, std::uint32_t, bool>, OperandRef> entries_;
};

} // namespace apod::emu
