// Graphs of the driver API: built node by node, and captured from a stream; launched more than once.
#include "driver.hpp"

#include <vector>

constexpr int n = 256;
constexpr float a = 2;

static void add_up(void* data) { ++*static_cast<int*>(data); }

static void expect_all(CUdeviceptr data, float value) {
    std::vector<float> host(n);
    CHECK(cuMemcpyDtoH(host.data(), data, n * sizeof(float)));
    for (const float held : host) EXPECT(held == value);
}

// y is cleared, then a * x is added twice; the host counts launches.
static void explicit_graph(CUfunction saxpy, CUdeviceptr x, CUdeviceptr y) {
    CUgraph graph;
    CUgraphNode clear, first, second, host;
    CHECK(cuGraphCreate(&graph, 0));
    CUcontext context;
    CHECK(cuCtxGetCurrent(&context));
    CUDA_MEMSET_NODE_PARAMS fill = {};
    fill.dst = y;
    fill.elementSize = 4;
    fill.width = n;
    fill.height = 1;
    CHECK(cuGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill, context));
    float factor = a;
    int count = n, launches = 0;
    void* arguments[] = {&factor, &x, &y, &count};
    CUDA_KERNEL_NODE_PARAMS kernel = {};
    kernel.func = saxpy;
    kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = kernel.blockDimY = kernel.blockDimZ = 1;
    kernel.blockDimX = n;
    kernel.kernelParams = arguments;
    CHECK(cuGraphAddKernelNode(&first, graph, &clear, 1, &kernel));
    CHECK(cuGraphAddKernelNode(&second, graph, nullptr, 0, &kernel));
    CHECK(cuGraphAddDependencies(graph, &first, &second, nullptr, 1));
    CUDA_HOST_NODE_PARAMS call = {add_up, &launches};
    CHECK(cuGraphAddHostNode(&host, graph, &second, 1, &call));
    size_t nodes = 0;
    CHECK(cuGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 4);
    CUgraphNodeType type;
    CHECK(cuGraphNodeGetType(second, &type));
    EXPECT(type == CU_GRAPH_NODE_TYPE_KERNEL);
    factor = 100; // the arguments were copied
    CUgraphExec exec;
    CHECK(cuGraphInstantiate(&exec, graph, 0));
    CHECK(cuGraphDestroy(graph));
    for (int i = 0; i < 3; ++i) CHECK(cuGraphLaunch(exec, nullptr));
    CHECK(cuCtxSynchronize());
    EXPECT(launches == 3);
    expect_all(y, 4);
    CHECK(cuGraphExecDestroy(exec));
}

static void captured_graph(CUfunction saxpy, CUdeviceptr x, CUdeviceptr y) {
    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CUstreamCaptureStatus status;
    CHECK(cuStreamIsCapturing(stream, &status));
    EXPECT(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    float factor = a;
    int count = n;
    void* arguments[] = {&factor, &x, &y, &count};
    CHECK(cuLaunchKernel(saxpy, 1, 1, 1, n, 1, 1, 0, stream, arguments, nullptr));
    CUgraph graph;
    CHECK(cuStreamEndCapture(stream, &graph));
    expect_all(y, 4); // nothing has run
    CUgraphExec exec;
    CHECK(cuGraphInstantiate(&exec, graph, 0));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    expect_all(y, 8);
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));
    CHECK(cuStreamDestroy(stream));
}

int main() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    CUmodule module;
    CUfunction saxpy;
    CHECK(cuModuleLoadData(&module, saxpy_ptx));
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
    CUdeviceptr x, y;
    CHECK(cuMemAlloc(&x, n * sizeof(float)));
    CHECK(cuMemAlloc(&y, n * sizeof(float)));
    CHECK(cuMemsetD32(x, 0x3f800000, n)); // 1.0f
    explicit_graph(saxpy, x, y);
    captured_graph(saxpy, x, y);
    std::printf("driver_graph: graphs run as they were built\n");
}
