// What a program can see of the runtime: versions, names, a graph dumped, attributes of streams; also the newer forms of node calls.
#include "check.hpp"

#include <cstring>

__global__ void add_one(int* v) { atomicAdd(v, 1); }

void versions_and_names() {
    int version = 0;
    CHECK(cudaRuntimeGetVersion(&version));
    EXPECT(version / 1000 == CUDART_VERSION / 1000);
    CHECK(cudaDriverGetVersion(&version));
    EXPECT(version >= CUDART_VERSION / 1000 * 1000);
    const char* name = nullptr;
    CHECK(cudaFuncGetName(&name, reinterpret_cast<const void*>(add_one)));
    EXPECT(std::strstr(name, "add_one") != nullptr);
}

void stream_attributes(cudaStream_t stream) {
    cudaStreamAttrValue value = {};
    value.syncPolicy = cudaSyncPolicyYield;
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
    value.syncPolicy = cudaSyncPolicySpin;
    CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
    EXPECT(value.syncPolicy == cudaSyncPolicyYield);
}

void nodes_by_their_type(cudaStream_t stream) {
    int* v;
    CHECK(cudaMallocManaged(&v, sizeof(int)));
    *v = 0;
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    void* arguments[] = {&v};
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeKernel;
    parameters.kernel.func = reinterpret_cast<void*>(add_one);
    parameters.kernel.gridDim.x = parameters.kernel.gridDim.y = parameters.kernel.gridDim.z = 1;
    parameters.kernel.blockDim.x = 32;
    parameters.kernel.blockDim.y = parameters.kernel.blockDim.z = 1;
    parameters.kernel.kernelParams = arguments;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    parameters.kernel.blockDim.x = 64;
    CHECK(cudaGraphExecNodeSetParams(exec, node, &parameters));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(*v == 96);
}

// Memory of a graph: there while the graph runs, at the same place each time.
void memory_of_a_graph(cudaStream_t stream) {
    cudaGraph_t allocating;
    CHECK(cudaGraphCreate(&allocating, 0));
    cudaMemAllocNodeParams allocation = {};
    allocation.poolProps.allocType = cudaMemAllocationTypePinned;
    allocation.poolProps.location.type = cudaMemLocationTypeDevice;
    allocation.bytesize = 256;
    cudaGraphNode_t allocated, filled, freed;
    CHECK(cudaGraphAddMemAllocNode(&allocated, allocating, nullptr, 0, &allocation));
    EXPECT(allocation.dptr != nullptr);
    cudaMemsetParams set = {};
    set.dst = allocation.dptr;
    set.elementSize = 1;
    set.value = 7;
    set.width = 256;
    set.height = 1;
    CHECK(cudaGraphAddMemsetNode(&filled, allocating, &allocated, 1, &set));
    CHECK(cudaGraphAddMemFreeNode(&freed, allocating, &filled, 1, allocation.dptr));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, allocating, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
}

int main() {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    versions_and_names();
    stream_attributes(stream);
    nodes_by_their_type(stream);
    memory_of_a_graph(stream);
    std::printf("own_runtime: PASS\n");
    return 0;
}
