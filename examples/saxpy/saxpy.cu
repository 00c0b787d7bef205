// y = a * x + y for n floats, three ways. An example of a ladder of your own: see saxpy.toml.

// One element a thread.
__global__ void saxpy(float* y, const float* x, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// A run of elements a thread: neighbouring threads are `each` elements apart, which the memory does not like.
__global__ void saxpy_runs(float* y, const float* x, float a, int n, int each) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; ++i) y[i] = a * x[i] + y[i];
}

// Four elements a thread in one access.
__global__ void saxpy_by_four(float4* y, const float4* x, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 < n) {
        float4 r = y[i];
        const float4 p = x[i];
        r.x = a * p.x + r.x;
        r.y = a * p.y + r.y;
        r.z = a * p.z + r.z;
        r.w = a * p.w + r.w;
        y[i] = r;
    } else {
        float* const rest = reinterpret_cast<float*>(y);
        for (int j = 4 * i; j < n; ++j) rest[j] = a * reinterpret_cast<const float*>(x)[j] + rest[j];
    }
}
