#include "emu/stray.hpp"

#include "emu/fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace apod::emu {
namespace {

constexpr std::uint64_t piece = std::uint64_t{2} << 20;
constexpr std::uint64_t widest_access = 32; // of a lane

struct Noted {
    std::uint64_t accesses = 0;
    DeviceAddress lowest = 0;
    std::uint32_t bytes = 0;
    Allocation nearest;
};

std::atomic<StrayAccess> mode = StrayAccess::fault;
std::mutex mutex;
std::map<std::uint32_t, Noted> noted;         // by op of the program that runs
std::map<std::uint32_t, std::uint64_t> alone; // likewise: how often lanes went on without others

bool meets(const Allocation& allocation, DeviceAddress begin) {
    return allocation.base < begin + piece && allocation.base + allocation.bytes > begin;
}

// Whether any allocation lies in the piece of the address.
bool is_mapped(const DeviceMemory& memory, DeviceAddress address) {
    const DeviceAddress begin = address / piece * piece;
    for (const DeviceAddress probe : {address, begin, begin + piece - 1})
        if (const auto nearest = memory.nearest(probe); nearest && meets(*nearest, begin)) return true;
    return false;
}

std::string where(const Noted& access) {
    const DeviceAddress end = access.nearest.base + access.nearest.bytes;
    const std::string allocation = fmt::format("an allocation of {} bytes", access.nearest.bytes);
    if (access.lowest >= end) return fmt::format("{} bytes past the end of {}", access.lowest - end, allocation);
    if (access.lowest >= access.nearest.base) return fmt::format("across the end of {}", allocation);
    return fmt::format("{} bytes before {}", access.nearest.base - access.lowest, allocation);
}

std::string doing(std::string_view opcode) {
    if (opcode == "ld" || opcode == "ldu") return "reads";
    if (opcode == "st") return "writes";
    if (opcode == "atom" || opcode == "red") return "atomic updates";
    return "accesses of " + std::string(opcode);
}

} // namespace

void set_stray_access(StrayAccess kind) { mode = kind; }

StrayAccess stray_access() { return mode; }

void lanes_go_on_without_others(std::uint32_t op) {
    const std::lock_guard lock(mutex);
    ++alone[op];
}

bool stray_access_passes(const DeviceMemory& memory, std::uint32_t op, DeviceAddress first, DeviceAddress end) {
    if (mode == StrayAccess::fault || end <= first || end - first > widest_access) return false;
    if (!in_device_range(first, end) || !is_mapped(memory, first) || !is_mapped(memory, end - 1)) return false;
    const std::lock_guard lock(mutex);
    Noted& access = noted[op];
    access.bytes = std::max(access.bytes, static_cast<std::uint32_t>(end - first));
    if (access.accesses++ == 0 || first < access.lowest) {
        access.lowest = first;
        access.nearest = memory.nearest(first).value_or(Allocation{});
    }
    return true;
}

std::vector<Diagnostic> take_stray_accesses(const Program& program) {
    std::vector<Diagnostic> warnings;
    const std::lock_guard lock(mutex);
    for (const auto& [op, access] : noted) {
        if (op >= program.ops.size()) continue;
        Diagnostic warning;
        warning.kind = ErrorKind::check_failed;
        warning.where = place_of(program, op);
        const OpInfo& info = program.ops[op];
        warning.message =
            fmt::format("kernel {}: {} beyond every allocation, {} of up to {} bytes, the first {}", ptx::demangle(program.name()),
                        doing(info.function->instructions[info.instruction].opcode),
                        access.accesses == 1 ? "one access" : fmt::format("{} accesses", access.accesses), access.bytes, where(access));
        warning.hint =
            "a GPU lets that pass, since its memory is mapped in pieces of 2 MiB, and so does this run; apod check shows who does it";
        warnings.push_back(std::move(warning));
    }
    for (const auto& [op, times] : alone) {
        if (op >= program.ops.size()) continue;
        const OpInfo& info = program.ops[op];
        Diagnostic warning;
        warning.kind = ErrorKind::check_failed;
        warning.where = place_of(program, op);
        warning.message =
            fmt::format("kernel {}: {} names lanes that wait elsewhere; {} lanes went on without them", ptx::demangle(program.name()),
                        info.function->instructions[info.instruction].opcode, times == 1 ? "once" : fmt::format("{} times", times));
        warning.hint = "every lane that the mask names must execute the same instruction; what the others get is not defined";
        warnings.push_back(std::move(warning));
    }
    noted.clear();
    alone.clear();
    return warnings;
}

} // namespace apod::emu
