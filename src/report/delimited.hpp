// CSV (RFC 4180, but lines end with \n) and Markdown tables: one row at a time, every cell escaped as its format asks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::report {

// A number for programs: the shortest decimal text that reads back as the same double; empty where there is none or it is not finite.
[[nodiscard]] std::string plain_number(std::optional<double> value);

// One line of CSV; cells with a comma, a quote or a line end are quoted. Malformed UTF-8 becomes U+FFFD.
[[nodiscard]] std::string csv_row(const std::vector<std::string>& cells);

// Text that Markdown shows as it is: its special characters are escaped, line ends become spaces.
[[nodiscard]] std::string markdown_text(std::string_view text);

// A table of GitHub's Markdown. Cells are escaped; `right` has an entry a column: true for numbers.
[[nodiscard]] std::string markdown_table(const std::vector<std::string>& header, const std::vector<bool>& right,
                                         const std::vector<std::vector<std::string>>& rows);

} // namespace apod::report
