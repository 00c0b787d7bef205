#include "kernel_cases.hpp"

#include <cstdlib>
#include <random>

namespace apod::bench {

namespace {

// A buffer filled with `make(i)`; out of memory ends the program, there is nothing to measure then.
template<class T, class F> emu::DeviceAddress filled(emu::DeviceMemory& memory, std::size_t count, const char* name, F make) {
    auto address = memory.allocate(count * sizeof(T), name);
    if (!address) std::abort();
    auto* data = reinterpret_cast<T*>(*address); // device addresses are host addresses
    for (std::size_t i = 0; i < count; ++i) data[i] = make(i);
    return *address;
}

std::mt19937 random_numbers(12345);

emu::DeviceAddress floats(emu::DeviceMemory& memory, std::size_t count, const char* name) {
    std::uniform_real_distribution<float> uniform(0.1f, 1.0f);
    return filled<float>(memory, count, name, [&](std::size_t) { return uniform(random_numbers); });
}

KernelCase shaped(const char* name, Dim3 grid, Dim3 block) {
    KernelCase result;
    result.name = name;
    result.grid = grid;
    result.block = block;
    return result;
}

KernelCase copy(emu::DeviceMemory& memory) {
    constexpr int n = 1 << 22;
    KernelCase c = shaped("copy", {n / 256, 1, 1}, {256, 1, 1});
    c.argument(floats(memory, n, "out"));
    c.argument(floats(memory, n, "in"));
    c.argument(n);
    return c;
}

KernelCase transpose(emu::DeviceMemory& memory) {
    constexpr unsigned n = 1024;
    KernelCase c = shaped("transpose_tiled", {n / 32, n / 32, 1}, {32, 8, 1});
    c.argument(floats(memory, n * n, "out"));
    c.argument(floats(memory, n * n, "in"));
    c.argument(static_cast<int>(n));
    return c;
}

KernelCase spmv(emu::DeviceMemory& memory) {
    constexpr int rows = 8192;
    constexpr int per_row = 96;
    std::uniform_int_distribution<int> column(0, rows - 1);
    KernelCase c = shaped("spmv_warp", {rows / 8, 1, 1}, {256, 1, 1});
    c.argument(floats(memory, rows, "y"));
    c.argument(filled<int>(memory, rows + 1, "offsets", [](std::size_t i) { return static_cast<int>(i) * per_row; }));
    c.argument(filled<int>(memory, std::size_t{rows} * per_row, "columns", [&](std::size_t) { return column(random_numbers); }));
    c.argument(floats(memory, std::size_t{rows} * per_row, "values"));
    c.argument(floats(memory, rows, "x"));
    c.argument(rows);
    return c;
}

KernelCase matmul(emu::DeviceMemory& memory) {
    constexpr unsigned n = 256;
    KernelCase c = shaped("matmul_tiled", {n / 16, n / 16, 1}, {16, 16, 1});
    for (const char* name : {"c", "a", "b"}) c.argument(floats(memory, n * n, name));
    c.argument(static_cast<int>(n));
    return c;
}

KernelCase reduction(emu::DeviceMemory& memory) {
    constexpr int n = 1 << 21;
    KernelCase c = shaped("reduce_blocks", {1024, 1, 1}, {256, 1, 1});
    c.argument(floats(memory, 1024, "out"));
    c.argument(floats(memory, n, "in"));
    c.argument(n);
    return c;
}

KernelCase stencil(emu::DeviceMemory& memory) {
    constexpr unsigned n = 96;
    const auto value = [](std::size_t i) { return static_cast<double>(i % 17); };
    KernelCase c = shaped("stencil7", {n / 32, n / 4, 1}, {32, 4, 1});
    c.argument(filled<double>(memory, n * n * n, "out", value));
    c.argument(filled<double>(memory, n * n * n, "in", value));
    c.argument(static_cast<int>(n));
    return c;
}

KernelCase histogram(emu::DeviceMemory& memory) {
    constexpr int n = 1 << 20;
    KernelCase c = shaped("histogram", {128, 1, 1}, {256, 1, 1});
    c.argument(filled<unsigned>(memory, 256, "bins", [](std::size_t) { return 0u; }));
    c.argument(filled<unsigned char>(memory, n, "data", [](std::size_t) { return static_cast<unsigned char>(random_numbers()); }));
    c.argument(n);
    return c;
}

KernelCase nbody(emu::DeviceMemory& memory) {
    constexpr int n = 2048;
    KernelCase c = shaped("nbody", {n / 128, 1, 1}, {128, 1, 1});
    c.argument(floats(memory, 4 * n, "acceleration"));
    c.argument(floats(memory, 4 * n, "body"));
    c.argument(n);
    return c;
}

KernelCase mixture(emu::DeviceMemory& memory) {
    constexpr int n = 1 << 16;
    constexpr int components = 32;
    KernelCase c = shaped("mixture", {n / 256, 1, 1}, {256, 1, 1});
    c.argument(floats(memory, n, "out"));
    c.argument(floats(memory, n, "x"));
    c.argument(floats(memory, components, "mean"));
    c.argument(floats(memory, components, "inverse_sigma"));
    c.argument(n);
    c.argument(components);
    return c;
}

KernelCase collatz(emu::DeviceMemory& memory) {
    constexpr int n = 1 << 16;
    KernelCase c = shaped("collatz", {n / 256, 1, 1}, {256, 1, 1});
    c.argument(filled<int>(memory, n, "steps", [](std::size_t) { return 0; }));
    c.argument(n);
    return c;
}

} // namespace

std::vector<KernelCase> kernel_cases(emu::DeviceMemory& memory) {
    std::vector<KernelCase> cases;
    for (auto make : {copy, transpose, spmv, matmul, reduction, stencil, histogram, nbody, mixture, collatz}) cases.push_back(make(memory));
    return cases;
}

} // namespace apod::bench
