// What the checks keep for one launch: the code with the checks' handlers in place of the lanes', what each op needs, global memory's
// latest accesses, and the reports.
#pragma once

#include "emu/check/log.hpp"
#include "emu/check/plan.hpp"
#include "emu/check/touches.hpp"
#include "emu/launch.hpp"

#include <map>
#include <optional>
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
};

} // namespace apod::emu
