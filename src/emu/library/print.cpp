#include "emu/library/print.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace apod::emu {

namespace {

constexpr int most_arguments = 32;
constexpr int widest_field = 4096; // a width beyond this is a mistake, not a table

class Printer {
public:
    Printer(std::string& out, std::string_view format, const PrintArguments& arguments) :
        out_(out), format_(format), arguments_(arguments) {}

    int print() {
        while (at_ < format_.size()) {
            const std::size_t percent = std::min(format_.find('%', at_), format_.size());
            out_.append(format_, at_, percent - at_);
            at_ = percent;
            if (at_ < format_.size() && !conversion()) return -1;
        }
        return used_;
    }

private:
    // One conversion, from its '%' on. What is none is printed as it stands, and so is what has no argument left.
    bool conversion() {
        const std::size_t start = at_++;
        std::string spec = "%";
        take_while("-+ #0", spec);
        if (!number(spec)) return false;
        if (peek() == '.') {
            spec += format_[at_++];
            if (!number(spec)) return false;
        }
        std::string length;
        take_while("hlLqjzt", length);
        const char letter = peek();
        if (letter != 0) ++at_;
        if (letter == '%') {
            out_ += '%';
            return true;
        }
        if (letter == 0 || std::string_view("diouxXcspfFeEgGaA").find(letter) == std::string_view::npos || used_ >= most_arguments) {
            out_.append(format_, start, at_ - start);
            return true;
        }
        return convert(spec, length, letter);
    }

    [[nodiscard]] char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

    void take_while(std::string_view set, std::string& into) {
        while (at_ < format_.size() && set.find(format_[at_]) != std::string_view::npos) into += format_[at_++];
    }

    // Digits, or '*' with its argument.
    bool number(std::string& spec) {
        if (peek() == '*' && used_ < most_arguments) {
            ++at_;
            std::int32_t value = 0;
            if (!next(value)) return false;
            spec += std::to_string(std::clamp(value, -widest_field, widest_field));
            return true;
        }
        std::string digits;
        take_while("0123456789", digits);
        if (digits.size() > 4 || (digits.size() == 4 && digits > "4096")) digits = std::to_string(widest_field);
        spec += digits;
        return true;
    }

    template<class T> bool next(T& value) {
        offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        if (!arguments_.read(offset_, sizeof(T), &value)) return false;
        offset_ += sizeof(T);
        ++used_;
        return true;
    }

    template<class T> void put(const std::string& spec, T value) {
        std::array<char, 512> buffer;
        const int size = std::snprintf(buffer.data(), buffer.size(), spec.c_str(), value);
        if (size < 0) return;
        const auto count = static_cast<std::size_t>(size);
        if (count < buffer.size()) {
            out_.append(buffer.data(), count);
            return;
        }
        const std::size_t old = out_.size();
        out_.resize(old + count + 1);
        std::snprintf(out_.data() + old, count + 1, spec.c_str(), value);
        out_.resize(old + count);
    }

    bool convert(const std::string& spec, const std::string& length, char letter) {
        switch (letter) {
        case 'd':
        case 'i': return integer<long long, std::int64_t, std::int32_t>(spec, length, letter);
        case 'o':
        case 'u':
        case 'x':
        case 'X': return integer<unsigned long long, std::uint64_t, std::uint32_t>(spec, length, letter);
        case 'c': {
            std::int32_t value = 0;
            if (!next(value)) return false;
            put(spec + 'c', static_cast<int>(static_cast<unsigned char>(value)));
            return true;
        }
        case 's': return text(spec);
        case 'p': {
            std::uint64_t value = 0;
            if (!next(value)) return false;
            put(spec + 'p', std::bit_cast<void*>(value));
            return true;
        }
        default: {
            double value = 0;
            if (!next(value)) return false;
            put(spec + letter, value);
            return true;
        }
        }
    }

    // long is 64 bits wide, as on the host; char and short arrive as int.
    template<class Printed, class Wide, class Narrow> bool integer(const std::string& spec, const std::string& length, char letter) {
        Printed value = 0;
        if (length.find_first_of("lLqjzt") != std::string::npos) {
            Wide wide = 0;
            if (!next(wide)) return false;
            value = wide;
        } else {
            Narrow narrow = 0;
            if (!next(narrow)) return false;
            constexpr bool is_signed = std::is_signed_v<Narrow>;
            if (length == "h") narrow = static_cast<std::conditional_t<is_signed, std::int16_t, std::uint16_t>>(narrow);
            if (length == "hh") narrow = static_cast<std::conditional_t<is_signed, std::int8_t, std::uint8_t>>(narrow);
            value = narrow;
        }
        put(spec + "ll" + letter, value);
        return true;
    }

    bool text(const std::string& spec) {
        std::uint64_t address = 0;
        if (!next(address)) return false;
        std::string value = "(null)";
        if (address != 0 && !arguments_.text(address, value)) return false;
        put(spec + 's', value.c_str());
        return true;
    }

    std::string& out_;
    std::string_view format_;
    const PrintArguments& arguments_;
    std::size_t at_ = 0;
    std::uint64_t offset_ = 0;
    int used_ = 0;
};

} // namespace

int format_print(std::string& out, std::string_view format, const PrintArguments& arguments) {
    return Printer(out, format, arguments).print();
}

} // namespace apod::emu
