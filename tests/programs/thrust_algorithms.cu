// What programs use of Thrust: transform, reduce, sort, scan, on device vectors.
#include "check.hpp"

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <vector>

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

int main() {
    constexpr int n = 3000;
    thrust::device_vector<int> v(n);
    thrust::sequence(v.begin(), v.end());
    thrust::transform(v.begin(), v.end(), v.begin(), Square());
    const long long sum = thrust::reduce(v.begin(), v.end(), 0LL);
    EXPECT(sum == static_cast<long long>(n - 1) * n * (2 * n - 1) / 6);

    std::vector<int> host(n);
    for (int i = 0; i < n; ++i) host[i] = i * 7919 % 4001 - 2000;
    thrust::device_vector<int> keys(host.begin(), host.end());
    thrust::sort(keys.begin(), keys.end());
    std::sort(host.begin(), host.end());
    thrust::host_vector<int> sorted = keys;
    for (int i = 0; i < n; ++i) EXPECT(sorted[i] == host[i]);

    thrust::device_vector<int> sums(n);
    thrust::exclusive_scan(keys.begin(), keys.end(), sums.begin());
    thrust::host_vector<int> scanned = sums;
    int running = 0;
    for (int i = 0; i < n; ++i) {
        EXPECT(scanned[i] == running);
        running += host[i];
    }
    std::printf("thrust_algorithms: PASS\n");
    return 0;
}
