// A range of rows spread over threads.
#pragma once

#include <cstdint>
#include <functional>

namespace apod::spmv {

// Calls work(first, last) for pieces that make up [0, count), from `threads` threads (0: one for each core). Which thread gets which piece
// is open, so pieces must not depend on each other. An exception of a piece is thrown again here.
void in_parallel(std::int64_t count, unsigned threads, const std::function<void(std::int64_t, std::int64_t)>& work);

} // namespace apod::spmv
