#include "emu/lower/pool.hpp"

#include <cstring>

namespace apod::emu {

namespace {

template<class T> OperandRef append(Code& code, T value) {
    const std::size_t at = code.pool.size();
    code.pool.resize(at + lanes * sizeof(T));
    for (unsigned lane = 0; lane < lanes; ++lane) std::memcpy(code.pool.data() + at + lane * sizeof(T), &value, sizeof(T));
    return static_cast<OperandRef>(at) | region_pool;
}

} // namespace

OperandRef PoolBuilder::constant32(std::uint32_t value) {
    auto [place, fresh] = constants_.try_emplace({slot32_bytes, value}, 0);
    if (fresh) place->second = append(code_, value);
    return place->second;
}

OperandRef PoolBuilder::constant64(std::uint64_t value) {
    auto [place, fresh] = constants_.try_emplace({slot64_bytes, value}, 0);
    if (fresh) place->second = append(code_, value);
    return place->second;
}

OperandRef PoolBuilder::entry(const PoolEntry& wanted) {
    auto [place, fresh] =
        entries_.try_emplace({wanted.kind, wanted.parameter_offset, wanted.parameter_bytes, wanted.slot_bytes, wanted.sign_extend}, 0);
    if (fresh) {
        PoolEntry entry = wanted;
        entry.offset = static_cast<std::uint32_t>(code_.pool.size());
        code_.pool.resize(code_.pool.size() + entry.slot_bytes);
        code_.pool_entries.push_back(entry);
        place->second = entry.offset | region_pool;
    }
    return place->second;
}

OperandRef PoolBuilder::parameter(std::uint32_t offset, std::uint32_t bytes, bool sign_extend, std::uint32_t slot_bytes) {
    return entry({PoolKind::parameter, 0, slot_bytes, offset, bytes, sign_extend});
}

OperandRef PoolBuilder::launch_value(PoolKind kind) { return entry({kind, 0, slot32_bytes, 0, 0, false}); }

} // namespace apod::emu
