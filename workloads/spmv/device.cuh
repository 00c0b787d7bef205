// y = alpha A x + beta y on a GPU, A in CSR: a plan made once from the matrix's offsets and columns, and multiplications that use it.
//
//   apod::spmv::Plan<float, float, int> plan;
//   cudaError_t error = plan.make({rows, columns, entries, offsets, column_indices, values}, stream);
//   error = plan.multiply(1.0f, x, 0.0f, y, stream);
//
// Value is the matrix's type and Vector that of x and y: float and float, double and double, __half and __half (sums in float), float and
// double. Index is int or long long, and counts entries and rows as well. All pointers are to the device's memory. The same bits come out
// in every run. x and y must not overlap. beta == 0: y is not read. Multiplications of one plan share its memory and its second stream:
// they must follow each other, in one stream or ordered by events.
#pragma once

#include "analysis.cuh"
#include "graph_timer.cuh"
#include "panels.cuh"
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
    threads,  // a thread for each row
    panels    // panels.cuh for huge rows, tiles for the others; where none was made, tiles
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

// Launches and gives the launch's own error: what an earlier call left for cudaGetLastError() stays there, and is not ours to give.
template<class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, std::size_t shared_bytes, cudaStream_t stream,
                   Arguments... arguments) {
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = dim3(blocks);
    configuration.blockDim = dim3(threads);
    configuration.dynamicSmemBytes = shared_bytes;
    configuration.stream = stream;
    return cudaLaunchKernelEx(&configuration, kernel, static_cast<Parameters>(arguments)...);
}

template<class Value, class Vector, class Index> class Plan {
public:
    // The analysis. It waits for the stream up to three times, to learn what there is to allocate; of a large matrix it first looks at a
    // sample, and leaves out what will not pay. The matrix's arrays must stay where they are while
    // the plan is used; values may change, offsets and columns may not. The plan takes 2 bytes an entry where columns can be coded, less
    // where rows repeat each other. `wanted`: none, or the last of the ways to code that is tried: windows, or repeats (which is first).
    cudaError_t make(const DeviceCsr<Value, Index>& matrix, cudaStream_t stream = nullptr, Codes wanted = Codes::repeats) {
        matrix_ = matrix;
        codes_ = Codes::none;
        tiles_ = (matrix.rows + matrix.entries + tile_size - 1) / tile_size;
        part_number_ = 0;
        panel_number_ = 0;
        huge_number_ = 0;
        huge_entries_ = 0;
        int device = 0;
        for (const cudaError_t error :
             {cudaGetDevice(&device), cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
              cudaDeviceGetAttribute(&most_shared_, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)}) {
            if (error != cudaSuccess) return error;
        }
        if (matrix.rows == 0) return cudaSuccess;
        Worth worth = {wanted == Codes::repeats && aligned() && matrix.entries != 0, wanted != Codes::none && matrix.entries != 0};
        cudaError_t error = find_tiles_and_parts(worth, stream);
        if (error == cudaSuccess) error = make_panels(stream);
        if (error == cudaSuccess && worth.repeats) error = make_repeats(stream);
        if (error == cudaSuccess && worth.codes && codes_ == Codes::none) error = make_codes(stream);
        best_ = guess();
        return error;
    }

    cudaError_t multiply(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream = nullptr,
                         Method method = Method::automatic) const {
        if (matrix_.rows == 0) return cudaSuccess;
        return multiply(method == Method::automatic ? best_ : Way{method, true}, alpha, x, beta, y, stream);
    }

    // Tries every way that may be the fastest and keeps the one that was, for the multiplications to come: the guess, unless another is
    // faster by more than such times differ from run to run. Takes some 0.6 ms for each way, and as long as five multiplications where that
    // is more, and a vector of the size of y. Waits for the stream. x is read; its values do not matter. `most_runs`: each way is timed so
    // many times in a row at most; 1 where every run is the same, as on an emulated GPU.
    cudaError_t tune(const Vector* x, cudaStream_t stream = nullptr, int most_runs = 40) {
        if (matrix_.rows == 0) return cudaSuccess;
        DeviceMemory y;
        GraphTimer timer;
        cudaError_t error = y.allocate(static_cast<std::size_t>(matrix_.rows) * sizeof(Vector));
        if (error == cudaSuccess) error = timer.make(stream);
        const auto time = [&](const Way& way, float& ms) {
            return timer.time(
                [&](cudaStream_t on) { return multiply(way, Sum<Vector>(1), x, Sum<Vector>(0), y.template as<Vector>(), on); }, ms,
                most_runs);
        };
        float least = 0;
        if (error == cudaSuccess) error = time(best_, least);
        least *= 1 - differ;
        for (const Method method : {Method::resident, Method::staged, Method::narrow, Method::tiles, Method::threads, Method::panels}) {
            for (const bool coded : {true, false}) {
                if (error != cudaSuccess) return error;
                const Way way = {method, coded};
                if (!may_be_best(way) || way == best_) continue;
                float ms = 0;
                error = time(way, ms);
                if (error != cudaSuccess || ms >= least) continue;
                least = ms;
                best_ = way;
            }
        }
        return error;
    }

    [[nodiscard]] Method method() const { return best_.method; }
    [[nodiscard]] bool uses_codes() const { return best_.coded && codes_ != Codes::none; }

    [[nodiscard]] Codes codes() const { return codes_; }
    [[nodiscard]] int parts() const { return part_number_; }
    [[nodiscard]] int panels() const { return panel_number_; }
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
        bool operator==(const Way& other) const { return method == other.method && coded == other.coded; }
    };
    static constexpr float differ = 0.01F;

    // A stream beside the caller's, which work goes to and comes back from.
    class Beside {
    public:
        Beside() = default;
        Beside(const Beside&) = delete;
        Beside& operator=(const Beside&) = delete;
        ~Beside() {
            for (cudaEvent_t event : {fork, join}) {
                if (event != nullptr) cudaEventDestroy(event);
            }
            if (stream != nullptr) cudaStreamDestroy(stream);
        }
        cudaError_t make() {
            if (join != nullptr) return cudaSuccess;
            cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            if (error == cudaSuccess) error = cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
            return error == cudaSuccess ? cudaEventCreateWithFlags(&join, cudaEventDisableTiming) : error;
        }
        cudaStream_t stream = nullptr;
        cudaEvent_t fork = nullptr;
        cudaEvent_t join = nullptr;
    };

    // What was the fastest on an H200 for matrices like this one.
    [[nodiscard]] Way guess() const {
        if (fits_resident() && pays_resident()) return {Method::resident, true};
        if (codes_ == Codes::repeats) return {longest_ <= 12 && !gathers_ ? Method::staged : Method::narrow, true};
        if (panel_number_ != 0 && pays_panels()) return {Method::panels, false};
        const bool is_local = codes_ != Codes::none; // columns of neighbouring rows are neighbours
        if (is_local && longest_ <= 12) return {Method::threads, false};
        return {is_local && aligned() ? Method::narrow : Method::tiles, true};
    }

    [[nodiscard]] bool may_be_best(const Way& way) const {
        if (way.coded && (codes_ == Codes::none || way.method == Method::threads || way.method == Method::panels)) return false;
        if (way.coded && codes_ == Codes::repeats) return way.method == Method::staged || way.method == Method::narrow;
        switch (way.method) {
        case Method::resident: return fits_resident() && matrix_.entries > 16 * matrix_.rows;
        case Method::staged:
        case Method::narrow: return aligned();
        case Method::threads: return longest_ <= 512;
        case Method::panels: return panel_number_ != 0 && pays_panels();
        default: return true;
        }
    }

    cudaError_t multiply(const Way& way, Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        const Codes codes = way.coded ? codes_ : Codes::none;
        if (way.method == Method::resident && fits_resident()) return multiply_resident(codes, alpha, x, beta, y, stream);
        if (way.method == Method::staged && aligned()) return multiply_staged<256>(codes, alpha, x, beta, y, stream);
        if (way.method == Method::narrow && aligned()) return multiply_staged<128>(codes, alpha, x, beta, y, stream);
        if (way.method == Method::panels && panel_number_ != 0) return multiply_by_panels(alpha, x, beta, y, stream);
        if (way.method != Method::threads) return multiply_tiled(codes, alpha, x, beta, y, stream);
        return launch(thread_per_row<Value, Vector, Index>, blocks_for(matrix_.rows), 256, 0, stream, matrix_.offsets,
                      matrix_.column_indices, matrix_.values, x, y, alpha, beta, matrix_.rows);
    }

    static constexpr int wide = 16 / sizeof(Value) > 4 ? 4 : 16 / sizeof(Value);

    [[nodiscard]] bool aligned() const {
        return reinterpret_cast<std::uintptr_t>(matrix_.values) % 16 == 0 &&
               reinterpret_cast<std::uintptr_t>(matrix_.column_indices) % 16 == 0;
    }

    static unsigned blocks_for(long long threads) { return static_cast<unsigned>((threads + 255) / 256); }

    // Which ways to code are worth trying.
    struct Worth {
        bool repeats = false;
        bool codes = false;
    };

    static constexpr long long sample_tiles = 128; // looked at before all are, where there are four times as many and more

    // The tiles, the number of parts, the longest row, and of a large matrix what a sample of tiles says is not worth trying.
    cudaError_t find_tiles_and_parts(Worth& worth, cudaStream_t stream) {
        cudaError_t error = starts_.allocate((2 * static_cast<std::size_t>(tiles_) + 2) * sizeof(Index));
        if (error == cudaSuccess) error = counts_.allocate(count_number * sizeof(unsigned long long));
        if (error == cudaSuccess) error = clear_counts(stream);
        if (error != cudaSuccess) return error;
        auto* const on_device = counts_.template as<unsigned long long>();
        const Index* const starts = starts_.template as<Index>();
        if (const cudaError_t launched = launch(find_tiles<Index>, blocks_for(tiles_ + 1), 256, 0, stream, matrix_.offsets, matrix_.rows,
                                                tiles_, starts_.template as<Index>());
            launched != cudaSuccess)
            return launched;
        if (const cudaError_t launched = launch(find_huge_rows<Index>, blocks_for(matrix_.rows), 256, 0, stream, matrix_.offsets,
                                                matrix_.rows, nullptr, nullptr, on_device);
            launched != cudaSuccess)
            return launched;
        const long long every = tiles_ / sample_tiles;
        const bool samples = every >= 4 && worth.repeats;
        const bool windows = matrix_.columns > 65536; // otherwise every column can be coded
        if (samples) {
            const auto blocks = static_cast<unsigned>(tiles_ / every);
            if (const cudaError_t launched = launch(find_repeats<Index>, blocks, tile_threads, 0, stream, starts, matrix_.offsets,
                                                    matrix_.column_indices, every, nullptr, nullptr, on_device);
                launched != cudaSuccess)
                return launched;
            if (windows) {
                if (const cudaError_t launched = launch(count_window_codes<Index>, blocks, tile_threads, 0, stream, starts,
                                                        matrix_.column_indices, every, on_device + count_coded);
                    launched != cudaSuccess)
                    return launched;
            }
        }
        unsigned long long counts[count_number] = {};
        if (const cudaError_t read = read_counts(counts, stream); read != cudaSuccess) return read;
        longest_ = static_cast<long long>(counts[count_longest]);
        part_number_ = static_cast<int>(counts[count_parts]);
        if (samples) { // a little more than what the whole is judged by, because it is a sample
            worth.repeats = 4 * columns_to_read(counts) <= 3 * counts[count_seen];
            worth.codes = !windows || 5 * counts[count_coded] >= counts[count_seen];
        }
        huge_number_ = static_cast<int>(counts[count_huge]);
        huge_entries_ = static_cast<long long>(counts[count_huge_entries]);
        return part_number_ == 0 ? cudaSuccess : make_parts(stream);
    }

    cudaError_t make_parts(cudaStream_t stream) {
        const auto parts = static_cast<std::size_t>(part_number_);
        for (const cudaError_t each :
             {parts_.allocate(parts * part_fields * sizeof(Index)),
              huge_rows_.allocate(static_cast<std::size_t>(huge_number_) * sizeof(Index)), sums_.allocate(parts * sizeof(Sum<Vector>)),
              counters_.allocate(parts * sizeof(unsigned)),
              cudaMemsetAsync(counters_.template as<void>(), 0, parts * sizeof(unsigned), stream), clear_counts(stream)}) {
            if (each != cudaSuccess) return each;
        }
        return launch(find_huge_rows<Index>, blocks_for(matrix_.rows), 256, 0, stream, matrix_.offsets, matrix_.rows,
                      parts_.template as<Index>(), huge_rows_.template as<Index>(), counts_.template as<unsigned long long>());
    }

    // Where huge rows have enough in each panel, and columns ascend in them.
    cudaError_t make_panels(cudaStream_t stream) {
        constexpr int columns = panel_columns<Vector>;
        const long long panels = (matrix_.columns + columns - 1) / columns;
        const long long places = panels * huge_number_;
        if (huge_number_ == 0 || huge_entries_ < panel_density * places || panel_bytes > most_shared_ - 1024) return cudaSuccess;
        auto* const counts = counts_.template as<unsigned long long>();
        if (const cudaError_t launched =
                launch(check_ascending<Index>, static_cast<unsigned>(part_number_), tile_threads, 0, stream, matrix_.column_indices,
                       parts_.template as<Index>(), part_number_, counts + count_descending);
            launched != cudaSuccess)
            return launched;
        unsigned long long found[count_number] = {};
        if (const cudaError_t error = read_counts(found, stream); error != cudaSuccess) return error;
        if (found[count_descending] != 0) return cudaSuccess;
        const auto most_pieces = static_cast<std::size_t>(places + huge_entries_ / piece_size + 1);
        const std::size_t numbers = static_cast<std::size_t>(panels) * sizeof(int);
        for (const cudaError_t error :
             {pieces_.allocate(most_pieces * sizeof(Piece<Index>)), piece_sums_.allocate(most_pieces * sizeof(Sum<Vector>)),
              ranges_.allocate(static_cast<std::size_t>(places) * sizeof(PieceRange)), panel_counts_.allocate(numbers),
              panel_starts_.allocate(numbers + sizeof(int)), cudaMemsetAsync(panel_counts_.template as<void>(), 0, numbers, stream)}) {
            if (error != cudaSuccess) return error;
        }
        if (const cudaError_t error = beside_.make(); error != cudaSuccess) return error;
        panel_number_ = static_cast<int>(panels);
        auto* const of_panels = panel_counts_.template as<int>();
        auto* const starts = panel_starts_.template as<int>();
        const Index* const rows = huge_rows_.template as<Index>();
        if (const cudaError_t launched =
                launch(find_pieces<Index>, blocks_for(places), 256, 0, stream, matrix_.offsets, matrix_.column_indices, rows, huge_number_,
                       panel_number_, columns, of_panels, starts, nullptr, nullptr);
            launched != cudaSuccess)
            return launched;
        if (const cudaError_t launched = launch(place_panels<int>, 1, 1, 0, stream, of_panels, panel_number_, starts);
            launched != cudaSuccess)
            return launched;
        return launch(find_pieces<Index>, blocks_for(places), 256, 0, stream, matrix_.offsets, matrix_.column_indices, rows, huge_number_,
                      panel_number_, columns, of_panels, starts, pieces_.template as<Piece<Index>>(), ranges_.template as<PieceRange>());
    }

    // Blocks for a panel: together as many as there are multiprocessors, where panels are fewer.
    [[nodiscard]] int splits_of_panel() const { return panel_number_ >= multiprocessors_ ? 1 : multiprocessors_ / panel_number_; }
    // Bringing the panels should take less than half of what the entries take.
    [[nodiscard]] bool pays_panels() const {
        const long long bytes = huge_entries_ * static_cast<long long>(sizeof(Value) + sizeof(Index));
        return bytes > 2LL * panel_bytes * panel_number_ * splits_of_panel();
    }

    // Tiles go to a stream of the plan's own: panels wait for memory and tiles for L2, and a multiprocessor has room for both.
    cudaError_t multiply_by_panels(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        const auto kernel = multiply_panels<Value, Vector, Index>;
        for (const cudaError_t error : {cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, panel_bytes),
                                        cudaEventRecord(beside_.fork, stream), cudaStreamWaitEvent(beside_.stream, beside_.fork)}) {
            if (error != cudaSuccess) return error;
        }
        const int splits = splits_of_panel();
        if (const cudaError_t launched =
                launch(kernel, static_cast<unsigned>(panel_number_ * splits), panel_threads, panel_bytes, stream, matrix_.column_indices,
                       matrix_.values, x, matrix_.columns, panel_starts_.template as<int>(), pieces_.template as<Piece<Index>>(),
                       piece_sums_.template as<Sum<Vector>>(), splits);
            launched != cudaSuccess)
            return launched;
        cudaError_t error =
            launch(finish_huge_rows<Vector, Index>, blocks_for(32LL * huge_number_), 256, 0, stream, huge_rows_.template as<Index>(),
                   huge_number_, panel_number_, ranges_.template as<PieceRange>(), piece_sums_.template as<Sum<Vector>>(), y, alpha, beta);
        if (error == cudaSuccess) error = multiply_tiled(Codes::none, alpha, x, beta, y, beside_.stream, true);
        if (error == cudaSuccess) error = cudaEventRecord(beside_.join, beside_.stream);
        return error == cudaSuccess ? cudaStreamWaitEvent(stream, beside_.join) : error;
    }

    cudaError_t clear_counts(cudaStream_t stream) {
        return cudaMemsetAsync(counts_.template as<void>(), 0, count_number * sizeof(unsigned long long), stream);
    }
    cudaError_t read_counts(unsigned long long (&counts)[count_number], cudaStream_t stream) {
        const cudaError_t error = cudaMemcpyAsync(counts, counts_.template as<void>(), sizeof counts, cudaMemcpyDeviceToHost, stream);
        return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    }
    // Of what count_seen counts, with lists.
    static unsigned long long columns_to_read(const unsigned long long (&counts)[count_number]) {
        return 4 * counts[repeat_quads] + counts[count_seen] - counts[repeat_entries];
    }

    cudaError_t make_repeats(cudaStream_t stream) {
        if (matrix_.columns > 0x7fffffffLL || matrix_.rows > 0x7fffffffLL) return cudaSuccess; // lists are signed numbers of 32 bits
        for (const cudaError_t error :
             {places_.allocate(static_cast<std::size_t>(matrix_.rows) * sizeof(unsigned short)),
              repeat_tiles_.allocate(static_cast<std::size_t>(tiles_) * sizeof(RepeatTile)), clear_counts(stream)}) {
            if (error != cudaSuccess) return error;
        }
        auto* const tiles = repeat_tiles_.template as<RepeatTile>();
        if (const cudaError_t launched = launch(find_repeats<Index>, static_cast<unsigned>(tiles_), tile_threads, 0, stream,
                                                starts_.template as<Index>(), matrix_.offsets, matrix_.column_indices, 1,
                                                places_.template as<unsigned short>(), tiles, counts_.template as<unsigned long long>());
            launched != cudaSuccess)
            return launched;
        if (const cudaError_t launched = launch(place_repeats<1024>, 1, 1024, 0, stream, tiles, tiles_); launched != cudaSuccess)
            return launched;
        unsigned long long found[count_number] = {};
        cudaError_t error = read_counts(found, stream);
        if (error != cudaSuccess) return error;
        // What is read of columns then, at least by a third less.
        if (3 * columns_to_read(found) > 2 * found[count_seen]) {
            places_.allocate(0);
            repeat_tiles_.allocate(0);
            return clear_counts(stream);
        }
        codes_ = Codes::repeats;
        longest_list_ = static_cast<int>(found[repeat_longest]);
        gathers_ = 2 * found[repeat_from_zero] > found[repeat_entries];
        error = lists_.allocate(found[repeat_quads] * 4 * sizeof(int));
        if (error != cudaSuccess) return error;
        return launch(write_repeats<Index>, static_cast<unsigned>(tiles_), tile_threads, 0, stream, starts_.template as<Index>(),
                      matrix_.offsets, matrix_.column_indices, places_.template as<unsigned short>(), tiles, lists_.template as<int>());
    }

    cudaError_t make_codes(cudaStream_t stream) {
        cudaError_t error = code_.allocate(static_cast<std::size_t>(matrix_.entries) * sizeof(unsigned short) + 16);
        if (error == cudaSuccess) error = clear_counts(stream);
        if (error != cudaSuccess) return error;
        if (matrix_.columns <= 65536) {
            codes_ = Codes::plain;
            return launch(make_plain_codes<Index>, blocks_for(matrix_.entries), 256, 0, stream, matrix_.column_indices, matrix_.entries,
                          code_.template as<unsigned short>());
        }
        if (matrix_.columns > 0xffffffffLL) return code_.allocate(0);
        error = windows_.allocate(static_cast<std::size_t>(tiles_) * windows_of_a_tile * sizeof(unsigned));
        if (error != cudaSuccess) return error;
        auto* const coded = counts_.template as<unsigned long long>() + count_coded;
        if (const cudaError_t launched =
                launch(make_window_codes<Index>, static_cast<unsigned>(tiles_), tile_threads, 0, stream, starts_.template as<Index>(),
                       matrix_.column_indices, code_.template as<unsigned short>(), windows_.template as<unsigned>(), coded);
            launched != cudaSuccess)
            return launched;
        unsigned long long counts[count_number] = {};
        error = read_counts(counts, stream);
        if (error != cudaSuccess) return error;
        // Tiles that could not be coded are read as they are; where they are many, the windows are not worth looking at.
        if (4 * counts[count_coded] >= static_cast<unsigned long long>(matrix_.entries)) {
            codes_ = Codes::windows;
            return cudaSuccess;
        }
        windows_.allocate(0);
        return code_.allocate(0);
    }

    template<Codes codes, int width>
    cudaError_t launch_tiled(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream, bool leave_huge) const {
        const int parts = leave_huge ? -1 : part_number_;
        const auto blocks = static_cast<unsigned>(leave_huge ? tiles_ : tiles_ + part_number_);
        // Six blocks fit 64 KB; what is left is L1, which holds more of x then.
        cudaFuncSetAttribute(tiled<codes, width, Value, Vector, Index>, cudaFuncAttributePreferredSharedMemoryCarveout, 28);
        return launch(tiled<codes, width, Value, Vector, Index>, blocks, tile_threads, 0, stream, starts_.template as<Index>(),
                      matrix_.offsets, matrix_.column_indices, code_.template as<unsigned short>(), windows_.template as<unsigned>(),
                      matrix_.values, x, y, alpha, beta, parts_.template as<Index>(), parts, sums_.template as<Sum<Vector>>(),
                      counters_.template as<unsigned>());
    }

    // `leave_huge`: huge rows are somebody else's.
    cudaError_t multiply_tiled(Codes codes, Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream,
                               bool leave_huge = false) const {
        if (!aligned()) return launch_tiled<Codes::none, 1>(alpha, x, beta, y, stream, leave_huge);
        switch (codes) {
        case Codes::plain: return launch_tiled<Codes::plain, wide>(alpha, x, beta, y, stream, leave_huge);
        case Codes::windows: return launch_tiled<Codes::windows, wide>(alpha, x, beta, y, stream, leave_huge);
        default: return launch_tiled<Codes::none, wide>(alpha, x, beta, y, stream, leave_huge);
        }
    }

    template<bool short_rows, bool gather>
    cudaError_t launch_repeated(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        constexpr std::size_t of_list = gather && sizeof(Vector) > sizeof(int) ? sizeof(Vector) : sizeof(int);
        const std::size_t shared = staged_capacity * sizeof(Value) + static_cast<std::size_t>(longest_list_) * of_list;
        constexpr int threads = 128;
        return launch(repeated<threads, short_rows, gather, Value, Vector, Index>, static_cast<unsigned>(tiles_ + part_number_), threads,
                      shared, stream, starts_.template as<Index>(), matrix_.offsets, matrix_.column_indices,
                      places_.template as<unsigned short>(), repeat_tiles_.template as<RepeatTile>(), lists_.template as<int>(),
                      matrix_.values, x, y, alpha, beta, parts_.template as<Index>(), part_number_, sums_.template as<Sum<Vector>>(),
                      counters_.template as<unsigned>(), matrix_.entries);
    }

    template<Codes codes, int threads>
    cudaError_t launch_staged(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        return launch(staged<codes, threads, Value, Vector, Index>, static_cast<unsigned>(tiles_ + part_number_), threads, 0, stream,
                      starts_.template as<Index>(), matrix_.offsets, matrix_.column_indices, code_.template as<unsigned short>(),
                      windows_.template as<unsigned>(), matrix_.values, x, y, alpha, beta, parts_.template as<Index>(), part_number_,
                      sums_.template as<Sum<Vector>>(), counters_.template as<unsigned>(), matrix_.entries);
    }

    template<int threads>
    cudaError_t multiply_staged(Codes codes, Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        switch (codes) {
        case Codes::plain: return launch_staged<Codes::plain, threads>(alpha, x, beta, y, stream);
        case Codes::windows: return launch_staged<Codes::windows, threads>(alpha, x, beta, y, stream);
        case Codes::repeats:
            if (threads == 256) return launch_repeated<true, false>(alpha, x, beta, y, stream);
            return gathers_ ? launch_repeated<false, true>(alpha, x, beta, y, stream)
                            : launch_repeated<false, false>(alpha, x, beta, y, stream);
        default: return launch_staged<Codes::none, threads>(alpha, x, beta, y, stream);
        }
    }

    template<Codes codes, int deep>
    cudaError_t launch_resident(Sum<Vector> alpha, const Vector* x, Sum<Vector> beta, Vector* y, cudaStream_t stream) const {
        const auto kernel = resident<codes, wide, deep, Value, Vector, Index>;
        const auto bytes = static_cast<std::size_t>(matrix_.columns) * sizeof(Vector);
        const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
        if (error != cudaSuccess) return error;
        return launch(kernel, static_cast<unsigned>(multiprocessors_), resident_threads, bytes, stream, matrix_.offsets,
                      matrix_.column_indices, code_.template as<unsigned short>(), matrix_.values, x, y, alpha, beta, matrix_.rows,
                      matrix_.columns);
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
    bool gathers_ = false; // most lists are counted from the first column
    DeviceMemory places_;
    DeviceMemory repeat_tiles_;
    DeviceMemory lists_;
    DeviceMemory parts_;
    DeviceMemory sums_;
    DeviceMemory counters_;
    DeviceMemory counts_;
    int huge_number_ = 0;
    long long huge_entries_ = 0;
    int panel_number_ = 0;
    DeviceMemory huge_rows_;
    DeviceMemory pieces_;
    DeviceMemory piece_sums_;
    DeviceMemory ranges_;
    DeviceMemory panel_counts_;
    DeviceMemory panel_starts_;
    Beside beside_;
};

} // namespace apod::spmv
