#include "workloads/transpose/library/problem.hpp"

#include <cstdint>

namespace apod::transposing {

namespace {

TransposeStatus wrong(const std::string& what) { return TransposeStatus("transpose: " + what); }

std::string number(std::int64_t value) { return std::to_string(value); }

TransposeStatus check_sizes(const Transpose& what) {
    const int bytes = what.element_bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
        return wrong("element_bytes is " + number(bytes) + ": elements have 1, 2, 4, 8 or 16 bytes");
    if (what.rows < 0 || what.columns < 0 || what.batches < 0)
        return wrong("sizes are below zero: " + number(what.rows) + " rows, " + number(what.columns) + " columns, " + number(what.batches) +
                     " batches");
    if (what.in_pitch != 0 && what.in_pitch < what.columns)
        return wrong("in_pitch is " + number(what.in_pitch) + ", but a row of the input has " + number(what.columns) +
                     " elements: pitches count elements, from one row to the next");
    if (what.out_pitch != 0 && what.out_pitch < what.rows)
        return wrong("out_pitch is " + number(what.out_pitch) + ", but a row of the output has " + number(what.rows) +
                     " elements, as many as the input has rows");
    return {};
}

// Elements from a matrix's first to behind its last; false where it does not fit.
bool extent(std::int64_t rows, std::int64_t columns, std::int64_t pitch, std::int64_t& elements) {
    return !__builtin_mul_overflow(rows - 1, pitch, &elements) && !__builtin_add_overflow(elements, columns, &elements);
}

// Where the matrices of a batch lie, as bytes from the first one's beginning: [low, high).
struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
};
bool range_of(const Transpose& what, std::int64_t elements, std::int64_t stride, Range& range) {
    std::int64_t last = 0;
    if (__builtin_mul_overflow(what.batches - 1, stride, &last)) return false;
    if (last > 0 && __builtin_add_overflow(elements, last, &elements)) return false;
    return !__builtin_mul_overflow(elements, std::int64_t{what.element_bytes}, &range.high) &&
           !__builtin_mul_overflow(last < 0 ? last : 0, std::int64_t{what.element_bytes}, &range.low);
}

// Two matrices with the same pitch may lie side by side in the rows of a third.
bool beside_each_other(const Transpose& what, std::int64_t distance) {
    if (what.in_pitch != what.out_pitch || what.batches != 1) return false;
    const std::int64_t pitch = what.in_pitch * what.element_bytes;
    const std::int64_t place = ((distance % pitch) + pitch) % pitch; // of the output's first element in a row of the input
    return place >= what.columns * what.element_bytes && place + what.rows * what.element_bytes <= pitch;
}

TransposeStatus check_overlap(const Transpose& what, const void* out, const void* in, const Range& ins, const Range& outs) {
    if (out == in) {
        if (what.rows == what.columns && what.in_pitch == what.out_pitch && (what.batches == 1 || what.in_stride == what.out_stride))
            return {};
        if (what.rows == 1 && what.columns == 1) return {};
        return wrong("in place (out == in) works for square matrices with the same pitch and stride in and out; this is " +
                     number(what.rows) + " x " + number(what.columns) + ", pitches " + number(what.in_pitch) + " and " +
                     number(what.out_pitch));
    }
    const auto distance = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) - reinterpret_cast<std::uintptr_t>(in));
    // Batches may be interleaved with each other; that is not looked into.
    if (what.batches != 1 || distance + outs.low >= ins.high || distance + outs.high <= ins.low || beside_each_other(what, distance))
        return {};
    return wrong("the output begins " + number(distance) +
                 " bytes from the input and overlaps it; give it memory of its own, or the "
                 "same address for a square matrix in place");
}

} // namespace

TransposeStatus complete(Transpose& what, const void* out, const void* in) {
    if (TransposeStatus status = check_sizes(what); !status) return status;
    if (is_empty(what)) return {};
    const auto too_large = [&] { return wrong("sizes beyond 63 bits: " + number(what.rows) + " x " + number(what.columns)); };
    if (what.in_pitch == 0) what.in_pitch = what.columns;
    if (what.out_pitch == 0) what.out_pitch = what.rows;
    if (what.in_stride == 0 && __builtin_mul_overflow(what.rows, what.in_pitch, &what.in_stride)) return too_large();
    if (what.out_stride == 0 && __builtin_mul_overflow(what.columns, what.out_pitch, &what.out_stride)) return too_large();
    std::int64_t in_elements = 0;
    std::int64_t out_elements = 0;
    Range ins;
    Range outs;
    if (!extent(what.rows, what.columns, what.in_pitch, in_elements) || !extent(what.columns, what.rows, what.out_pitch, out_elements) ||
        !range_of(what, in_elements, what.in_stride, ins) || !range_of(what, out_elements, what.out_stride, outs))
        return too_large();
    if (out == nullptr || in == nullptr) return wrong(std::string(out == nullptr ? "out" : "in") + " is a null pointer");
    return check_overlap(what, out, in, ins, outs);
}

} // namespace apod::transposing
