// What a JSON library says of a text, for people.
#pragma once

#include <string>
#include <string_view>

namespace apod {

// "[json.exception.out_of_range.403] key 'device' not found" without the tag of the library in front, and without the middle of what it
// quotes where that is long.
[[nodiscard]] std::string json_problem(std::string_view what);

} // namespace apod
