#include "runtime/core/virtual_memory.hpp"

#include <algorithm>
#include <iterator>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apod::runtime {
namespace {

bool whole(std::uint64_t value) { return value % VirtualMemory::granularity == 0; }

void* pointer(VirtualMemory::Address address) { return reinterpret_cast<void*>(address); }

// Nothing can be touched there, and nobody else is given the addresses.
bool hide(VirtualMemory::Address address, std::uint64_t bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return ::mmap(pointer(address), bytes, PROT_NONE, flags, -1, 0) != MAP_FAILED;
}

} // namespace

Error VirtualMemory::reserve(std::uint64_t bytes, std::uint64_t align, Address wanted, Address& address) {
    if (bytes == 0 || !whole(bytes) || (align & (align - 1)) != 0) return Error::invalid_value;
    const std::uint64_t unit = std::max(align, granularity);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* at = MAP_FAILED;
    if (wanted != 0 && wanted % unit == 0) at = ::mmap(pointer(wanted), bytes, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != MAP_FAILED && at != pointer(wanted)) ::munmap(at, bytes), at = MAP_FAILED;
    if (at != MAP_FAILED) {
        address = wanted;
    } else {
        at = ::mmap(nullptr, bytes + unit, PROT_NONE, flags, -1, 0);
        if (at == MAP_FAILED) return Error::memory_allocation;
        const auto begin = reinterpret_cast<Address>(at);
        address = (begin + unit - 1) / unit * unit;
        if (address > begin) ::munmap(at, address - begin);
        ::munmap(pointer(address + bytes), begin + unit - address);
    }
    reserved_[address] = bytes;
    return Error::success;
}

Error VirtualMemory::unreserve(Address address, std::uint64_t bytes) {
    const auto found = reserved_.find(address);
    if (found == reserved_.end() || found->second != bytes) return Error::invalid_value;
    const auto mapping = mappings_.lower_bound(address);
    if (mapping != mappings_.end() && mapping->first < address + bytes) return Error::invalid_value;
    ::munmap(pointer(address), bytes);
    reserved_.erase(found);
    return Error::success;
}

Error VirtualMemory::create(const Piece& piece, Handle& handle) {
    if (piece.bytes == 0 || !whole(piece.bytes)) return Error::invalid_value;
    if (const Error error = table_.take(piece.bytes, piece.device); error != Error::success) return error;
    Piece made = piece;
    made.file = ::memfd_create("apod device memory", MFD_CLOEXEC);
    if (made.file < 0 || ::ftruncate(made.file, static_cast<off_t>(piece.bytes)) != 0) {
        if (made.file >= 0) ::close(made.file);
        table_.give(piece.bytes, piece.device);
        return Error::memory_allocation;
    }
    handle = next_++;
    pieces_[handle] = made;
    return Error::success;
}

const VirtualMemory::Piece* VirtualMemory::find(Handle handle) const {
    const auto found = pieces_.find(handle);
    return found == pieces_.end() || found->second.released ? nullptr : &found->second;
}

void VirtualMemory::drop_use(Handle handle) {
    Piece& piece = pieces_.at(handle);
    if (--piece.uses != 0) return;
    ::close(piece.file);
    table_.give(piece.bytes, piece.device);
    pieces_.erase(handle);
}

Error VirtualMemory::release(Handle handle) {
    if (find(handle) == nullptr) return Error::invalid_value;
    Piece& piece = pieces_.at(handle);
    const auto mapped = std::count_if(mappings_.begin(), mappings_.end(), [&](const auto& entry) { return entry.second.handle == handle; });
    piece.released = piece.uses == static_cast<unsigned>(mapped) + 1;
    drop_use(handle);
    return Error::success;
}

bool VirtualMemory::in_a_reservation(Address address, std::uint64_t bytes) const {
    const auto after = reserved_.upper_bound(address);
    if (after == reserved_.begin()) return false;
    const auto& [begin, size] = *std::prev(after);
    return address + bytes >= address && address + bytes <= begin + size;
}

Error VirtualMemory::map(Address address, std::uint64_t bytes, std::uint64_t offset, Handle handle) {
    const Piece* piece = find(handle);
    if (piece == nullptr || bytes == 0 || !whole(address) || !whole(bytes) || !whole(offset)) return Error::invalid_value;
    if (offset + bytes < bytes || offset + bytes > piece->bytes || !in_a_reservation(address, bytes)) return Error::invalid_value;
    const auto next = mappings_.lower_bound(address);
    if (next != mappings_.end() && next->first < address + bytes) return Error::invalid_value;
    if (next != mappings_.begin() && std::prev(next)->first + std::prev(next)->second.bytes > address) return Error::invalid_value;
    // The emulator is the one who knows who may access what; the host's pages can always be read.
    void* at = ::mmap(pointer(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, piece->file, static_cast<off_t>(offset));
    if (at == MAP_FAILED) return Error::memory_allocation;
    ++pieces_.at(handle).uses;
    mappings_[address] = {bytes, handle, false};
    return Error::success;
}

bool VirtualMemory::covered(Address address, std::uint64_t bytes) const {
    Address at = address;
    while (at < address + bytes) {
        const auto found = mappings_.find(at);
        if (found == mappings_.end()) return false;
        at += found->second.bytes;
    }
    return at == address + bytes;
}

Error VirtualMemory::unmap(Address address, std::uint64_t bytes) {
    if (bytes == 0 || !covered(address, bytes)) return Error::invalid_value;
    if (const Error error = set_access(address, bytes, false); error != Error::success) return error;
    for (auto it = mappings_.find(address); it != mappings_.end() && it->first < address + bytes;) {
        drop_use(it->second.handle);
        it = mappings_.erase(it);
    }
    return hide(address, bytes) ? Error::success : Error::memory_allocation;
}

Error VirtualMemory::set_access(Address address, std::uint64_t bytes, bool accessible) {
    if (bytes == 0 || !covered(address, bytes)) return Error::invalid_value;
    for (auto it = mappings_.find(address); it != mappings_.end() && it->first < address + bytes; ++it) it->second.accessible = accessible;
    return publish(address, bytes);
}

Error VirtualMemory::publish(Address address, std::uint64_t bytes) {
    // What touches the range is one allocation with it, or no more.
    Address begin = address, end = address + bytes;
    for (auto it = published_.begin(); it != published_.end();) {
        if (it->first > end || it->first + it->second < begin) {
            ++it;
            continue;
        }
        begin = std::min(begin, it->first);
        end = std::max(end, it->first + it->second);
        table_.unmap_device(it->first);
        it = published_.erase(it);
    }
    for (auto it = mappings_.lower_bound(begin); it != mappings_.end() && it->first < end;) {
        if (!it->second.accessible) {
            ++it;
            continue;
        }
        const Address first = it->first;
        const int device = pieces_.at(it->second.handle).device;
        Address last = first;
        for (; it != mappings_.end() && it->first == last && it->second.accessible && it->first < end; ++it) last += it->second.bytes;
        if (const Error error = table_.map_device(first, last - first, device); error != Error::success) return error;
        published_[first] = last - first;
    }
    return Error::success;
}

Error VirtualMemory::export_file(Handle handle, int& file) {
    const Piece* piece = find(handle);
    if (piece == nullptr) return Error::invalid_value;
    file = ::dup(piece->file);
    return file < 0 ? Error::operating_system : Error::success;
}

Error VirtualMemory::import_file(int file, int device, Handle& handle) {
    struct stat facts = {};
    if (::fstat(file, &facts) != 0 || facts.st_size <= 0 || !whole(static_cast<std::uint64_t>(facts.st_size))) return Error::invalid_value;
    Piece piece;
    piece.bytes = static_cast<std::uint64_t>(facts.st_size);
    piece.device = device;
    piece.handle_types = 1; // a file descriptor
    piece.file = ::dup(file);
    if (piece.file < 0) return Error::operating_system;
    if (const Error error = table_.take(piece.bytes, device); error != Error::success) {
        ::close(piece.file);
        return error;
    }
    handle = next_++;
    pieces_[handle] = piece;
    return Error::success;
}

VirtualMemory::Handle VirtualMemory::mapped_at(Address address, bool& accessible, bool retain) {
    const auto after = mappings_.upper_bound(address);
    if (after == mappings_.begin()) return 0;
    const auto& [begin, mapping] = *std::prev(after);
    if (address - begin >= mapping.bytes) return 0;
    accessible = mapping.accessible;
    if (retain) {
        Piece& piece = pieces_.at(mapping.handle);
        ++piece.uses;
        piece.released = false;
    }
    return mapping.handle;
}

} // namespace apod::runtime
