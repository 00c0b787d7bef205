#include "base/json_problem.hpp"

namespace apod {

std::string_view json_problem(std::string_view what) {
    constexpr std::string_view tag = "[json.exception.";
    constexpr std::string_view end = "] ";
    const std::size_t at = what.find(end);
    return what.starts_with(tag) && at != std::string_view::npos ? what.substr(at + end.size()) : what;
}

} // namespace apod
