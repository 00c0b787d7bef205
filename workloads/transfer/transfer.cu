// The kernel of ladder.toml: one multiplication an element, four elements a thread, so that it hides behind the copies around it.
extern "C" __global__ void multiply(float* y, const float* x, float factor, long long n) {
    const long long first = 4 * (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x);
    if (first + 4 <= n) {
        float4 four = *reinterpret_cast<const float4*>(x + first);
        four.x *= factor;
        four.y *= factor;
        four.z *= factor;
        four.w *= factor;
        *reinterpret_cast<float4*>(y + first) = four;
        return;
    }
    for (long long i = first; i < n; ++i) y[i] = x[i] * factor;
}
