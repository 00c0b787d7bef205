#include "emu/check/touches.hpp"

#include <algorithm>

namespace apod::emu {

void TouchedWords::clear() {
    std::fill(words_.begin(), words_.end(), TouchedWord{});
    split_at_.clear();
    split_.clear();
}

void TouchedWords::split(std::size_t word) {
    if (split_at_.empty()) split_at_.resize(words_.size(), 0);
    Bytes bytes;
    const auto part = [](const Touch& touch, unsigned b) {
        Touch of_byte = touch;
        of_byte.bytes = static_cast<std::uint8_t>(1u << b);
        return (touch.bytes >> b & 1u) != 0 ? of_byte : Touch{};
    };
    for (unsigned b = 0; b < 4; ++b) {
        bytes[b].write = part(words_[word].write, b);
        for (unsigned r = 0; r < 2; ++r) bytes[b].reads[r] = part(words_[word].reads[r], b);
    }
    split_.push_back(bytes);
    split_at_[word] = static_cast<std::uint32_t>(split_.size());
}

TouchedWords& TouchedMemory::page(std::uint64_t index) {
    if (index == last_index_) return *last_;
    std::unique_ptr<TouchedWords>& page = pages_[index];
    if (page == nullptr) {
        page = std::make_unique<TouchedWords>(page_bytes / 4);
        order_.push_back(index);
        if (order_.size() > most_pages) {
            pages_.erase(order_.front());
            order_.pop_front();
            forgot_ = true;
        }
    }
    last_index_ = index;
    last_ = pages_.find(index)->second.get();
    return *last_;
}

} // namespace apod::emu
