#include "runtime/core/checks.hpp"

#include "emu/check/allocations.hpp"
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
    if (const emu::ObjectId id = twice ? freed : inside; id != 0)
        report.object =
            CheckObject{"global", allocations[id].name, allocations[id].bytes, static_cast<std::int64_t>(address - allocations[id].base)};
    report.message = twice ? fmt::format("memory at {:#x} is freed that is free already", address)
                           : fmt::format("{:#x} is freed, at which no allocation of this kind begins", address);
    report.host = host_call().frames;
    thread_state().reported = true;
    report.advice = "free each allocation once, by the pointer that it was given and by the call that fits";
    (void)log_.add(std::move(report));
    write();
}

void ProgramChecks::allocated(emu::DeviceAddress address) { origins_[address] = host_call(); }

void ProgramChecks::leak(emu::DeviceAddress address, std::uint64_t bytes, const char* kind) {
    CheckReport report;
    report.kind = CheckKind::leak;
    report.access.what = "the program ends";
    report.address = address;
    report.object = CheckObject{"global", kind, bytes, 0};
    const auto origin = origins_.find(address);
    const bool known = origin != origins_.end() && !origin->second.name.empty();
    report.message = fmt::format("{} bytes of {}{} are never freed", bytes, *kind != '\0' ? kind : "device memory",
                                 known ? ", which " + origin->second.name + " gave," : "");
    if (known) report.host = origin->second.frames;
    report.advice = "free it after its last use (cudaFree, cudaFreeHost), or ask for no leaks to be reported (--no-leaks)";
    (void)log_.add(std::move(report));
    write();
}

} // namespace apod::runtime
