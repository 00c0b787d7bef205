// One launch of a test's own kernel, wherever that runs: on the emulator, or, to record what hardware answers, on a GPU.
//
//   APOD_TESTS_ON=cuda      runs the kernels on GPU 0 instead, so that the tests' references are held against hardware
//   APOD_RECORD=FILE        writes a line for every launch that ran: its name, what went in, and a hash of what came out
//
// What was recorded lies in tests/replay and is compared with the emulator by the same tests, with no GPU (see recorded.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apod::emu::testing {

struct KernelRun {
    std::string text; // PTX with the entry k(.param .u64 buffer..., .param .u32 scalar...)
    std::uint32_t blocks = 1;
    std::uint32_t threads = 32;
    std::vector<std::vector<std::byte>> buffers; // copied in, and out again
    std::vector<std::uint32_t> scalars;
};

// Empty: it ran, and the buffers hold what it left. Otherwise the message.
[[nodiscard]] std::string run_kernel(KernelRun& run);

[[nodiscard]] bool on_hardware();

// FNV-1a over bytes, to name contents.
[[nodiscard]] std::uint64_t hash_of(const void* bytes, std::size_t count, std::uint64_t state = 0xcbf29ce484222325ull);

template<class T> std::vector<std::byte> bytes_of(const T* values, std::size_t count) {
    const auto* first = reinterpret_cast<const std::byte*>(values);
    return {first, first + count * sizeof(T)};
}

} // namespace apod::emu::testing
