// The structures of CUDA's runtime interface, by the layouts that programs compiled with CUDA 13's headers use. Only facts of the binary
// interface are stated here; layouts_test.cpp holds them against the toolkit's headers where those are installed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace apod::runtime {
class Graph;
struct Stream;
struct GraphNode;
} // namespace apod::runtime

namespace apod::runtime::cudart {

struct Dim { // dim3
    unsigned x, y, z;
};

struct Extent { // cudaExtent: width in elements or bytes, as the call says
    std::size_t width, height, depth;
};

struct Position { // cudaPos
    std::size_t x, y, z;
};

struct PitchedPointer { // cudaPitchedPtr
    void* pointer;
    std::size_t pitch, width, height;
};

struct Copy3d { // cudaMemcpy3DParms
    void* from_array;
    Position from_position;
    PitchedPointer from;
    void* to_array;
    Position to_position;
    PitchedPointer to;
    Extent extent;
    int kind;
};

struct FunctionAttributes { // cudaFuncAttributes
    std::size_t shared_bytes;
    std::size_t constant_bytes;
    std::size_t local_bytes;
    int max_threads_per_block;
    int registers;
    int ptx_version;
    int binary_version;
    int cache_mode_ca;
    int max_dynamic_shared_bytes;
    int preferred_carveout;
    int cluster_must_be_set;
    int required_cluster_width, required_cluster_height, required_cluster_depth;
    int cluster_scheduling_policy;
    int non_portable_cluster_allowed;
    int reserved[16];
};

struct PointerAttributes { // cudaPointerAttributes
    int type;              // 0 unregistered, 1 host, 2 device, 3 managed
    int device;
    void* device_pointer;
    void* host_pointer;
    long reserved[8];
};

struct LaunchAttribute { // cudaLaunchAttribute
    int id;
    char padding[4];
    union {
        char bytes[64];
        int number;
        unsigned cluster[3];
    } value;
};

struct LaunchConfiguration { // cudaLaunchConfig_t
    Dim grid;
    Dim block;
    std::size_t dynamic_shared_bytes;
    Stream* stream;
    LaunchAttribute* attributes;
    unsigned attribute_count;
};

struct KernelNodeParameters { // cudaKernelNodeParams
    const void* function;
    Dim grid;
    Dim block;
    unsigned dynamic_shared_bytes;
    void** arguments;
    void** extra;
};

struct FillNodeParameters { // cudaMemsetParams
    void* to;
    std::size_t pitch;
    unsigned value;
    unsigned element_bytes;
    std::size_t width; // elements
    std::size_t height;
};

struct HostNodeParameters { // cudaHostNodeParams
    void (*function)(void*);
    void* data;
};

struct CopyNodeParameters { // cudaMemcpyNodeParams
    int flags;
    int reserved[3];
    Copy3d copy;
};

struct PoolProperties { // cudaMemPoolProps
    int allocation_type;
    int handle_types;
    int location_type;
    int location;
    char rest[72];
};

struct AllocNodeParameters { // cudaMemAllocNodeParams
    PoolProperties pool;
    const void* access;
    std::size_t access_count;
    std::size_t bytes;
    void* address; // out
};

struct ConditionalNodeParameters { // cudaConditionalNodeParams
    unsigned long long handle;
    int kind;
    unsigned size;
    Graph** bodies; // out
};

struct EdgeData { // cudaGraphEdgeData
    unsigned char from_port, to_port, type, reserved[5];
};

struct NodeParameters { // cudaGraphNodeParams
    int type;
    int reserved[3];
    union {
        long long all[29];
        KernelNodeParameters kernel;
        CopyNodeParameters copy;
        FillNodeParameters fill;
        HostNodeParameters host;
        void* handle; // child graph, event, memory to free
        AllocNodeParameters allocation;
        ConditionalNodeParameters conditional;
    };
    long long reserved_end;
};

struct GraphInstantiation { // cudaGraphInstantiateParams
    unsigned long long flags;
    Stream* upload;
    GraphNode* error_node; // out
    int result;            // out
};

struct GraphUpdateResult { // cudaGraphExecUpdateResultInfo
    int result;
    GraphNode* error_node;
    GraphNode* error_from;
};

struct DeviceProperties { // cudaDeviceProp of CUDA 13
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
    std::size_t total_constant_memory;
    int major, minor;
    std::size_t texture_alignment;
    std::size_t texture_pitch_alignment;
    int multiprocessor_count;
    int integrated;
    int can_map_host_memory;
    int max_texture_1d;
    int max_texture_1d_mipmap;
    int max_texture_2d[2];
    int max_texture_2d_mipmap[2];
    int max_texture_2d_linear[3];
    int max_texture_2d_gather[2];
    int max_texture_3d[3];
    int max_texture_3d_alternate[3];
    int max_texture_cubemap;
    int max_texture_1d_layered[2];
    int max_texture_2d_layered[3];
    int max_texture_cubemap_layered[2];
    int max_surface_1d;
    int max_surface_2d[2];
    int max_surface_3d[3];
    int max_surface_1d_layered[2];
    int max_surface_2d_layered[3];
    int max_surface_cubemap;
    int max_surface_cubemap_layered[2];
    std::size_t surface_alignment;
    int concurrent_kernels;
    int ecc_enabled;
    int pci_bus_id, pci_device_id, pci_domain_id;
    int tcc_driver;
    int async_engine_count;
    int unified_addressing;
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
    int pageable_memory_access;
    int concurrent_managed_access;
    int compute_preemption_supported;
    int can_use_host_pointer_for_registered_memory;
    int cooperative_launch;
    std::size_t shared_per_block_optin;
    int pageable_memory_access_uses_host_page_tables;
    int direct_managed_memory_access_from_host;
    int max_blocks_per_multiprocessor;
    int access_policy_max_window_size;
    std::size_t reserved_shared_per_block;
    int host_register_supported;
    int sparse_array_supported;
    int host_register_read_only_supported;
    int timeline_semaphore_interop_supported;
    int memory_pools_supported;
    int gpu_direct_rdma_supported;
    unsigned gpu_direct_rdma_flush_writes_options;
    int gpu_direct_rdma_writes_ordering;
    unsigned memory_pool_supported_handle_types;
    int deferred_mapping_array_supported;
    int ipc_event_supported;
    int cluster_launch;
    int unified_function_pointers;
    int device_numa_config;
    int device_numa_id;
    int mps_enabled;
    int host_numa_id;
    unsigned gpu_pci_device_id;
    unsigned gpu_pci_subsystem_id;
    int host_numa_multinode_ipc_supported;
    int reserved[56];
};

} // namespace apod::runtime::cudart
