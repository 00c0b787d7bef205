// The transpose of matrices, on a GPU and on the CPU:
//
//     apod::transpose(out, in, rows, columns, stream);   // out[x][y] = in[y][x]; device memory, any type of 1, 2, 4, 8 or 16 bytes
//
// or, with row pitches and batches, from a description:
//
//     apod::Transpose what{.rows = 1000, .columns = 4095, .element_bytes = 2, .in_pitch = 4096, .batches = 8};
//     if (const apod::TransposeStatus status = apod::transpose(out, in, what, stream); !status) puts(status.message().c_str());
//
// In place, of a square matrix: out == in, with the same pitch and stride. Otherwise input and output must not overlap.
// Link with apod_transpose. It needs no CUDA toolkit: CUDA's driver (of CUDA 12.0 or later) is loaded at the first call, and kernels come
// as PTX. How fast: docs/transpose.md.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace apod {

// What is to be transposed. Pitches and strides count elements; a pitch of cudaMallocPitch, which counts bytes, is a multiple of all
// element sizes and has to be divided by the element's. All sizes are 64-bit.
struct Transpose {
    std::int64_t rows = 0; // of the input
    std::int64_t columns = 0;
    int element_bytes = 4;       // 1, 2, 4, 8 or 16; addresses must be multiples of it
    std::int64_t in_pitch = 0;   // from one row of the input to the next; 0: columns
    std::int64_t out_pitch = 0;  // from one row of the output to the next; 0: rows
    std::int64_t batches = 1;    // matrices
    std::int64_t in_stride = 0;  // from one matrix to the next; 0: rows * in_pitch
    std::int64_t out_stride = 0; // 0: columns * out_pitch
};

// Whether it went well, and if not, what is wrong and what to do about it.
class [[nodiscard]] TransposeStatus {
public:
    TransposeStatus() = default;
    explicit TransposeStatus(std::string message) : message_(std::move(message)) {}

    [[nodiscard]] bool ok() const { return message_.empty(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const std::string& message() const { return message_; }

private:
    std::string message_;
};

// On a GPU: queues the work on `stream`, a CUstream or cudaStream_t, and returns. The stream decides the device; with the default stream
// (null) it is that of the current context, as after cudaSetDevice, and without a context that of the memory. `out` and `in` are memory
// which that device can reach. The stream may be capturing a graph, unless the call is the process's first for elements of that size: it
// loads the kernels. Thread-safe.
TransposeStatus transpose(void* out, const void* in, const Transpose& what, void* stream = nullptr);

// On the CPU, in host memory, with `threads` threads (0: one for each core). Addresses need no alignment.
TransposeStatus transpose_on_cpu(void* out, const void* in, const Transpose& what, unsigned threads = 0);

// Rows without gaps, elements of type T.
template<class T> TransposeStatus transpose(T* out, const T* in, std::int64_t rows, std::int64_t columns, void* stream = nullptr) {
    return transpose(static_cast<void*>(out), static_cast<const void*>(in),
                     Transpose{rows, columns, static_cast<int>(sizeof(T)), 0, 0, 1, 0, 0}, stream);
}
template<class T> TransposeStatus transpose_on_cpu(T* out, const T* in, std::int64_t rows, std::int64_t columns, unsigned threads = 0) {
    return transpose_on_cpu(static_cast<void*>(out), static_cast<const void*>(in),
                            Transpose{rows, columns, static_cast<int>(sizeof(T)), 0, 0, 1, 0, 0}, threads);
}

} // namespace apod
