#include "../random.hpp"

__constant__ unsigned odd = 0x9e3779b9u;

__device__ unsigned mix(unsigned value) {
    value ^= value >> 16;
    return value * odd;
}
