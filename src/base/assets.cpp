#include "base/assets.hpp"

#include <algorithm>
#include <span>

namespace apod {
namespace {

std::span<const detail::Asset> all_assets() { return {detail::embedded_assets, detail::embedded_asset_count}; }

auto first_not_before(std::span<const detail::Asset> assets, std::string_view path) {
    return std::lower_bound(assets.begin(), assets.end(), path, [](const detail::Asset& a, std::string_view p) { return a.path < p; });
}

} // namespace

std::optional<std::string_view> find_asset(std::string_view path) {
    const auto assets = all_assets();
    const auto found = first_not_before(assets, path);
    if (found == assets.end() || found->path != path) return std::nullopt;
    return found->contents;
}

std::vector<std::string_view> asset_names(std::string_view prefix) {
    const auto assets = all_assets();
    std::vector<std::string_view> names;
    for (auto it = first_not_before(assets, prefix); it != assets.end() && it->path.starts_with(prefix); ++it) names.push_back(it->path);
    return names;
}

} // namespace apod
