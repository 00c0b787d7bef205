#include "model/counters/followed_thread.hpp"

namespace apod::model {

void FollowedThread::load(std::uint32_t op, std::uint64_t address, Traffic& traffic) {
    if (op <= last_op_) round_ = address;
    last_op_ = op;
    ++traffic.apart[(address - round_) / 4 % traffic.apart.size()];
    constexpr std::size_t most = 1u << 16; // beyond, the thread's past is forgotten
    ++traffic.followed_loads;
    ++loads_;
    if (last_.size() >= most) last_.clear();
    const auto [place, is_new] = last_.try_emplace(address, loads_);
    if (!is_new && loads_ - place->second <= reach) ++traffic.reloads;
    place->second = loads_;
}

} // namespace apod::model
