// The layouts of types.hpp against the toolkit's headers.
#include "runtime/cudart/types.hpp"

#include <driver_types.h>

#include <gtest/gtest.h>

#include <cstddef>

namespace apod::runtime::cudart {
namespace {

TEST(Layouts, StructuresAreAsLargeAsCudas) {
    static_assert(sizeof(Dim) == sizeof(dim3));
    static_assert(sizeof(Extent) == sizeof(cudaExtent));
    static_assert(sizeof(Position) == sizeof(cudaPos));
    static_assert(sizeof(PitchedPointer) == sizeof(cudaPitchedPtr));
    static_assert(sizeof(Copy3d) == sizeof(cudaMemcpy3DParms));
    static_assert(sizeof(FunctionAttributes) == sizeof(cudaFuncAttributes));
    static_assert(sizeof(PointerAttributes) == sizeof(cudaPointerAttributes));
    static_assert(sizeof(LaunchAttribute) == sizeof(cudaLaunchAttribute));
    static_assert(sizeof(LaunchConfiguration) == sizeof(cudaLaunchConfig_t));
    static_assert(sizeof(KernelNodeParameters) == sizeof(cudaKernelNodeParams));
    static_assert(sizeof(FillNodeParameters) == sizeof(cudaMemsetParams));
    static_assert(sizeof(HostNodeParameters) == sizeof(cudaHostNodeParams));
    static_assert(sizeof(CopyNodeParameters) == sizeof(cudaMemcpyNodeParams));
    static_assert(sizeof(PoolProperties) == sizeof(cudaMemPoolProps));
    static_assert(sizeof(AllocNodeParameters) == sizeof(cudaMemAllocNodeParams));
    static_assert(sizeof(ConditionalNodeParameters) == sizeof(cudaConditionalNodeParams));
    static_assert(sizeof(EdgeData) == sizeof(cudaGraphEdgeData));
    static_assert(sizeof(NodeParameters) == sizeof(cudaGraphNodeParams));
    static_assert(sizeof(GraphInstantiation) == sizeof(cudaGraphInstantiateParams));
    static_assert(sizeof(GraphUpdateResult) == sizeof(cudaGraphExecUpdateResultInfo));
    static_assert(sizeof(DeviceProperties) == sizeof(cudaDeviceProp));
}

TEST(Layouts, MembersLieWhereCudasDo) {
    static_assert(offsetof(Copy3d, to_array) == offsetof(cudaMemcpy3DParms, dstArray));
    static_assert(offsetof(Copy3d, extent) == offsetof(cudaMemcpy3DParms, extent));
    static_assert(offsetof(Copy3d, kind) == offsetof(cudaMemcpy3DParms, kind));
    static_assert(offsetof(FunctionAttributes, registers) == offsetof(cudaFuncAttributes, numRegs));
    static_assert(offsetof(FunctionAttributes, preferred_carveout) == offsetof(cudaFuncAttributes, preferredShmemCarveout));
    static_assert(offsetof(FunctionAttributes, non_portable_cluster_allowed) ==
                  offsetof(cudaFuncAttributes, nonPortableClusterSizeAllowed));
    static_assert(offsetof(LaunchAttribute, value) == offsetof(cudaLaunchAttribute, val));
    static_assert(offsetof(LaunchConfiguration, attributes) == offsetof(cudaLaunchConfig_t, attrs));
    static_assert(offsetof(KernelNodeParameters, dynamic_shared_bytes) == offsetof(cudaKernelNodeParams, sharedMemBytes));
    static_assert(offsetof(KernelNodeParameters, arguments) == offsetof(cudaKernelNodeParams, kernelParams));
    static_assert(offsetof(FillNodeParameters, width) == offsetof(cudaMemsetParams, width));
    static_assert(offsetof(CopyNodeParameters, copy) == offsetof(cudaMemcpyNodeParams, copyParams));
    static_assert(offsetof(PoolProperties, location_type) == offsetof(cudaMemPoolProps, location));
    static_assert(offsetof(AllocNodeParameters, address) == offsetof(cudaMemAllocNodeParams, dptr));
    static_assert(offsetof(NodeParameters, kernel) == offsetof(cudaGraphNodeParams, kernel));
    static_assert(offsetof(GraphInstantiation, result) == offsetof(cudaGraphInstantiateParams, result_out));
    static_assert(offsetof(DeviceProperties, total_constant_memory) == offsetof(cudaDeviceProp, totalConstMem));
    static_assert(offsetof(DeviceProperties, multiprocessor_count) == offsetof(cudaDeviceProp, multiProcessorCount));
    static_assert(offsetof(DeviceProperties, surface_alignment) == offsetof(cudaDeviceProp, surfaceAlignment));
    static_assert(offsetof(DeviceProperties, memory_bus_width) == offsetof(cudaDeviceProp, memoryBusWidth));
    static_assert(offsetof(DeviceProperties, cooperative_launch) == offsetof(cudaDeviceProp, cooperativeLaunch));
    static_assert(offsetof(DeviceProperties, reserved_shared_per_block) == offsetof(cudaDeviceProp, reservedSharedMemPerBlock));
    static_assert(offsetof(DeviceProperties, host_numa_multinode_ipc_supported) == offsetof(cudaDeviceProp, hostNumaMultinodeIpcSupported));
}

} // namespace
} // namespace apod::runtime::cudart
