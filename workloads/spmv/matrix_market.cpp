#include "workloads/spmv/matrix_market.hpp"

#include "workloads/spmv/text_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace apod::spmv {

namespace {

enum class Field { real, integer, complex, pattern };
enum class Symmetry { general, symmetric, skew, hermitian };

struct Banner {
    bool array = false;
    Field field = Field::real;
    Symmetry symmetry = Symmetry::general;
};

std::string lower(std::string_view text) {
    std::string result(text.substr(0, 40));
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

template<class Value, std::size_t n> struct Choices {
    std::string_view what;
    std::array<std::pair<std::string_view, Value>, n> known;
};

constexpr Choices<bool, 2> formats = {"format", {{{"coordinate", false}, {"array", true}}}};
constexpr Choices<Field, 5> fields = {"field",
                                      {{{"real", Field::real},
                                        {"double", Field::real},
                                        {"integer", Field::integer},
                                        {"complex", Field::complex},
                                        {"pattern", Field::pattern}}}};
constexpr Choices<Symmetry, 4> symmetries = {"symmetry",
                                             {{{"general", Symmetry::general},
                                               {"symmetric", Symmetry::symmetric},
                                               {"skew-symmetric", Symmetry::skew},
                                               {"hermitian", Symmetry::hermitian}}}};

template<class Value, std::size_t n> Result<Value> choose(TextCursor& text, const Choices<Value, n>& choices) {
    const std::string word = lower(text.word());
    std::string known;
    for (const auto& [name, value] : choices.known) {
        if (name == word) return value;
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    if (word.empty()) return text.error(fmt::format("the banner lacks the {}", choices.what), fmt::format("one of {}", known));
    const bool printable = std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isprint(c) != 0; });
    return text.error(fmt::format("'{}' is no {} of a Matrix Market file", printable ? word : "?", choices.what),
                      fmt::format("one of {}", known));
}

Result<Banner> read_banner(TextCursor& text) {
    const std::string_view hint = "it begins like: %%MatrixMarket matrix coordinate real general";
    if (!text.next_raw_line() || lower(text.word()) != "%%matrixmarket") {
        return text.error("this is no Matrix Market file: its first line is not the banner", std::string(hint));
    }
    if (lower(text.word()) != "matrix") return text.error("the banner's object is not 'matrix'", std::string(hint));
    const auto array = choose(text, formats);
    if (!array) return array.error();
    const auto field = choose(text, fields);
    if (!field) return field.error();
    const auto symmetry = choose(text, symmetries);
    if (!symmetry) return symmetry.error();
    if (*array && *field == Field::pattern) return text.error("an array has values, so its field cannot be 'pattern'");
    if (*symmetry == Symmetry::hermitian && *field != Field::complex) {
        return text.error("only a complex matrix can be hermitian", "for real matrices it is called symmetric");
    }
    if (*symmetry == Symmetry::skew && *field == Field::pattern)
        return text.error("a pattern has no signs, so it cannot be skew-symmetric");
    if (!text.at_line_end()) return text.word(), text.error("something follows the banner's symmetry");
    return Banner{*array, *field, *symmetry};
}

class MatrixReader {
public:
    MatrixReader(TextCursor& text, const Banner& banner) : text_(text), banner_(banner) {}

    Result<MatrixFile> read() {
        if (Result<void> sizes = read_sizes(); !sizes) return sizes.error();
        Result<void> done = banner_.array ? read_array() : read_coordinates();
        if (!done) return done.error();
        if (text_.next_line()) {
            text_.word();
            return text_.error(fmt::format("something follows the {} entries that the file announces", announced_));
        }
        return std::move(result_);
    }

private:
    Result<void> read_sizes() {
        if (!text_.next_line()) return text_.error("the line with the sizes is missing");
        const auto rows = text_.count("the number of rows");
        if (!rows) return rows.error();
        const auto columns = text_.count("the number of columns");
        if (!columns) return columns.error();
        result_.matrix.rows = *rows;
        result_.matrix.columns = *columns;
        if (banner_.symmetry != Symmetry::general && *rows != *columns) {
            return text_.error(fmt::format("a matrix of {} x {} is not square and has no symmetry", *rows, *columns));
        }
        if (!banner_.array) {
            const auto entries = text_.count("the number of entries");
            if (!entries) return entries.error();
            announced_ = *entries;
        } else if (__builtin_mul_overflow(*rows, *columns, &announced_)) {
            return text_.error(fmt::format("an array of {} x {} is larger than any memory", *rows, *columns));
        }
        if (!text_.at_line_end()) return text_.word(), text_.error("something follows the sizes");
        // An entry takes at least two bytes: what the file cannot hold is not worth the memory.
        const std::uint64_t possible = text_.bytes_left() / 2 + 1;
        const std::uint64_t copies = banner_.symmetry == Symmetry::general ? 1 : 2;
        const std::size_t expected = std::min(static_cast<std::uint64_t>(announced_), possible) * copies;
        result_.matrix.row_indices.reserve(expected);
        result_.matrix.column_indices.reserve(expected);
        result_.matrix.values.reserve(expected);
        return {};
    }

    Result<std::int64_t> read_index(std::string_view what, std::int64_t extent) {
        const auto index = text_.count(what);
        if (!index) return index.error();
        if (*index >= 1 && *index <= extent) return *index - 1;
        return text_.error(fmt::format("{} is {}, and the matrix has {}; the first is 1", what, *index, extent));
    }

    Result<void> read_coordinates() {
        for (std::int64_t i = 0; i < announced_; ++i) {
            if (!text_.next_line()) return too_few(i);
            const auto row = read_index("the row", result_.matrix.rows);
            if (!row) return row.error();
            const auto column = read_index("the column", result_.matrix.columns);
            if (!column) return column.error();
            if (Result<void> value = read_value(*row, *column); !value) return value;
        }
        return {};
    }

    // Column after column; of a symmetric matrix the lower triangle, of a skew one without its diagonal.
    Result<void> read_array() {
        std::int64_t done = 0;
        for (std::int64_t column = 0; column < result_.matrix.columns; ++column) {
            std::int64_t row = banner_.symmetry == Symmetry::general ? 0 : column;
            if (banner_.symmetry == Symmetry::skew) ++row;
            for (; row < result_.matrix.rows; ++row) {
                if (!text_.next_line()) return too_few(done);
                if (Result<void> value = read_value(row, column); !value) return value;
                ++done;
            }
            // An array without rows has nothing to read in however many columns.
            if (result_.matrix.rows == 0) break;
        }
        announced_ = done;
        return {};
    }

    [[nodiscard]] Diagnostic too_few(std::int64_t there) const {
        return text_.error(fmt::format("the file ends after {} entries, and announces {}", there, announced_));
    }

    Result<void> read_value(std::int64_t row, std::int64_t column) {
        double real = 1;
        double imaginary = 0;
        if (banner_.field == Field::integer) {
            const auto whole = text_.real("the value");
            if (!whole) return whole.error();
            if (!std::isfinite(*whole) || *whole != std::nearbyint(*whole)) {
                return text_.error("the value is no whole number, and the field is 'integer'");
            }
            real = *whole;
        } else if (banner_.field != Field::pattern) {
            const auto value = text_.real(banner_.field == Field::complex ? "the real part" : "the value");
            if (!value) return value.error();
            real = *value;
        }
        if (banner_.field == Field::complex) {
            const auto value = text_.real("the imaginary part");
            if (!value) return value.error();
            imaginary = *value;
        }
        if (!text_.at_line_end()) return text_.word(), text_.error("something follows the entry's value");
        return add_with_its_image(row, column, real, imaginary);
    }

    Result<void> add_with_its_image(std::int64_t row, std::int64_t column, double real, double imaginary) {
        if (row == column && banner_.symmetry == Symmetry::skew && (real != 0 || imaginary != 0)) {
            return text_.error(fmt::format("the diagonal of a skew-symmetric matrix is zero, and row {} has something there", row + 1));
        }
        if (row == column && banner_.symmetry == Symmetry::hermitian && imaginary != 0) {
            return text_.error(fmt::format("the diagonal of a hermitian matrix is real, and row {} has an imaginary part there", row + 1));
        }
        add(row, column, real, imaginary);
        if (row == column || banner_.symmetry == Symmetry::general) return {};
        const bool negative = banner_.symmetry == Symmetry::skew;
        const bool conjugate = banner_.symmetry == Symmetry::hermitian;
        add(column, row, negative ? -real : real, negative || conjugate ? -imaginary : imaginary);
        return {};
    }

    void add(std::int64_t row, std::int64_t column, double real, double imaginary) {
        result_.matrix.row_indices.push_back(row);
        result_.matrix.column_indices.push_back(column);
        result_.matrix.values.push_back(real);
        if (banner_.field == Field::complex) result_.imaginary.push_back(imaginary);
    }

    TextCursor& text_;
    Banner banner_;
    MatrixFile result_;
    std::int64_t announced_ = 0;
};

} // namespace

Result<MatrixFile> parse_matrix_market(std::string_view contents, const std::string& file) {
    TextCursor text(contents, file);
    const auto banner = read_banner(text);
    if (!banner) return banner.error();
    return MatrixReader(text, *banner).read();
}

} // namespace apod::spmv
