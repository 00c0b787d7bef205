// Threads that wait for work: starting them costs more than a small problem, and no program that uses all cores starts them each time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace apod::transfer {

class HostPool {
public:
    // The caller of run() is one of them.
    explicit HostPool(unsigned threads);
    ~HostPool();
    HostPool(const HostPool&) = delete;
    HostPool& operator=(const HostPool&) = delete;

    [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }
    // share(0) to share(threads() - 1), each on a thread of its own; returns when all are done.
    void run(const std::function<void(unsigned)>& share);

private:
    void work(unsigned index);

    std::mutex mutex_;
    std::condition_variable begin_;
    std::condition_variable end_;
    const std::function<void(unsigned)>* share_ = nullptr;
    std::size_t turn_ = 0;
    std::size_t running_ = 0;
    bool over_ = false;
    std::vector<std::thread> workers_; // last: they use all of the above
};

} // namespace apod::transfer
