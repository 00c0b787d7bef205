#include "model/counters/longest_warp.hpp"

#include <algorithm>

namespace apod::model {

void LongestWarp::forget() {
    for (const std::size_t place : touched_) requests_[place] = 0;
    touched_.clear();
    of_warp_.fill(0);
    is_whole_ = true;
}

// Of the block's warps the one with the most requests is taken for that with the most instructions.
void LongestWarp::end_block(const emu::BlockEvent& event) {
    if (is_whole_ && is_longer(event.longest_warp, event.block)) {
        const auto warp = std::max_element(of_warp_.begin(), of_warp_.end()) - of_warp_.begin();
        const auto first = requests_.begin() + warp * static_cast<std::ptrdiff_t>(ops_);
        found_.assign(first, first + static_cast<std::ptrdiff_t>(ops_));
        instructions_ = event.longest_warp;
        block_ = event.block;
    }
    forget();
}

void LongestWarp::merge(const LongestWarp& other) {
    if (other.found_.empty() || !is_longer(other.instructions_, other.block_)) return;
    found_ = other.found_;
    instructions_ = other.instructions_;
    block_ = other.block_;
}

} // namespace apod::model
