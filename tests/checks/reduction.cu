// Sums of blocks: once right, once with the barrier in the wrong place.
extern "C" __global__ void sum_blocks(float* sums, const float* in, int n) {
    __shared__ float part[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void sum_blocks_racing(float* sums, const float* in, int n) {
    __shared__ float part[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i <= n ? in[i] : 0;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2)
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
