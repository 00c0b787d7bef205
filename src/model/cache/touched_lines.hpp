// Which sectors of which lines a launch read and wrote: a table without nodes, because every access looks its line up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apod::model {

class TouchedLines {
public:
    struct Line {
        std::uint64_t key = 0; // line + 1; 0: none
        std::uint8_t read = 0; // sector masks
        std::uint8_t written = 0;
        [[nodiscard]] std::uint64_t line() const { return key - 1; }
    };

    // The line's entry, new and empty where it was not there. Valid until the next call.
    Line& at(std::uint64_t line) {
        if (2 * (count_ + 1) > table_.size()) grow();
        Line& found = table_[place_of(table_, line + 1)];
        if (found.key == 0) {
            found.key = line + 1;
            ++count_;
        }
        return found;
    }

    template<typename Visit> void each(const Visit& visit) const {
        for (const Line& line : table_)
            if (line.key != 0) visit(line);
    }

private:
    // Linear probing from a Fibonacci hash; the size is a power of two.
    static std::size_t place_of(const std::vector<Line>& table, std::uint64_t key) {
        const std::size_t mask = table.size() - 1;
        std::size_t at = static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> 32) & mask;
        while (table[at].key != 0 && table[at].key != key) at = (at + 1) & mask;
        return at;
    }

    void grow() {
        std::vector<Line> larger(table_.empty() ? 1024 : 4 * table_.size());
        for (const Line& line : table_)
            if (line.key != 0) larger[place_of(larger, line.key)] = line;
        table_ = std::move(larger);
    }

    std::vector<Line> table_;
    std::size_t count_ = 0;
};

} // namespace apod::model
