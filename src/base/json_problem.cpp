#include "base/json_problem.hpp"

namespace apod {

std::string json_problem(std::string_view what) {
    constexpr std::size_t most = 300;
    constexpr std::string_view tag = "[json.exception.";
    constexpr std::string_view end = "] ";
    const std::size_t at = what.find(end);
    if (what.starts_with(tag) && at != std::string_view::npos) what.remove_prefix(at + end.size());
    if (what.size() <= most) return std::string(what);
    return std::string(what.substr(0, most / 2)) + " ... " + std::string(what.substr(what.size() - most / 2));
}

} // namespace apod
