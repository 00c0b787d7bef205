#include "sass/line_program.hpp"

#include "sass/elf.hpp"

#include <vector>

namespace apod::sass {

namespace {

class Reader {
public:
    Reader(std::string_view bytes, std::size_t at, std::size_t end) : bytes_(bytes), at_(at), end_(std::min(end, bytes.size())) {}

    [[nodiscard]] bool more() const { return at_ < end_; }
    [[nodiscard]] std::size_t at() const { return at_; }
    void skip(std::uint64_t count) { at_ = count < end_ - at_ ? at_ + count : end_; }
    std::uint8_t byte() { return more() ? static_cast<std::uint8_t>(bytes_[at_++]) : std::uint8_t{0}; }

    std::uint64_t unsigned_number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; more(); shift += 7) {
            const std::uint8_t part = byte();
            if (shift < 64) value |= std::uint64_t{part & 0x7fu} << shift;
            if (part < 0x80) break;
        }
        return value;
    }

    std::int64_t signed_number() {
        std::uint64_t value = 0;
        unsigned shift = 0;
        std::uint8_t part = 0x80;
        while (more() && part >= 0x80) {
            part = byte();
            if (shift < 64) value |= std::uint64_t{part & 0x7fu} << shift;
            shift += 7;
        }
        if (shift < 64 && (part & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
        return static_cast<std::int64_t>(value);
    }

private:
    std::string_view bytes_;
    std::size_t at_;
    std::size_t end_;
};

struct Header {
    std::uint8_t shortest = 1;
    std::int8_t line_base = 0;
    std::uint8_t line_range = 1;
    std::uint8_t first_special = 10;
    std::vector<std::uint8_t> operands; // of the standard operations, by number - 1
};

// Runs one unit's operations.
class Machine {
public:
    Machine(const Header& header, const std::map<std::uint64_t, bool>& starts, std::string_view bytes, LineTable& table) :
        header_(header), starts_(starts), bytes_(bytes), table_(table) {}

    void run(Reader reader) {
        while (reader.more()) {
            const std::uint8_t operation = reader.byte();
            if (operation >= header_.first_special) {
                const unsigned both = operation - header_.first_special;
                address_ += std::uint64_t{header_.shortest} * (both / header_.line_range);
                line_ += header_.line_base + static_cast<std::int64_t>(both % header_.line_range);
                row();
            } else if (operation == 0) {
                extended(reader);
            } else {
                standard(reader, operation);
            }
        }
    }

private:
    void row() {
        if (wanted_) table_[address_] = line_ > 0 ? static_cast<std::uint32_t>(line_) : 0;
    }

    void extended(Reader& reader) {
        const std::uint64_t length = reader.unsigned_number();
        const std::size_t begin = reader.at();
        constexpr std::uint8_t end_sequence = 1;
        constexpr std::uint8_t set_address = 2;
        const std::uint8_t operation = reader.byte();
        if (operation == end_sequence) {
            if (wanted_) table_.emplace(address_, 0);
            address_ = 0;
            line_ = 1;
            wanted_ = false;
        } else if (operation == set_address) {
            address_ = value_at<std::uint64_t>(bytes_, reader.at());
            const auto start = starts_.find(reader.at());
            wanted_ = start != starts_.end() && start->second;
        }
        reader.skip(length > reader.at() - begin ? length - (reader.at() - begin) : 0);
    }

    void standard(Reader& reader, std::uint8_t operation) {
        switch (operation) {
        case 1: row(); break;
        case 2: address_ += reader.unsigned_number() * header_.shortest; break;
        case 3: line_ += reader.signed_number(); break;
        case 8: address_ += std::uint64_t{header_.shortest} * ((255u - header_.first_special) / header_.line_range); break;
        case 9:
            address_ += value_at<std::uint16_t>(bytes_, reader.at());
            reader.skip(2);
            break;
        default: // file, column and flags, which are of no interest here
            for (unsigned i = 0; i < (operation <= header_.operands.size() ? header_.operands[operation - 1] : 0u); ++i)
                static_cast<void>(reader.unsigned_number());
        }
    }

    const Header& header_;
    const std::map<std::uint64_t, bool>& starts_;
    std::string_view bytes_;
    LineTable& table_;
    std::uint64_t address_ = 0;
    std::int64_t line_ = 1;
    bool wanted_ = false;
};

} // namespace

LineTable read_lines(std::string_view program, const std::map<std::uint64_t, bool>& starts) {
    LineTable table;
    std::size_t at = 0;
    constexpr std::size_t fixed_part = 15; // bytes before the table of operand counts
    while (program.size() - at > fixed_part) {
        const std::size_t end = at + 4 + std::size_t{value_at<std::uint32_t>(program, at)};
        const std::size_t first = at + 10 + std::size_t{value_at<std::uint32_t>(program, at + 6)};
        Header header;
        header.shortest = value_at<std::uint8_t>(program, at + 10);
        header.line_base = value_at<std::int8_t>(program, at + 12);
        header.line_range = std::max<std::uint8_t>(value_at<std::uint8_t>(program, at + 13), 1);
        header.first_special = std::max<std::uint8_t>(value_at<std::uint8_t>(program, at + 14), 1);
        for (std::size_t i = 0; i + 1 < header.first_special; ++i)
            header.operands.push_back(value_at<std::uint8_t>(program, at + fixed_part + i));
        if (end > program.size() || first > end) break;
        Machine(header, starts, program, table).run({program, first, end});
        at = end;
    }
    return table;
}

} // namespace apod::sass
