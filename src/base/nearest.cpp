#include "base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace apod {
namespace {

char folded(char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c == '_' ? '-' : c;
}

template<class Name> std::optional<std::string> nearest_of(std::string_view name, std::span<const Name> known) {
    std::optional<std::string> best;
    std::size_t best_distance = 0;
    for (const std::string_view candidate : known) {
        const std::size_t longest = std::max(name.size(), candidate.size());
        if (longest < 2) continue;
        const std::size_t allowed = std::max<std::size_t>(1, longest / 3);
        const std::size_t distance = edit_distance(name, candidate);
        if (distance > allowed || (best && distance >= best_distance)) continue;
        best = std::string(candidate);
        best_distance = distance;
    }
    return best;
}

} // namespace

// The three-row form of the optimal string alignment distance (Damerau-Levenshtein without repeated edits of one pair).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1);
            row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) { return nearest_of(name, known); }
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string_view> known) { return nearest_of(name, known); }

std::string nearest_hint(std::string_view name, std::span<const std::string> known, std::size_t limit) {
    std::string hint;
    if (const auto nearest = nearest_name(name, known)) hint = "did you mean '" + *nearest + "'? ";
    if (known.empty()) return hint + "none is known";
    hint += "known: ";
    const std::size_t shown = std::min(limit, known.size());
    for (std::size_t i = 0; i < shown; ++i) hint += (i ? ", " : "") + known[i];
    if (shown < known.size()) hint += " and " + std::to_string(known.size() - shown) + " more";
    return hint;
}

} // namespace apod
