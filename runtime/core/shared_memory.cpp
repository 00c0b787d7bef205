#include "runtime/core/shared_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apod::runtime {
namespace {

constexpr std::uint64_t our_mark = 0x31'63'70'69'64'6f'70'61; // "apodipc1"
constexpr std::uint64_t page = 4096;

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

bool write_all(int file, const void* from, std::uint64_t bytes) {
    const auto* data = static_cast<const char*>(from);
    for (std::uint64_t done = 0; done < bytes;) {
        const ssize_t written = ::pwrite(file, data + done, bytes - done, static_cast<off_t>(done));
        if (written < 0 && errno != EINTR) return false;
        done += static_cast<std::uint64_t>(std::max<ssize_t>(written, 0));
    }
    return true;
}

} // namespace

SharedMemory::SharedMemory(MemoryTable& table) : table_(table) {
    table_.after_free = [this](const Held& held) { freed(held); };
}

// Allocations are a page apart at least (emu/memory.cpp), so the pages are this one's alone.
Error SharedMemory::share(const Held& held) {
    Given given;
    given.pages_begin = held.base / page * page;
    given.pages_bytes = (held.base + held.bytes + page - 1) / page * page - given.pages_begin;
    given.file = ::memfd_create("apod shared device memory", MFD_CLOEXEC);
    if (given.file < 0) return Error::operating_system;
    const bool filled = ::ftruncate(given.file, static_cast<off_t>(given.pages_bytes)) == 0 &&
                        write_all(given.file, pointer(given.pages_begin), given.pages_bytes);
    const int flags = MAP_SHARED | MAP_FIXED;
    if (!filled || ::mmap(pointer(given.pages_begin), given.pages_bytes, PROT_READ | PROT_WRITE, flags, given.file, 0) == MAP_FAILED) {
        ::close(given.file);
        return Error::operating_system;
    }
    given_[held.base] = given;
    return Error::success;
}

Error SharedMemory::name(emu::DeviceAddress address, Name& name) {
    const std::optional<Held> held = table_.find(address);
    if (!held || held->kind != MemoryKind::device || held->mapped) return Error::invalid_value;
    if (!given_.contains(held->base))
        if (const Error error = share(*held); error != Error::success) return error;
    const Given& given = given_.at(held->base);
    name = {our_mark, ::getpid(), given.file, held->base - given.pages_begin, held->bytes, held->device, {}};
    return Error::success;
}

Error SharedMemory::open(const Name& name, emu::DeviceAddress& address) {
    if (name.mark != our_mark) return Error::invalid_value;
    if (name.process == ::getpid()) return Error::invalid_context;
    for (auto& [base, opened] : opened_)
        if (std::memcmp(&opened.name, &name, sizeof name) == 0) {
            ++opened.uses;
            address = base;
            return Error::success;
        }
    const std::string path = "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.file);
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return Error::invalid_value;
    struct stat facts = {};
    Opened opened{name, 0, 0, 1};
    if (::fstat(file, &facts) == 0) opened.pages_bytes = static_cast<std::uint64_t>(facts.st_size);
    void* at = MAP_FAILED;
    if (name.first < opened.pages_bytes && name.bytes <= opened.pages_bytes - name.first && name.bytes != 0)
        at = ::mmap(nullptr, opened.pages_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (at == MAP_FAILED) return Error::invalid_value;
    opened.pages_begin = reinterpret_cast<std::uint64_t>(at);
    address = opened.pages_begin + name.first;
    if (const Error error = table_.map_device(address, name.bytes, name.device); error != Error::success) {
        ::munmap(at, opened.pages_bytes);
        return error;
    }
    opened_[address] = opened;
    return Error::success;
}

Error SharedMemory::close(emu::DeviceAddress address) {
    const auto found = opened_.find(address);
    if (found == opened_.end()) return Error::invalid_value;
    if (--found->second.uses != 0) return Error::success;
    table_.unmap_device(address);
    ::munmap(pointer(found->second.pages_begin), found->second.pages_bytes);
    opened_.erase(found);
    return Error::success;
}

// Whoever has it open keeps the pages; here come fresh ones, of which the next allocation is made.
void SharedMemory::freed(const Held& held) {
    const auto found = given_.find(held.base);
    if (found == given_.end()) return;
    const Given& given = found->second;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    (void)::mmap(pointer(given.pages_begin), given.pages_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    ::close(given.file);
    given_.erase(found);
}

} // namespace apod::runtime
