// What a GPU answered to the kernels of these tests, recorded once (tests/replay/h200/instructions.csv) and compared with ever since.
#pragma once

#include "tests/emu/kernel_run.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apod::emu::testing {

// Names a launch by its kernel and what went into it: a changed test has no record, rather than a wrong one.
[[nodiscard]] std::uint64_t key_of(const KernelRun& before);

// On hardware, with APOD_RECORD: writes the line. On the emulator: empty when the hash is the recorded one or nothing was recorded,
// otherwise a message. `name` is the instruction.
[[nodiscard]] std::string compare_with_record(std::string_view name, std::uint64_t key, std::uint64_t hash);

// How many of this process's launches were found in the record and agreed.
[[nodiscard]] std::size_t agreed_with_record();

} // namespace apod::emu::testing
