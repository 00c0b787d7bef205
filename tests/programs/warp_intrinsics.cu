// Votes, shuffles, matches, reductions and bit counting within a warp.
#include "check.hpp"

__global__ void run(unsigned* out) {
    const unsigned lane = threadIdx.x % 32;
    unsigned* own = out + threadIdx.x * 8;
    own[0] = __ballot_sync(0xffffffff, lane % 3 == 0);
    own[1] = __shfl_xor_sync(0xffffffff, lane, 5);
    own[2] = __shfl_up_sync(0xffffffff, lane, 1, 8);
    own[3] = __match_any_sync(0xffffffff, lane / 4);
    own[4] = __reduce_add_sync(0xffffffff, lane);
    own[5] = (__all_sync(0xffffffff, lane < 32) ? 1 : 0) + (__any_sync(0xffffffff, lane == 40) ? 2 : 0);
    own[6] = __popc(lane) + 100 * __clz(static_cast<int>(lane)) + 10000 * __ffs(static_cast<int>(lane));
    own[7] = __brev(lane) ^ __byte_perm(lane, 0x12345678, 0x7650) ^ __funnelshift_l(lane, 1, 4);
}

unsigned reversed(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; ++i) r |= (x >> i & 1u) << (31 - i);
    return r;
}

int main() {
    unsigned* out;
    CHECK(cudaMallocManaged(&out, 64 * 8 * sizeof(unsigned)));
    run<<<1, 64>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 64; ++t) {
        const unsigned lane = t % 32;
        const unsigned* own = out + t * 8;
        EXPECT(own[0] == 0x49249249u);
        EXPECT(own[1] == (lane ^ 5u));
        EXPECT(own[2] == (lane % 8 == 0 ? lane : lane - 1));
        EXPECT(own[3] == 0xfu << (lane / 4 * 4));
        EXPECT(own[4] == 496);
        EXPECT(own[5] == 1);
        const int clz = lane == 0 ? 32 : __builtin_clz(lane);
        EXPECT(own[6] == static_cast<unsigned>(__builtin_popcount(lane) + 100 * clz + 10000 * __builtin_ffs(static_cast<int>(lane))));
        const unsigned permuted = (0x12345678u & 0xffffff00u) | lane;
        EXPECT(own[7] == (reversed(lane) ^ permuted ^ (1u << 4 | lane >> 28)));
    }
    std::printf("warp_intrinsics: PASS\n");
    return 0;
}
