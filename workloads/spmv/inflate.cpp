#include "workloads/spmv/inflate.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace apod::spmv {

namespace {

constexpr int longest_code = 15;

// RFC 1951, 3.2.5: the smallest length or distance of each code, and how many extra bits it has.
constexpr std::array<std::uint16_t, 29> length_base = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> length_bits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> distance_base = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                         33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                         1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<std::uint8_t, 30> distance_bits = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                        6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

Diagnostic garbled() { return bad_input({}, "the compressed data are garbled"); }

// Bits from the least significant of each byte on. Beyond the end come zeros, and `overrun` tells.
class Bits {
public:
    explicit Bits(std::string_view bytes) : bytes_(bytes) {}

    std::uint32_t take(int count) {
        while (held_ < count) {
            const std::uint64_t byte = at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_]) : 0;
            ++at_;
            bits_ |= byte << held_;
            held_ += 8;
        }
        const auto value = static_cast<std::uint32_t>(bits_ & ((std::uint64_t{1} << count) - 1));
        bits_ >>= count;
        held_ -= count;
        return value;
    }
    void to_byte() { take(held_ % 8); }
    [[nodiscard]] bool overrun() const { return at_ > bytes_.size() + static_cast<std::size_t>(held_ / 8); }
    // Every byte was used.
    [[nodiscard]] bool at_end() const { return at_ == bytes_.size() + static_cast<std::size_t>(held_ / 8); }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint64_t bits_ = 0;
    int held_ = 0;
};

// A canonical Huffman code: symbols in the order of their codes, and how many codes each length has.
class Huffman {
public:
    // False where the lengths make more codes than there are.
    bool set(std::span<const std::uint8_t> lengths) {
        count_.fill(0);
        for (const std::uint8_t length : lengths) ++count_[length];
        count_[0] = 0;
        int left = 1;
        for (int length = 1; length <= longest_code; ++length) {
            left = 2 * left - count_[length];
            if (left < 0) return false;
        }
        std::array<int, longest_code + 2> next{};
        for (int length = 1; length <= longest_code; ++length) next[length + 1] = next[length] + count_[length];
        symbols_.assign(lengths.size(), 0);
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
            if (lengths[symbol] != 0) symbols_[static_cast<std::size_t>(next[lengths[symbol]]++)] = static_cast<std::uint16_t>(symbol);
        }
        return true;
    }
    // -1 where the bits are no code.
    int read(Bits& bits) const {
        int code = 0;
        int first = 0;
        int index = 0;
        for (int length = 1; length <= longest_code; ++length) {
            code |= static_cast<int>(bits.take(1));
            if (code - count_[length] < first) return symbols_[static_cast<std::size_t>(index + code - first)];
            index += count_[length];
            first = 2 * (first + count_[length]);
            code *= 2;
        }
        return -1;
    }

private:
    std::array<int, longest_code + 1> count_{};
    std::vector<std::uint16_t> symbols_;
};

class Inflater {
public:
    Inflater(std::string_view stream, std::uint64_t size) : bits_(stream), size_(size) {}

    Result<std::string> run() {
        bool last = false;
        while (!last) {
            last = bits_.take(1) != 0;
            const std::uint32_t type = bits_.take(2);
            if (type == 3 || bits_.overrun()) return garbled();
            const bool good = type == 0 ? stored() : (type == 1 ? fixed_tables() && compressed() : dynamic_tables() && compressed());
            if (!good || bits_.overrun()) return garbled();
        }
        if (out_.size() != size_ || !bits_.at_end()) return garbled();
        return std::move(out_);
    }

private:
    bool stored() {
        bits_.to_byte();
        const std::uint32_t length = bits_.take(16);
        if ((bits_.take(16) ^ 0xffff) != length || length > size_ - out_.size()) return false;
        for (std::uint32_t i = 0; i < length; ++i) out_ += static_cast<char>(bits_.take(8));
        return true;
    }

    bool fixed_tables() {
        std::array<std::uint8_t, 288> lengths{};
        for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = i < 144 ? 8 : (i < 256 ? 9 : (i < 280 ? 7 : 8));
        std::array<std::uint8_t, 30> distances{};
        distances.fill(5);
        return literals_.set(lengths) && distances_.set(distances);
    }

    bool dynamic_tables() {
        constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const std::size_t literals = bits_.take(5) + 257;
        const std::size_t distances = bits_.take(5) + 1;
        const std::size_t codes = bits_.take(4) + 4;
        if (literals > 286 || distances > 30) return false;
        std::array<std::uint8_t, 19> code_lengths{};
        for (std::size_t i = 0; i < codes; ++i) code_lengths[order[i]] = static_cast<std::uint8_t>(bits_.take(3));
        Huffman code;
        if (!code.set(code_lengths)) return false;
        std::vector<std::uint8_t> lengths;
        while (lengths.size() < literals + distances) {
            const int symbol = code.read(bits_);
            if (symbol < 0 || bits_.overrun() || (symbol == 16 && lengths.empty())) return false;
            if (symbol < 16) {
                lengths.push_back(static_cast<std::uint8_t>(symbol));
            } else if (symbol == 16) {
                lengths.insert(lengths.end(), bits_.take(2) + 3, lengths.back());
            } else {
                lengths.insert(lengths.end(), symbol == 17 ? bits_.take(3) + 3 : bits_.take(7) + 11, 0);
            }
        }
        if (lengths.size() != literals + distances) return false;
        const std::span<const std::uint8_t> all(lengths);
        return literals_.set(all.first(literals)) && distances_.set(all.subspan(literals));
    }

    bool compressed() {
        while (true) {
            const int symbol = literals_.read(bits_);
            if (symbol < 0 || bits_.overrun()) return false;
            if (symbol == 256) return true;
            if (symbol < 256) {
                if (out_.size() == size_) return false;
                out_ += static_cast<char>(symbol);
            } else if (!copy(static_cast<std::size_t>(symbol - 257))) {
                return false;
            }
        }
    }

    bool copy(std::size_t code) {
        if (code >= length_base.size()) return false;
        const std::size_t length = length_base[code] + bits_.take(length_bits[code]);
        const int far = distances_.read(bits_);
        if (far < 0 || static_cast<std::size_t>(far) >= distance_base.size()) return false;
        const std::size_t distance =
            distance_base[static_cast<std::size_t>(far)] + bits_.take(distance_bits[static_cast<std::size_t>(far)]);
        if (distance > out_.size() || length > size_ - out_.size()) return false;
        for (std::size_t i = 0; i < length; ++i) out_ += out_[out_.size() - distance]; // may overlap: what was just written is read
        return true;
    }

    Bits bits_;
    std::uint64_t size_;
    std::string out_;
    Huffman literals_;
    Huffman distances_;
};

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320u ^ (value >> 1) : value >> 1;
        table[i] = value;
    }
    return table;
}

} // namespace

Result<std::string> inflate(std::string_view stream, std::uint64_t size) { return Inflater(stream, size).run(); }

std::uint32_t crc32(std::string_view bytes) {
    static constexpr std::array<std::uint32_t, 256> table = make_crc_table();
    std::uint32_t crc = 0xffffffffu;
    for (const char byte : bytes) crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xff] ^ (crc >> 8);
    return crc ^ 0xffffffffu;
}

} // namespace apod::spmv
