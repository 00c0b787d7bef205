#include "report/names.hpp"

#include "model/metric_registry.hpp"

namespace apod::report {

namespace metric = model::metric;

std::string_view source_name(Source source) {
    switch (source) {
    case Source::measured: return "measured";
    case Source::counted: return "counted";
    case Source::predicted: return "predicted";
    case Source::theoretical: return "theoretical";
    }
    return "unknown";
}

std::string metric_label(std::string_view identifier) {
    const model::MetricInfo* info = model::find_metric(identifier);
    if (info == nullptr) return std::string(identifier);
    return info->unit.empty() ? std::string(info->label) : std::string(info->label) + ", " + std::string(info->unit);
}

std::vector<std::pair<std::string, Quantity>> in_reading_order(const MetricMap& metrics) {
    std::vector<std::pair<std::string, Quantity>> ordered;
    for (const model::MetricInfo& info : model::metrics())
        if (const auto found = metrics.find(std::string(info.name)); found != metrics.end()) ordered.emplace_back(*found);
    for (const auto& entry : metrics)
        if (model::find_metric(entry.first) == nullptr) ordered.emplace_back(entry);
    return ordered;
}

std::optional<Quantity> find_metric(const MetricMap& metrics, std::string_view identifier) {
    const auto found = metrics.find(std::string(identifier));
    if (found == metrics.end()) return std::nullopt;
    return found->second;
}

std::optional<Quantity> ratio(const MetricMap& metrics, std::string_view numerator, std::string_view denominator) {
    std::optional<Quantity> above = find_metric(metrics, numerator);
    const std::optional<Quantity> below = find_metric(metrics, denominator);
    if (!above || !below || below->value == 0) return std::nullopt;
    return Quantity{above->value / below->value, above->source, std::nullopt};
}

std::optional<Quantity> load_sectors_per_request(const MetricMap& metrics) {
    return ratio(metrics, metric::global_load_sectors, metric::global_load_requests);
}

std::optional<Quantity> store_sectors_per_request(const MetricMap& metrics) {
    return ratio(metrics, metric::global_store_sectors, metric::global_store_requests);
}

std::optional<Quantity> lanes_active(const MetricMap& metrics) {
    return ratio(metrics, metric::thread_instructions, metric::warp_instructions);
}

std::optional<Quantity> bank_conflicts(const MetricMap& metrics) {
    std::optional<Quantity> all;
    for (const std::string_view part : {metric::shared_load_conflicts, metric::shared_store_conflicts, metric::shared_atomic_conflicts}) {
        const std::optional<Quantity> conflicts = find_metric(metrics, part);
        if (!conflicts) continue;
        if (!all) all = Quantity{0, conflicts->source, std::nullopt};
        all->value += conflicts->value;
    }
    return all;
}

} // namespace apod::report
