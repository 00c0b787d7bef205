// The descriptions that are built in.
#include "arch/gpu.hpp"
#include "base/assets.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace apod::arch {
namespace {

constexpr std::string_view folder = "data/arch/";
constexpr std::string_view suffix = ".toml";
constexpr std::uint64_t largest_description_bytes = 1 << 20;

std::vector<std::string> ids_of_assets() {
    std::vector<std::string> ids;
    for (auto name : asset_names(folder)) {
        name.remove_prefix(folder.size());
        if (name.find('/') != std::string_view::npos || !name.ends_with(suffix)) continue;
        name.remove_suffix(suffix.size());
        ids.emplace_back(name);
    }
    std::sort(ids.begin(), ids.end()); // files sort otherwise: "a100-pcie.toml" comes before "a100.toml"
    return ids;
}

// "h100" means several: "h100-nvl, h100-pcie, h100-sxm".
std::string variants_of(std::string_view id) {
    std::string variants;
    const std::string stem = std::string(id) + "-";
    for (const auto& known : known_gpu_ids())
        if (!id.empty() && known.starts_with(stem)) variants += (variants.empty() ? "" : ", ") + known;
    return variants;
}

Diagnostic unknown_gpu(std::string_view id) {
    const std::string name(id);
    if (const auto variants = variants_of(id); !variants.empty())
        return usage_error("'" + name + "' is not one GPU", "choose one of " + variants);
    return usage_error("no GPU '" + name + "' is known",
                       nearest_hint(id, known_gpu_ids()) + "; or the path of a .toml file (docs/devices.md)");
}

} // namespace

std::optional<std::string> built_in_capability(const std::string& capability) {
    const auto text = find_asset(std::string(folder) + "cc/" + capability + std::string(suffix));
    if (!text) return std::nullopt;
    return std::string(*text);
}

const std::vector<std::string>& known_gpu_ids() {
    static const std::vector<std::string> ids = ids_of_assets();
    return ids;
}

Result<Gpu> find_gpu(std::string_view id) {
    if (id.ends_with(suffix)) {
        const std::string path(id);
        auto text = read_file(path, largest_description_bytes);
        if (!text) return text.error();
        return parse_gpu(*text, path);
    }
    // An id never leaves the folder: only names in the list are looked up.
    for (const auto& known : known_gpu_ids()) {
        if (known != id) continue;
        const std::string path = std::string(folder) + known + std::string(suffix);
        return parse_gpu(find_asset(path).value_or(""), path);
    }
    return unknown_gpu(id);
}

} // namespace apod::arch
