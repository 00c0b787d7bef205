// Memory that kernels allocate and free, some of it living from one launch to the next.
#include "check.hpp"

struct Node {
    int value;
    Node* next;
};

__device__ Node* head = nullptr;

__global__ void build(int n) {
    for (int i = 0; i < n; ++i) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        node->value = i;
        node->next = head;
        head = node;
    }
}

__global__ void each_thread(int* out) {
    const int n = threadIdx.x + 1;
    int* own = new int[n];
    for (int i = 0; i < n; ++i) own[i] = i;
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += own[i];
    delete[] own;
    out[threadIdx.x] = sum;
}

__global__ void take_down(int* sum) {
    while (head != nullptr) {
        Node* next = head->next;
        *sum += head->value;
        free(head);
        head = next;
    }
}

int main() {
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    int* out;
    CHECK(cudaMallocManaged(&out, 65 * sizeof(int)));
    out[64] = 0;
    build<<<1, 1>>>(100);
    each_thread<<<1, 64>>>(out);
    take_down<<<1, 1>>>(out + 64);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) EXPECT(out[i] == i * (i + 1) / 2);
    EXPECT(out[64] == 4950);
    std::printf("device_malloc: PASS\n");
    return 0;
}
