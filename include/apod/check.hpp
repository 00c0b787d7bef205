// What `apod check` found in a program: one report for each mistake, however often it was made. Emulator and runtime write them, views show
// them. Nothing here computes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apod {

enum class CheckKind : std::uint8_t {
    out_of_bounds,
    misaligned,
    use_after_free,
    double_free,
    invalid_free,
    leak,
    uninitialised,
    race,
    divergent_barrier, // by part of a warp
    barrier_misuse,    // counts that differ or do not fit, arrivals nobody waits for
    deadlock,
    invalid_shuffle, // a value of a lane that does not take part
    invalid_mask,    // a member mask without the lane that executes
    async_copy,      // memory of a cp.async touched before it was waited for
    stack_overflow,
    failed_call, // of the CUDA API: it gave the program an error
    fault        // whatever else stops a kernel: trap, failed assertion, watchdog
};

// Place in the source. `inlined_at`: the calls that led there, innermost first, "function at file:line".
struct CheckPlace {
    std::string file;
    std::uint32_t line = 0; // 0: unknown
    std::vector<std::string> inlined_at;

    friend bool operator==(const CheckPlace&, const CheckPlace&) = default;
};

struct CheckIndex {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;

    friend bool operator==(const CheckIndex&, const CheckIndex&) = default;
};

// Who did what where.
struct CheckAccess {
    std::string what; // "read of 4 bytes", "atomic update of 4 bytes", "barrier"
    CheckPlace place;
    CheckIndex block;
    CheckIndex thread;

    friend bool operator==(const CheckAccess&, const CheckAccess&) = default;
};

// What an address belongs to, or was meant to.
struct CheckObject {
    std::string space; // global, shared, local, constant
    std::string name;  // may be empty
    std::uint64_t bytes = 0;
    std::int64_t offset = 0; // of the access from its start; beyond `bytes` or negative: outside
    // Of memory that a call of the API gave: the how-manieth such call of the program it was, from 1, its name ("cudaMalloc"), and from
    // where it was made, as CheckReport::host.
    std::uint32_t number = 0;
    std::string given_by = {};
    std::vector<std::string> given_at = {};

    friend bool operator==(const CheckObject&, const CheckObject&) = default;
};

struct CheckReport {
    CheckKind kind = CheckKind::fault;
    std::string kernel;  // demangled; empty: the host's part of the program
    std::string message; // one sentence without a final full stop
    CheckAccess access;
    std::uint64_t address = 0; // device address, or offset in shared or local memory; 0 with no object: none
    std::optional<CheckObject> object;
    std::optional<CheckAccess> other; // of a race: the other side
    // The program's functions that led to the call of the API it was made in, innermost first: "function at file:line", or as much of it
    // as is known. Empty in kernels.
    std::vector<std::string> host;
    std::vector<std::string> notes; // further evidence, a line each
    std::string advice;
    std::uint64_t count = 1; // how often, over all threads and launches

    friend bool operator==(const CheckReport&, const CheckReport&) = default;
};

} // namespace apod
