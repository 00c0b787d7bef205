// A climb as Markdown, for a pull request or a README: the ladder table, what is wrong, the next step.
#pragma once

#include "ladder/climb.hpp"

#include <string>

namespace apod::report {

[[nodiscard]] std::string climb_markdown(const ladder::ClimbResult& climb);

} // namespace apod::report
