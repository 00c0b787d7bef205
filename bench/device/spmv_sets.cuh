// The matrices of spmv_matrices.cu: made on the device, with vectors, and checked against sums in double.
#pragma once

#include "workloads/spmv/kernels.cuh"
#include "workloads/spmv/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace spmv_bench {

using apod::spmv::Kind;
using apod::spmv::Recipe;

inline void check_at(cudaError_t error, const char* file, int line) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
    std::exit(1);
}
#define check(call) spmv_bench::check_at(call, __FILE__, __LINE__)

inline cudaStream_t stream() {
    static cudaStream_t only = [] {
        cudaStream_t made = nullptr;
        check(cudaStreamCreate(&made));
        return made;
    }();
    return only;
}

__global__ void count_entries(Recipe recipe, int* lengths) {
    const long long row = apod::spmv::thread_number();
    if (row < recipe.rows) lengths[row] = static_cast<int>(apod::spmv::row_length(recipe, row));
    if (row == recipe.rows) lengths[row] = 0;
}

// A warp for each row.
__global__ void make_entries(Recipe recipe, const int* offsets, int* columns, float* values) {
    const long long row = apod::spmv::thread_number() / 32;
    if (row >= recipe.rows) return;
    const int begin = offsets[row];
    const int end = offsets[row + 1];
    for (int k = begin + static_cast<int>(threadIdx.x % 32); k < end; k += 32) {
        columns[k] = static_cast<int>(apod::spmv::column_of(recipe, row, k - begin));
        values[k] = static_cast<float>(apod::spmv::value_of(recipe, row, k - begin));
    }
}

__global__ void make_vector(float* to, long long count, unsigned seed) {
    const long long i = apod::spmv::thread_number();
    if (i < count) to[i] = static_cast<float>(apod::spmv::below(apod::spmv::mixed(seed, i), 65536)) / 32768 - 1;
}

// A warp for each row: what y should be, in double, and what it may be off by.
__global__ void make_reference(int rows, const int* offsets, const int* columns, const float* values, const float* x, const float* y,
                               double alpha, double beta, double* right, double* bound) {
    const long long row = apod::spmv::thread_number() / 32;
    if (row >= rows) return;
    double sum = 0;
    double size = 0;
    for (int k = offsets[row] + static_cast<int>(threadIdx.x % 32); k < offsets[row + 1]; k += 32) {
        const double product = static_cast<double>(values[k]) * x[columns[k]];
        sum += product;
        size += fabs(product);
    }
    sum = apod::spmv::sum_of_lanes(sum, 32);
    size = apod::spmv::sum_of_lanes(size, 32);
    if (threadIdx.x % 32 != 0) return;
    const double kept = beta == 0 ? 0 : beta * y[row];
    right[row] = alpha * sum + kept;
    bound[row] = (offsets[row + 1] - offsets[row] + 4) * 0x1p-24 * (fabs(alpha) * size + fabs(kept)) + 1e-40;
}

__global__ void count_wrong_rows(int rows, const float* y, const double* right, const double* bound, unsigned long long* wrong) {
    const long long row = apod::spmv::thread_number();
    if (row < rows && !(fabs(y[row] - right[row]) <= bound[row])) atomicAdd(wrong, 1ULL);
}

inline unsigned blocks_for(long long threads) { return static_cast<unsigned>((threads + 255) / 256); }

class Problem {
public:
    Problem(std::string its_name, const Recipe& recipe) : name(std::move(its_name)), recipe_(recipe) {
        check(cudaMalloc(&offsets_, (recipe.rows + 1) * sizeof(int)));
        int* lengths = nullptr;
        check(cudaMalloc(&lengths, (recipe.rows + 1) * sizeof(int)));
        count_entries<<<blocks_for(recipe.rows + 1), 256>>>(recipe, lengths);
        std::vector<int> host(recipe.rows + 1);
        check(cudaMemcpy(host.data(), lengths, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
        for (int& length : host) {
            longest_ = std::max<long long>(longest_, length);
            entries_ += length;
            length = static_cast<int>(entries_ - length); // its offset
        }
        check(cudaMemcpy(offsets_, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
        check(cudaFree(lengths));
        check(cudaMalloc(&columns_, entries_ * sizeof(int)));
        check(cudaMalloc(&values_, entries_ * sizeof(float)));
        make_entries<<<blocks_for(32 * recipe.rows), 256>>>(recipe, offsets_, columns_, values_);
        for (const auto& [vector, count] : {std::pair{&x_, recipe.columns}, {&y_, recipe.rows}, {&first_y_, recipe.rows}}) {
            check(cudaMalloc(vector, count * sizeof(float)));
        }
        make_vector<<<blocks_for(recipe.columns), 256>>>(x_, recipe.columns, 3);
        make_vector<<<blocks_for(recipe.rows), 256>>>(first_y_, recipe.rows, 4);
        for (double** vector : {&right_, &bound_, &right_alone_, &bound_alone_}) check(cudaMalloc(vector, recipe.rows * sizeof(double)));
        check(cudaMalloc(&wrong_, sizeof(unsigned long long)));
        make_reference<<<blocks_for(32 * recipe.rows), 256>>>(rows(), offsets_, columns_, values_, x_, first_y_, alpha, beta, right_,
                                                              bound_);
        make_reference<<<blocks_for(32 * recipe.rows), 256>>>(rows(), offsets_, columns_, values_, x_, first_y_, 1, 0, right_alone_,
                                                              bound_alone_);
        check(cudaDeviceSynchronize());
    }
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;
    ~Problem() {
        for (void* memory : std::initializer_list<void*>{offsets_, columns_, values_, x_, y_, first_y_, right_, bound_, right_alone_,
                                                         bound_alone_, wrong_}) {
            cudaFree(memory);
        }
    }

    // How many rows are beyond the bound, once with alpha and beta and once into a y of NaN with beta = 0.
    template<class Multiply> unsigned long long count_wrong(const Multiply& multiply) const {
        check(cudaMemsetAsync(wrong_, 0, sizeof(unsigned long long), stream()));
        check(cudaMemcpyAsync(y_, first_y_, recipe_.rows * sizeof(float), cudaMemcpyDeviceToDevice, stream()));
        multiply(alpha, beta, y_);
        count_wrong_rows<<<blocks_for(recipe_.rows), 256, 0, stream()>>>(rows(), y_, right_, bound_, wrong_);
        check(cudaMemsetAsync(y_, 0xff, recipe_.rows * sizeof(float), stream()));
        multiply(1, 0, y_);
        count_wrong_rows<<<blocks_for(recipe_.rows), 256, 0, stream()>>>(rows(), y_, right_alone_, bound_alone_, wrong_);
        unsigned long long wrong = 0;
        check(cudaMemcpyAsync(&wrong, wrong_, sizeof wrong, cudaMemcpyDeviceToHost, stream()));
        check(cudaStreamSynchronize(stream()));
        return wrong;
    }

    [[nodiscard]] int rows() const { return static_cast<int>(recipe_.rows); }
    [[nodiscard]] long long columns() const { return recipe_.columns; }
    [[nodiscard]] long long entries() const { return entries_; }
    [[nodiscard]] long long longest() const { return longest_; }
    [[nodiscard]] int* offsets() const { return offsets_; }
    [[nodiscard]] int* column_indices() const { return columns_; }
    [[nodiscard]] float* values() const { return values_; }
    [[nodiscard]] float* x() const { return x_; }
    [[nodiscard]] float* y() const { return y_; }

    std::string name;

private:
    static constexpr float alpha = 0.75F;
    static constexpr float beta = -0.5F;

    Recipe recipe_;
    long long entries_ = 0;
    long long longest_ = 0;
    int* offsets_ = nullptr;
    int* columns_ = nullptr;
    float* values_ = nullptr;
    float* x_ = nullptr;
    float* y_ = nullptr;
    float* first_y_ = nullptr;
    double* right_ = nullptr;
    double* bound_ = nullptr;
    double* right_alone_ = nullptr;
    double* bound_alone_ = nullptr;
    unsigned long long* wrong_ = nullptr;
};

// 1 to 204 million entries. Kind, rows, columns, length, width, side, huge.
inline std::vector<std::pair<std::string, Recipe>> matrices(long long shrink) {
    const auto grid = [&](Kind kind, double side) {
        const bool flat = kind == Kind::stencil5;
        const auto n = static_cast<long long>(side / (shrink == 1 ? 1 : (flat ? std::sqrt(shrink) : std::cbrt(shrink))));
        const long long points = flat ? n * n : n * n * n;
        return Recipe{kind, points, points, 1, 1, n};
    };
    const auto n = [&](long long count) { return std::max(count / shrink, 16LL) / 16 * 16; };
    const long long M = 1000000;
    return {{"seed", {Kind::uniform, n(52000), n(52000), 520}},
            {"uniform_20k_2000", {Kind::uniform, n(20000), n(20000), 2000}},
            {"uniform_100k_200", {Kind::uniform, n(100000), n(100000), 200}},
            {"uniform_1m_16", {Kind::uniform, n(M), n(M), 16}},
            {"uniform_4m_8", {Kind::uniform, n(4 * M), n(4 * M), 8}},
            {"banded_100k_5", {Kind::banded, n(100000), n(100000), 1, 5}},
            {"banded_1m_8", {Kind::banded, n(M), n(M), 1, 8}},
            {"banded_2m_32", {Kind::banded, n(2 * M), n(2 * M), 1, 32}},
            {"banded_4m_25", {Kind::banded, n(4 * M), n(4 * M), 1, 25}},
            {"stencil5_1000", grid(Kind::stencil5, 1000)},
            {"stencil5_4000", grid(Kind::stencil5, 4000)},
            {"stencil7_256", grid(Kind::stencil7, 256)},
            {"stencil27_160", grid(Kind::stencil27, 160)},
            {"power_law_2m", {Kind::power_law, n(2 * M), n(2 * M), 2, n(500000), 1, 10}},
            {"power_law_500k", {Kind::power_law, n(500000), n(500000), 8, n(400000), 1, 4}},
            {"block_3", {Kind::block, n(1500000) / 48 * 48, n(1500000) / 48 * 48, 7, 3}},
            {"block_16", {Kind::block, n(800000), n(800000), 3, 16}},
            {"diagonal_1m", {Kind::diagonal, n(M), n(M)}},
            {"diagonal_50m", {Kind::diagonal, n(50 * M), n(50 * M)}},
            {"mostly_empty_20m", {Kind::mostly_empty, n(20 * M), n(20 * M), 16, 10}},
            {"short_rows_20m", {Kind::short_rows, n(20 * M), n(500000), 4}},
            {"dense_row_1m", {Kind::dense_row, n(M), n(M), 5}},
            {"wide_64", {Kind::uniform, 64, n(2 * M), n(M)}},
            {"tall_10m", {Kind::uniform, n(10 * M), 1000, 10}}};
}

} // namespace spmv_bench
