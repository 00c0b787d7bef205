// What the checks keep for one launch: the code with the checks' handlers in place of the lanes', what each op needs, global memory's
// latest accesses, and the reports.
#pragma once

#include "emu/check/dataflow.hpp"
#include "emu/check/log.hpp"
#include "emu/check/plan.hpp"
#include "emu/check/touches.hpp"
#include "emu/launch.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

namespace apod::emu {

// Which thread of which block, where.
struct CheckSite {
    std::uint32_t op = 0;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
};

class LaunchCheck {
public:
    LaunchCheck(const Program& program, const LaunchConfig& config, DeviceMemory& memory, CheckLog& log);

    [[nodiscard]] const Code& code() const { return code_; }
    [[nodiscard]] const Plans& plans() const { return plans_; }
    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] const LaunchConfig& config() const { return config_; }
    [[nodiscard]] Allocations& allocations() { return allocations_; }
    [[nodiscard]] TouchedMemory& touched() { return touched_; }
    [[nodiscard]] SyncPlace& sync_place(std::uint64_t address) { return sync_places_[address]; }
    [[nodiscard]] SyncPlace* find_sync_place(std::uint64_t address) {
        const auto found = sync_places_.find(address);
        return found != sync_places_.end() ? &found->second : nullptr;
    }

    // The object of a shared or local id.
    [[nodiscard]] const CheckedObject& object(ObjectId id) const { return plans_.objects[id & ~object_flag]; }
    // The id of a range of each thread's local memory.
    [[nodiscard]] ObjectId local_object(std::uint64_t first, std::uint64_t bytes, const std::string& name);

    // True when there is such a report of these ops already; so many times more it was made then. Otherwise the caller makes it and calls
    // report().
    bool known(CheckKind kind, std::uint32_t op, std::uint32_t other, std::uint64_t times = 1);
    void report(CheckReport report, std::uint32_t op, std::uint32_t other);
    // Whether this pair of ops has raced in the same manner already; it is counted then.
    bool known_race(CheckKind kind, std::uint32_t op, std::uint32_t other, std::uint32_t manner);
    // Of one place in the source the report with the largest weight stays.
    void report_race(CheckReport report, std::uint32_t op, std::uint32_t other, int weight);
    // A race in which the value that was written was there already: a report when the launch is over, if the pair has not raced otherwise.
    bool known_hazard(std::uint32_t op, std::uint32_t other);
    void note_hazard(CheckReport report, std::uint32_t op, std::uint32_t other) {
        hazards_.emplace(std::pair(op, other), std::move(report));
    }
    // Whether a thread whose last write is `op` has left the barrier out and gone on, to code that those who reach it come to as well.
    [[nodiscard]] bool leaves_out(std::uint32_t op, std::uint32_t barrier);
    [[nodiscard]] Dataflow& dataflow() { return dataflow_; }
    // A report with its place and thread filled in.
    [[nodiscard]] CheckReport begin(CheckKind kind, const CheckSite& site, std::string what) const;
    [[nodiscard]] CheckAccess access(const CheckSite& site, std::string what) const;
    [[nodiscard]] CheckPlace place(std::uint32_t op) const;
    // The launch is over. What was read before others had written it is a race alone where it is one.
    void finish();
    // What stopped the launch, as a report.
    void report_fault(const Diagnostic& fault, CheckKind kind, const CheckSite& site);

private:
    void place_handlers();
    [[nodiscard]] std::string arguments_of(ObjectId id) const;
    [[nodiscard]] std::string apart(const CheckReport& report, ObjectId id) const;
    [[nodiscard]] std::size_t add(CheckReport& report); // completes it
    [[nodiscard]] bool goes_to(std::uint32_t from, std::uint32_t to) const;

    const Program& program_;
    const LaunchConfig& config_;
    Allocations& allocations_;
    CheckLog& log_;
    Code code_;
    Plans plans_;
    TouchedMemory touched_;
    std::unordered_map<std::uint64_t, SyncPlace> sync_places_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, ObjectId> locals_;
    std::map<std::tuple<CheckKind, std::uint32_t, std::uint32_t>, std::size_t> known_;
    std::set<std::tuple<CheckKind, std::uint32_t, std::uint32_t, std::uint32_t>> manners_; // in which ops have raced
    std::map<std::size_t, int> weights_;                                                   // of reports of races
    std::map<std::pair<std::uint32_t, std::uint32_t>, CheckReport> hazards_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> left_out_;
    Dataflow dataflow_;
};

} // namespace apod::emu
