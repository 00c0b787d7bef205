// What explain said of each rung before the next one, and whether it came true, in the forms of a climb.
#pragma once

#include "base/text_table.hpp"
#include "ladder/climb.hpp"
#include "report/json.hpp"

#include <string>

namespace apod::report {

// A table with its heading and what its last column means; empty where no rung has one before it. Ends with a line end.
[[nodiscard]] std::string estimates_text(const ladder::ClimbResult& climb, const TextStyle& style);
[[nodiscard]] std::string estimates_markdown(const ladder::ClimbResult& climb);
[[nodiscard]] Json estimates_json(const ladder::ClimbResult& climb);

} // namespace apod::report
