// Timing for spmv_matrices.cu, and cuSPARSE behind the same calls.
#pragma once

#include "spmv_sets.cuh"

#include <cusparse.h>

#include <algorithm>
#include <chrono>
#include <dlfcn.h>
#include <vector>

namespace spmv_bench {

// The device's time for one call of `work`: of a graph of several, so that the host's calls do not count.
// Under an emulator (APOD_NO_TIMES) nothing is timed.
template<class Work> double time_us(const Work& work) {
    if (std::getenv("APOD_NO_TIMES") != nullptr) return 1;
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    const auto elapsed = [&](const auto& run) {
        check(cudaEventRecord(start, stream()));
        run();
        check(cudaEventRecord(stop, stream()));
        check(cudaEventSynchronize(stop));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start, stop));
        return 1000.0 * ms;
    };
    work();
    const double first = elapsed(work);
    const int calls = std::clamp(static_cast<int>(3000 / std::max(first, 1.0)), 1, 100);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls; ++i) work();
    check(cudaStreamEndCapture(stream(), &graph));
    check(cudaGraphInstantiate(&executable, graph, 0));
    check(cudaGraphLaunch(executable, stream()));
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) times.push_back(elapsed([&] { check(cudaGraphLaunch(executable, stream())); }) / calls);
    std::sort(times.begin(), times.end());
    check(cudaGraphExecDestroy(executable));
    check(cudaGraphDestroy(graph));
    check(cudaEventDestroy(start));
    check(cudaEventDestroy(stop));
    return times[2];
}

// The host's time for a call and what it waits for.
template<class Work> double host_us(const Work& work) {
    check(cudaStreamSynchronize(stream()));
    const auto start = std::chrono::steady_clock::now();
    work();
    check(cudaStreamSynchronize(stream()));
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

__global__ void read_everything(const uint4* from, long long count, unsigned* to) {
    unsigned sum = 0;
    for (long long i = apod::spmv::thread_number(); i < count; i += static_cast<long long>(gridDim.x) * blockDim.x * 4) {
        uint4 pieces[4] = {};
        for (int j = 0; j < 4; ++j) {
            const long long at = i + static_cast<long long>(j) * gridDim.x * blockDim.x;
            if (at < count) pieces[j] = __ldcs(&from[at]);
        }
        for (const uint4& piece : pieces) sum += piece.x ^ piece.y ^ piece.z ^ piece.w;
    }
    if (sum == 0x12345678) *to = sum;
}

// GB/s of a kernel that only reads, of 1 GiB.
inline double read_rate() {
    constexpr long long bytes = 1 << 30;
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes));
    check(cudaMemset(memory, 1, bytes));
    const double us = time_us(
        [&] { read_everything<<<132 * 8, 256, 0, stream()>>>(static_cast<uint4*>(memory), bytes / 16, static_cast<unsigned*>(memory)); });
    check(cudaFree(memory));
    return bytes / us / 1000;
}

inline void check_cusparse(cusparseStatus_t status, int line) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    std::fprintf(stderr, "cuSPARSE fails with status %d at line %d\n", static_cast<int>(status), line);
    std::exit(1);
}

struct Cusparse {
    decltype(&cusparseCreate) create;
    decltype(&cusparseSetStream) set_stream;
    decltype(&cusparseCreateCsr) create_csr;
    decltype(&cusparseCreateDnVec) create_vector;
    decltype(&cusparseDestroySpMat) destroy_matrix;
    decltype(&cusparseDestroyDnVec) destroy_vector;
    decltype(&cusparseDnVecSetValues) set_values;
    decltype(&cusparseSpMV_bufferSize) buffer_size;
    decltype(&cusparseSpMV_preprocess) preprocess;
    decltype(&cusparseSpMV) spmv;
    decltype(&cusparseGetProperty) property;
    cusparseHandle_t handle;
};

inline const Cusparse* find_cusparse() {
    static Cusparse found = {};
    static const bool there = [] {
        void* const library = dlopen("libcusparse.so.12", RTLD_NOW);
        if (library == nullptr) {
            std::printf("cuSPARSE is not compared: %s\n", dlerror());
            return false;
        }
        const auto load = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        };
        load(found.create, "cusparseCreate");
        load(found.set_stream, "cusparseSetStream");
        load(found.create_csr, "cusparseCreateCsr");
        load(found.create_vector, "cusparseCreateDnVec");
        load(found.destroy_matrix, "cusparseDestroySpMat");
        load(found.destroy_vector, "cusparseDestroyDnVec");
        load(found.set_values, "cusparseDnVecSetValues");
        load(found.buffer_size, "cusparseSpMV_bufferSize");
        load(found.preprocess, "cusparseSpMV_preprocess");
        load(found.spmv, "cusparseSpMV");
        load(found.property, "cusparseGetProperty");
        check_cusparse(found.create(&found.handle), __LINE__);
        check_cusparse(found.set_stream(found.handle, stream()), __LINE__);
        int version[3] = {};
        found.property(MAJOR_VERSION, &version[0]);
        found.property(MINOR_VERSION, &version[1]);
        found.property(PATCH_LEVEL, &version[2]);
        std::printf("cuSPARSE %d.%d.%d\n", version[0], version[1], version[2]);
        return true;
    }();
    return there ? &found : nullptr;
}

class CusparseSpmv {
public:
    CusparseSpmv(const Cusparse& library, const Problem& problem, cusparseSpMVAlg_t algorithm) : library_(library), algorithm_(algorithm) {
        check_cusparse(library.create_csr(&matrix_, problem.rows(), problem.columns(), problem.entries(), problem.offsets(),
                                          problem.column_indices(), problem.values(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
                       __LINE__);
        check_cusparse(library.create_vector(&x_, problem.columns(), problem.x(), CUDA_R_32F), __LINE__);
        check_cusparse(library.create_vector(&y_, problem.rows(), problem.y(), CUDA_R_32F), __LINE__);
        const float alpha = 1;
        const float beta = 0;
        std::size_t bytes = 0;
        check_cusparse(library.buffer_size(library.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix_, x_, &beta, y_, CUDA_R_32F,
                                           algorithm, &bytes),
                       __LINE__);
        check(cudaMalloc(&buffer_, std::max<std::size_t>(bytes, 16)));
        preprocess_us_ = host_us([&] {
            check_cusparse(library.preprocess(library.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix_, x_, &beta, y_, CUDA_R_32F,
                                              algorithm, buffer_),
                           __LINE__);
        });
    }
    CusparseSpmv(const CusparseSpmv&) = delete;
    CusparseSpmv& operator=(const CusparseSpmv&) = delete;
    ~CusparseSpmv() {
        library_.destroy_matrix(matrix_);
        library_.destroy_vector(x_);
        library_.destroy_vector(y_);
        cudaFree(buffer_);
    }

    void multiply(float alpha, float beta, float* y) {
        check_cusparse(library_.set_values(y_, y), __LINE__);
        check_cusparse(library_.spmv(library_.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix_, x_, &beta, y_, CUDA_R_32F,
                                     algorithm_, buffer_),
                       __LINE__);
    }
    [[nodiscard]] double preprocess_us() const { return preprocess_us_; }

private:
    const Cusparse& library_;
    cusparseSpMVAlg_t algorithm_;
    cusparseSpMatDescr_t matrix_ = nullptr;
    cusparseDnVecDescr_t x_ = nullptr;
    cusparseDnVecDescr_t y_ = nullptr;
    void* buffer_ = nullptr;
    double preprocess_us_ = 0;
};

} // namespace spmv_bench
