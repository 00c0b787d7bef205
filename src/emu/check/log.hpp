// The reports of everything that runs under checks: each mistake once, with how often it was made.
#pragma once

#include "apod/check.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace apod::emu {

class CheckLog {
public:
    // The report at the place of this one that is there already, raised by its count; or a new one. `apart`: what tells reports of one
    // place in the source apart.
    std::size_t add(CheckReport report, const std::string& apart = {});
    // This one tells the mistake better; the count stays.
    void replace(std::size_t index, CheckReport report);
    // Takes the report out again: another one says it better. Indices behind it move.
    void drop(std::size_t index);
    void raise(std::size_t index, std::uint64_t count) { reports_[index].count += count; }
    [[nodiscard]] const std::vector<CheckReport>& reports() const { return reports_; }
    // Reports since the last call, for those who write them down as they come. Later launches may still raise their counts.
    [[nodiscard]] std::vector<CheckReport> take_new();

private:
    std::vector<CheckReport> reports_;
    std::vector<std::string> keys_; // of the reports
    std::map<std::string, std::size_t> places_;
    std::size_t taken_ = 0;
};

} // namespace apod::emu
