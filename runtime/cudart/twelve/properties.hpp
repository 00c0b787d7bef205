// cudaDeviceProp by the layout of CUDA 12: that of 13 with what 13 left out.
#pragma once

#include "arch/gpu.hpp"

#include <cstddef>

namespace apod::runtime::cudart {

struct DeviceProperties12 {
    char name[256];
    char uuid[16];
    char luid[8];
    unsigned luid_device_node_mask;
    std::size_t total_global_memory;
    std::size_t shared_per_block;
    int registers_per_block;
    int warp_size;
    std::size_t memory_pitch;
    int max_threads_per_block;
    int max_threads_dim[3];
    int max_grid_size[3];
    int clock_khz;
    std::size_t total_constant_memory;
    int major, minor;
    std::size_t texture_alignment;
    std::size_t texture_pitch_alignment;
    int device_overlap;
    int multiprocessor_count;
    int kernel_timeout;
    int integrated;
    int can_map_host_memory;
    int compute_mode;
    int max_texture_1d;
    int max_texture_1d_mipmap;
    int max_texture_1d_linear;
    int textures_and_surfaces[37]; // from max_texture_2d to max_surface_cubemap_layered
    std::size_t surface_alignment;
    int concurrent_kernels;
    int ecc_enabled;
    int pci_bus_id, pci_device_id, pci_domain_id;
    int tcc_driver;
    int async_engine_count;
    int unified_addressing;
    int memory_clock_khz;
    int memory_bus_width;
    int l2_cache_size;
    int persisting_l2_cache_max_size;
    int max_threads_per_multiprocessor;
    int stream_priorities_supported;
    int global_l1_cache_supported;
    int local_l1_cache_supported;
    std::size_t shared_per_multiprocessor;
    int registers_per_multiprocessor;
    int managed_memory;
    int is_multi_gpu_board;
    int multi_gpu_board_group_id;
    int host_native_atomic_supported;
    int single_to_double_ratio;
    int pageable_memory_access;
    int concurrent_managed_access;
    int compute_preemption_supported;
    int can_use_host_pointer_for_registered_memory;
    int cooperative_launch;
    int cooperative_multi_device_launch;
    std::size_t shared_per_block_optin;
    int pageable_memory_access_uses_host_page_tables;
    int direct_managed_memory_access_from_host;
    int max_blocks_per_multiprocessor;
    int access_policy_max_window_size;
    std::size_t reserved_shared_per_block;
    int host_register_supported;
    int other_abilities[11]; // from sparse_array_supported to cluster_launch
    int unified_function_pointers;
    int reserved[63];
};

[[nodiscard]] DeviceProperties12 device_properties12(const arch::Gpu& gpu, int device);

} // namespace apod::runtime::cudart
