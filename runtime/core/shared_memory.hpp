// Device memory that several processes share (cudaIpc*, and allocations of pools that may be handed on).
//
// Memory is private to its process until a handle of it is asked for: then its pages become those of a file without a name (memfd), in
// place, and the handle says where another process finds that file. A process that opens it maps the same pages at an address of its own.
#pragma once

#include "runtime/core/error.hpp"
#include "runtime/core/memory_table.hpp"

#include <cstddef>
#include <cstdint>
#include <map>

namespace apod::runtime {

class SharedMemory {
public:
    // What lies in a cudaIpcMemHandle_t.
    struct Name {
        std::uint64_t mark = 0; // that it is one of ours
        std::int32_t process = 0;
        std::int32_t file = 0;
        std::uint64_t first = 0; // of the allocation in the file
        std::uint64_t bytes = 0; // of the allocation
        std::int32_t device = 0;
        std::int32_t unused[7] = {};
    };
    static_assert(sizeof(Name) == 64);

    explicit SharedMemory(MemoryTable& table);

    // The name of the allocation that contains the address. invalid_value for what is no device memory of this process.
    Error name(emu::DeviceAddress address, Name& name);
    // Where the memory is here, again the same place when it is opened again. invalid_value for what is no name, and for memory that its
    // process no longer has; invalid_context for a name of this process.
    Error open(const Name& name, emu::DeviceAddress& address);
    // As often as it was opened.
    Error close(emu::DeviceAddress address);
    [[nodiscard]] bool has_open(emu::DeviceAddress address) const { return opened_.contains(address); }

private:
    struct Given {
        int file = -1;
        std::uint64_t pages_begin = 0;
        std::uint64_t pages_bytes = 0;
    };
    struct Opened {
        Name name;
        std::uint64_t pages_begin = 0;
        std::uint64_t pages_bytes = 0;
        unsigned uses = 0;
    };

    Error share(const Held& held);
    void freed(const Held& held);

    MemoryTable& table_;
    std::map<emu::DeviceAddress, Given> given_;
    std::map<emu::DeviceAddress, Opened> opened_;
};

} // namespace apod::runtime
