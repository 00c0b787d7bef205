// The lines of a launch beside their text: what each one costs.
#pragma once

#include "apod/record.hpp"
#include "base/text_table.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace apod::report {

// The text of one source line (from 1), without its line end; nothing when the file is not there.
using SourceText = std::function<std::optional<std::string>(const std::string& file, std::uint32_t line)>;

enum class LinesShown : unsigned char {
    all,
    hot // those that move data or make a tenth of the instructions
};

// One table a file; a sentence where the code has no line information.
[[nodiscard]] std::string line_table(const LaunchRecord& launch, const SourceText& source, const TextStyle& style, LinesShown shown);

} // namespace apod::report
