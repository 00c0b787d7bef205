// What texture functions give, after CUDA's programming guide ("Texture Fetching"): weights have 8 bits of fraction. How they and their
// products are rounded was found on an H200 (tests/replay/h200/textures.csv).
#pragma once

#include <cmath>
#include <functional>

// A normalised coordinate in texels: an H200 drops what is below 2^-20.
inline double in_texels(double x, int n) { return std::floor(x * 1048576) / 1048576 * n; }

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
    int part[3] = {0, 0, 0};
    for (int d = 0; d < dimensions; ++d) {
        first[d] = static_cast<int>(std::floor(x[d] - 0.5));
        part[d] = static_cast<int>((x[d] - 0.5 - first[d]) * 256 + 0.5);
    }
    const auto share = [](int a, int b) { return (a * b + 128) / 256; };
    double sum = 0;
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
        const int up[3] = {corner & 1, corner >> 1 & 1, corner >> 2 & 1};
        const int plane = up[2] ? part[2] : 256 - part[2];
        const int column = up[0] ? share(plane, part[0]) : plane - share(plane, part[0]);
        const int kept = share(column, up[0] ? part[1] : 256 - part[1]);
        const int weight = up[0] == up[1] ? kept : column - kept;
        if (weight != 0) sum += weight / 256.0 * texel(first[0] + up[0], first[1] + up[1], first[2] + up[2]);
    }
    return sum;
}

inline bool near(double got, double wanted) { return std::abs(got - wanted) <= 1e-6 + 1e-6 * std::abs(wanted); }
