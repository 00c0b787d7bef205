#include "base/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace apod {

namespace {

// NumPy itself allows 64 (32 before version 2).
constexpr std::size_t max_axes = 64;

class HeaderReader {
public:
    HeaderReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Result<NpyHeader> read() {
        if (!take('{')) return error("it does not begin with '{'");
        while (!take('}')) {
            if (auto entry = read_entry(); !entry) return entry.error();
            if (!take(',') && peek() != '}') return error("',' or '}' is missing");
        }
        if (skip_spaces(), at_ != text_.size()) return error("something follows the closing '}'");
        if (!descr_ || !order_ || !shape_) return error("'descr', 'fortran_order' or 'shape' is missing");
        return NpyHeader{*descr_, *order_, *shape_};
    }

private:
    Result<void> read_entry() {
        const std::optional<std::string> key = take_string();
        if (!key || !take(':')) return error("a key in quotes and ':' are missing");
        if (*key == "descr" && !descr_) {
            if (peek() == '[') return error("structured types (records) are not supported");
            descr_ = take_string();
            if (!descr_) return error("'descr' is not a string");
        } else if (*key == "fortran_order" && !order_) {
            if (take_word("True")) order_ = true;
            if (!order_ && take_word("False")) order_ = false;
            if (!order_) return error("'fortran_order' is neither True nor False");
        } else if (*key == "shape" && !shape_) {
            return read_shape();
        } else {
            return error(fmt::format("the key '{}' is unknown or there twice", key->substr(0, 40)));
        }
        return {};
    }

    Result<void> read_shape() {
        std::vector<std::uint64_t> shape;
        if (!take('(')) return error("'shape' is not a tuple");
        while (!take(')')) {
            std::uint64_t extent = 0;
            skip_spaces();
            const char* const end = text_.data() + text_.size();
            const auto [rest, failed] = std::from_chars(text_.data() + at_, end, extent);
            if (failed != std::errc()) return error("an extent of the shape is not a number, or does not fit 64 bits");
            at_ = static_cast<std::size_t>(rest - text_.data());
            if (at_ < text_.size() && text_[at_] == 'L') ++at_; // Python 2 wrote 3L
            shape.push_back(extent);
            if (shape.size() > max_axes) return error(fmt::format("the shape has more than {} axes", max_axes));
            if (!take(',') && peek() != ')') return error("',' or ')' is missing in the shape");
        }
        shape_ = std::move(shape);
        return {};
    }

    std::optional<std::string> take_string() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') return std::nullopt;
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return std::nullopt;
        std::string result(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return result;
    }

    bool take_word(std::string_view word) {
        skip_spaces();
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    bool take(char c) {
        if (peek() != c || at_ >= text_.size()) return false;
        ++at_;
        return true;
    }

    // The next character that is no space; '\0' at the end.
    char peek() {
        skip_spaces();
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
    }

    [[nodiscard]] Diagnostic error(const std::string& why) const {
        return bad_input({file_, 0, 0}, fmt::format("the .npy header is garbled at its byte {}: {}", at_, why),
                         "write the file again with numpy.save");
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    std::optional<std::string> descr_;
    std::optional<bool> order_;
    std::optional<std::vector<std::uint64_t>> shape_;
};

} // namespace

Result<NpyHeader> parse_npy_header(std::string_view text, const std::string& file) { return HeaderReader(text, file).read(); }

} // namespace apod
