// A module under construction, for those who build on the parser.
#pragma once

#include "ptx/module.hpp"

#include <memory>
#include <string>

namespace apod::ptx {

// As parse(), but its places count on from `lines_before`.
Result<std::shared_ptr<Module>> parse_unit(std::string text, std::string file, std::uint32_t lines_before);

} // namespace apod::ptx
