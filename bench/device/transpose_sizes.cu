// The library's transpose (include/apod/transpose.hpp) against a copy of the same bytes and cuBLAS's geam on a real GPU. Every result is
// checked against the input.
//
//   nvcc -O3 -std=c++20 -arch=native -Iinclude bench/device/transpose_sizes.cu -Lbuild/release -lapod_transpose -o transpose_sizes -ldl
//   LD_LIBRARY_PATH=build/release ./transpose_sizes [BYTESxROWSxCOLUMNS ...] > sizes.csv
//
// CSV: bytes of an element, rows, columns, caches (hot or cold: transpose_timing.cuh says what that is), kernel, microseconds, GB/s (bytes
// read and written), percent of the copy's rate, microseconds of cuBLAS, wrong bytes. cuBLAS (libcublas.so.13 or .12) is loaded where it is
// found and has no geam for 1 and 2 bytes. `in place` is for square matrices.
#include "transpose_timing.cuh"

#include <apod/transpose.hpp>

#include <dlfcn.h>

#include <array>
#include <chrono>
#include <string>

namespace transpose_bench {

// cuBLAS's geam as its documentation describes it: C = A^T in columns first.
class Geam {
public:
    Geam() {
        void* library = nullptr;
        for (const char* name : {"libcublas.so.13", "libcublas.so.12"}) {
            if (library == nullptr) library = dlopen(name, RTLD_NOW);
        }
        if (library == nullptr) return;
        const auto create = reinterpret_cast<int (*)(void**)>(dlsym(library, "cublasCreate_v2"));
        const auto set_stream = reinterpret_cast<int (*)(void*, cudaStream_t)>(dlsym(library, "cublasSetStream_v2"));
        if (create == nullptr || set_stream == nullptr || create(&handle_) != 0 || set_stream(handle_, stream()) != 0) return;
        for (const auto& [bytes, name] : {std::pair{4, "cublasSgeam"}, {8, "cublasDgeam"}, {16, "cublasZgeam"}})
            call_[bytes] = reinterpret_cast<Call>(dlsym(library, name));
    }
    [[nodiscard]] bool has(int bytes) const { return call_[bytes] != nullptr; }
    void operator()(int bytes, void* out, const void* in, long long rows, long long columns) const {
        const int m = static_cast<int>(rows);
        const int n = static_cast<int>(columns);
        // alpha and beta of any of the types: 1 and 0, and imaginary parts of 0.
        const std::array<float, 4> one_float{1, 0, 0, 0};
        const std::array<double, 2> one_double{1, 0};
        const std::array<double, 2> zero{0, 0};
        const void* const one = bytes == 4 ? static_cast<const void*>(one_float.data()) : one_double.data();
        if (call_[bytes](handle_, 1, 0, m, n, one, in, n, zero.data(), out, m, out, m) != 0) std::fprintf(stderr, "cuBLAS refuses\n");
    }

private:
    using Call = int (*)(void*, int, int, int, int, const void*, const void*, int, const void*, const void*, int, void*, int);
    void* handle_ = nullptr;
    std::array<Call, 17> call_{};
};

struct Size {
    int bytes;
    long long rows;
    long long columns;
};

class Report {
public:
    Report(const Size& size, const Arena& arena, const Geam& geam) :
        size_(size), arena_(arena), bytes_(static_cast<std::size_t>(size.rows * size.columns) * size.bytes) {
        copy_ = time([&](void* out, const void* in) { copy(out, in, bytes_); }, arena_, bytes_);
        if (geam.has(size.bytes)) {
            geam_ = [&geam, size](void* out, const void* in) { geam(size.bytes, out, in, size.rows, size.columns); };
            cublas_ = time(geam_, arena_, bytes_);
        }
    }

    void run() const {
        line("copy", copy_, 0);
        if (geam_) line("cublas", cublas_, wrong(geam_));
        const apod::Transpose what{.rows = size_.rows, .columns = size_.columns, .element_bytes = size_.bytes};
        const auto library = [what](void* out, const void* in) {
            if (const auto status = apod::transpose(out, in, what, stream()); !status) {
                std::fprintf(stderr, "%s\n", status.message().c_str());
                std::exit(1);
            }
        };
        line("apod", time(library, arena_, bytes_), wrong(library));
        if (size_.rows == size_.columns) line("apod in place", time([&](void* out, const void*) { library(out, out); }, arena_, bytes_), 0);
    }

private:
    [[nodiscard]] unsigned long long wrong(const Move& move) const {
        return bytes_ <= 600'000'000 ? wrong_bytes(move, arena_, size_.rows, size_.columns, size_.bytes) : 0;
    }
    void line(const char* kernel, const Times& times, unsigned long long wrong) const {
        line("hot", kernel, times.hot_us, copy_.hot_us, cublas_.hot_us, wrong);
        line("cold", kernel, times.cold_us, copy_.cold_us, cublas_.cold_us, wrong);
    }
    void line(const char* caches, const char* kernel, double us, double copy_us, double cublas_us, unsigned long long wrong) const {
        std::printf("%d,%lld,%lld,%s,%s,%.3f,%.1f,%.1f,", size_.bytes, size_.rows, size_.columns, caches, kernel, us,
                    2e-3 * static_cast<double>(bytes_) / us, 100 * copy_us / us);
        if (cublas_us > 0) std::printf("%.3f", cublas_us);
        std::printf(",%llu\n", wrong);
        std::fflush(stdout);
    }

    Size size_;
    const Arena& arena_;
    std::size_t bytes_;
    Times copy_;
    Times cublas_;
    Move geam_;
};

// The first call for elements of a size loads its kernels; the driver compiles them, and keeps the result for the next process.
void time_first_call(int bytes, const Arena& arena) {
    const auto begin = std::chrono::steady_clock::now();
    const auto status = apod::transpose(arena.out(64, 0), arena.in(64, 0), {.rows = 2, .columns = 2, .element_bytes = bytes}, stream());
    check(cudaStreamSynchronize(stream()), status.message().c_str());
    std::fprintf(stderr, "first call for %d bytes: %.1f ms\n", bytes,
                 std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
}

std::vector<Size> default_sizes() {
    std::vector<Size> sizes;
    for (const int bytes : {1, 2, 4, 8, 16}) {
        for (const long long n : {512, 1000, 1021, 1024, 2048, 4095, 4096, 8191, 8192, 16384}) {
            if (n * n * bytes <= (2LL << 30)) sizes.push_back({bytes, n, n});
        }
        for (const auto& [rows, columns] :
             {std::pair<long long, long long>{4096, 8192}, {4095, 8192}, {8192, 4095}, {1000, 100000}, {100000, 1000}, {1000003, 37}})
            sizes.push_back({bytes, rows, columns});
        sizes.push_back({bytes, 1000000, 16});
        sizes.push_back({bytes, 16, 1000000});
        sizes.push_back({bytes, 1000000, 3});
        sizes.push_back({bytes, 3, 1000000});
    }
    return sizes;
}

} // namespace transpose_bench

int main(int argc, char** argv) {
    using namespace transpose_bench;
    std::vector<Size> sizes;
    for (int i = 1; i < argc; ++i) {
        Size size{};
        if (std::sscanf(argv[i], "%dx%lldx%lld", &size.bytes, &size.rows, &size.columns) != 3) {
            std::fputs("usage: transpose_sizes [BYTESxROWSxCOLUMNS ...]\n", stderr);
            return 2;
        }
        sizes.push_back(size);
    }
    if (sizes.empty()) sizes = default_sizes();
    std::size_t largest = std::getenv("APOD_NO_TIMES") != nullptr ? 0 : 512ULL * 1024 * 1024;
    for (const Size& size : sizes)
        largest = std::max<std::size_t>(largest, static_cast<std::size_t>(size.rows * size.columns) * size.bytes);
    const Arena arena(largest + 4096);
    fill_bytes<<<1320, 256, 0, stream()>>>(reinterpret_cast<unsigned*>(arena.inputs()), arena.bytes() / 4);
    const Geam geam;
    std::printf("bytes,rows,columns,caches,kernel,us,gb_per_s,percent_of_copy,cublas_us,wrong\n");
    for (const int bytes : {1, 2, 4, 8, 16}) time_first_call(bytes, arena);
    for (const Size& size : sizes) Report(size, arena, geam).run();
    return 0;
}
