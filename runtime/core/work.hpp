// What a stream executes. The API calls make these; a stream executes them, or a graph keeps them.
#pragma once

#include "apod/record.hpp"
#include "runtime/core/module.hpp"
#include "runtime/core/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace apod::runtime {

struct KernelWork {
    Kernel* kernel = nullptr;
    Dim3 grid;
    Dim3 block;
    Dim3 cluster{0, 0, 0}; // 0: none asked for
    std::uint64_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::vector<std::byte> parameters; // packed as the program says
};

// What a copy call said of its two sides; `automatic` finds out (cudaMemcpyDefault).
enum class CopyKind : std::uint8_t { host_to_host = 0, host_to_device = 1, device_to_host = 2, device_to_device = 3, automatic = 4 };

// Bytes of a box: `height` rows of `width` bytes in each of `depth` slices.
struct CopyWork {
    void* to = nullptr;
    const void* from = nullptr;
    CopyKind kind = CopyKind::automatic;
    std::uint64_t width = 0;
    std::uint64_t height = 1;
    std::uint64_t depth = 1;
    std::uint64_t to_pitch = 0; // from row to row
    std::uint64_t from_pitch = 0;
    std::uint64_t to_slice = 0; // from slice to slice
    std::uint64_t from_slice = 0;

    [[nodiscard]] std::uint64_t bytes() const { return width * height * depth; }
};

struct FillWork {
    void* to = nullptr;
    std::uint32_t value = 0;
    std::uint32_t element_bytes = 1; // 1, 2 or 4
    std::uint64_t width = 0;         // bytes
    std::uint64_t height = 1;
    std::uint64_t depth = 1;
    std::uint64_t pitch = 0;
    std::uint64_t slice = 0;
};

struct HostWork {
    void (*function)(void*) = nullptr;
    void* data = nullptr;
};

struct RecordWork {
    Event* event = nullptr;
    bool external = false; // in a capture: a node of its own, not an edge
};

struct WaitWork {
    Event* event = nullptr;
    bool external = false;
};

struct FreeWork {
    std::uint64_t address = 0;
};

using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, RecordWork, WaitWork, FreeWork>;

} // namespace apod::runtime
