#include "runtime/cudart/twelve/properties.hpp"

#include "runtime/cudart/properties.hpp"

#include <cassert>
#include <cstring>

namespace apod::runtime::cudart {
namespace {

// From one member to the end of another. Both structures have these members in a row, with the same gaps: each run begins at an eight-byte
// member or has none.
template<class From, class FromLast, class To, class ToLast>
void copy_run(const From& from, const FromLast& from_last, To& to, const ToLast& to_last) {
    const auto bytes = [](const void* first, const void* last, std::size_t size) {
        return static_cast<std::size_t>(static_cast<const char*>(last) - static_cast<const char*>(first)) + size;
    };
    const std::size_t run = bytes(&from, &from_last, sizeof from_last);
    [[maybe_unused]] const std::size_t there = bytes(&to, &to_last, sizeof to_last);
    assert(run == there);
    std::memcpy(&to, &from, run);
}

// cudaDeviceAttr's numbers of what properties no longer have.
constexpr int attribute_clock = 13;
constexpr int attribute_memory_clock = 36;
constexpr int attribute_precision_ratio = 87;

} // namespace

DeviceProperties12 device_properties12(const arch::Gpu& gpu, int device) {
    const DeviceProperties now = device_properties(gpu, device);
    DeviceProperties12 p = {};
    const auto attribute = [&](int number) { return device_attribute(gpu, device, number).value_or(0); };
    copy_run(now.name, now.max_grid_size, p.name, p.max_grid_size);
    copy_run(now.total_constant_memory, now.texture_pitch_alignment, p.total_constant_memory, p.texture_pitch_alignment);
    copy_run(now.max_texture_1d, now.max_texture_1d_mipmap, p.max_texture_1d, p.max_texture_1d_mipmap);
    copy_run(now.max_texture_2d, now.max_surface_cubemap_layered, p.textures_and_surfaces, p.textures_and_surfaces);
    copy_run(now.surface_alignment, now.unified_addressing, p.surface_alignment, p.unified_addressing);
    copy_run(now.memory_bus_width, now.local_l1_cache_supported, p.memory_bus_width, p.local_l1_cache_supported);
    copy_run(now.shared_per_multiprocessor, now.host_native_atomic_supported, p.shared_per_multiprocessor, p.host_native_atomic_supported);
    copy_run(now.pageable_memory_access, now.cooperative_launch, p.pageable_memory_access, p.cooperative_launch);
    copy_run(now.shared_per_block_optin, now.access_policy_max_window_size, p.shared_per_block_optin, p.access_policy_max_window_size);
    copy_run(now.reserved_shared_per_block, now.unified_function_pointers, p.reserved_shared_per_block, p.unified_function_pointers);
    p.multiprocessor_count = now.multiprocessor_count;
    p.integrated = now.integrated;
    p.can_map_host_memory = now.can_map_host_memory;
    p.device_overlap = 1;
    p.max_texture_1d_linear = 268435456;
    p.clock_khz = attribute(attribute_clock);
    p.memory_clock_khz = attribute(attribute_memory_clock);
    p.single_to_double_ratio = attribute(attribute_precision_ratio);
    return p;
}

} // namespace apod::runtime::cudart
