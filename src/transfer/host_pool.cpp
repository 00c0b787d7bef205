#include "transfer/host_pool.hpp"

namespace apod::transfer {

HostPool::HostPool(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
}

HostPool::~HostPool() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    begin_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void HostPool::run(const std::function<void(unsigned)>& share) {
    {
        const std::lock_guard lock(mutex_);
        share_ = &share;
        running_ = workers_.size();
        ++turn_;
    }
    begin_.notify_all();
    share(0);
    std::unique_lock lock(mutex_);
    end_.wait(lock, [this] { return running_ == 0; });
}

void HostPool::work(unsigned index) {
    std::size_t done = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        begin_.wait(lock, [&] { return over_ || turn_ != done; });
        if (over_) return;
        done = turn_;
        const std::function<void(unsigned)>& share = *share_;
        lock.unlock();
        share(index);
        lock.lock();
        if (--running_ == 0) end_.notify_one();
    }
}

} // namespace apod::transfer
