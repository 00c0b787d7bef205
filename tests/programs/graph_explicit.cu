// A graph built node by node: memset, kernel, memcpy, host, child graph, empty and event nodes; asked, cloned, changed, updated.
#include "check.hpp"

#include <vector>

__global__ void add_value(int* v, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += value;
}

constexpr int n = 512;

void count_call(void* data) { ++*static_cast<int*>(data); }

cudaKernelNodeParams kernel_parameters(void** arguments) {
    cudaKernelNodeParams p = {};
    p.func = reinterpret_cast<void*>(add_value);
    p.gridDim = dim3(2);
    p.blockDim = dim3(256);
    p.kernelParams = arguments;
    return p;
}

struct State {
    int* device = nullptr;
    std::vector<int> host = std::vector<int>(n);
    int size = n, value = 5, calls = 0;
    void* arguments[3] = {&device, &size, &value};
    cudaGraph_t graph, child;
    cudaGraphNode_t fill, kernel, inner, nested, copy, call, empty, mark;
    cudaGraphExec_t exec;

    void launch() {
        CHECK(cudaGraphLaunch(exec, 0));
        CHECK(cudaDeviceSynchronize());
    }
};

void build(State& s) {
    CHECK(cudaMalloc(&s.device, n * sizeof(int)));
    CHECK(cudaGraphCreate(&s.graph, 0));
    CHECK(cudaGraphCreate(&s.child, 0));
    cudaMemsetParams set = {};
    set.dst = s.device;
    set.elementSize = 4;
    set.value = 1;
    set.width = n;
    set.height = 1;
    CHECK(cudaGraphAddMemsetNode(&s.fill, s.graph, nullptr, 0, &set));
    const cudaKernelNodeParams launch = kernel_parameters(s.arguments);
    CHECK(cudaGraphAddKernelNode(&s.kernel, s.graph, &s.fill, 1, &launch));
    CHECK(cudaGraphAddKernelNode(&s.inner, s.child, nullptr, 0, &launch));
    CHECK(cudaGraphAddChildGraphNode(&s.nested, s.graph, &s.kernel, 1, s.child));
    CHECK(cudaGraphAddMemcpyNode1D(&s.copy, s.graph, &s.nested, 1, s.host.data(), s.device, n * sizeof(int), cudaMemcpyDeviceToHost));
    const cudaHostNodeParams function = {count_call, &s.calls};
    CHECK(cudaGraphAddHostNode(&s.call, s.graph, &s.copy, 1, &function));
    CHECK(cudaGraphAddEmptyNode(&s.empty, s.graph, nullptr, 0));
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    CHECK(cudaGraphAddEventRecordNode(&s.mark, s.graph, &s.empty, 1, event));
    s.value = 1000; // the nodes have their own copies of the arguments
}

void ask(State& s) {
    std::size_t count = 0;
    CHECK(cudaGraphGetNodes(s.graph, nullptr, &count));
    EXPECT(count == 7);
    CHECK(cudaGraphGetEdges(s.graph, nullptr, nullptr, nullptr, &count));
    EXPECT(count == 5);
    std::vector<cudaGraphNode_t> from(count), to(count);
    CHECK(cudaGraphGetEdges(s.graph, from.data(), to.data(), nullptr, &count));
    EXPECT(from[0] == s.fill && to[0] == s.kernel);
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(s.copy, &type));
    EXPECT(type == cudaGraphNodeTypeMemcpy);
    cudaKernelNodeParams held = {};
    CHECK(cudaGraphKernelNodeGetParams(s.kernel, &held));
    EXPECT(held.gridDim.x == 2 && held.func == reinterpret_cast<void*>(add_value));
    EXPECT(*static_cast<int*>(held.kernelParams[2]) == 5);
}

// A clone is independent; nodes are found in it; an executable graph takes its parameters.
void clone_and_update(State& s) {
    cudaGraph_t clone;
    cudaGraphNode_t cloned;
    CHECK(cudaGraphClone(&clone, s.graph));
    CHECK(cudaGraphNodeFindInClone(&cloned, s.kernel, clone));
    EXPECT(cloned != s.kernel);
    s.value = 7;
    const cudaKernelNodeParams launch = kernel_parameters(s.arguments);
    CHECK(cudaGraphKernelNodeSetParams(cloned, &launch));
    cudaGraphExecUpdateResultInfo result;
    CHECK(cudaGraphExecUpdate(s.exec, clone, &result));
    s.launch();
    EXPECT(s.calls == 2 && s.host[0] == 1 + 7 + 5);
    // One node of the executable graph alone.
    s.value = 100;
    CHECK(cudaGraphExecKernelNodeSetParams(s.exec, s.kernel, &launch));
    s.launch();
    EXPECT(s.host[0] == 1 + 100 + 5);
    CHECK(cudaGraphNodeSetEnabled(s.exec, s.kernel, 0));
    s.launch();
    EXPECT(s.host[0] == 1 + 5);
}

// Another structure, and a circle.
void refusals(State& s) {
    cudaGraphExecUpdateResultInfo result;
    CHECK(cudaGraphDestroyNode(s.call));
    EXPECT(cudaGraphExecUpdate(s.exec, s.graph, &result) == cudaErrorGraphExecUpdateFailure);
    EXPECT(result.result == cudaGraphExecUpdateErrorTopologyChanged);
    EXPECT(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);
    CHECK(cudaGraphAddDependencies(s.graph, &s.copy, &s.fill, nullptr, 1));
    cudaGraphExec_t circle;
    EXPECT(cudaGraphInstantiate(&circle, s.graph, 0) != cudaSuccess);
}

int main() {
    State s;
    build(s);
    ask(s);
    CHECK(cudaGraphInstantiate(&s.exec, s.graph, 0));
    s.launch();
    EXPECT(s.calls == 1 && s.host[0] == 11 && s.host[n - 1] == 11);
    clone_and_update(s);
    refusals(s);
    std::printf("graph_explicit: PASS\n");
    return 0;
}
