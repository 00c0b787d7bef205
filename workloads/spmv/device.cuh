// y = alpha A x + beta y on a GPU, A in CSR: a plan made once from the matrix's offsets and columns, and multiplications that use it.
//
//   apod::spmv::Plan<float, float, int> plan;
//   cudaError_t error = plan.make({rows, columns, entries, offsets, column_indices, values}, stream);
//   error = plan.multiply(1.0f, x, 0.0f, y, stream);
//
// Value is the matrix's type and Vector that of x and y: float and float, double and double, __half and __half (sums in float), float and
// double. Index is int or long long, and counts entries and rows as well. All pointers are to the device's memory. The same bits come out
// in every run. x and y must not overlap. beta == 0: y is not read.
#pragma once

#include "analysis.cuh"
#include "repeats_analysis.cuh"
#include "resident.cuh"
#include "staged.cuh"

#include <cuda_runtime.h>

#include <cstdint>
#include <initializer_list>

namespace apod::spmv {

template<class Value, class Index> struct DeviceCsr {
    long long rows = 0;
    long long columns = 0;
    long long entries = 0;
    const Index* offsets = nullptr; // rows + 1
    const Index* column_indices = nullptr;
    const Value* values = nullptr;
};

enum class Method : unsigned char {
    automatic,
    tiles,    // tiles.cuh
    staged,   // staged.cuh; where arrays are not aligned to 16 bytes, tiles. Of a plan with repeats: repeats.cuh, for short rows
    narrow,   // the same with blocks of 128 threads instead of 256. Of a plan with repeats: for long rows
    resident, // resident.cuh; where x does not fit, tiles
    threads   // a thread for each row
};

// Device memory that goes with its owner.
class DeviceMemory {
public:
    DeviceMemory() = default;
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() { cudaFree(data_); }
    cudaError_t allocate(std::size_t bytes) {
        cudaFree(data_);
        data_ = nullptr;
        return bytes == 0 ? cudaSuccess : cudaMalloc(&data_, bytes);
    }
    template<class Element> [[nodiscard]] Element* as() const { return static_cast<Element*>(data_); }

private:
    void* data_ = nullptr;
};

template<class Value, class Vector, class Index> class Plan {
public:
    // The analysis. It waits for the stream twice, to learn what there is to allocate. The matrix's arrays must stay where they are while
    // the plan is used; values may change, offsets and columns may not. The plan takes 2 bytes an entry where columns can be coded, less
    // where rows repeat each other. `wanted`: none, or the last of the ways to code that is tried: windows, or repeats (which is first).
    cudaError_t make(const DeviceCsr<Value, Index>& matrix, cudaStream_t stream = nullptr, Codes wanted = Codes::repeats) {
        matrix_ = matrix;
        codes_ = Codes::none;
        tiles_ = (matrix.rows + matrix.entries + tile_size - 1) / tile_size;
        part_number_ = 0;
        int device = 0;
        for (const cudaError_t error :
             {cudaGetDevice(&device), cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
              cudaDeviceGetAttribute(&most_shared_, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)}) {
            if (error != cudaSuccess) return error;
        }
        if (matrix.rows == 0) return cudaSuccess;
        if (const cudaError_t error = find_tiles_and_parts(stream); error != cudaSuccess) return error;
        cudaError_t error = cudaSuccess;
        if (wanted == Codes::repeats && aligned() && matrix.entries != 0) error = make_repeats(stream);
        if (error == cudaSuccess && wanted != Codes::none && codes_ == Codes::none && matrix.entries != 0) error = make_codes(stream);
        best_ = guess();
        return error;
    }

    cudaError_t multiply(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream = nullptr,
                         Method method = Method::automatic) const {
        if (matrix_.rows == 0) return cudaSuccess;
        return multiply(method == Method::automatic ? best_ : Way{method, true}, alpha, x, beta, y, stream);
    }

    // Tries every way that may be the fastest and keeps the one that was, for the multiplications to come. Takes as long as some thirty of
    // them, and a vector of the size of y. x is read; its values do not matter.
    cudaError_t tune(const Vector* x, cudaStream_t stream = nullptr) {
        if (matrix_.rows == 0) return cudaSuccess;
        DeviceMemory y;
        Events events;
        cudaError_t error = y.allocate(static_cast<std::size_t>(matrix_.rows) * sizeof(Vector));
        if (error == cudaSuccess) error = events.make();
        float least = 0;
        for (const Method method : {Method::resident, Method::staged, Method::narrow, Method::tiles, Method::threads}) {
            for (const bool coded : {true, false}) {
                if (error != cudaSuccess) return error;
                if (!may_be_best({method, coded})) continue;
                float ms = 0;
                error = time({method, coded}, x, y.template as<Vector>(), stream, events, ms);
                if (error == cudaSuccess && (least == 0 || ms < least)) {
                    least = ms;
                    best_ = {method, coded};
                }
            }
        }
        return error;
    }

    [[nodiscard]] Method method() const { return best_.method; }
    [[nodiscard]] bool uses_codes() const { return best_.coded && codes_ != Codes::none; }

    [[nodiscard]] Codes codes() const { return codes_; }
    [[nodiscard]] int parts() const { return part_number_; }
    [[nodiscard]] bool fits_resident() const {
        return aligned() && matrix_.columns * static_cast<long long>(sizeof(Vector)) <= most_shared_ - 1024 && part_number_ == 0;
    }
    // Bringing x to every multiprocessor takes some of the time that it saves; and a row should give each lane something to do.
    [[nodiscard]] bool pays_resident() const {
        const long long x_bytes = matrix_.columns * static_cast<long long>(sizeof(Vector)) * multiprocessors_;
        return matrix_.entries * static_cast<long long>(sizeof(Value)) > x_bytes && matrix_.entries > 64 * matrix_.rows;
    }

private:
    struct Way {
        Method method = Method::tiles;
        bool coded = true;
    };

    class Events {
    public:
        Events() = default;
        Events(const Events&) = delete;
        Events& operator=(const Events&) = delete;
        ~Events() {
            for (cudaEvent_t event : {start, stop}) {
                if (event != nullptr) cudaEventDestroy(event);
            }
        }
        cudaError_t make() {
            const cudaError_t error = cudaEventCreate(&start);
            return error == cudaSuccess ? cudaEventCreate(&stop) : error;
        }
        cudaEvent_t start = nullptr;
        cudaEvent_t stop = nullptr;
    };

    // What was the fastest on an H200 for matrices like this one.
    [[nodiscard]] Way guess() const {
        if (fits_resident() && pays_resident()) return {Method::resident, true};
        if (codes_ == Codes::repeats) return {longest_ <= 12 ? Method::staged : Method::narrow, true};
        const bool is_local = codes_ != Codes::none; // columns of neighbouring rows are neighbours
        if (is_local && longest_ <= 12) return {Method::threads, false};
        return {is_local && aligned() ? Method::narrow : Method::tiles, true};
    }

    [[nodiscard]] bool may_be_best(const Way& way) const {
        if (way.coded && (codes_ == Codes::none || way.method == Method::threads)) return false;
        if (way.coded && codes_ == Codes::repeats) return way.method == Method::staged || way.method == Method::narrow;
        switch (way.method) {
        case Method::resident: return fits_resident() && matrix_.entries > 16 * matrix_.rows;
        case Method::staged:
        case Method::narrow: return aligned();
        case Method::threads: return longest_ <= 512;
        default: return true;
        }
    }

    // The shorter of two times, each of two multiplications.
    cudaError_t time(const Way& way, const Vector* x, Vector* y, cudaStream_t stream, const Events& events, float& ms) const {
        cudaError_t error = multiply(way, Sum<Vector>(1), x, Sum<Vector>(0), y, stream);
        for (int i = 0; i < 2 && error == cudaSuccess; ++i) {
            error = cudaEventRecord(events.start, stream);
            for (int j = 0; j < 2 && error == cudaSuccess; ++j) error = multiply(way, Sum<Vector>(1), x, Sum<Vector>(0), y, stream);
            float elapsed = 0;
            if (error == cudaSuccess) error = cudaEventRecord(events.stop, stream);
            if (error == cudaSuccess) error = cudaEventSynchronize(events.stop);
            if (error == cudaSuccess) error = cudaEventElapsedTime(&elapsed, events.start, events.stop);
            if (ms == 0 || elapsed < ms) ms = elapsed;
        }
        return error;
    }

    cudaError_t multiply(const Way& way, Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        const Codes codes = way.coded ? codes_ : Codes::none;
        if (way.method == Method::resident && fits_resident()) return multiply_resident(codes, alpha, x, beta, y, stream);
        if (way.method == Method::staged && aligned()) return multiply_staged<256>(codes, alpha, x, beta, y, stream);
        if (way.method == Method::narrow && aligned()) return multiply_staged<128>(codes, alpha, x, beta, y, stream);
        if (way.method != Method::threads) return multiply_tiled(codes, alpha, x, beta, y, stream);
        thread_per_row<<<blocks_for(matrix_.rows), 256, 0, stream>>>(matrix_.offsets, matrix_.column_indices, matrix_.values, x, y, alpha,
                                                                     beta, matrix_.rows);
        return cudaGetLastError();
    }

    static constexpr int wide = 16 / sizeof(Value) > 4 ? 4 : 16 / sizeof(Value);

    [[nodiscard]] bool aligned() const {
        return reinterpret_cast<std::uintptr_t>(matrix_.values) % 16 == 0 &&
               reinterpret_cast<std::uintptr_t>(matrix_.column_indices) % 16 == 0;
    }

    static unsigned blocks_for(long long threads) { return static_cast<unsigned>((threads + 255) / 256); }

    cudaError_t find_tiles_and_parts(cudaStream_t stream) {
        cudaError_t error = starts_.allocate((2 * static_cast<std::size_t>(tiles_) + 2) * sizeof(Index));
        if (error == cudaSuccess) error = counts_.allocate(3 * sizeof(unsigned long long));
        if (error == cudaSuccess) error = cudaMemsetAsync(counts_.template as<void>(), 0, 3 * sizeof(unsigned long long), stream);
        if (error != cudaSuccess) return error;
        find_tiles<<<blocks_for(tiles_ + 1), 256, 0, stream>>>(matrix_.offsets, matrix_.rows, tiles_, starts_.template as<Index>());
        find_huge_rows<Index><<<blocks_for(matrix_.rows), 256, 0, stream>>>(
            matrix_.offsets, matrix_.rows, nullptr, counts_.template as<unsigned>(), counts_.template as<unsigned long long>() + 2);
        unsigned long long counts[3] = {};
        error = cudaMemcpyAsync(counts, counts_.template as<void>(), sizeof counts, cudaMemcpyDeviceToHost, stream);
        if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
        const auto parts = static_cast<unsigned>(counts[0]);
        longest_ = static_cast<long long>(counts[2]);
        part_number_ = static_cast<int>(parts);
        if (error != cudaSuccess || parts == 0) return error;
        for (const cudaError_t each : {parts_.allocate(parts * part_fields * sizeof(Index)), sums_.allocate(parts * sizeof(Sum<Vector>)),
                                       counters_.allocate(parts * sizeof(unsigned)),
                                       cudaMemsetAsync(counters_.template as<void>(), 0, parts * sizeof(unsigned), stream),
                                       cudaMemsetAsync(counts_.template as<void>(), 0, sizeof(unsigned long long), stream)}) {
            if (each != cudaSuccess) return each;
        }
        find_huge_rows<Index><<<blocks_for(matrix_.rows), 256, 0, stream>>>(matrix_.offsets, matrix_.rows, parts_.template as<Index>(),
                                                                            counts_.template as<unsigned>(), nullptr);
        return cudaGetLastError();
    }

    cudaError_t make_repeats(cudaStream_t stream) {
        if (matrix_.columns > 0x7fffffffLL || matrix_.rows > 0x7fffffffLL) return cudaSuccess; // lists are signed numbers of 32 bits
        constexpr std::size_t totals_bytes = repeat_totals * sizeof(unsigned long long);       // as many as counts_ has
        for (const cudaError_t error : {places_.allocate(static_cast<std::size_t>(matrix_.rows) * sizeof(unsigned short)),
                                        repeat_tiles_.allocate(static_cast<std::size_t>(tiles_) * sizeof(RepeatTile)),
                                        cudaMemsetAsync(counts_.template as<void>(), 0, totals_bytes, stream)}) {
            if (error != cudaSuccess) return error;
        }
        auto* const totals = counts_.template as<unsigned long long>();
        auto* const tiles = repeat_tiles_.template as<RepeatTile>();
        find_repeats<Index><<<static_cast<unsigned>(tiles_), tile_threads, 0, stream>>>(
            starts_.template as<Index>(), matrix_.offsets, matrix_.column_indices, places_.template as<unsigned short>(), tiles, totals);
        place_repeats<1024><<<1, 1024, 0, stream>>>(tiles, tiles_, totals);
        unsigned long long found[repeat_totals] = {};
        cudaError_t error = cudaMemcpyAsync(found, totals, sizeof found, cudaMemcpyDeviceToHost, stream);
        if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
        if (error != cudaSuccess) return error;
        // What is read of columns then, at least by a third less.
        const auto entries = static_cast<unsigned long long>(matrix_.entries);
        if (3 * (4 * found[repeat_quads] + entries - found[repeat_entries]) > 2 * entries) {
            places_.allocate(0);
            repeat_tiles_.allocate(0);
            return cudaMemsetAsync(totals, 0, totals_bytes, stream);
        }
        codes_ = Codes::repeats;
        longest_list_ = static_cast<int>(found[repeat_longest]);
        error = lists_.allocate(found[repeat_quads] * 4 * sizeof(int));
        if (error != cudaSuccess) return error;
        write_repeats<Index><<<static_cast<unsigned>(tiles_), tile_threads, 0, stream>>>(
            starts_.template as<Index>(), matrix_.offsets, matrix_.column_indices, places_.template as<unsigned short>(), tiles,
            lists_.template as<int>());
        return cudaGetLastError();
    }

    cudaError_t make_codes(cudaStream_t stream) {
        cudaError_t error = code_.allocate(static_cast<std::size_t>(matrix_.entries) * sizeof(unsigned short) + 16);
        if (error != cudaSuccess) return error;
        if (matrix_.columns <= 65536) {
            make_plain_codes<<<blocks_for(matrix_.entries), 256, 0, stream>>>(matrix_.column_indices, matrix_.entries,
                                                                              code_.template as<unsigned short>());
            codes_ = Codes::plain;
            return cudaGetLastError();
        }
        if (matrix_.columns > 0xffffffffLL) return code_.allocate(0);
        error = windows_.allocate(static_cast<std::size_t>(tiles_) * windows_of_a_tile * sizeof(unsigned));
        if (error != cudaSuccess) return error;
        auto* const coded = counts_.template as<unsigned long long>() + 1;
        make_window_codes<<<static_cast<unsigned>(tiles_), tile_threads, 0, stream>>>(starts_.template as<Index>(), matrix_.column_indices,
                                                                                      code_.template as<unsigned short>(),
                                                                                      windows_.template as<unsigned>(), coded);
        unsigned long long count = 0;
        error = cudaMemcpyAsync(&count, coded, sizeof count, cudaMemcpyDeviceToHost, stream);
        if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
        if (error != cudaSuccess) return error;
        // Tiles that could not be coded are read as they are; where they are many, the windows are not worth looking at.
        if (4 * count >= static_cast<unsigned long long>(matrix_.entries)) {
            codes_ = Codes::windows;
            return cudaSuccess;
        }
        windows_.allocate(0);
        return code_.allocate(0);
    }

    template<Codes codes, int width>
    cudaError_t launch_tiled(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        // Six blocks fit 64 KB; what is left is L1, which holds more of x then.
        cudaFuncSetAttribute(tiled<codes, width, Value, Vector, Index>, cudaFuncAttributePreferredSharedMemoryCarveout, 28);
        tiled<codes, width><<<static_cast<unsigned>(tiles_ + part_number_), tile_threads, 0, stream>>>(
            starts_.template as<Index>(), matrix_.offsets, matrix_.column_indices, code_.template as<unsigned short>(),
            windows_.template as<unsigned>(), matrix_.values, x, y, alpha, beta, parts_.template as<Index>(), part_number_,
            sums_.template as<Sum<Vector>>(), counters_.template as<unsigned>());
        return cudaGetLastError();
    }

    cudaError_t multiply_tiled(Codes codes, Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        if (!aligned()) return launch_tiled<Codes::none, 1>(alpha, x, beta, y, stream);
        switch (codes) {
        case Codes::plain: return launch_tiled<Codes::plain, wide>(alpha, x, beta, y, stream);
        case Codes::windows: return launch_tiled<Codes::windows, wide>(alpha, x, beta, y, stream);
        default: return launch_tiled<Codes::none, wide>(alpha, x, beta, y, stream);
        }
    }

    template<bool short_rows>
    cudaError_t launch_repeated(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        const std::size_t shared = staged_capacity * sizeof(Value) + static_cast<std::size_t>(longest_list_) * sizeof(int);
        constexpr int threads = 128;
        repeated<threads, short_rows><<<static_cast<unsigned>(tiles_ + part_number_), threads, shared, stream>>>(
            starts_.template as<Index>(), matrix_.offsets, matrix_.column_indices, places_.template as<unsigned short>(),
            repeat_tiles_.template as<RepeatTile>(), lists_.template as<int>(), matrix_.values, x, y, alpha, beta,
            parts_.template as<Index>(), part_number_, sums_.template as<Sum<Vector>>(), counters_.template as<unsigned>(),
            matrix_.entries);
        return cudaGetLastError();
    }

    template<Codes codes, int threads>
    cudaError_t launch_staged(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        staged<codes, threads><<<static_cast<unsigned>(tiles_ + part_number_), threads, 0, stream>>>(
            starts_.template as<Index>(), matrix_.offsets, matrix_.column_indices, code_.template as<unsigned short>(),
            windows_.template as<unsigned>(), matrix_.values, x, y, alpha, beta, parts_.template as<Index>(), part_number_,
            sums_.template as<Sum<Vector>>(), counters_.template as<unsigned>(), matrix_.entries);
        return cudaGetLastError();
    }

    template<int threads>
    cudaError_t multiply_staged(Codes codes, Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        switch (codes) {
        case Codes::plain: return launch_staged<Codes::plain, threads>(alpha, x, beta, y, stream);
        case Codes::windows: return launch_staged<Codes::windows, threads>(alpha, x, beta, y, stream);
        case Codes::repeats: return launch_repeated<threads == 256>(alpha, x, beta, y, stream);
        default: return launch_staged<Codes::none, threads>(alpha, x, beta, y, stream);
        }
    }

    template<Codes codes, int deep>
    cudaError_t launch_resident(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        const auto kernel = resident<codes, wide, deep, Value, Vector, Index>;
        const auto bytes = static_cast<std::size_t>(matrix_.columns) * sizeof(Vector);
        const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
        if (error != cudaSuccess) return error;
        kernel<<<static_cast<unsigned>(multiprocessors_), resident_threads, bytes, stream>>>(
            matrix_.offsets, matrix_.column_indices, code_.template as<unsigned short>(), matrix_.values, x, y, alpha, beta, matrix_.rows,
            matrix_.columns);
        return cudaGetLastError();
    }

    template<Codes codes>
    cudaError_t launch_resident_deep(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        const long long pieces = (matrix_.entries / matrix_.rows + 32 * wide - 1) / (32 * wide); // of a row of mean length, for each lane
        if (pieces <= 1) return launch_resident<codes, 1>(alpha, x, beta, y, stream);
        if (pieces <= 2) return launch_resident<codes, 2>(alpha, x, beta, y, stream);
        return launch_resident<codes, 5>(alpha, x, beta, y, stream);
    }

    cudaError_t multiply_resident(Codes codes, Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        return codes == Codes::plain ? launch_resident_deep<Codes::plain>(alpha, x, beta, y, stream)
                                     : launch_resident_deep<Codes::none>(alpha, x, beta, y, stream);
    }

    DeviceCsr<Value, Index> matrix_;
    Codes codes_ = Codes::none;
    long long tiles_ = 0;
    int part_number_ = 0;
    long long longest_ = 0;
    Way best_;
    int multiprocessors_ = 0;
    int most_shared_ = 0;
    DeviceMemory starts_;
    DeviceMemory code_;
    DeviceMemory windows_;
    int longest_list_ = 0;
    DeviceMemory places_;
    DeviceMemory repeat_tiles_;
    DeviceMemory lists_;
    DeviceMemory parts_;
    DeviceMemory sums_;
    DeviceMemory counters_;
    DeviceMemory counts_;
};

} // namespace apod::spmv
