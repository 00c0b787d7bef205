#include "runtime/core/pool.hpp"

#include <cstring>

namespace apod::runtime {
namespace {

constexpr int most_devices = 16;

bool known(const Pool& pool, int attribute) { return attribute >= 1 && attribute < static_cast<int>(pool.attributes.size()); }

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

} // namespace apod::runtime
