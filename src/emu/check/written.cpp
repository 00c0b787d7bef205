#include "emu/check/written.hpp"

#include <algorithm>
#include <bit>

namespace apod::emu {

WrittenBytes::Page& WrittenBytes::page(std::uint64_t index) {
    if (pages_.empty()) pages_.resize((bytes_ + page_bytes - 1) / page_bytes);
    std::unique_ptr<Page>& page = pages_[index];
    if (page == nullptr) page = std::make_unique<Page>();
    return *page;
}

void WrittenBytes::change(std::uint64_t first, std::uint64_t bytes, bool written) {
    while (bytes != 0) {
        const std::uint64_t in_page = first % page_bytes;
        const std::uint64_t bit = in_page % 64;
        const std::uint64_t count = std::min(bytes, 64 - bit);
        const std::uint64_t mask = (count == 64 ? ~0ull : (1ull << count) - 1) << bit;
        std::uint64_t& word = page(first / page_bytes).bits[in_page / 64];
        const std::uint64_t wanted = written ? word | mask : word & ~mask;
        written_ = written_ + static_cast<std::uint64_t>(std::popcount(wanted)) - static_cast<std::uint64_t>(std::popcount(word));
        word = wanted;
        first += count;
        bytes -= count;
    }
}

void WrittenBytes::set(std::uint64_t first, std::uint64_t bytes) {
    if (all_ || first >= bytes_) return;
    bytes = std::min(bytes, bytes_ - first);
    if (bytes == bytes_)
        written_ = bytes_;
    else
        change(first, bytes, true);
    if (written_ != bytes_) return;
    all_ = true;
    pages_.clear();
}

void WrittenBytes::clear(std::uint64_t first, std::uint64_t bytes) {
    if (first >= bytes_ || bytes == 0) return;
    bytes = std::min(bytes, bytes_ - first);
    if (all_) {
        all_ = false;
        written_ = 0;
        if (bytes == bytes_) return;
        change(0, bytes_, true);
    }
    change(first, bytes, false);
}

std::uint32_t WrittenBytes::test(std::uint64_t first, std::uint32_t bytes) const {
    const std::uint32_t wanted = bytes >= 32 ? 0xffffffffu : (1u << bytes) - 1;
    if (all_ || first >= bytes_) return wanted;
    if (pages_.empty()) return 0;
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < bytes;) {
        const std::uint64_t at = first + i;
        if (at >= bytes_) break;
        const std::uint64_t in_page = at % page_bytes;
        const auto bit = static_cast<std::uint32_t>(in_page % 64);
        const std::uint32_t count = std::min(bytes - i, 64 - bit);
        const Page* page = pages_[at / page_bytes].get();
        const std::uint64_t word = page != nullptr ? page->bits[in_page / 64] >> bit : 0;
        const std::uint64_t mask = count >= 64 ? ~0ull : (1ull << count) - 1;
        found |= static_cast<std::uint32_t>(word & mask) << i;
        i += count;
    }
    const std::uint32_t inside = bytes_ - first < 32 ? (1u << (bytes_ - first)) - 1 : 0xffffffffu;
    return (found | ~inside) & wanted;
}

} // namespace apod::emu
