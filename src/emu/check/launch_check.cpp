#include "emu/check/launch_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace apod::emu {

namespace {

CheckIndex index_in(std::uint64_t linear, const Dim3& shape) {
    return {static_cast<std::uint32_t>(linear % shape.x), static_cast<std::uint32_t>(linear / shape.x % shape.y),
            static_cast<std::uint32_t>(linear / shape.x / shape.y)};
}

} // namespace

// Defined in dispatch.cpp.
void checked_op(WarpContext& warp, const Op& op, std::uint32_t mask);

LaunchCheck::LaunchCheck(const Program& program, const LaunchConfig& config, DeviceMemory& memory, CheckLog& log) :
    program_(program),
    config_(config),
    allocations_(*memory.checks()),
    log_(log),
    code_(*program.code),
    plans_(make_plans(program, allocations_, config.dynamic_shared_bytes)) {
    place_handlers();
}

// The warp loop calls `body` of what needs several lanes, `full` and `masked` of everything else; terminators it executes itself.
void LaunchCheck::place_handlers() {
    for (Op& op : code_.ops) op.full = op.masked = checked_op;
    for (const CodeBlock& block : code_.blocks)
        if (block.terminator == Terminator::warp_sync) code_.ops[block.last].body = checked_op;
}

ObjectId LaunchCheck::local_object(std::uint64_t first, std::uint64_t bytes, const std::string& name) {
    const auto [place, fresh] = locals_.try_emplace({first, bytes}, object_flag | static_cast<ObjectId>(plans_.objects.size()));
    if (fresh) plans_.objects.push_back({MemorySpace::local, first, first + bytes, name});
    return place->second;
}

bool LaunchCheck::known(CheckKind kind, std::uint32_t op, std::uint32_t other, std::uint64_t times) {
    const auto found = known_.find({kind, op, other});
    if (found == known_.end()) return false;
    log_.raise(found->second, times);
    return true;
}

void LaunchCheck::report(CheckReport report, std::uint32_t op, std::uint32_t other) {
    const CheckKind kind = report.kind;
    known_[{kind, op, other}] = log_.add(std::move(report));
}

CheckPlace LaunchCheck::place(std::uint32_t op) const {
    const ptx::Module& module = program_.image->module();
    const ptx::SourceLocation* source = program_.source(op);
    if (source == nullptr || source->line == 0) {
        const SourcePosition at = module.position(program_.ops[op].function->instructions[program_.ops[op].instruction].position);
        return {at.file, at.line, {}};
    }
    CheckPlace place{std::string(module.file_name(source->file)), source->line, {}};
    // The place of a call that was inlined into an inlined one is a location of its own, written before this one.
    const ptx::SourceLocation* const first = module.locations.data();
    while (source != nullptr && source->inlined_line != 0) {
        place.inlined_at.push_back(fmt::format("{}{}:{}",
                                               source->function.empty() ? "" : fmt::format("{} at ", ptx::demangle(source->function)),
                                               module.file_name(source->inlined_file), source->inlined_line));
        const ptx::SourceLocation* caller = source;
        while (caller != first) {
            --caller;
            if (caller->file == source->inlined_file && caller->line == source->inlined_line && caller->column == source->inlined_column)
                break;
        }
        const bool found = caller->file == source->inlined_file && caller->line == source->inlined_line &&
                           caller->column == source->inlined_column && caller < source;
        source = found ? caller : nullptr;
    }
    return place;
}

CheckAccess LaunchCheck::access(const CheckSite& site, std::string what) const {
    return {std::move(what), place(site.op), index_in(site.block, config_.grid), index_in(site.thread, config_.block)};
}

CheckReport LaunchCheck::begin(CheckKind kind, const CheckSite& site, std::string what) const {
    CheckReport report;
    report.kind = kind;
    report.kernel = ptx::demangle(program_.name());
    report.access = access(site, std::move(what));
    return report;
}

void LaunchCheck::finish() {
    std::vector<std::size_t> doubtful;
    for (const auto& [key, index] : known_) {
        if (std::get<0>(key) != CheckKind::uninitialised) continue;
        const std::uint32_t op = std::get<1>(key);
        for (const auto& [other, race] : known_)
            if (std::get<0>(other) == CheckKind::race && (std::get<1>(other) == op || std::get<2>(other) == op)) {
                doubtful.push_back(index);
                break;
            }
    }
    known_.clear();
    std::sort(doubtful.begin(), doubtful.end(), std::greater<>());
    doubtful.erase(std::unique(doubtful.begin(), doubtful.end()), doubtful.end());
    for (const std::size_t index : doubtful) log_.drop(index);
}

void LaunchCheck::report_fault(const Diagnostic& fault, CheckKind kind, const CheckSite& site) {
    CheckReport made = begin(kind, site, "");
    const std::string prefix = "kernel " + made.kernel + ": ";
    made.message = fault.message.starts_with(prefix) ? fault.message.substr(prefix.size()) : fault.message;
    made.notes = fault.notes;
    std::erase_if(made.notes, [](const std::string& note) { return note.starts_with("inlined "); });
    made.advice = fault.hint;
    report(std::move(made), site.op, 0);
}

} // namespace apod::emu
