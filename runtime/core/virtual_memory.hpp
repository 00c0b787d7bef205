// Device memory whose addresses and pages a program manages itself: addresses are reserved, memory is made, mapped there, and made
// accessible.
//
// A piece of memory is a file without a name (memfd), so that it can be mapped at several addresses, and in several processes, and be the
// same bytes everywhere. Neighbouring accessible mappings are one allocation to kernels, which may run across their borders.
#pragma once

#include "emu/memory.hpp"
#include "runtime/core/error.hpp"
#include "runtime/core/memory_table.hpp"

#include <cstdint>
#include <map>

namespace apod::runtime {

class VirtualMemory {
public:
    using Address = emu::DeviceAddress;
    using Handle = std::uint64_t;

    static constexpr std::uint64_t granularity = std::uint64_t{2} << 20; // of sizes, addresses and offsets, as on GPUs

    struct Piece {
        int file = -1;
        std::uint64_t bytes = 0;
        int device = 0;
        unsigned handle_types = 0;     // ways in which it may be handed to other processes
        unsigned char compression = 0; // as it was asked for: without effect here
        unsigned uses = 1;             // its handle, and mappings: it lives until none is left
        bool released = false;         // its handle is gone
    };

    explicit VirtualMemory(MemoryTable& table) : table_(table) {}

    Error reserve(std::uint64_t bytes, std::uint64_t align, Address wanted, Address& address);
    // Exactly a range that was reserved, with nothing mapped in it.
    Error unreserve(Address address, std::uint64_t bytes);
    // `piece` says what it shall be.
    Error create(const Piece& piece, Handle& handle);
    Error release(Handle handle);
    Error map(Address address, std::uint64_t bytes, std::uint64_t offset, Handle handle);
    // Whole mappings.
    Error unmap(Address address, std::uint64_t bytes);
    // All of the range must be mapped. 0 takes the access away; reading alone is as good as reading and writing.
    Error set_access(Address address, std::uint64_t bytes, bool accessible);
    // A file descriptor of the caller's own; and the memory behind one that another process gave.
    Error export_file(Handle handle, int& file);
    Error import_file(int file, int device, Handle& handle);

    [[nodiscard]] const Piece* find(Handle handle) const;
    // The mapping that contains the address: its piece, and whether it is accessible. Takes one more use of the handle where `retain`.
    [[nodiscard]] Handle mapped_at(Address address, bool& accessible, bool retain);

private:
    struct Mapping {
        std::uint64_t bytes = 0;
        Handle handle = 0;
        bool accessible = false;
    };

    [[nodiscard]] bool covered(Address address, std::uint64_t bytes) const;
    [[nodiscard]] bool in_a_reservation(Address address, std::uint64_t bytes) const;
    void drop_use(Handle handle);
    // Tells the emulated memory anew what is accessible around the range.
    Error publish(Address address, std::uint64_t bytes);

    MemoryTable& table_;
    std::map<Address, std::uint64_t> reserved_;
    std::map<Handle, Piece> pieces_;
    std::map<Address, Mapping> mappings_;
    std::map<Address, std::uint64_t> published_; // allocations of the emulated memory
    Handle next_ = 1;
};

} // namespace apod::runtime
