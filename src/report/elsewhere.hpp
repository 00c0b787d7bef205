// What a run says of other GPUs and of launches shaped otherwise (LaunchRecord::estimates): one row a rung and question, the run itself
// first.
#pragma once

#include "base/text_table.hpp"
#include "ladder/climb.hpp"

#include <string>
#include <vector>

namespace apod::report {

// Empty when nothing was asked. A rung's launches add up; its likely error is the largest of theirs, its limiter that of the longest.
[[nodiscard]] std::string elsewhere_text(const ladder::ClimbResult& climb, const TextStyle& style);
[[nodiscard]] std::string elsewhere_markdown(const ladder::ClimbResult& climb);

} // namespace apod::report
