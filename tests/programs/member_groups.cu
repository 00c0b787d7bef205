// Lanes of a warp that name different members in one instruction: each group exchanges values within itself.
#include "check.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void by_label(const int* labels, const int* values, int* largest, int* sums, unsigned* votes, int* firsts) {
    const int lane = threadIdx.x;
    const auto group = cg::labeled_partition(cg::coalesced_threads(), labels[lane]);
    largest[lane] = cg::reduce(group, values[lane], cg::greater<int>());
    sums[lane] = cg::reduce(group, values[lane], cg::plus<int>());
    const unsigned members = __match_any_sync(0xffffffff, labels[lane]);
    votes[lane] = __ballot_sync(members, values[lane] % 2 == 1);
    firsts[lane] = __shfl_sync(members, values[lane], __ffs(static_cast<int>(members)) - 1);
}

int main() {
    int* memory;
    CHECK(cudaMallocManaged(&memory, 6 * 32 * sizeof(int)));
    int *labels = memory, *values = memory + 32, *largest = memory + 64, *sums = memory + 96, *firsts = memory + 128;
    auto* votes = reinterpret_cast<unsigned*>(memory + 160);
    for (int i = 0; i < 32; ++i) {
        labels[i] = i * i % 5;
        values[i] = i * 37 % 101;
    }
    by_label<<<1, 32>>>(labels, values, largest, sums, votes, firsts);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; ++i) {
        int most = -1, sum = 0, first = -1;
        unsigned vote = 0;
        for (int k = 0; k < 32; ++k) {
            if (labels[k] != labels[i]) continue;
            most = values[k] > most ? values[k] : most;
            sum += values[k];
            vote |= static_cast<unsigned>(values[k] % 2) << k;
            if (first < 0) first = values[k];
        }
        EXPECT(largest[i] == most);
        EXPECT(sums[i] == sum);
        EXPECT(votes[i] == vote);
        EXPECT(firsts[i] == first);
    }
    std::printf("member_groups: PASS\n");
    return 0;
}
