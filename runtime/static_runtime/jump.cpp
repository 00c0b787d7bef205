#include "runtime/static_runtime/jump.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

namespace apod::runtime::static_runtime {
namespace {

constexpr std::uint64_t short_jump = 2;
constexpr std::uint64_t near_jump = 5;
constexpr std::uint64_t absolute_jump = 14;

// Room that an entry's own jump leaves free.
struct Spare {
    std::uint64_t begin;
    std::uint64_t end;
};

template<class T> void put(std::vector<std::byte>& bytes, T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

void put(std::vector<std::byte>& bytes, std::initializer_list<unsigned> opcodes) {
    for (const unsigned opcode : opcodes) bytes.push_back(static_cast<std::byte>(opcode));
}

// The distance from the end of an instruction, if it fits.
template<class T> std::optional<T> distance(std::uint64_t from_end, std::uint64_t to) {
    const auto difference = static_cast<std::int64_t>(to - from_end);
    if (difference < std::numeric_limits<T>::min() || difference > std::numeric_limits<T>::max()) return std::nullopt;
    return static_cast<T>(difference);
}

// jmp rel32, or jmp *0(%rip) with the address behind it; empty where neither fits.
std::vector<std::byte> long_jump(std::uint64_t at, std::uint64_t room, std::uint64_t target) {
    std::vector<std::byte> bytes;
    const auto near = distance<std::int32_t>(at + near_jump, target);
    if (near && room >= near_jump) {
        put(bytes, {0xe9});
        put(bytes, *near);
    } else if (room >= absolute_jump) {
        put(bytes, {0xff, 0x25, 0, 0, 0, 0});
        put(bytes, target);
    }
    return bytes;
}

// Takes a piece of spare room that a short jump from `entry` reaches, with the jump that goes there.
std::optional<Write> take_spare(std::vector<Spare>& spares, const Entry& entry) {
    for (Spare& spare : spares) {
        const std::vector<std::byte> jump = long_jump(spare.begin, spare.end - spare.begin, entry.target);
        if (jump.empty() || !distance<std::int8_t>(entry.address + short_jump, spare.begin)) continue;
        Write write{spare.begin, jump};
        spare.begin += jump.size();
        return write;
    }
    return std::nullopt;
}

} // namespace

Result<std::vector<Write>> plan_jumps(std::span<const Entry> entries) {
    std::vector<Write> writes;
    std::vector<const Entry*> narrow;
    std::vector<Spare> spares;
    for (const Entry& entry : entries) {
        const std::vector<std::byte> jump = long_jump(entry.address, entry.room, entry.target);
        if (jump.empty()) {
            narrow.push_back(&entry);
            continue;
        }
        writes.push_back({entry.address, jump});
        // Spare room is cut into pieces that begin close together, so that a short jump from either side finds one in its reach.
        constexpr std::uint64_t piece = 16;
        for (std::uint64_t begin = entry.address + jump.size(); begin + near_jump <= entry.address + entry.room; begin += piece)
            spares.push_back({begin, std::min(begin + piece, entry.address + entry.room)});
    }
    for (const Entry* entry : narrow) {
        const std::optional<Write> far = entry->room >= short_jump ? take_spare(spares, *entry) : std::nullopt;
        if (!far) return internal_error("no room to redirect " + std::string(entry->name));
        std::vector<std::byte> bytes;
        put(bytes, {0xeb});
        put(bytes, *distance<std::int8_t>(entry->address + short_jump, far->address));
        writes.push_back(*far);
        writes.push_back({entry->address, bytes});
    }
    return writes;
}

std::vector<std::byte> stub_code(std::uint64_t stub, std::uint64_t slot, std::uint32_t number, std::uint64_t binder_slot) {
    std::vector<std::byte> bytes;
    constexpr std::uint64_t indirect_jump = 6; // jmp *rel32(%rip)
    put(bytes, {0xff, 0x25});
    put(bytes, static_cast<std::int32_t>(slot - (stub + indirect_jump)));
    bytes.resize(stub_second_half, trap_byte);
    put(bytes, {0x68}); // push imm32
    put(bytes, number);
    put(bytes, {0xff, 0x25});
    put(bytes, static_cast<std::int32_t>(binder_slot - (stub + bytes.size() + 4)));
    bytes.resize(stub_bytes, trap_byte);
    return bytes;
}

} // namespace apod::runtime::static_runtime
