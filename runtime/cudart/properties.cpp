#include "runtime/cudart/properties.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>

namespace apod::runtime::cudart {
namespace {

constexpr int mib = 1 << 20;
constexpr int texture_alignment = 512;
constexpr int constant_bytes = 65536;
constexpr int largest_pitch = 2147483647;

// Texture and surface limits are the same for every compute capability since 6.0 (Programming Guide, "Technical specifications").
void set_texture_limits(DeviceProperties& p) {
    const auto set = [](auto& to, std::initializer_list<int> values) { std::copy(values.begin(), values.end(), to); };
    p.texture_alignment = texture_alignment;
    p.texture_pitch_alignment = 32;
    p.surface_alignment = texture_alignment;
    p.max_texture_1d = 131072;
    p.max_texture_1d_mipmap = 32768;
    set(p.max_texture_2d, {131072, 65536});
    set(p.max_texture_2d_mipmap, {32768, 32768});
    set(p.max_texture_2d_linear, {131072, 65000, 2097120});
    set(p.max_texture_2d_gather, {32768, 32768});
    set(p.max_texture_3d, {16384, 16384, 16384});
    set(p.max_texture_3d_alternate, {8192, 8192, 32768});
    p.max_texture_cubemap = 32768;
    set(p.max_texture_1d_layered, {32768, 2048});
    set(p.max_texture_2d_layered, {32768, 32768, 2048});
    set(p.max_texture_cubemap_layered, {32768, 2046});
    p.max_surface_1d = 32768;
    set(p.max_surface_2d, {131072, 65536});
    set(p.max_surface_3d, {16384, 16384, 16384});
    set(p.max_surface_1d_layered, {32768, 2048});
    set(p.max_surface_2d_layered, {32768, 32768, 2048});
    p.max_surface_cubemap = 32768;
    set(p.max_surface_cubemap_layered, {32768, 2046});
}

void set_limits(DeviceProperties& p, const arch::Gpu& gpu) {
    const arch::Limits& limits = gpu.limits;
    const auto narrow = [](std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, 2147483647)); };
    p.shared_per_block = limits.shared_per_block_bytes;
    p.registers_per_block = narrow(limits.registers_per_block);
    p.warp_size = narrow(limits.warp_size);
    p.memory_pitch = largest_pitch;
    p.max_threads_per_block = narrow(limits.max_threads_per_block);
    p.max_threads_dim[0] = narrow(limits.max_block_x);
    p.max_threads_dim[1] = narrow(limits.max_block_y);
    p.max_threads_dim[2] = narrow(limits.max_block_z);
    p.max_grid_size[0] = narrow(limits.max_grid_x);
    p.max_grid_size[1] = narrow(limits.max_grid_y);
    p.max_grid_size[2] = narrow(limits.max_grid_z);
    p.total_constant_memory = constant_bytes;
    p.l2_cache_size = narrow(gpu.caches.l2_bytes);
    p.max_threads_per_multiprocessor = narrow(limits.max_threads_per_sm);
    p.shared_per_multiprocessor = limits.shared_per_sm_bytes;
    p.registers_per_multiprocessor = narrow(limits.registers_per_sm);
    p.shared_per_block_optin = std::max(limits.shared_per_block_optin_bytes, limits.shared_per_block_bytes);
    p.max_blocks_per_multiprocessor = narrow(limits.max_blocks_per_sm);
    p.reserved_shared_per_block = limits.shared_reserved_per_block_bytes;
    if (gpu.cc.major >= 8) {
        p.persisting_l2_cache_max_size = narrow(gpu.caches.l2_bytes * 5 / 8);
        p.access_policy_max_window_size = 128 * mib;
    }
}

void set_abilities(DeviceProperties& p, const arch::Gpu& gpu) {
    p.can_map_host_memory = 1;
    p.concurrent_kernels = 1;
    p.ecc_enabled = gpu.memory.type.starts_with("HBM") ? 1 : 0;
    p.async_engine_count = 3;
    p.unified_addressing = 1;
    p.stream_priorities_supported = 1;
    p.global_l1_cache_supported = 1;
    p.local_l1_cache_supported = 1;
    p.managed_memory = 1;
    p.concurrent_managed_access = gpu.cc.major >= 6 ? 1 : 0;
    p.compute_preemption_supported = gpu.cc.major >= 6 ? 1 : 0;
    p.can_use_host_pointer_for_registered_memory = 1;
    p.cooperative_launch = gpu.cc.major >= 6 ? 1 : 0;
    p.host_register_supported = 1;
    p.memory_pools_supported = 1;
    p.memory_pool_supported_handle_types = 1; // file descriptors
    p.cluster_launch = gpu.cc.major >= 9 ? 1 : 0;
    p.unified_function_pointers = 1;
    p.device_numa_id = -1;
    p.host_numa_id = -1;
}

int clock_khz(const arch::Gpu& gpu) { return static_cast<int>(gpu.boost_mhz * 1000); }
int memory_clock_khz(const arch::Gpu& gpu) { return static_cast<int>(gpu.memory.clock_mhz * 1000); }

// FP32 to FP64 rate.
int precision_ratio(const arch::Gpu& gpu) {
    return gpu.throughput.fp64 > 0 ? static_cast<int>(gpu.throughput.fp32 / gpu.throughput.fp64 + 0.5) : 0;
}

// Where the properties hold an attribute's value: cudaDeviceAttr's number, offset, whether it is a size_t. 15 is "copies overlap kernels".
struct Place {
    int attribute;
    std::size_t offset;
    bool wide;
};

constexpr Place places[] = {
    {1, offsetof(DeviceProperties, max_threads_per_block), false},
    {2, offsetof(DeviceProperties, max_threads_dim[0]), false},
    {3, offsetof(DeviceProperties, max_threads_dim[1]), false},
    {4, offsetof(DeviceProperties, max_threads_dim[2]), false},
    {5, offsetof(DeviceProperties, max_grid_size[0]), false},
    {6, offsetof(DeviceProperties, max_grid_size[1]), false},
    {7, offsetof(DeviceProperties, max_grid_size[2]), false},
    {8, offsetof(DeviceProperties, shared_per_block), true},
    {9, offsetof(DeviceProperties, total_constant_memory), true},
    {10, offsetof(DeviceProperties, warp_size), false},
    {11, offsetof(DeviceProperties, memory_pitch), true},
    {12, offsetof(DeviceProperties, registers_per_block), false},
    {14, offsetof(DeviceProperties, texture_alignment), true},
    {15, offsetof(DeviceProperties, concurrent_kernels), false},
    {16, offsetof(DeviceProperties, multiprocessor_count), false},
    {18, offsetof(DeviceProperties, integrated), false},
    {19, offsetof(DeviceProperties, can_map_host_memory), false},
    {21, offsetof(DeviceProperties, max_texture_1d), false},
    {22, offsetof(DeviceProperties, max_texture_2d[0]), false},
    {23, offsetof(DeviceProperties, max_texture_2d[1]), false},
    {24, offsetof(DeviceProperties, max_texture_3d[0]), false},
    {25, offsetof(DeviceProperties, max_texture_3d[1]), false},
    {26, offsetof(DeviceProperties, max_texture_3d[2]), false},
    {27, offsetof(DeviceProperties, max_texture_2d_layered[0]), false},
    {28, offsetof(DeviceProperties, max_texture_2d_layered[1]), false},
    {29, offsetof(DeviceProperties, max_texture_2d_layered[2]), false},
    {30, offsetof(DeviceProperties, surface_alignment), true},
    {31, offsetof(DeviceProperties, concurrent_kernels), false},
    {32, offsetof(DeviceProperties, ecc_enabled), false},
    {33, offsetof(DeviceProperties, pci_bus_id), false},
    {34, offsetof(DeviceProperties, pci_device_id), false},
    {35, offsetof(DeviceProperties, tcc_driver), false},
    {37, offsetof(DeviceProperties, memory_bus_width), false},
    {38, offsetof(DeviceProperties, l2_cache_size), false},
    {39, offsetof(DeviceProperties, max_threads_per_multiprocessor), false},
    {40, offsetof(DeviceProperties, async_engine_count), false},
    {41, offsetof(DeviceProperties, unified_addressing), false},
    {42, offsetof(DeviceProperties, max_texture_1d_layered[0]), false},
    {43, offsetof(DeviceProperties, max_texture_1d_layered[1]), false},
    {45, offsetof(DeviceProperties, max_texture_2d_gather[0]), false},
    {46, offsetof(DeviceProperties, max_texture_2d_gather[1]), false},
    {47, offsetof(DeviceProperties, max_texture_3d_alternate[0]), false},
    {48, offsetof(DeviceProperties, max_texture_3d_alternate[1]), false},
    {49, offsetof(DeviceProperties, max_texture_3d_alternate[2]), false},
    {50, offsetof(DeviceProperties, pci_domain_id), false},
    {51, offsetof(DeviceProperties, texture_pitch_alignment), true},
    {52, offsetof(DeviceProperties, max_texture_cubemap), false},
    {53, offsetof(DeviceProperties, max_texture_cubemap_layered[0]), false},
    {54, offsetof(DeviceProperties, max_texture_cubemap_layered[1]), false},
    {55, offsetof(DeviceProperties, max_surface_1d), false},
    {56, offsetof(DeviceProperties, max_surface_2d[0]), false},
    {57, offsetof(DeviceProperties, max_surface_2d[1]), false},
    {58, offsetof(DeviceProperties, max_surface_3d[0]), false},
    {59, offsetof(DeviceProperties, max_surface_3d[1]), false},
    {60, offsetof(DeviceProperties, max_surface_3d[2]), false},
    {61, offsetof(DeviceProperties, max_surface_1d_layered[0]), false},
    {62, offsetof(DeviceProperties, max_surface_1d_layered[1]), false},
    {63, offsetof(DeviceProperties, max_surface_2d_layered[0]), false},
    {64, offsetof(DeviceProperties, max_surface_2d_layered[1]), false},
    {65, offsetof(DeviceProperties, max_surface_2d_layered[2]), false},
    {66, offsetof(DeviceProperties, max_surface_cubemap), false},
    {67, offsetof(DeviceProperties, max_surface_cubemap_layered[0]), false},
    {68, offsetof(DeviceProperties, max_surface_cubemap_layered[1]), false},
    {69, offsetof(DeviceProperties, max_texture_1d), false},
    {70, offsetof(DeviceProperties, max_texture_2d_linear[0]), false},
    {71, offsetof(DeviceProperties, max_texture_2d_linear[1]), false},
    {72, offsetof(DeviceProperties, max_texture_2d_linear[2]), false},
    {73, offsetof(DeviceProperties, max_texture_2d_mipmap[0]), false},
    {74, offsetof(DeviceProperties, max_texture_2d_mipmap[1]), false},
    {75, offsetof(DeviceProperties, major), false},
    {76, offsetof(DeviceProperties, minor), false},
    {77, offsetof(DeviceProperties, max_texture_1d_mipmap), false},
    {78, offsetof(DeviceProperties, stream_priorities_supported), false},
    {79, offsetof(DeviceProperties, global_l1_cache_supported), false},
    {80, offsetof(DeviceProperties, local_l1_cache_supported), false},
    {81, offsetof(DeviceProperties, shared_per_multiprocessor), true},
    {82, offsetof(DeviceProperties, registers_per_multiprocessor), false},
    {83, offsetof(DeviceProperties, managed_memory), false},
    {84, offsetof(DeviceProperties, is_multi_gpu_board), false},
    {85, offsetof(DeviceProperties, multi_gpu_board_group_id), false},
    {86, offsetof(DeviceProperties, host_native_atomic_supported), false},
    {88, offsetof(DeviceProperties, pageable_memory_access), false},
    {89, offsetof(DeviceProperties, concurrent_managed_access), false},
    {90, offsetof(DeviceProperties, compute_preemption_supported), false},
    {91, offsetof(DeviceProperties, can_use_host_pointer_for_registered_memory), false},
    {95, offsetof(DeviceProperties, cooperative_launch), false},
    {97, offsetof(DeviceProperties, shared_per_block_optin), true},
    {99, offsetof(DeviceProperties, host_register_supported), false},
    {100, offsetof(DeviceProperties, pageable_memory_access_uses_host_page_tables), false},
    {101, offsetof(DeviceProperties, direct_managed_memory_access_from_host), false},
    {106, offsetof(DeviceProperties, max_blocks_per_multiprocessor), false},
    {108, offsetof(DeviceProperties, persisting_l2_cache_max_size), false},
    {109, offsetof(DeviceProperties, access_policy_max_window_size), false},
    {111, offsetof(DeviceProperties, reserved_shared_per_block), true},
    {112, offsetof(DeviceProperties, sparse_array_supported), false},
    {113, offsetof(DeviceProperties, host_register_read_only_supported), false},
    {114, offsetof(DeviceProperties, timeline_semaphore_interop_supported), false},
    {115, offsetof(DeviceProperties, memory_pools_supported), false},
    {116, offsetof(DeviceProperties, gpu_direct_rdma_supported), false},
    {117, offsetof(DeviceProperties, gpu_direct_rdma_flush_writes_options), false},
    {118, offsetof(DeviceProperties, gpu_direct_rdma_writes_ordering), false},
    {119, offsetof(DeviceProperties, memory_pool_supported_handle_types), false},
    {120, offsetof(DeviceProperties, cluster_launch), false},
    {121, offsetof(DeviceProperties, deferred_mapping_array_supported), false},
    {125, offsetof(DeviceProperties, ipc_event_supported), false},
    {130, offsetof(DeviceProperties, device_numa_config), false},
    {131, offsetof(DeviceProperties, device_numa_id), false},
    {133, offsetof(DeviceProperties, mps_enabled), false},
    {134, offsetof(DeviceProperties, host_numa_id), false},
    {139, offsetof(DeviceProperties, gpu_pci_device_id), false},
    {140, offsetof(DeviceProperties, gpu_pci_subsystem_id), false},
    {143, offsetof(DeviceProperties, host_numa_multinode_ipc_supported), false},
};

// Attributes that no property repeats.
std::optional<int> lone_attribute(const arch::Gpu& gpu, int attribute) {
    switch (attribute) {
    case 13: return clock_khz(gpu);
    case 17: return 0; // kernel execution time-out
    case 20: return 0; // compute mode: default
    case 36: return memory_clock_khz(gpu);
    case 87: return precision_ratio(gpu);
    case 98: return 0;  // flushing remote writes
    case 102: return 1; // virtual memory, and its pieces as file descriptors
    case 103: return 1;
    case 107: return 1; // compression can be asked for, and changes nothing
    case 126: return 4; // memory synchronisation domains
    case 138: return 0;
    case 142: return 0;
    case 144: return 0;
    case 147: return 0;
    default: break;
    }
    // Memory operations of streams, tensor maps, fabric, multicast, decompression and the like: known, and not here.
    constexpr int absent[] = {92, 93, 94, 96, 104, 105, 110, 122, 123, 124, 127, 128, 129, 132, 135, 136, 137, 141, 145, 146};
    return std::find(std::begin(absent), std::end(absent), attribute) != std::end(absent) ? std::optional(0) : std::nullopt;
}

} // namespace

DeviceProperties device_properties(const arch::Gpu& gpu, int device) {
    DeviceProperties p = {};
    std::strncpy(p.name, gpu.name.c_str(), sizeof p.name - 1);
    std::strncpy(p.uuid, "apod-emulated-0", sizeof p.uuid);
    p.uuid[14] = static_cast<char>('0' + device);
    p.total_global_memory = gpu.memory.size_bytes;
    p.major = gpu.cc.major;
    p.minor = gpu.cc.minor;
    p.multiprocessor_count = static_cast<int>(gpu.sm_count);
    p.memory_bus_width = static_cast<int>(gpu.memory.bus_bits);
    p.pci_bus_id = device + 1;
    set_limits(p, gpu);
    set_texture_limits(p);
    set_abilities(p, gpu);
    return p;
}

std::optional<int> device_attribute(const arch::Gpu& gpu, int device, int attribute) {
    if (const std::optional<int> alone = lone_attribute(gpu, attribute)) return alone;
    const auto place = std::find_if(std::begin(places), std::end(places), [&](const Place& p) { return p.attribute == attribute; });
    if (place == std::end(places)) return std::nullopt;
    const DeviceProperties properties = device_properties(gpu, device);
    const char* at = reinterpret_cast<const char*>(&properties) + place->offset;
    if (!place->wide) {
        int value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    std::size_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return static_cast<int>(std::min<std::size_t>(value, 2147483647));
}

} // namespace apod::runtime::cudart
