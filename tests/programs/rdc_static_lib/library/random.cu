#include "../random.hpp"

static __device__ unsigned seeds = 0;

__device__ void seed(Generator& generator, unsigned value) {
    atomicAdd(&seeds, 1u);
    generator.state = mix(value);
}

__device__ unsigned next(Generator& generator) { return generator.state = generator.state * 1664525u + 1013904223u; }
