// A little library of device code in two units.
#pragma once

struct Generator {
    unsigned state;
};

__device__ void seed(Generator& generator, unsigned value);
__device__ unsigned next(Generator& generator);
__device__ unsigned mix(unsigned value); // of the library's other unit
