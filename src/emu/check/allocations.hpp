// Every allocation of a device memory whose accesses are checked, also those that are free again: an id each, never used twice. Memory that
// is free is not given out again while there is other, so that what still points there is found.
#pragma once

#include "apod/check.hpp"
#include "emu/check/written.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace apod::emu {

using ObjectId = std::uint32_t; // 0: none

// The call that gave memory, and from where in the program: many allocations share one.
struct AllocationOrigin {
    std::string call;                // "cudaMalloc"
    std::vector<std::string> frames; // as CheckObject::given_at
};

struct CheckedAllocation {
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    std::string name;
    bool live = true;
    bool heap = false;    // the range that malloc in device code takes from: only its blocks may be touched
    bool block = false;   // one of these blocks
    std::string freed_by; // who did
    WrittenBytes written;
    std::uint32_t number = 0; // as CheckObject::number
    std::shared_ptr<const AllocationOrigin> origin = nullptr;

    [[nodiscard]] std::uint64_t end() const { return base + bytes; }
    [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t size) const {
        return address >= base && address - base <= bytes && size <= bytes - (address - base);
    }
};

class Allocations {
public:
    // `written`: its bytes count as initialised (the host may write there at any time).
    ObjectId add(std::uint64_t base, std::uint64_t bytes, std::string name, bool written);
    ObjectId add_heap_block(std::uint64_t base, std::uint64_t bytes);
    void set_heap(std::uint64_t base);
    // Which of the program's calls gave the memory that begins there.
    void set_origin(std::uint64_t base, std::uint32_t number, std::shared_ptr<const AllocationOrigin> origin);
    void remove(std::uint64_t base, std::string freed_by);
    void remove_heap_block(std::uint64_t base);
    // Until it is empty again, frees are by this one.
    void set_freeing(std::string who) { freeing_ = std::move(who); }

    // The host wrote these bytes, or copied them from elsewhere.
    void wrote(std::uint64_t address, std::uint64_t bytes);
    // They are to count as never written.
    void forgot(std::uint64_t address, std::uint64_t bytes);
    void copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

    // The live one that holds the address, the heap's blocks before the heap; 0: none.
    [[nodiscard]] ObjectId find(std::uint64_t address) const;
    // The one that a value may point into: as above, or at its end.
    [[nodiscard]] ObjectId pointed_at(std::uint64_t value) const;
    // The latest free one that held the address.
    [[nodiscard]] ObjectId freed_at(std::uint64_t address) const;
    // The live one nearest to the address.
    [[nodiscard]] ObjectId nearest(std::uint64_t address) const;
    // As reports name it, with an address in it or near it.
    [[nodiscard]] CheckObject object(ObjectId id, std::uint64_t address) const;
    [[nodiscard]] CheckedAllocation& operator[](ObjectId id) { return all_[id]; }
    [[nodiscard]] const CheckedAllocation& operator[](ObjectId id) const { return all_[id]; }
    // No live or free allocation of the device is at or above it: where the next one goes.
    [[nodiscard]] std::uint64_t top() const { return top_; }
    [[nodiscard]] std::vector<ObjectId> live_heap_blocks() const;

private:
    using ByBase = std::map<std::uint64_t, ObjectId>;
    [[nodiscard]] ObjectId in(const ByBase& map, std::uint64_t address) const;

    std::vector<CheckedAllocation> all_ = std::vector<CheckedAllocation>(1);
    ByBase live_;
    ByBase blocks_; // of the heap, live
    ByBase freed_;
    std::uint64_t bottom_ = ~0ull;
    std::uint64_t end_ = 0;
    std::uint64_t top_ = 0; // without what the host registered
    std::string freeing_;
    mutable ObjectId last_ = 0;
};

} // namespace apod::emu
