// Conditional nodes of graphs: if, if and else, while, switch, one inside another, bodies that are captured, defaults at every launch.
#include "check.hpp"

#include <cstring>

__global__ void set(cudaGraphConditionalHandle condition, const int* value) { cudaGraphSetConditional(condition, *value); }
__global__ void add(int* to, int value) { *to += value; }
// Goes on while `left` lasts.
__global__ void count_down(cudaGraphConditionalHandle condition, int* left, int* rounds) {
    if (threadIdx.x != 0) return;
    *rounds += 1;
    *left -= 1;
    cudaGraphSetConditional(condition, *left > 0 ? 1 : 0);
}

template<class Kernel, class... Arguments>
cudaGraphNode_t kernel_node(cudaGraph_t graph, const cudaGraphNode_t* after, Kernel* kernel, Arguments... arguments) {
    void* pointers[] = {&arguments...};
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeKernel;
    parameters.kernel.func = reinterpret_cast<void*>(kernel);
    parameters.kernel.gridDim = {1, 1, 1};
    parameters.kernel.blockDim = {1, 1, 1};
    parameters.kernel.kernelParams = pointers;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddNode(&node, graph, after, nullptr, after != nullptr ? 1 : 0, &parameters));
    return node;
}

cudaGraphNode_t condition_node(cudaGraph_t graph, const cudaGraphNode_t* after, cudaGraphConditionalHandle handle,
                               cudaGraphConditionalNodeType type, unsigned size, cudaGraph_t* bodies) {
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = size;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddNode(&node, graph, after, nullptr, after != nullptr ? 1 : 0, &parameters));
    for (unsigned i = 0; i < size; ++i) bodies[i] = parameters.conditional.phGraph_out[i];
    cudaGraphNodeType found;
    CHECK(cudaGraphNodeGetType(node, &found));
    EXPECT(found == cudaGraphNodeTypeConditional);
    return node;
}

cudaGraphConditionalHandle handle_of(cudaGraph_t graph, unsigned initial = 0, unsigned flags = 0) {
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, initial, flags));
    return handle;
}

struct Numbers {
    Numbers() { CHECK(cudaMalloc(&device, sizeof host)); }
    void write() { CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice)); }
    void run(cudaGraphExec_t exec) {
        write();
        CHECK(cudaGraphLaunch(exec, nullptr));
        CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    }
    int host[8] = {};
    int* device;
};

// Bodies of an if (one or two) or of a switch; body i adds 10^i to numbers[1]. The condition is numbers[0].
void choose(cudaGraphConditionalNodeType type, unsigned size, const int (*expected)[2], int cases) {
    Numbers numbers;
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    const cudaGraphConditionalHandle handle = handle_of(graph);
    const cudaGraphNode_t first = kernel_node(graph, nullptr, set, handle, static_cast<const int*>(numbers.device));
    cudaGraph_t bodies[4];
    const cudaGraphNode_t choice = condition_node(graph, &first, handle, type, size, bodies);
    int amount = 1;
    for (unsigned i = 0; i < size; ++i, amount *= 10) kernel_node(bodies[i], nullptr, add, numbers.device + 1, amount);
    kernel_node(graph, &choice, add, numbers.device + 2, 7);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < cases; ++i) {
        std::memset(numbers.host, 0, sizeof numbers.host);
        numbers.host[0] = expected[i][0];
        numbers.run(exec);
        EXPECT(numbers.host[1] == expected[i][1]);
        EXPECT(numbers.host[2] == 7);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

// A loop inside an if, whose body is captured; the default is there again at the second launch.
void loops() {
    Numbers numbers;
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    const cudaGraphConditionalHandle outer = handle_of(graph);
    const cudaGraphConditionalHandle inner = handle_of(graph, 1, cudaGraphCondAssignDefault);
    const cudaGraphNode_t first = kernel_node(graph, nullptr, set, outer, static_cast<const int*>(numbers.device));
    cudaGraph_t in_if;
    condition_node(graph, &first, outer, cudaGraphCondTypeIf, 1, &in_if);
    cudaGraph_t in_loop;
    condition_node(in_if, nullptr, inner, cudaGraphCondTypeWhile, 1, &in_loop);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCaptureToGraph(stream, in_loop, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(numbers.device + 3, 2);
    count_down<<<1, 32, 0, stream>>>(inner, numbers.device + 1, numbers.device + 2);
    CHECK(cudaStreamEndCapture(stream, nullptr)); // the graph is known
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph)); // an executable graph stands on its own
    for (const int rounds : {5, 3, 1}) {
        std::memset(numbers.host, 0, sizeof numbers.host);
        numbers.host[0] = 1;
        numbers.host[1] = rounds;
        numbers.run(exec);
        EXPECT(numbers.host[2] == rounds);
        EXPECT(numbers.host[3] == 2 * rounds);
    }
    std::memset(numbers.host, 0, sizeof numbers.host);
    numbers.run(exec); // the if is not taken
    EXPECT(numbers.host[2] == 0);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaStreamDestroy(stream));
}

void mistakes() {
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    const cudaGraphConditionalHandle handle = handle_of(graph);
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 2; // a loop has one body
    cudaGraphNode_t node;
    EXPECT(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    CHECK(cudaGraphDestroy(graph));
}

int main() {
    const int if_only[][2] = {{0, 0}, {1, 1}, {-5, 1}};
    choose(cudaGraphCondTypeIf, 1, if_only, 3);
    const int if_else[][2] = {{0, 10}, {1, 1}};
    choose(cudaGraphCondTypeIf, 2, if_else, 2);
    const int switched[][2] = {{0, 1}, {2, 100}, {3, 0}, {1, 10}};
    choose(cudaGraphCondTypeSwitch, 3, switched, 4);
    loops();
    mistakes();
    std::printf("rdc_conditions: PASS\n");
    return 0;
}
