// The structures of CUDA's driver interface, by the layouts that programs compiled with CUDA 13's headers use. Only facts of the binary
// interface are stated here; layouts_test.cpp holds them against the toolkit's header where that is installed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace apod::runtime {
class Graph;
struct Stream;
} // namespace apod::runtime

namespace apod::runtime::cuda {

using Address = std::uint64_t; // CUdeviceptr

// One side of CUDA_MEMCPY2D: which of the three pointers counts is in `type` (1 host, 2 device, 3 array, 4 unified: `device`).
struct Side2d {
    std::size_t x, y;
    int type;
    const void* host;
    Address device;
    void* array;
    std::size_t pitch;
};

struct Copy2d { // CUDA_MEMCPY2D
    Side2d from, to;
    std::size_t width, height; // bytes, rows
};

struct Side3d {
    std::size_t x, y, z, level;
    int type;
    const void* host;
    Address device;
    void* array;
    void* context; // of CUDA_MEMCPY3D_PEER
    std::size_t pitch, height;
};

struct Copy3d { // CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER
    Side3d from, to;
    std::size_t width, height, depth;
};

struct LaunchAttribute { // CUlaunchAttribute
    int id;
    char padding[4];
    union {
        char bytes[64];
        int number;
        unsigned cluster[3];
    } value;
};

struct LaunchConfiguration { // CUlaunchConfig
    unsigned grid[3];
    unsigned block[3];
    unsigned dynamic_shared_bytes;
    Stream* stream;
    LaunchAttribute* attributes;
    unsigned attribute_count;
};

struct Uuid { // CUuuid
    char bytes[16];
};

struct OldProperties { // CUdevprop
    int max_threads_per_block;
    int max_threads_dim[3];
    int max_grid_size[3];
    int shared_per_block;
    int total_constant_memory;
    int warp_size;
    int memory_pitch;
    int registers_per_block;
    int clock_khz;
    int texture_alignment;
};

struct Location { // CUmemLocation
    int type;
    int id;
};

struct AllocationProperties { // CUmemAllocationProp
    int type;
    int handle_types;
    Location place;
    void* attributes_of_windows;
    unsigned char compression, direct_access;
    unsigned short usage;
    unsigned char reserved[4];
};

struct MemoryAccess { // CUmemAccessDesc
    Location place;
    unsigned flags;
};

struct ContextParameters { // CUctxCreateParams
    void* affinity;
    int affinity_count;
    void* graphics;
};

struct PoolProperties { // CUmemPoolProps
    int allocation_type;
    int handle_types;
    Location location;
    void* security;
    std::size_t most_bytes;
    unsigned short usage;
    unsigned char reserved[54];
};

struct ArrayDescriptor { // CUDA_ARRAY_DESCRIPTOR
    std::size_t width, height;
    int format;
    unsigned channels;
};

struct Array3dDescriptor { // CUDA_ARRAY3D_DESCRIPTOR
    std::size_t width, height, depth;
    int format;
    unsigned channels;
    unsigned flags;
};

struct ResourceDescriptor { // CUDA_RESOURCE_DESC
    int type;               // 0 array, 1 mipmapped array, 2 linear, 3 pitched
    union {
        void* array; // or mipmapped
        struct {
            Address address;
            int format;
            unsigned channels;
            std::size_t bytes;
        } linear;
        struct {
            Address address;
            int format;
            unsigned channels;
            std::size_t width, height, pitch;
        } pitched;
        int reserved[32];
    };
    unsigned flags;
};

struct TextureDescriptor { // CUDA_TEXTURE_DESC
    int addressing[3];     // wrap, clamp, mirror, border
    int filter;            // point, linear
    unsigned flags;
    unsigned most_anisotropy;
    int level_filter;
    float level_bias;
    float lowest_level;
    float highest_level;
    float border[4];
    int reserved[12];
};

struct ViewDescriptor { // CUDA_RESOURCE_VIEW_DESC
    int format;
    std::size_t width, height, depth;
    unsigned first_level, last_level;
    unsigned first_layer, last_layer;
    unsigned reserved[16];
};

struct KernelNodeParameters { // CUDA_KERNEL_NODE_PARAMS
    void* function;
    unsigned grid[3];
    unsigned block[3];
    unsigned dynamic_shared_bytes;
    void** arguments;
    void** extra;
    void* kernel; // in place of the function
    void* context;
};

struct FillNodeParameters { // CUDA_MEMSET_NODE_PARAMS
    Address to;
    std::size_t pitch;
    unsigned value;
    unsigned element_bytes;
    std::size_t width; // elements
    std::size_t height;
};

struct HostNodeParameters { // CUDA_HOST_NODE_PARAMS
    void (*function)(void*);
    void* data;
};

struct FillNodeParameters2 { // CUDA_MEMSET_NODE_PARAMS_v2
    FillNodeParameters fill;
    void* context;
};

struct CopyNodeParameters { // CUDA_MEMCPY_NODE_PARAMS
    int flags;
    int reserved;
    void* context;
    Copy3d copy;
};

struct AllocNodeParameters { // CUDA_MEM_ALLOC_NODE_PARAMS
    PoolProperties pool;
    const void* access;
    std::size_t access_count;
    std::size_t bytes;
    Address address; // out
};

struct ConditionalNodeParameters { // CUDA_CONDITIONAL_NODE_PARAMS
    unsigned long long handle;
    int kind;
    unsigned size;
    Graph** bodies; // out
    void* context;
};

struct NodeParameters { // CUgraphNodeParams
    int type;
    int reserved[3];
    union {
        long long all[29];
        KernelNodeParameters kernel;
        CopyNodeParameters copy;
        FillNodeParameters2 fill;
        HostNodeParameters host;
        void* handle;    // child graph, event
        Address address; // memory to free
        AllocNodeParameters allocation;
        ConditionalNodeParameters conditional;
    };
    long long reserved_end;
};

} // namespace apod::runtime::cuda
