// Who touched each word of memory last: the latest write and two readers. A word splits into bytes where accesses to it differ in theirs.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace apod::emu {

enum TouchFlag : std::uint8_t {
    touch_strong = 1,     // atomic, volatile, relaxed, acquire, release: no race among themselves
    touch_async = 2,      // by cp.async: `tick` is the index of its group
    touch_same_value = 4, // a store of what was there already, kept among the readers
    touch_atomic = 8
    // The upper four bits count how often the warp has come to the op, modulo 16.
};
inline constexpr unsigned touch_round_shift = 4;

struct Touch {
    std::uint32_t tick = 0; // 0: none
    std::uint32_t block = 0;
    std::uint32_t op = 0;
    std::uint16_t thread = 0;
    std::uint8_t bytes = 0; // of the word, a bit each
    std::uint8_t flags = 0;
};

struct TouchedWord {
    Touch write;
    std::array<Touch, 2> reads;
};

// Words of one range of memory.
class TouchedWords {
public:
    explicit TouchedWords(std::size_t words) : words_(words) {}
    void clear();

    // Calls f(TouchedWord&, bytes) for the word, or for each of its bytes that are touched when it is split.
    template<class F> void visit(std::size_t word, std::uint8_t bytes, F f) {
        if (word < split_at_.size() && split_at_[word] != 0) return visit_bytes(split_at_[word], bytes, f);
        TouchedWord& touched = words_[word];
        if (!differs(touched, bytes)) return f(touched, bytes);
        split(word);
        visit_bytes(split_at_[word], bytes, f);
    }

private:
    using Bytes = std::array<TouchedWord, 4>;

    static bool differs(const TouchedWord& touched, std::uint8_t bytes) {
        const auto other = [bytes](const Touch& touch) { return touch.tick != 0 && touch.bytes != bytes; };
        return other(touched.write) || other(touched.reads[0]) || other(touched.reads[1]);
    }
    void split(std::size_t word);
    template<class F> void visit_bytes(std::uint32_t at, std::uint8_t bytes, F f) {
        Bytes& split = split_[at - 1];
        for (unsigned b = 0; b < 4; ++b)
            if ((bytes >> b & 1u) != 0) f(split[b], static_cast<std::uint8_t>(1u << b));
    }

    std::vector<TouchedWord> words_;
    std::vector<std::uint32_t> split_at_; // 0: whole; else into split_, from 1
    std::vector<Bytes> split_;
};

// Words of all of global memory: pages as they are touched. Beyond its limit the oldest page is forgotten.
class TouchedMemory {
public:
    template<class F> void visit(std::uint64_t address, std::uint8_t bytes, F f) {
        page(address / page_bytes).visit(address % page_bytes / 4, bytes, f);
    }
    [[nodiscard]] bool forgot() const { return forgot_; }

private:
    static constexpr std::uint64_t page_bytes = 4096;
    static constexpr std::size_t most_pages = 32768; // 128 MiB touched; about 50 KiB each

    TouchedWords& page(std::uint64_t index);

    std::unordered_map<std::uint64_t, std::unique_ptr<TouchedWords>> pages_;
    std::deque<std::uint64_t> order_;
    std::uint64_t last_index_ = ~0ull;
    TouchedWords* last_ = nullptr;
    bool forgot_ = false;
};

} // namespace apod::emu
