// How apod tells this library from NVIDIA's when it loads libcuda.so.1 itself: a time from here is a prediction.
#pragma GCC visibility push(default)
extern "C" {
int cuApodIsEmulated() { return 1; }
}
#pragma GCC visibility pop
