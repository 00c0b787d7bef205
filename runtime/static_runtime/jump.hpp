// What is written over a function so that a call of it arrives elsewhere: plans, in bytes, for x86-64. Nothing is written here, so that
// everything can be tested on made-up addresses; another machine needs its own plan_jumps, stub_code and nothing else.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace apod::runtime::static_runtime {

// A function that is to be left at once. All that lies in its room may be overwritten.
struct Entry {
    std::string_view name;
    std::uint64_t address = 0;
    std::uint64_t room = 0;   // bytes to the next function
    std::uint64_t target = 0; // where a call arrives
};

struct Write {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;
};

// A near jump (5 bytes) where the target is within 2 GB; an absolute one (14 bytes) where it is not and the room allows; for a function
// with less room than that a short jump (2 bytes) to a jump in the unused room of another entry. An entry that cannot be redirected
// is an internal error with its name: nothing may be written then.
Result<std::vector<Write>> plan_jumps(std::span<const Entry> entries);

// Code for one entry of an island: it jumps through a slot, which at first leads back to the stub's second half; that one hands the entry's
// number to `binder`, on the stack above the return address.
constexpr std::uint64_t stub_bytes = 32;
constexpr std::uint64_t stub_second_half = 8; // offset within the stub
std::vector<std::byte> stub_code(std::uint64_t stub, std::uint64_t slot, std::uint32_t number, std::uint64_t binder_slot);

// A byte that stops whoever executes it.
constexpr std::byte trap_byte{0xcc};

// A byte that makes a function of it that does nothing.
constexpr std::byte return_byte{0xc3};

} // namespace apod::runtime::static_runtime
