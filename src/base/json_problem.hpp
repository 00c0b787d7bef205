// What a JSON library says of a text, for people.
#pragma once

#include <string_view>

namespace apod {

// "[json.exception.out_of_range.403] key 'device' not found" without the tag of the library in front.
[[nodiscard]] std::string_view json_problem(std::string_view what);

} // namespace apod
