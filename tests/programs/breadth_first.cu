// A search that launches until nothing changes: flags between host and device, compare-and-swap.
#include "check.hpp"

#include <queue>
#include <vector>

__global__ void expand(const int* rows, const int* edges, int* level, int n, int now, int* changed) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= n || level[node] != now) return;
    for (int k = rows[node]; k < rows[node + 1]; ++k)
        if (atomicCAS(&level[edges[k]], -1, now + 1) == -1) *changed = 1;
}

int main() {
    constexpr int n = 1000;
    std::vector<int> rows(1, 0), edges;
    for (int i = 0; i < n; ++i) {
        for (const int to : {(i * 3 + 1) % n, (i + 37) % n}) edges.push_back(to);
        rows.push_back(static_cast<int>(edges.size()));
    }
    std::vector<int> expected(n, -1);
    std::queue<int> open;
    expected[0] = 0;
    open.push(0);
    for (; !open.empty(); open.pop())
        for (int k = rows[open.front()]; k < rows[open.front() + 1]; ++k)
            if (expected[edges[k]] < 0) {
                expected[edges[k]] = expected[open.front()] + 1;
                open.push(edges[k]);
            }
    int *r, *e, *level, *changed;
    CHECK(cudaMalloc(&r, rows.size() * sizeof(int)));
    CHECK(cudaMalloc(&e, edges.size() * sizeof(int)));
    CHECK(cudaMallocManaged(&level, n * sizeof(int)));
    CHECK(cudaMallocHost(&changed, sizeof(int)));
    CHECK(cudaMemcpy(r, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(e, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
    for (int i = 0; i < n; ++i) level[i] = i == 0 ? 0 : -1;
    *changed = 1;
    for (int now = 0; *changed != 0; ++now) {
        *changed = 0;
        expand<<<(n + 255) / 256, 256>>>(r, e, level, n, now, changed);
        CHECK(cudaDeviceSynchronize());
    }
    for (int i = 0; i < n; ++i) EXPECT(level[i] == expected[i]);
    std::printf("breadth_first: PASS\n");
    return 0;
}
