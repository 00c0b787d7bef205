// Conditional nodes through the driver API: an if with an else, a loop, a switch, one inside another; and the other kinds of node that
// cuGraphAddNode makes.
#include "driver.hpp"

__global__ void set(cudaGraphConditionalHandle condition, const int* value) { cudaGraphSetConditional(condition, *value); }
__global__ void add(int* to, int value) { *to += value; }
__global__ void count_down(cudaGraphConditionalHandle condition, int* left, int* rounds) {
    *rounds += 1;
    *left -= 1;
    cudaGraphSetConditional(condition, *left > 0 ? 1 : 0);
}

CUgraphNode add_node(CUgraph graph, CUgraphNode after, CUgraphNodeParams& parameters) {
    CUgraphNode node;
    CHECK(cuGraphAddNode(&node, graph, &after, nullptr, after != nullptr ? 1 : 0, &parameters));
    CUgraphNodeType type;
    CHECK(cuGraphNodeGetType(node, &type));
    EXPECT(type == parameters.type);
    return node;
}

template<class Kernel, class... Arguments> CUgraphNode kernel(CUgraph graph, CUgraphNode after, Kernel* function, Arguments... arguments) {
    void* pointers[] = {&arguments...};
    cudaFunction_t handle;
    CHECK(cudaGetFuncBySymbol(&handle, reinterpret_cast<const void*>(function)));
    CUgraphNodeParams parameters = {};
    parameters.type = CU_GRAPH_NODE_TYPE_KERNEL;
    parameters.kernel.func = handle;
    parameters.kernel.gridDimX = parameters.kernel.gridDimY = parameters.kernel.gridDimZ = 1;
    parameters.kernel.blockDimX = parameters.kernel.blockDimY = parameters.kernel.blockDimZ = 1;
    parameters.kernel.kernelParams = pointers;
    return add_node(graph, after, parameters);
}

CUgraphConditionalHandle condition(CUgraph graph, unsigned initial = 0, unsigned flags = 0) {
    CUcontext context;
    CHECK(cuCtxGetCurrent(&context));
    CUgraphConditionalHandle handle;
    CHECK(cuGraphConditionalHandleCreate(&handle, graph, context, initial, flags));
    return handle;
}

CUgraphNode conditional(CUgraph graph, CUgraphNode after, CUgraphConditionalHandle handle, CUgraphConditionalNodeType type, unsigned size,
                        CUgraph* bodies) {
    CUgraphNodeParams parameters = {};
    parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = size;
    CHECK(cuCtxGetCurrent(&parameters.conditional.ctx));
    const CUgraphNode node = add_node(graph, after, parameters);
    for (unsigned i = 0; i < size; ++i) bodies[i] = parameters.conditional.phGraph_out[i];
    return node;
}

struct Numbers {
    Numbers() { CHECK(cudaMalloc(&device, sizeof host)); }
    void run(CUgraph graph) {
        CUgraphExec exec;
        CHECK(cuGraphInstantiate(&exec, graph, 0));
        CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
        CHECK(cuGraphLaunch(exec, nullptr));
        CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
        CHECK(cuGraphExecDestroy(exec));
    }
    int host[8] = {};
    int* device;
};

// Bodies of an if (with an else) or of a switch; body i adds 10^i.
int chosen(CUgraphConditionalNodeType type, unsigned size, int value) {
    Numbers numbers;
    numbers.host[0] = value;
    CUgraph graph;
    CHECK(cuGraphCreate(&graph, 0));
    const CUgraphConditionalHandle handle = condition(graph);
    const CUgraphNode first = kernel(graph, nullptr, set, handle, static_cast<const int*>(numbers.device));
    CUgraph bodies[3];
    conditional(graph, first, handle, type, size, bodies);
    int ten = 1;
    for (unsigned i = 0; i < size; ++i, ten *= 10) kernel(bodies[i], nullptr, add, numbers.device + 1, ten);
    CUgraphNode twice;
    CUgraphNodeParams again = {};
    again.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    again.conditional.handle = handle;
    again.conditional.type = type;
    again.conditional.size = size;
    EXPECT(cuGraphAddNode(&twice, graph, nullptr, nullptr, 0, &again) == CUDA_ERROR_INVALID_VALUE); // a handle is one node's
    numbers.run(graph);
    CHECK(cuGraphDestroy(graph));
    return numbers.host[1];
}

// numbers[0] rounds of a loop, in each of which an if adds to numbers[2] as long as numbers[3] is not 0.
void loop() {
    Numbers numbers;
    numbers.host[0] = 5;
    numbers.host[3] = 1;
    CUgraph graph;
    CHECK(cuGraphCreate(&graph, 0));
    CUgraph body;
    const CUgraphConditionalHandle more = condition(graph, 1, CU_GRAPH_COND_ASSIGN_DEFAULT);
    conditional(graph, nullptr, more, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
    const CUgraphNode step = kernel(body, nullptr, count_down, more, numbers.device, numbers.device + 1);
    const CUgraphConditionalHandle inner = condition(graph);
    const CUgraphNode decide = kernel(body, step, set, inner, static_cast<const int*>(numbers.device + 3));
    CUgraph inside;
    conditional(body, decide, inner, CU_GRAPH_COND_TYPE_IF, 1, &inside);
    kernel(inside, nullptr, add, numbers.device + 2, 100);
    numbers.run(graph);
    EXPECT(numbers.host[1] == 5 && numbers.host[2] == 500);
    CHECK(cuGraphDestroy(graph));
}

void host_step(void* data) { ++*static_cast<int*>(data); }

// A fill, a host function, a child graph with a kernel, events, an allocation and its end, nothing at all.
void other_nodes() {
    Numbers numbers;
    CUgraph graph;
    CHECK(cuGraphCreate(&graph, 0));
    CUgraphNodeParams fill = {};
    fill.type = CU_GRAPH_NODE_TYPE_MEMSET;
    fill.memset.dst = reinterpret_cast<CUdeviceptr>(numbers.device);
    fill.memset.value = 3;
    fill.memset.elementSize = 4;
    fill.memset.width = 8;
    fill.memset.height = 1;
    CUgraphNode last = add_node(graph, nullptr, fill);
    int calls = 0;
    CUgraphNodeParams host = {};
    host.type = CU_GRAPH_NODE_TYPE_HOST;
    host.host.fn = host_step;
    host.host.userData = &calls;
    last = add_node(graph, last, host);
    CUgraph child;
    CHECK(cuGraphCreate(&child, 0));
    kernel(child, nullptr, add, numbers.device + 1, 4);
    CUgraphNodeParams inner = {};
    inner.type = CU_GRAPH_NODE_TYPE_GRAPH;
    inner.graph.graph = child;
    last = add_node(graph, last, inner);
    CUgraph found;
    CHECK(cuGraphChildGraphNodeGetGraph(last, &found));
    EXPECT(found != child && found != nullptr); // the node has a copy
    CUevent event;
    CHECK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    CUgraphNodeParams record = {};
    record.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
    record.eventRecord.event = event;
    last = add_node(graph, last, record);
    CUgraphNodeParams wait = {};
    wait.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT;
    wait.eventWait.event = event;
    last = add_node(graph, last, wait);
    CUgraphNodeParams allocation = {};
    allocation.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
    allocation.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    allocation.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    allocation.alloc.bytesize = 64;
    last = add_node(graph, last, allocation);
    EXPECT(allocation.alloc.dptr != 0);
    CUgraphNodeParams end = {};
    end.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
    end.free.dptr = allocation.alloc.dptr;
    last = add_node(graph, last, end);
    CUgraphNodeParams nothing = {};
    nothing.type = CU_GRAPH_NODE_TYPE_EMPTY;
    add_node(graph, last, nothing);
    numbers.run(graph);
    EXPECT(calls == 1 && numbers.host[0] == 3 && numbers.host[1] == 7);
    CHECK(cuGraphDestroy(child));
    CHECK(cuGraphDestroy(graph));
}

int main() {
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(nullptr));
    EXPECT(chosen(CU_GRAPH_COND_TYPE_IF, 2, 1) == 1);
    EXPECT(chosen(CU_GRAPH_COND_TYPE_IF, 2, 0) == 10);
    EXPECT(chosen(CU_GRAPH_COND_TYPE_IF, 1, 0) == 0);
    EXPECT(chosen(CU_GRAPH_COND_TYPE_SWITCH, 3, 2) == 100);
    EXPECT(chosen(CU_GRAPH_COND_TYPE_SWITCH, 3, 3) == 0);
    loop();
    other_nodes();
    std::printf("PASS\n");
    return 0;
}
