// "Did you mean ...?": the known name that is nearest to what somebody typed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace apod {

// Edits (insertion, deletion, replacement, swap of neighbours) that turn one name into the other; letters' case and '_' against '-' are
// free.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `known`, the first one among equals; nothing when even that is too far off to be a slip (over a third of the longer name,
// though one edit is always allowed in names of two and more).
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string_view> known);

// A hint for a Diagnostic: "did you mean 'h200'? known: a100, h200, ..." (at most `limit` names, then "and N more").
[[nodiscard]] std::string nearest_hint(std::string_view name, std::span<const std::string> known, std::size_t limit = 60);

} // namespace apod
