// Pieces of text that the views for people share. Every function takes its numbers from a record; none ends with a line end.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "base/text_table.hpp"
#include "ladder/climb.hpp"
#include "report/rung_row.hpp"

#include <optional>
#include <string>
#include <vector>

namespace apod::report {

inline constexpr const char* nothing = "-";     // a cell without a value
inline constexpr std::size_t prose_width = 100; // sentences where the width of the terminal is not known

[[nodiscard]] Tint status_tint(RungStatus status);

// "emu:h200: NVIDIA H200 (emulated), 132 SMs at 1980 MHz, 4800 GB/s HBM3e theoretical peak"
[[nodiscard]] std::string device_line(const std::string& id, const arch::Gpu& gpu, bool emulated);

// "n = 1024"; several are separated by commas. Whole numbers have no fraction.
[[nodiscard]] std::string parameters_text(const ladder::ClimbResult& climb);

// "Yardstick copy: 6.400 us predicted, 1311 GB/s; the best rung takes 1.05x its time."; empty without one.
[[nodiscard]] std::string yardstick_line(const ladder::ClimbResult& climb, const std::vector<RungRow>& rows);

// How the floor of the problem follows from the device: "floor: 8.389 MB / 4800 GB/s = 1.748 us (theoretical)".
[[nodiscard]] std::string floor_line(const ladder::ClimbResult& climb);

// "out[3][0] (element 3072) is 7, expected 3072; 1,047,552 of 1,048,576 elements differ"
[[nodiscard]] std::string mismatch_text(const ladder::Mismatch& mismatch);

// "lsu 81%, dram 34%, latency 12%"; shares below 1 % are left out.
[[nodiscard]] std::string shares_text(const std::vector<LimiterShare>& shares);

// A count, grouped where it is whole and scaled where it is huge.
[[nodiscard]] std::string count_text(double count);
// Three or four significant digits, without a unit: for a column that names it.
[[nodiscard]] std::string digits_text(double value);
// A ratio in a column: "32.00", "-" for nothing.
[[nodiscard]] std::string ratio_text(const std::optional<Quantity>& quantity);

// Title, evidence, place and advice of one finding, each on its line, indented by `indent` and wrapped to the terminal.
[[nodiscard]] std::string finding_text(const Finding& finding, const std::string& indent, const TextStyle& style);

// What the columns above mean, in dim lines.
[[nodiscard]] std::string legend_text(const std::string& text, const TextStyle& style);

// The text behind `first`, wrapped to the terminal; further lines begin with `rest`. Ends with a line end.
[[nodiscard]] std::string paragraph(const std::string& first, const std::string& rest, const std::string& text, const TextStyle& style);

// The shortest spelling of a path for people: from its last "workloads/" on, or the last two parts.
[[nodiscard]] std::string short_path(const std::string& path);

} // namespace apod::report
