// What the two units share.
#pragma once

extern __device__ int counter;
extern __constant__ float factors[4];
extern __device__ float (*chosen)(float);

__device__ float scaled(float x, int factor);
__device__ float squared(float x);
__device__ int next_state(); // each unit has a static variable of the same name behind its own

void launch_fill(int* data, int n); // a kernel of the other unit

// The same code in both units: one of them is taken.
template<class T> __device__ __noinline__ T larger(T a, T b) { return a > b ? a : b; }
inline __device__ int* shared_tally() {
    static __device__ int tally = 100;
    return &tally;
}
