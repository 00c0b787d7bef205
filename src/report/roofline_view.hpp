// The rooflines of a climb (docs/roofline.md), as `apod explain --roofline` shows them: the ceilings of each GPU, and under them each
// launch's points. Nothing is computed here.
#pragma once

#include "base/text_table.hpp"
#include "ladder/climb.hpp"

#include <string>

namespace apod::report {

[[nodiscard]] std::string rooflines_text(const ladder::ClimbResult& climb, const TextStyle& style);

// One line a ceiling, then one a point; `on` is the device or the question of --what-if. Cells that a kind of line lacks are empty.
[[nodiscard]] std::string rooflines_csv(const ladder::ClimbResult& climb);

[[nodiscard]] std::string rooflines_markdown(const ladder::ClimbResult& climb);

} // namespace apod::report
