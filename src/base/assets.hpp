// The data files built into apod (cmake/EmbedAssets.cmake): the binary works from anywhere, without an installation.
// A path is relative to the source tree with '/': "data/arch/h200.toml", "workloads/transpose/ladder.toml".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace apod {

// The contents, byte for byte and alive for ever; nothing when there is no such file.
[[nodiscard]] std::optional<std::string_view> find_asset(std::string_view path);

// The paths that begin with `prefix` ("data/arch/"), in byte order; an empty prefix gives all.
[[nodiscard]] std::vector<std::string_view> asset_names(std::string_view prefix);

namespace detail {

struct Asset {
    std::string_view path;
    std::string_view contents;
};

// Defined by the generated source, in byte order of the paths.
extern const Asset* const embedded_assets;
extern const std::size_t embedded_asset_count;

} // namespace detail
} // namespace apod
