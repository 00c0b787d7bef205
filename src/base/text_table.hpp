// Plain tables for terminals: columns two spaces apart, a rule below the header, no boxes.
//
//   rung     time       what changed
//   -------  ---------  ------------------------
//   naive    36.40 ms   one thread
//   tiled    11.10 us   a tile in shared memory,
//                       read and written by rows
//
// Only the last column wraps. Cell text is made printable (see utf8.hpp), so text from files cannot disturb the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace apod {

enum class Align : unsigned char { left, right };

// What a cell's colour means; shown only where colour is on, and never the only carrier of the meaning.
enum class Tint : unsigned char { none, good, warning, bad, dim, strong };

struct TextStyle {
    std::size_t width = 0; // columns of the terminal; 0: as wide as needed
    bool colour = false;
};

struct Cell {
    std::string text;
    Tint tint = Tint::none;

    Cell(std::string cell_text = {}, Tint cell_tint = Tint::none) : text(std::move(cell_text)), tint(cell_tint) {}
    Cell(const char* cell_text, Tint cell_tint = Tint::none) : text(cell_text), tint(cell_tint) {}
};

struct TextColumn {
    std::string title;
    Align align = Align::left;
    std::string subtitle = {}; // second header line, e.g. the unit or the source; no column has one: no second line
};

class TextTable {
public:
    explicit TextTable(std::vector<TextColumn> columns);

    // Missing cells are empty; more cells than columns is our own fault and throws std::logic_error.
    void add_row(std::vector<Cell> cells);
    [[nodiscard]] bool empty() const { return rows_.empty(); }

    // Columns the table takes when nothing wraps.
    [[nodiscard]] std::size_t natural_width() const;
    // The same without the last column (and the gap before it).
    [[nodiscard]] std::size_t fixed_width() const;

    // Ends with a line end; no line ends with a space.
    [[nodiscard]] std::string render(const TextStyle& style) const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;

    std::vector<TextColumn> columns_;
    std::vector<std::vector<Cell>> rows_;
};

// The text in its colour, or as it is where colour is off or the tint is none.
[[nodiscard]] std::string tinted(std::string_view text, Tint tint, bool colour);

// Breaks at spaces into lines of at most `width` columns. A longer word is cut, or left whole (paths stay fit for copying). Width 0: one
// line. Never empty.
enum class LongWords : unsigned char { cut, keep };
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width, LongWords long_words = LongWords::cut);

} // namespace apod
