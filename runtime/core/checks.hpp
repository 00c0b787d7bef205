// What `apod check` keeps while a program runs: the reports, written to the run's record as they are made.
#pragma once

#include "emu/check/allocations.hpp"
#include "emu/check/log.hpp"
#include "emu/memory.hpp"
#include "runtime/core/record_file.hpp"
#include "runtime/core/work.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace apod::runtime {

class ProgramChecks {
public:
    ProgramChecks(emu::DeviceMemory& memory, RecordFile& record) : memory_(memory), record_(record) {}

    [[nodiscard]] emu::CheckLog& log() { return log_; }
    // Reports made since the last call go to the record, and the counts that have risen since.
    void write();
    // What these wrote is initialised.
    void copied(const CopyWork& copy);
    void filled(const FillWork& fill);
    // The call under way gives the program memory.
    void allocated(emu::DeviceAddress address);
    // The host frees what it must not.
    void bad_free(emu::DeviceAddress address);
    // Memory that is still allocated when the program ends, or when its device is reset.
    void leak(emu::DeviceAddress address, std::uint64_t bytes, const char* kind);

private:
    emu::DeviceMemory& memory_;
    RecordFile& record_;
    emu::CheckLog log_;
    std::unordered_map<std::string, std::shared_ptr<const emu::AllocationOrigin>> origins_; // by call and frames: each once
    std::uint32_t allocations_ = 0;                                                         // calls that gave memory
    std::vector<std::uint64_t> counts_;                                                     // of the reports, as the record has them
};

} // namespace apod::runtime
