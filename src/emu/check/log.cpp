#include "emu/check/log.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod::emu {

namespace {

std::string place_text(const CheckPlace& place) {
    std::string text = fmt::format("{}:{}", place.file, place.line);
    for (const std::string& call : place.inlined_at) text += "<" + call;
    return text;
}

// The two sides of a race are the same race in either order.
std::string key(const CheckReport& report) {
    std::string first = place_text(report.access.place);
    std::string second = report.other ? place_text(report.other->place) : "";
    if (report.kind == CheckKind::race && second < first) std::swap(first, second);
    std::string where = report.object ? report.object->space + "'" + report.object->name : "";
    if (report.kind == CheckKind::leak) where += fmt::format("@{:#x}", report.address);
    return fmt::format("{}|{}|{}|{}|{}", static_cast<int>(report.kind), report.kernel, first, second, where);
}

} // namespace

std::size_t CheckLog::add(CheckReport report, const std::string& apart) {
    std::string own = key(report) + "|" + apart;
    const auto [place, fresh] = places_.try_emplace(own, reports_.size());
    if (fresh) {
        reports_.push_back(std::move(report));
        keys_.push_back(std::move(own));
    } else {
        reports_[place->second].count += report.count;
    }
    return place->second;
}

void CheckLog::replace(std::size_t index, CheckReport report) {
    report.count = reports_[index].count;
    reports_[index] = std::move(report);
}

void CheckLog::drop(std::size_t index) {
    if (index < taken_) return; // somebody has it
    reports_.erase(reports_.begin() + static_cast<std::ptrdiff_t>(index));
    keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(index));
    places_.clear();
    for (std::size_t r = 0; r < reports_.size(); ++r) places_[keys_[r]] = r;
}

std::vector<CheckReport> CheckLog::take_new() {
    std::vector<CheckReport> fresh(reports_.begin() + static_cast<std::ptrdiff_t>(taken_), reports_.end());
    taken_ = reports_.size();
    return fresh;
}

} // namespace apod::emu
