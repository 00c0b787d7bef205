#include "explain/rules/rule.hpp"

#include <charconv>

namespace apod::explain {

namespace {

std::string_view folder_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

} // namespace

double all_wavefronts(const Context& context) {
    using namespace model;
    return context.metric(metric::shared_wavefronts) + context.metric(metric::global_load_wavefronts) +
           context.metric(metric::global_store_wavefronts);
}

LimiterShare largest_share(const Context& context) {
    LimiterShare largest;
    for (const LimiterShare& share : context.launch.shares) {
        const bool launch = share.name == "launch";
        if (largest.name.empty() || (!launch && (largest.name == "launch" || share.time_ns > largest.time_ns))) largest = share;
    }
    return largest;
}

void place(Finding& finding, const LineRecord* line) {
    if (line == nullptr) return;
    finding.file = line->file;
    finding.line = line->line;
    const std::string_view call = line->inlined_at;
    const std::size_t colon = call.rfind(':');
    if (colon == std::string_view::npos || folder_of(call.substr(0, colon)) == folder_of(line->file)) return;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(call.data() + colon + 1, call.data() + call.size(), number);
    if (error != std::errc() || end != call.data() + call.size()) return;
    finding.file = std::string(call.substr(0, colon));
    finding.line = number;
}

} // namespace apod::explain
