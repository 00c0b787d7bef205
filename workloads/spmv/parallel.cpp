#include "workloads/spmv/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace apod::spmv {

void in_parallel(std::int64_t count, unsigned threads, const std::function<void(std::int64_t, std::int64_t)>& work) {
    constexpr std::int64_t smallest_piece = 1024; // below that a thread costs more than it saves
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    // Several pieces a thread: rows may differ much in length.
    const std::int64_t piece = std::max(smallest_piece, count / (std::int64_t{16} * threads) + 1);
    const std::int64_t pieces = (count + piece - 1) / piece;
    if (threads == 1 || pieces <= 1) {
        if (count > 0) work(0, count);
        return;
    }
    std::atomic<std::int64_t> next = 0;
    std::exception_ptr failure;
    std::mutex failure_lock;
    const auto run = [&] {
        for (std::int64_t i = next++; i < pieces; i = next++) {
            try {
                work(i * piece, std::min(count, (i + 1) * piece));
            } catch (...) {
                const std::lock_guard lock(failure_lock);
                if (!failure) failure = std::current_exception();
            }
        }
    };
    std::vector<std::jthread> others;
    for (std::int64_t i = 1; i < std::min<std::int64_t>(threads, pieces); ++i) others.emplace_back(run);
    run();
    others.clear();
    if (failure) std::rethrow_exception(failure);
}

} // namespace apod::spmv
