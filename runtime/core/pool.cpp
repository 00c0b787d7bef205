#include "runtime/core/pool.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <sys/mman.h>
#include <unistd.h>

namespace apod::runtime {
namespace {

constexpr int most_devices = 16;

bool known(const Pool& pool, int attribute) { return attribute >= 1 && attribute < static_cast<int>(pool.attributes.size()); }

// cudaMemPoolAttr's figures of use.
constexpr std::size_t reserved_now = 5;
constexpr std::size_t reserved_high = 6;
constexpr std::size_t used_now = 7;
constexpr std::size_t used_high = 8;

// What the file holds that stands for a pool.
struct PoolName {
    std::uint64_t mark = 0x31'6c'6f'6f'70'64'6f'70; // "podpool1"
    std::int32_t device = 0;
    std::int32_t unused = 0;
};

struct Given {
    Pool* pool;
    std::uint64_t bytes;
};

std::unordered_map<std::uint64_t, Given>& given() {
    static auto& allocations = *new std::unordered_map<std::uint64_t, Given>;
    return allocations;
}

void raise(std::uint64_t& high, std::uint64_t now) { high = std::max(high, now); }

std::size_t value_bytes(int attribute) { return attribute >= first_wide_pool_attribute ? 8 : 4; }

} // namespace

Pool& default_pool(int device) {
    static auto& pools = *new std::array<Pool, most_devices>;
    pools[static_cast<std::size_t>(device)].device = device;
    return pools[static_cast<std::size_t>(device)];
}

bool set_pool_attribute(Pool& pool, int attribute, const void* value) {
    if (value == nullptr || !known(pool, attribute)) return false;
    std::uint64_t& held = pool.attributes[static_cast<std::size_t>(attribute)];
    held = 0;
    std::memcpy(&held, value, value_bytes(attribute));
    return true;
}

bool get_pool_attribute(const Pool& pool, int attribute, void* value) {
    if (value == nullptr || !known(pool, attribute)) return false;
    std::memcpy(value, &pool.attributes[static_cast<std::size_t>(attribute)], value_bytes(attribute));
    return true;
}

void pool_allocated(Pool& pool, std::uint64_t address, std::uint64_t bytes) {
    given()[address] = {&pool, bytes};
    pool.attributes[used_now] += bytes;
    pool.attributes[reserved_now] += bytes;
    raise(pool.attributes[used_high], pool.attributes[used_now]);
    raise(pool.attributes[reserved_high], pool.attributes[reserved_now]);
}

void pool_freed(std::uint64_t address) {
    const auto found = given().find(address);
    if (found == given().end()) return;
    const auto [pool, bytes] = found->second;
    pool->attributes[used_now] -= bytes;
    pool->attributes[reserved_now] -= bytes;
    given().erase(found);
}

const Pool* pool_of(std::uint64_t address) {
    const auto found = given().find(address);
    return found == given().end() ? nullptr : found->second.pool;
}

Error export_pool(const Pool& pool, int& file) {
    if (pool.imported || (pool.handle_types & pool_file_descriptor) == 0) return Error::invalid_value;
    PoolName name;
    name.device = pool.device;
    const int made = ::memfd_create("apod memory pool", MFD_CLOEXEC);
    if (made < 0) return Error::operating_system;
    if (::pwrite(made, &name, sizeof name, 0) != static_cast<ssize_t>(sizeof name)) {
        ::close(made);
        return Error::operating_system;
    }
    file = made;
    return Error::success;
}

Error import_pool(int file, int devices, Pool& pool) {
    PoolName name;
    const std::uint64_t mark = name.mark;
    if (::pread(file, &name, sizeof name, 0) != static_cast<ssize_t>(sizeof name) || name.mark != mark) return Error::invalid_value;
    if (name.device < 0 || name.device >= devices) return Error::invalid_value;
    pool.device = name.device;
    pool.imported = true;
    return Error::success;
}

} // namespace apod::runtime
