// Times designs of the library's transpose on a real GPU, to choose among them by measurement. Every result is checked.
//
//   for e in 1 2 4 8 16; do
//     nvcc -O3 -std=c++17 -arch=native -DELEMENT=$e -I. bench/device/transpose_variants.cu -o variants_$e && ./variants_$e [MxN ...]
//   done
//
// Prints CSV: bytes an element, rows, columns, kernel, shift of bands, wrong bytes, hot and cold in microseconds and as percentages of the
// copy's rate (transpose_timing.cuh says what hot and cold are).
#include "transpose_bulk.cuh"
#include "transpose_timing.cuh"
#include "workloads/transpose/library/cells.cuh"
#include "workloads/transpose/library/lines.cuh"
#include "workloads/transpose/library/strips.cuh"

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
    int blocks = 0; // where they stay and take one tile after the other
    int steps = 0;  // of a block (strips.cuh)
};

const std::vector<int> along{0};
const std::vector<int> down{20};

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

template<int word, int columns, int rows, int threads> Variant small_cells() {
    Variant variant = cells<word, columns, rows, threads>();
    variant.name = "small_" + variant.name;
    variant.kernel = apod::transposing::small_cells<element, word, columns, rows, threads, 0>;
    variant.is_small = true;
    return variant;
}

template<int align, int width, int height, int threads, int hint = 0> Variant lines(std::vector<int> shifts = down) {
    using Design = apod::transposing::Lines<element, align, width, height, threads, hint>;
    constexpr int bytes = Design::tile_parts * static_cast<int>(sizeof(typename Design::Part));
    const Kernel kernel = apod::transposing::lines<element, align, width, height, threads, hint>;
    if (bytes > 48 * 1024) check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory");
    return {"lines_" + std::to_string(align) + "_" + std::to_string(width) + "x" + std::to_string(height) + "_" + std::to_string(threads) +
                "_h" + std::to_string(hint),
            kernel,
            1,
            width,
            height,
            Design::above,
            threads,
            bytes > 48 * 1024 ? bytes : 0,
            std::move(shifts)};
}

template<int threads, int blocks, int hint = 4, bool ahead = false> Variant strips(int steps, std::vector<int> shifts = along) {
    using Design = apod::transposing::Strips<element, threads, hint, ahead>;
    return {"strips_" + std::to_string(threads) + "_" + std::to_string(blocks) + "_steps_" + std::to_string(steps) + "_h" +
                std::to_string(hint) + (ahead ? "_ahead" : ""),
            apod::transposing::strips<element, threads, hint, blocks, ahead>,
            1,
            Design::width,
            (steps - 1) * Design::step + Design::step / 2,
            0,
            threads,
            0,
            std::move(shifts),
            false,
            0,
            steps};
}

// Fewer blocks on a multiprocessor than it could have: the rest of its shared memory is asked for in vain. (228 KB, of which a block
// itself costs one.)
Variant crowded(Variant variant, int blocks, int own_shared) {
    const int each = (228 / blocks - 1) * 1024 - own_shared;
    check(cudaFuncSetAttribute(variant.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 * 1024), "shared memory");
    variant.name += "_" + std::to_string(blocks) + "_per_sm";
    variant.shared = each;
    return variant;
}

template<int columns, int rows, int threads, int stages, Out out_by> Variant bulk_copies(int blocks_per_sm) {
    using Design = Bulk<element, columns, rows, threads, stages, out_by>;
    const Kernel kernel = bulk<element, columns, rows, threads, stages, out_by>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Design::shared), "shared memory");
    int processors = 0;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "processors");
    return {"bulk_" + std::to_string(Design::width) + "x" + std::to_string(Design::height) + "_" + std::to_string(threads) + "_" +
                std::to_string(stages) + "_ahead_" + (out_by == Out::bulk ? "in_and_out_" : "in_") + std::to_string(blocks_per_sm) +
                "_per_sm",
            kernel,
            16,
            Design::width,
            Design::height,
            0,
            threads,
            Design::shared,
            down,
            false,
            processors * blocks_per_sm};
}

#if ELEMENT == 1
std::vector<Variant> variants() {
    return {lines<32, 64, 64, 128, 4>({0, 20}), lines<32, 128, 64, 512, 4>(along),    lines<32, 64, 128, 512, 4>(along),
            lines<32, 32, 64, 128, 4>(along),   lines<32, 128, 64, 128, 4>(along),    lines<32, 128, 64, 256, 4>({0, 20}),
            small_cells<4, 16, 16, 256>(),      small_cells<8, 8, 8, 64>(),           cells<8, 32, 16, 256>({0, 20}),
            cells<16, 16, 16, 256>(down),       lines<4, 64, 64, 256>(along),         lines<32, 64, 128, 256>({0, 20}),
            lines<32, 64, 256, 256>(),          lines<32, 128, 128, 256>({0, 20}),    lines<32, 128, 256, 512>(),
            lines<128, 128, 256, 512>(),        strips<128, 8, 12>(2, {0, 20}),       strips<128, 6, 12, true>(3, {0, 20}),
            strips<256, 4, 4>(2, {0, 20}),      strips<256, 3, 12, true>(3, {0, 20}), strips<64, 16, 12>(4, {0, 20})};
}
#elif ELEMENT == 2
std::vector<Variant> variants() {
    return {lines<32, 64, 64, 128, 4>({0, 20}),  lines<32, 64, 128, 512, 4>(down),
            lines<32, 32, 64, 128, 4>(down),     lines<32, 64, 128, 128, 4>(down),
            lines<32, 64, 128, 256, 4>({0, 20}), cells<16, 16, 16, 128, 4>(down),
            small_cells<8, 16, 16, 256>(),       small_cells<8, 16, 8, 128>(),
            cells<16, 16, 16, 256>(down),        cells<16, 16, 16, 128>(down),
            lines<4, 32, 32, 128>(along),        lines<32, 64, 64, 256>(),
            lines<32, 64, 128, 256>({0, 20}),    lines<32, 32, 256, 256>(),
            lines<32, 128, 128, 512>(),          lines<128, 64, 128, 256>(),
            strips<128, 8, 12>(2, {0, 20}),      strips<128, 6, 12, true>(3, {0, 20}),
            strips<256, 4, 4>(2, {0, 20}),       strips<256, 3, 12, true>(3, {0, 20}),
            strips<64, 16, 12>(4, {0, 20})};
}
#elif ELEMENT == 4
std::vector<Variant> variants() {
    return {lines<32, 64, 64, 256, 4>({0, 20}),
            cells<16, 16, 16, 128, 4>(down),
            small_cells<16, 8, 8, 64>(),
            small_cells<8, 16, 16, 256>(),
            small_cells<16, 16, 8, 128>(),
            cells<16, 16, 16, 256>({6, 8, 20}),
            cells<16, 16, 16, 256, 3>(down),
            cells<16, 16, 16, 128>(down),
            cells<16, 16, 32, 512>(down),
            crowded(cells<16, 16, 16, 256>(down), 3, 16384),
            crowded(cells<16, 16, 16, 256>(down), 5, 16384),
            bulk_copies<16, 16, 256, 2, Out::threads>(3),
            bulk_copies<16, 16, 256, 2, Out::bulk>(3),
            lines<4, 32, 64, 256>(along),
            lines<16, 64, 64, 256>(),
            lines<32, 64, 64, 256>({0, 20}),
            lines<32, 64, 128, 512>(),
            lines<32, 128, 64, 256>(),
            lines<128, 64, 128, 512>()};
}
#elif ELEMENT == 8
std::vector<Variant> variants() {
    return {lines<32, 32, 64, 512, 4>({0, 20}),
            cells<16, 16, 32, 512, 4>(down),
            small_cells<16, 16, 8, 128>(),
            small_cells<16, 16, 16, 256>(),
            cells<16, 16, 16, 256>({6, 8, 20}),
            cells<16, 16, 16, 256, 3>(down),
            cells<16, 16, 16, 128>(down),
            cells<16, 32, 32, 512>(down),
            crowded(cells<16, 16, 16, 256>(down), 4, 8192),
            crowded(cells<16, 16, 16, 256>(down), 6, 8192),
            crowded(cells<16, 16, 16, 256>(down), 8, 8192),
            bulk_copies<16, 16, 256, 2, Out::threads>(4),
            bulk_copies<32, 32, 256, 2, Out::threads>(2),
            bulk_copies<16, 16, 128, 2, Out::bulk>(4),
            lines<8, 32, 32, 256>(along),
            lines<32, 32, 32, 256>({0, 20}),
            lines<32, 32, 64, 512>({0, 20}),
            lines<32, 64, 64, 512>(),
            lines<64, 64, 64, 512>(),
            lines<128, 32, 64, 256>()};
}
#else
std::vector<Variant> variants() {
    return {lines<32, 32, 32, 512, 4>(),     cells<16, 32, 32, 512, 4>({5, 20}), small_cells<16, 16, 16, 128>(),
            small_cells<16, 16, 16, 256>(),  cells<16, 16, 16, 256>({5, 20}),    cells<16, 32, 32, 512>({5, 20}),
            cells<16, 16, 32, 256>({5, 20}), lines<32, 32, 32, 512>(),           lines<32, 32, 64, 512>(),
            lines<128, 32, 64, 512>()};
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
            const dim3 grid = variant.blocks > 0 ? dim3(variant.blocks)
                                                 : dim3(static_cast<unsigned>(tiles_x << shift),
                                                        static_cast<unsigned>((tiles_y + (1LL << shift) - 1) >> shift));
            const auto move = [&](void* out, const void* in) {
                variant.kernel<<<grid, variant.threads, variant.shared, stream()>>>(out, in, rows, columns, columns, rows, 0, 0,
                                                                                    shift | variant.steps << 8);
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
