// What texture functions give, in double arithmetic after CUDA's programming guide ("Texture Fetching"): weights have 8 bits of fraction.
#pragma once

#include <cmath>
#include <functional>

// Where index i of n leads; -1: the border.
inline int addressed(int i, int n, cudaTextureAddressMode mode) {
    if (mode == cudaAddressModeBorder) return i < 0 || i >= n ? -1 : i;
    if (mode == cudaAddressModeClamp) return i < 0 ? 0 : i >= n ? n - 1 : i;
    if (mode == cudaAddressModeWrap) return ((i % n) + n) % n;
    const int at = ((i % (2 * n)) + 2 * n) % (2 * n);
    return at < n ? at : 2 * n - 1 - at;
}

// The mean of the 2^dimensions texels around x (in texels), `texel`(i, j, k) being a texel wherever it lies.
inline double filtered(const double* x, int dimensions, const std::function<double(int, int, int)>& texel) {
    int first[3] = {0, 0, 0};
    double weight[3] = {0, 0, 0};
    for (int d = 0; d < dimensions; ++d) {
        first[d] = static_cast<int>(std::floor(x[d] - 0.5));
        weight[d] = std::nearbyint((x[d] - 0.5 - first[d]) * 256) / 256;
    }
    double sum = 0;
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
        double share = 1;
        int at[3] = {first[0], first[1], first[2]};
        for (int d = 0; d < dimensions; ++d) {
            const bool upper = (corner >> d & 1) != 0;
            share *= upper ? weight[d] : 1 - weight[d];
            at[d] += upper;
        }
        if (share != 0) sum += share * texel(at[0], at[1], at[2]);
    }
    return sum;
}

inline bool near(double got, double wanted) { return std::abs(got - wanted) <= 1e-6 + 1e-6 * std::abs(wanted); }
