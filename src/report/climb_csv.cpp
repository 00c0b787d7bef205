#include "report/climb_csv.hpp"

#include "report/delimited.hpp"
#include "report/names.hpp"
#include "report/rung_row.hpp"

#include <set>

namespace apod::report {
namespace {

std::optional<double> value_of(const std::optional<Quantity>& quantity) {
    return quantity ? std::optional<double>(quantity->value) : std::nullopt;
}

std::string source_of(const std::optional<Quantity>& quantity) {
    return quantity ? std::string(source_name(quantity->source)) : std::string();
}

std::set<std::string> metric_names(const ladder::ClimbResult& climb) {
    std::set<std::string> names;
    for (const ladder::RungResult& rung : climb.rungs)
        for (const auto& entry : rung.metrics) names.insert(entry.first);
    return names;
}

} // namespace

std::string climb_csv(const ladder::ClimbResult& climb) {
    const std::set<std::string> metrics = metric_names(climb);
    std::vector<std::string> header = {"ladder",
                                       "device",
                                       "rung",
                                       "status",
                                       "time_ns",
                                       "time_source",
                                       "floor_ns",
                                       "speedup_over_first",
                                       "speedup_over_previous",
                                       "effective_gbs",
                                       "percent_of_floor",
                                       "load_sectors_per_request",
                                       "store_sectors_per_request",
                                       "bank_conflicts",
                                       "lanes_active",
                                       "limiter",
                                       "what"};
    header.insert(header.end(), metrics.begin(), metrics.end());
    std::string out = csv_row(header);
    for (const RungRow& row : rung_rows(climb)) {
        const ladder::RungResult& rung = *row.rung;
        std::vector<std::string> cells = {climb.ladder,
                                          climb.device,
                                          rung.name,
                                          std::string(status_word(row.status)),
                                          plain_number(value_of(row.time_ns)),
                                          source_of(row.time_ns),
                                          plain_number(value_of(row.floor_ns)),
                                          plain_number(row.speedup_over_first),
                                          plain_number(row.speedup_over_previous),
                                          plain_number(row.effective_gbs),
                                          plain_number(row.percent_of_floor),
                                          plain_number(value_of(load_sectors_per_request(rung.metrics))),
                                          plain_number(value_of(store_sectors_per_request(rung.metrics))),
                                          plain_number(value_of(bank_conflicts(rung.metrics))),
                                          plain_number(value_of(lanes_active(rung.metrics))),
                                          rung.limiter,
                                          rung.what};
        for (const std::string& name : metrics) cells.push_back(plain_number(value_of(find_metric(rung.metrics, name))));
        out += csv_row(cells);
    }
    return out;
}

} // namespace apod::report
