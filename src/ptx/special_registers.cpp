#include "ptx/special_registers.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace apod::ptx {

namespace {

constexpr auto names = std::to_array<std::string_view>({
    "aggr_smem_size",
    "clock",
    "clock64",
    "clock_hi",
    "cluster_ctaid",
    "cluster_ctarank",
    "cluster_nctaid",
    "cluster_nctarank",
    "clusterid",
    "ctaid",
    "current_graph_exec",
    "dynamic_smem_size",
    "globaltimer",
    "globaltimer_hi",
    "globaltimer_lo",
    "gridid",
    "is_explicit_cluster",
    "laneid",
    "lanemask_eq",
    "lanemask_ge",
    "lanemask_gt",
    "lanemask_le",
    "lanemask_lt",
    "nclusterid",
    "nctaid",
    "nsmid",
    "ntid",
    "nwarpid",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_end",
    "smid",
    "tid",
    "total_smem_size",
    "warpid",
});
static_assert(std::is_sorted(names.begin(), names.end()));

// "envreg" 0 to 31, "pm" 0 to 7, "pm"0_64 to 7_64.
bool is_numbered(std::string_view name, std::string_view prefix, std::string_view suffix, unsigned count) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size()) return false;
    name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    if (name.size() > 1 && name[0] == '0') return false;
    unsigned number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc{} && end == name.data() + name.size() && number < count;
}

} // namespace

bool is_special_register(std::string_view name) {
    return std::binary_search(names.begin(), names.end(), name) || is_numbered(name, "envreg", "", 32) || is_numbered(name, "pm", "", 8) ||
           is_numbered(name, "pm", "_64", 8);
}

} // namespace apod::ptx
