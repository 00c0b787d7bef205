// Which bytes of a range have been written: a bit each, in pages that exist where some bytes are written and others are not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace apod::emu {

class WrittenBytes {
public:
    WrittenBytes() = default;
    WrittenBytes(std::uint64_t bytes, bool written) : bytes_(bytes), written_(written ? bytes : 0), all_(written) {}

    [[nodiscard]] bool all() const { return all_; }
    void set(std::uint64_t first, std::uint64_t bytes);
    void clear(std::uint64_t first, std::uint64_t bytes);
    // A bit for each of up to 32 bytes, from `first` on; bytes beyond the end count as written.
    [[nodiscard]] std::uint32_t test(std::uint64_t first, std::uint32_t bytes) const;

private:
    static constexpr std::uint64_t page_bytes = 4096;
    struct Page {
        std::array<std::uint64_t, page_bytes / 64> bits{};
    };

    Page& page(std::uint64_t index);
    void change(std::uint64_t first, std::uint64_t bytes, bool written);

    std::uint64_t bytes_ = 0;
    std::uint64_t written_ = 0; // how many
    bool all_ = false;
    std::vector<std::unique_ptr<Page>> pages_; // null: as none_ of them are written
};

} // namespace apod::emu
