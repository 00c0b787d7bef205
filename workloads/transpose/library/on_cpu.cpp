// The transpose on the CPU: squares that fit the first-level cache in both matrices, handed out to all cores.
#include "apod/transpose.hpp"
#include "workloads/transpose/library/problem.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace apod {

namespace {

using transposing::complete;
using transposing::is_empty;

template<int bytes> struct Element {
    std::byte of[bytes]; // no alignment is asked for
};

// Calls work(i) for each i below count.
void in_parallel(std::int64_t count, unsigned threads, const std::function<void(std::int64_t)>& work) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    std::atomic<std::int64_t> next = 0;
    const auto run = [&] {
        for (std::int64_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::jthread> others;
    for (std::int64_t i = 1; i < std::min<std::int64_t>(threads, count); ++i) others.emplace_back(run);
    run();
}

template<int bytes> class OnCpu {
public:
    OnCpu(void* out, const void* in, const Transpose& what) :
        out_(static_cast<Element<bytes>*>(out)), in_(static_cast<const Element<bytes>*>(in)), what_(what) {}

    void run(unsigned threads) const {
        const std::int64_t across = (what_.columns + side - 1) / side;
        const std::int64_t squares = (what_.rows + side - 1) / side * across * what_.batches;
        const std::int64_t pieces = (squares + piece - 1) / piece;
        in_parallel(pieces, threads, [&](std::int64_t i) {
            for (std::int64_t at = i * piece; at < std::min(squares, (i + 1) * piece); ++at) move(at, across);
        });
    }

private:
    static constexpr std::int64_t side = bytes == 1 ? 64 : bytes <= 4 ? 32 : 16;
    static constexpr std::int64_t piece = 32; // squares: so many that handing them out costs little

    void move(std::int64_t index, std::int64_t across) const {
        const std::int64_t down = (what_.rows + side - 1) / side;
        const std::int64_t batch = index / (across * down);
        const std::int64_t y = index / across % down * side;
        const std::int64_t x = index % across * side;
        const Element<bytes>* from = in_ + batch * what_.in_stride;
        Element<bytes>* to = out_ + batch * what_.out_stride;
        const std::int64_t y_end = std::min(y + side, what_.rows);
        const std::int64_t x_end = std::min(x + side, what_.columns);
        if (from != to) {
            square(to, from, y, y_end, x, x_end);
        } else if (x >= y) {
            exchange(to, y, y_end, x, x_end);
        }
    }

    void square(Element<bytes>* to, const Element<bytes>* from, std::int64_t y0, std::int64_t y1, std::int64_t x0, std::int64_t x1) const {
        for (std::int64_t x = x0; x < x1; ++x) {
            Element<bytes>* const row = to + x * what_.out_pitch;
            const Element<bytes>* const column = from + x;
            for (std::int64_t y = y0; y < y1; ++y) row[y] = column[y * what_.in_pitch];
        }
    }

    // In place, a square on or above the diagonal with the one across it.
    void exchange(Element<bytes>* matrix, std::int64_t y0, std::int64_t y1, std::int64_t x0, std::int64_t x1) const {
        for (std::int64_t y = y0; y < y1; ++y) {
            for (std::int64_t x = std::max(x0, y + 1); x < x1; ++x) {
                std::swap(matrix[y * what_.in_pitch + x], matrix[x * what_.in_pitch + y]);
            }
        }
    }

    Element<bytes>* out_;
    const Element<bytes>* in_;
    Transpose what_;
};

} // namespace

TransposeStatus transpose_on_cpu(void* out, const void* in, const Transpose& what, unsigned threads) {
    Transpose all = what;
    if (TransposeStatus status = complete(all, out, in); !status || is_empty(all)) return status;
    switch (all.element_bytes) {
    case 1: OnCpu<1>(out, in, all).run(threads); break;
    case 2: OnCpu<2>(out, in, all).run(threads); break;
    case 4: OnCpu<4>(out, in, all).run(threads); break;
    case 8: OnCpu<8>(out, in, all).run(threads); break;
    default: OnCpu<16>(out, in, all).run(threads); break;
    }
    return {};
}

} // namespace apod
