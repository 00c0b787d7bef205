// Times designs of the library's transpose on a real GPU, to choose among them by measurement. Every result is checked.
//
//   for e in 1 2 4 8 16; do
//     nvcc -O3 -std=c++17 -arch=native -DELEMENT=$e -I. bench/device/transpose_variants.cu -o variants_$e && ./variants_$e [MxN ...]
//   done
//
// Prints CSV: bytes an element, rows, columns, kernel, shift of bands, wrong bytes, hot and cold in microseconds and as percentages of the
// copy's rate (transpose_timing.cuh says what hot and cold are).
#include "transpose_timing.cuh"
#include "workloads/transpose/library/cells.cuh"
#include "workloads/transpose/library/plain.cuh"
#include "workloads/transpose/library/shifted.cuh"

#include <cstring>
#include <string>

#ifndef ELEMENT
#define ELEMENT 4
#endif

namespace transpose_bench {

constexpr int element = ELEMENT;
using Kernel = void (*)(void*, const void*, long long, long long, long long, long long, long long, long long, int);

struct Variant {
    std::string name;
    Kernel kernel;
    int word; // rows must begin at multiples of it; 1: anywhere
    int width;
    int height;
    int over; // rows beyond the matrix that its tiles must reach
    int threads;
    int shared; // of the launch
    std::vector<int> shifts;
    bool is_small = false;
};

const std::vector<int> along{0};

template<int word, int columns, int rows, int threads, int hint = 0> Variant cells(std::vector<int> shifts = along) {
    using Design = apod::transposing::Cells<element, word, columns, rows, threads, hint>;
    constexpr int bytes = Design::words * word;
    const Kernel kernel = apod::transposing::cells<element, word, columns, rows, threads, hint>;
    if (bytes > 48 * 1024) check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory");
    return {"cells_" + std::to_string(word) + "_" + std::to_string(Design::width) + "x" + std::to_string(Design::height) + "_" +
                std::to_string(threads) + "_h" + std::to_string(hint),
            kernel,
            word,
            Design::width,
            Design::height,
            0,
            threads,
            bytes > 48 * 1024 ? bytes : 0,
            std::move(shifts)};
}

template<int size, int threads, int hint = 0> Variant plain() {
    return {"plain_" + std::to_string(size) + "_" + std::to_string(threads) + "_h" + std::to_string(hint),
            apod::transposing::plain<element, size, threads, hint>,
            1,
            size,
            size,
            0,
            threads,
            0,
            along};
}

template<int word, int columns, int rows, int threads> Variant small_cells() {
    Variant variant = cells<word, columns, rows, threads>();
    variant.name = "small_" + variant.name;
    variant.kernel = apod::transposing::small_cells<element, word, columns, rows, threads, 0>;
    variant.is_small = true;
    return variant;
}

template<int words, int height, int threads, int hint = 0> Variant shifted(std::vector<int> shifts = along) {
    if constexpr (element == 16) {
        return plain<16, 256>();
    } else {
        using Design = apod::transposing::Shifted<element, 16, words, height, threads, hint>;
        constexpr int bytes = Design::tile_words * 16;
        const Kernel kernel = apod::transposing::shifted<element, 16, words, height, threads, hint>;
        if (bytes > 48 * 1024) check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory");
        return {"shifted_" + std::to_string(Design::width) + "x" + std::to_string(height) + "_" + std::to_string(threads) + "_h" +
                    std::to_string(hint),
                kernel,
                1,
                Design::width,
                height,
                Design::each - 1,
                threads,
                bytes > 48 * 1024 ? bytes : 0,
                std::move(shifts)};
    }
}

#if ELEMENT == 1
std::vector<Variant> variants() {
    return {small_cells<8, 16, 16, 256>(),    small_cells<4, 16, 16, 256>(),     small_cells<16, 8, 8, 64>(),
            cells<16, 8, 8, 64>({8, 20}),     cells<8, 32, 16, 256>({0, 8, 20}), cells<16, 16, 16, 256>({1, 6, 20}),
            shifted<8, 128, 256>({0, 8, 20}), shifted<16, 128, 256>({20}),       shifted<16, 256, 512>({20}),
            shifted<8, 128, 256, 3>({20})};
}
#elif ELEMENT == 2
std::vector<Variant> variants() {
    return {small_cells<8, 16, 16, 256>(), small_cells<16, 8, 8, 64>(), small_cells<4, 32, 32, 256>(),   cells<16, 16, 16, 256>({6, 8, 20}),
            cells<16, 8, 16, 128>({20}),   cells<16, 16, 8, 128>({20}), cells<16, 16, 16, 256, 3>({20}), shifted<16, 64, 256>({0, 8, 20}),
            shifted<8, 64, 128>({20}),     shifted<16, 128, 256>({20}), shifted<16, 64, 128>({20}),      shifted<16, 64, 256, 3>({20})};
}
#elif ELEMENT == 4
std::vector<Variant> variants() {
    return {small_cells<16, 8, 8, 64>(),        small_cells<16, 16, 8, 128>(),      small_cells<16, 8, 16, 128>(),
            small_cells<8, 16, 16, 256>(),      small_cells<16, 16, 16, 256>(),     small_cells<8, 16, 16, 128>(),
            cells<16, 16, 16, 256>({6, 8, 20}), cells<16, 16, 16, 256, 3>({7, 20}), cells<16, 8, 8, 64>({20}),
            cells<16, 16, 8, 128>({20}),        cells<16, 8, 16, 128>({20}),        cells<16, 32, 8, 256>({20}),
            cells<16, 32, 16, 512>({20}),       cells<16, 16, 16, 128, 3>({20}),    shifted<16, 64, 256>({0, 8, 20}),
            shifted<16, 64, 256, 3>({20}),      shifted<32, 64, 256>({20}),         shifted<16, 64, 128>({20}),
            shifted<16, 128, 256>({20}),        shifted<8, 64, 128>({20}),          shifted<16, 32, 128>({20}),
            shifted<16, 64, 512>({20})};
}
#elif ELEMENT == 8
std::vector<Variant> variants() {
    return {small_cells<16, 8, 8, 64>(),
            small_cells<16, 16, 16, 256>(),
            small_cells<16, 8, 16, 128>(),
            small_cells<16, 16, 8, 128>(),
            small_cells<8, 16, 16, 256>(),
            small_cells<8, 32, 32, 512>(),
            cells<16, 16, 16, 256>({5, 6, 7, 8, 20}),
            cells<16, 16, 16, 256, 3>({6, 20}),
            cells<16, 16, 8, 128>({20}),
            cells<16, 8, 16, 128>({20}),
            cells<16, 32, 8, 256>({6, 20}),
            cells<16, 16, 32, 256>({6, 20}),
            cells<16, 8, 32, 256>({20}),
            shifted<16, 32, 256>({0, 6, 8, 20}),
            shifted<16, 32, 256, 3>({20}),
            shifted<32, 32, 256>({20}),
            shifted<16, 32, 128>({20}),
            shifted<16, 64, 256>({20}),
            shifted<8, 32, 128>({20}),
            shifted<8, 16, 128>({20})};
}
#else
std::vector<Variant> variants() {
    return {small_cells<16, 16, 16, 128>(),
            small_cells<16, 16, 16, 256>(),
            small_cells<16, 8, 8, 64>(),
            small_cells<16, 32, 32, 256>(),
            plain<32, 256>(),
            cells<16, 16, 16, 256>({5, 20}),
            cells<16, 32, 32, 256>({4, 5, 6, 7, 8, 20}),
            cells<16, 32, 32, 512>({5, 20}),
            cells<16, 32, 16, 256>({5, 20}),
            cells<16, 16, 32, 256>({5, 20}),
            cells<16, 32, 8, 256>({20})};
}
#endif

void print(long long rows, long long columns, const std::string& name, int shift, unsigned long long wrong, const Times& times,
           const Times& copy) {
    std::printf("%d,%lld,%lld,%s,%d,%llu,%.3f,%.1f,%.3f,%.1f\n", element, rows, columns, name.c_str(), shift, wrong, times.hot_us,
                100 * copy.hot_us / times.hot_us, times.cold_us, 100 * copy.cold_us / times.cold_us);
    std::fflush(stdout);
}

void measure(const Arena& arena, long long rows, long long columns) {
    const std::size_t bytes = static_cast<std::size_t>(rows * columns) * element;
    const Times copied = time([&](void* out, const void* in) { copy(out, in, bytes); }, arena, bytes);
    print(rows, columns, "copy", 0, 0, copied, copied);
    const auto other = [&](const char* name, const Move& move) { print(rows, columns, name, 0, 0, time(move, arena, bytes), copied); };
    other("copy_by_four", [&](void* out, const void* in) {
        copy_bytes_by_four<<<static_cast<unsigned>((bytes + 16383) / 16384), 256, 0, stream()>>>(static_cast<char*>(out),
                                                                                                 static_cast<const char*>(in), bytes);
    });
    other("memcpy", [&](void* out, const void* in) { check(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice, stream()), "copy"); });
    other("nothing", [&](void*, const void*) { nothing<<<1, 32, 0, stream()>>>(); });
    for (const Variant& variant : variants()) {
        if (variant.is_small && bytes > 40'000'000) continue;
        if (rows * element % variant.word != 0 || columns * element % variant.word != 0) {
            if (variant.word != 1) continue;
        }
        for (const int wanted : variant.shifts) {
            const long long tiles_x = (columns + variant.width - 1) / variant.width;
            const long long tiles_y = (rows + variant.over + variant.height - 1) / variant.height;
            int shift = wanted;
            while (shift > 0 && (1LL << (shift - 1)) >= tiles_y) --shift;
            const dim3 grid(static_cast<unsigned>(tiles_x << shift), static_cast<unsigned>((tiles_y + (1LL << shift) - 1) >> shift));
            const auto move = [&](void* out, const void* in) {
                variant.kernel<<<grid, variant.threads, variant.shared, stream()>>>(out, in, rows, columns, columns, rows, 0, 0, shift);
            };
            // Checking by bytes takes long; what is right for smaller matrices is taken to be right for the largest.
            const unsigned long long wrong = bytes <= 300'000'000 ? wrong_bytes(move, arena, rows, columns, element) : 0;
            print(rows, columns, variant.name, wanted, wrong, time(move, arena, bytes), copied);
        }
    }
}

} // namespace transpose_bench

int main(int argc, char** argv) {
    using namespace transpose_bench;
    std::vector<std::pair<long long, long long>> sizes; // "MxN", or "N"
    for (int i = 1; i < argc; ++i) {
        char* end = nullptr;
        const long long rows = std::strtoll(argv[i], &end, 10);
        sizes.emplace_back(rows, *end == 'x' ? std::atoll(end + 1) : rows);
    }
    if (sizes.empty()) sizes = {{1024, 1024}, {4096, 4096}, {8192, 8192}, {1021, 1021}, {4095, 4095}, {8191, 8191}};
    std::size_t largest = std::getenv("APOD_NO_TIMES") != nullptr ? 0 : 512ULL * 1024 * 1024;
    for (const auto& [rows, columns] : sizes) largest = std::max<std::size_t>(largest, rows * columns * element);
    const Arena arena(largest + 4096);
    fill_bytes<<<1320, 256, 0, stream()>>>(reinterpret_cast<unsigned*>(arena.inputs()), arena.bytes() / 4);
    std::printf("bytes,rows,columns,kernel,shift,wrong,hot_us,hot_percent_of_copy,cold_us,cold_percent_of_copy\n");
    for (const auto& [rows, columns] : sizes) measure(arena, rows, columns);
    return 0;
}
