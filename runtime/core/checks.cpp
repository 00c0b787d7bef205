#include "runtime/core/checks.hpp"

#include "runtime/core/host_call.hpp"
#include "runtime/core/thread.hpp"

#include <fmt/format.h>

namespace apod::runtime {

void ProgramChecks::write() {
    const std::vector<CheckReport> fresh = log_.take_new();
    const std::vector<CheckReport>& all = log_.reports();
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (all[i].count == counts_[i]) continue;
        counts_[i] = all[i].count;
        record_.check_again(i, counts_[i]);
    }
    for (const CheckReport& report : fresh) {
        record_.check(report);
        counts_.push_back(report.count);
    }
}

void ProgramChecks::copied(const CopyWork& copy) {
    const auto to = reinterpret_cast<emu::DeviceAddress>(copy.to);
    const auto from = reinterpret_cast<emu::DeviceAddress>(copy.from);
    for (std::uint64_t slice = 0; slice < copy.depth; ++slice)
        for (std::uint64_t row = 0; row < copy.height; ++row)
            memory_.checks()->copied(to + slice * copy.to_slice + row * copy.to_pitch,
                                     from + slice * copy.from_slice + row * copy.from_pitch, copy.width);
}

void ProgramChecks::filled(const FillWork& fill) {
    const auto to = reinterpret_cast<emu::DeviceAddress>(fill.to);
    for (std::uint64_t slice = 0; slice < fill.depth; ++slice)
        for (std::uint64_t row = 0; row < fill.height; ++row)
            memory_.checks()->wrote(to + slice * fill.slice + row * fill.pitch, fill.width);
}

void ProgramChecks::bad_free(emu::DeviceAddress address) {
    const emu::Allocations& allocations = *memory_.checks();
    const emu::ObjectId freed = allocations.freed_at(address);
    const emu::ObjectId inside = allocations.find(address);
    const bool twice = freed != 0 && allocations[freed].base == address;
    CheckReport report;
    report.kind = twice ? CheckKind::double_free : CheckKind::invalid_free;
    report.access.what = "the program frees memory";
    report.address = address;
    if (const emu::ObjectId id = twice ? freed : inside; id != 0) report.object = allocations.object(id, address);
    report.message = twice ? fmt::format("memory at {:#x} is freed that is free already", address)
                           : fmt::format("{:#x} is freed, at which no allocation of this kind begins", address);
    report.host = host_call().frames;
    thread_state().reported = true;
    report.advice = "free each allocation once, by the pointer that it was given and by the call that fits";
    (void)log_.add(std::move(report));
    write();
}

void ProgramChecks::allocated(emu::DeviceAddress address) {
    HostCall call = host_call();
    std::string key = call.name;
    for (const std::string& frame : call.frames) key += "|" + frame;
    std::shared_ptr<const emu::AllocationOrigin>& origin = origins_[key];
    if (origin == nullptr) origin = std::make_shared<const emu::AllocationOrigin>(std::move(call.name), std::move(call.frames));
    memory_.checks()->set_origin(address, ++allocations_, origin);
}

void ProgramChecks::leak(emu::DeviceAddress address, std::uint64_t bytes, const char* kind) {
    CheckReport report;
    report.kind = CheckKind::leak;
    report.access.what = "allocated";
    report.address = address;
    const emu::Allocations& allocations = *memory_.checks();
    report.object = CheckObject{"global", kind, bytes, 0};
    if (const emu::ObjectId id = allocations.find(address); id != 0) report.object = allocations.object(id, address);
    const std::string& call = report.object->given_by;
    report.message = fmt::format("{} bytes of {}{} are never freed", bytes, *kind != '\0' ? kind : "device memory",
                                 call.empty() ? "" : fmt::format(" (allocation {} of the program, by {})", report.object->number, call));
    report.host = report.object->given_at;
    report.advice = "free it after its last use (cudaFree, cudaFreeHost), or ask for no leaks to be reported (--no-leaks)";
    (void)log_.add(std::move(report));
    write();
}

} // namespace apod::runtime
