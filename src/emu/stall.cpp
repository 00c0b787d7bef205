#include "emu/stall.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace apod::emu {
namespace {

constexpr std::uint64_t none_left = ~0ull;

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

StallWatch::StallWatch(unsigned workers, double after_s) :
    workers_(workers), after_ns_(static_cast<std::int64_t>(after_s * 1e9)), begun_ns_(now_ns()), changed_ns_(begun_ns_) {}

bool StallWatch::is_due() const {
    constexpr std::int64_t one_second = 1'000'000'000;
    return now_ns() - begun_ns_ >= std::min(after_ns_, one_second);
}

void StallWatch::changed() {
    changed_ns_.store(now_ns(), std::memory_order_relaxed);
    epoch_.fetch_add(1, std::memory_order_release);
    told_.store(false, std::memory_order_relaxed);
}

bool StallWatch::repeated(unsigned worker, std::size_t blocks) {
    Seen& own = workers_[worker];
    const std::uint64_t epoch = epoch_.load(std::memory_order_acquire);
    if (own.epoch != epoch) {
        own.epoch = epoch;
        own.repeats = 0;
    }
    if (++own.repeats >= 2 * blocks) own.quiet.store(epoch, std::memory_order_release);
    if (now_ns() - changed_ns_.load(std::memory_order_relaxed) < after_ns_) return false;
    const bool all = std::all_of(workers_.begin(), workers_.end(), [epoch](const Seen& seen) {
        const std::uint64_t quiet = seen.quiet.load(std::memory_order_acquire);
        return quiet == epoch || quiet == none_left;
    });
    return all && !told_.exchange(true, std::memory_order_relaxed);
}

void StallWatch::left(unsigned worker) { workers_[worker].quiet.store(none_left, std::memory_order_release); }

bool RecentStates::contains_or_add(std::uint64_t fingerprint) {
    const std::size_t used = std::min(count_, kept);
    if (std::find(states_, states_ + used, fingerprint) != states_ + used) return true;
    states_[count_++ % kept] = fingerprint;
    return false;
}

std::uint64_t fingerprint_of(const void* bytes, std::size_t size, std::uint64_t before) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ull;
    const auto* at = static_cast<const unsigned char*>(bytes);
    std::uint64_t mixed = before ^ (size * odd);
    for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t), at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        mixed = (mixed ^ word) * odd;
        mixed ^= mixed >> 29;
    }
    for (; size != 0; --size, ++at) mixed = (mixed ^ *at) * odd;
    return mixed ^ (mixed >> 32);
}

} // namespace apod::emu
