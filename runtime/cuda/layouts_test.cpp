// The layouts of types.hpp, the table of names and the error codes against cuda.h.
#include "runtime/cuda/types.hpp"

#include <cuda.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>

namespace apod::runtime::cuda {
namespace {

TEST(DriverLayouts, CopiesLieAsInCudaH) {
    static_assert(sizeof(Copy2d) == sizeof(CUDA_MEMCPY2D));
    static_assert(offsetof(Copy2d, from.pitch) == offsetof(CUDA_MEMCPY2D, srcPitch));
    static_assert(offsetof(Copy2d, from.type) == offsetof(CUDA_MEMCPY2D, srcMemoryType));
    static_assert(offsetof(Copy2d, to) == offsetof(CUDA_MEMCPY2D, dstXInBytes));
    static_assert(offsetof(Copy2d, to.device) == offsetof(CUDA_MEMCPY2D, dstDevice));
    static_assert(offsetof(Copy2d, to.array) == offsetof(CUDA_MEMCPY2D, dstArray));
    static_assert(offsetof(Copy2d, height) == offsetof(CUDA_MEMCPY2D, Height));
    static_assert(sizeof(Copy3d) == sizeof(CUDA_MEMCPY3D));
    static_assert(sizeof(Copy3d) == sizeof(CUDA_MEMCPY3D_PEER));
    static_assert(offsetof(Copy3d, from.level) == offsetof(CUDA_MEMCPY3D, srcLOD));
    static_assert(offsetof(Copy3d, from.context) == offsetof(CUDA_MEMCPY3D_PEER, srcContext));
    static_assert(offsetof(Copy3d, from.height) == offsetof(CUDA_MEMCPY3D, srcHeight));
    static_assert(offsetof(Copy3d, to) == offsetof(CUDA_MEMCPY3D, dstXInBytes));
    static_assert(offsetof(Copy3d, to.pitch) == offsetof(CUDA_MEMCPY3D, dstPitch));
    static_assert(offsetof(Copy3d, depth) == offsetof(CUDA_MEMCPY3D, Depth));
}

TEST(DriverLayouts, LaunchesLieAsInCudaH) {
    static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
    static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
    static_assert(offsetof(LaunchAttribute, value.cluster) == offsetof(CUlaunchAttribute, value.clusterDim));
    static_assert(sizeof(LaunchConfiguration) == sizeof(CUlaunchConfig));
    static_assert(offsetof(LaunchConfiguration, block) == offsetof(CUlaunchConfig, blockDimX));
    static_assert(offsetof(LaunchConfiguration, dynamic_shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
    static_assert(offsetof(LaunchConfiguration, stream) == offsetof(CUlaunchConfig, hStream));
    static_assert(offsetof(LaunchConfiguration, attributes) == offsetof(CUlaunchConfig, attrs));
    static_assert(offsetof(LaunchConfiguration, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
    static_assert(CU_LAUNCH_ATTRIBUTE_COOPERATIVE == 2 && CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION == 4);
}

TEST(DriverLayouts, OtherStructuresLieAsInCudaH) {
    static_assert(sizeof(Uuid) == sizeof(CUuuid));
    static_assert(sizeof(Location) == sizeof(CUmemLocation) && offsetof(Location, id) == offsetof(CUmemLocation, id));
    static_assert(sizeof(AllocationProperties) == sizeof(CUmemAllocationProp));
    static_assert(offsetof(AllocationProperties, place) == offsetof(CUmemAllocationProp, location));
    static_assert(offsetof(AllocationProperties, compression) == offsetof(CUmemAllocationProp, allocFlags));
    static_assert(sizeof(MemoryAccess) == sizeof(CUmemAccessDesc) && offsetof(MemoryAccess, flags) == offsetof(CUmemAccessDesc, flags));
    static_assert(sizeof(PoolProperties) == sizeof(CUmemPoolProps));
    static_assert(offsetof(PoolProperties, location) == offsetof(CUmemPoolProps, location));
    static_assert(sizeof(ContextParameters) == sizeof(CUctxCreateParams));
    static_assert(sizeof(OldProperties) == sizeof(CUdevprop));
    static_assert(offsetof(OldProperties, clock_khz) == offsetof(CUdevprop, clockRate));
    static_assert(offsetof(OldProperties, registers_per_block) == offsetof(CUdevprop, regsPerBlock));
}

TEST(DriverLayouts, ArraysAndTexturesLieAsInCudaH) {
    static_assert(sizeof(ArrayDescriptor) == sizeof(CUDA_ARRAY_DESCRIPTOR));
    static_assert(sizeof(Array3dDescriptor) == sizeof(CUDA_ARRAY3D_DESCRIPTOR));
    static_assert(offsetof(Array3dDescriptor, flags) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Flags));
    static_assert(sizeof(ResourceDescriptor) == sizeof(CUDA_RESOURCE_DESC));
    static_assert(offsetof(ResourceDescriptor, linear.bytes) == offsetof(CUDA_RESOURCE_DESC, res.linear.sizeInBytes));
    static_assert(offsetof(ResourceDescriptor, pitched.pitch) == offsetof(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes));
    static_assert(offsetof(ResourceDescriptor, flags) == offsetof(CUDA_RESOURCE_DESC, flags));
    static_assert(sizeof(TextureDescriptor) == sizeof(CUDA_TEXTURE_DESC));
    static_assert(offsetof(TextureDescriptor, border) == offsetof(CUDA_TEXTURE_DESC, borderColor));
    static_assert(offsetof(TextureDescriptor, level_bias) == offsetof(CUDA_TEXTURE_DESC, mipmapLevelBias));
    static_assert(sizeof(ViewDescriptor) == sizeof(CUDA_RESOURCE_VIEW_DESC));
    static_assert(offsetof(ViewDescriptor, first_layer) == offsetof(CUDA_RESOURCE_VIEW_DESC, firstLayer));
}

TEST(DriverLayouts, NodesOfGraphsLieAsInCudaH) {
    static_assert(sizeof(KernelNodeParameters) == sizeof(CUDA_KERNEL_NODE_PARAMS));
    static_assert(offsetof(KernelNodeParameters, arguments) == offsetof(CUDA_KERNEL_NODE_PARAMS, kernelParams));
    static_assert(offsetof(KernelNodeParameters, kernel) == offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
    static_assert(sizeof(FillNodeParameters) == sizeof(CUDA_MEMSET_NODE_PARAMS));
    static_assert(offsetof(FillNodeParameters, width) == offsetof(CUDA_MEMSET_NODE_PARAMS, width));
    static_assert(sizeof(HostNodeParameters) == sizeof(CUDA_HOST_NODE_PARAMS));
    static_assert(sizeof(NodeParameters) == sizeof(CUgraphNodeParams));
    static_assert(offsetof(NodeParameters, kernel) == offsetof(CUgraphNodeParams, kernel));
    static_assert(offsetof(NodeParameters, copy.copy) == offsetof(CUgraphNodeParams, memcpy.copyParams));
    static_assert(sizeof(FillNodeParameters2) == sizeof(CUDA_MEMSET_NODE_PARAMS_v2));
    static_assert(sizeof(AllocNodeParameters) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS));
    static_assert(offsetof(AllocNodeParameters, address) == offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, dptr));
    static_assert(sizeof(ConditionalNodeParameters) == sizeof(CUDA_CONDITIONAL_NODE_PARAMS));
    static_assert(offsetof(ConditionalNodeParameters, bodies) == offsetof(CUDA_CONDITIONAL_NODE_PARAMS, phGraph_out));
}

// The macros of cuda.h give each plain name its newest version; what is looked up under CUDA 13's number must be that function.
TEST(DriverEntries, CudaHsOwnNamesAreFoundByTheirPlainNames) {
    const std::map<std::string, void*> expected = {{"cuMemAlloc", reinterpret_cast<void*>(&cuMemAlloc)},
                                                   {"cuCtxCreate", reinterpret_cast<void*>(&cuCtxCreate)},
                                                   {"cuMemcpy3D", reinterpret_cast<void*>(&cuMemcpy3D)},
                                                   {"cuStreamWaitValue32", reinterpret_cast<void*>(&cuStreamWaitValue32)},
                                                   {"cuGraphAddNode", reinterpret_cast<void*>(&cuGraphAddNode)},
                                                   {"cuLaunchKernel", reinterpret_cast<void*>(&cuLaunchKernel)},
                                                   {"cuLinkAddData", reinterpret_cast<void*>(&cuLinkAddData)},
                                                   {"cuMemAdvise", reinterpret_cast<void*>(&cuMemAdvise)}};
    for (const auto& [name, function] : expected) {
        void* found = nullptr;
        CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        EXPECT_EQ(cuGetProcAddress(name.c_str(), &found, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, &status), CUDA_SUCCESS) << name;
        EXPECT_EQ(found, function) << name;
        EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS) << name;
    }
}

TEST(DriverEntries, AnOldVersionGetsTheOldFunctionAndATooOldOneNothing) {
    void* old_one = nullptr;
    void* new_one = nullptr;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    ASSERT_EQ(cuGetProcAddress("cuCtxCreate", &old_one, 11000, 0, &status), CUDA_SUCCESS);
    ASSERT_EQ(cuGetProcAddress("cuCtxCreate", &new_one, 13000, 0, &status), CUDA_SUCCESS);
    EXPECT_NE(old_one, new_one);
    void* none = old_one;
    EXPECT_EQ(cuGetProcAddress("cuLaunchKernelEx", &none, 9000, 0, &status), CUDA_SUCCESS);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    EXPECT_EQ(cuGetProcAddress("cuMakeCoffee", &none, 13000, 0, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

TEST(DriverEntries, PerThreadDefaultStreamsHaveTheirOwnEntries) {
    void* legacy = nullptr;
    void* per_thread = nullptr;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    ASSERT_EQ(cuGetProcAddress("cuMemcpyHtoDAsync", &legacy, 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &status), CUDA_SUCCESS);
    ASSERT_EQ(cuGetProcAddress("cuMemcpyHtoDAsync", &per_thread, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status),
              CUDA_SUCCESS);
    EXPECT_NE(legacy, nullptr);
    EXPECT_NE(per_thread, nullptr);
    EXPECT_NE(legacy, per_thread);
}

TEST(DriverErrors, NamesAreThoseOfTheHeader) {
    const std::map<CUresult, std::string> names = {{CUDA_SUCCESS, "CUDA_SUCCESS"},
                                                   {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
                                                   {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX"},
                                                   {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
                                                   {CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"},
                                                   {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN"}};
    for (const auto& [error, name] : names) {
        const char* text = nullptr;
        EXPECT_EQ(cuGetErrorName(error, &text), CUDA_SUCCESS);
        EXPECT_EQ(text, name);
        EXPECT_EQ(cuGetErrorString(error, &text), CUDA_SUCCESS);
        EXPECT_NE(text, nullptr);
    }
    const char* none = "";
    EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(12345), &none), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(none, nullptr);
}

} // namespace
} // namespace apod::runtime::cuda
