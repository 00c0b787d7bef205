#include "emu/check/launch_check.hpp"

#include "emu/source_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
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
    plans_(make_plans(program, allocations_, config.dynamic_shared_bytes)),
    dataflow_(program) {
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

// "argument 2", "arguments 1 and 3": those of the kernel that point into the allocation. Empty: none.
std::string LaunchCheck::arguments_of(ObjectId id) const {
    std::vector<std::size_t> numbers;
    for (std::size_t p = 0; p < program_.parameters.size(); ++p) {
        const Parameter& parameter = program_.parameters[p];
        const std::size_t end = std::min<std::size_t>(std::size_t{parameter.offset} + parameter.bytes, config_.parameters.size());
        bool points = false;
        for (std::size_t at = (std::size_t{parameter.offset} + 7) / 8 * 8; at + 8 <= end; at += 8) {
            std::uint64_t value = 0;
            std::memcpy(&value, config_.parameters.data() + at, 8);
            points = points || allocations_.pointed_at(value) == id;
        }
        if (points) numbers.push_back(p + 1);
    }
    if (numbers.empty()) return {};
    std::string text = numbers.size() == 1 ? "argument" : "arguments";
    for (std::size_t n = 0; n < numbers.size(); ++n)
        text += fmt::format("{}{}", n == 0 ? " " : n + 1 == numbers.size() ? " and " : ", ", numbers[n]);
    return text;
}

// Reads and writes of one line are reports of their own, and those of different allocations: by how the kernel was given them, since
// buffers change their parts from launch to launch; else by the call that made them.
std::string LaunchCheck::apart(const CheckReport& report, ObjectId id) const {
    const bool of_memory = report.kind == CheckKind::out_of_bounds || report.kind == CheckKind::misaligned ||
                           report.kind == CheckKind::use_after_free || report.kind == CheckKind::uninitialised;
    if (!of_memory && report.kind != CheckKind::race) return {};
    std::string text = of_memory ? report.access.what.substr(0, report.access.what.find(' ')) : "";
    if (id == 0) return text;
    if (const std::string arguments = arguments_of(id); !arguments.empty()) return text + "|" + arguments;
    for (const std::string& frame : report.object->given_at) text += "|" + frame;
    return text;
}

std::size_t LaunchCheck::add(CheckReport& report) {
    ObjectId id = 0;
    if (report.object && report.object->number != 0) {
        const std::uint64_t base = report.address - static_cast<std::uint64_t>(report.object->offset);
        id = allocations_.find(base);
        if (id == 0) id = allocations_.freed_at(base);
        if (const std::string arguments = id != 0 ? arguments_of(id) : ""; !arguments.empty())
            report.notes.push_back(fmt::format("allocation {} is {} of the kernel", report.object->number, arguments));
    }
    return log_.add(report, apart(report, id));
}

void LaunchCheck::report(CheckReport report, std::uint32_t op, std::uint32_t other) {
    const CheckKind kind = report.kind;
    known_[{kind, op, other}] = add(report);
}

bool LaunchCheck::known_race(CheckKind kind, std::uint32_t op, std::uint32_t other, std::uint32_t manner) {
    if (manners_.emplace(kind, op, other, manner).second) return false;
    return known(kind, op, other);
}

void LaunchCheck::report_race(CheckReport report, std::uint32_t op, std::uint32_t other, int weight) {
    const CheckKind kind = report.kind;
    const std::size_t before = log_.reports().size();
    const std::size_t index = add(report);
    known_[{kind, op, other}] = index;
    const bool fresh = log_.reports().size() != before;
    const auto [known_weight, first] = weights_.try_emplace(index, weight);
    if (fresh || first || weight <= known_weight->second) return;
    known_weight->second = weight;
    log_.replace(index, std::move(report));
}

bool LaunchCheck::known_hazard(std::uint32_t op, std::uint32_t other) {
    if (known(CheckKind::race, op, other, 0)) return true;
    const auto found = hazards_.find({op, other});
    if (found == hazards_.end()) return false;
    ++found->second.count;
    return true;
}

// Whether control can come from the end of one block of code to another. Through a branch by an index it is taken to.
bool LaunchCheck::goes_to(std::uint32_t from, std::uint32_t to) const {
    std::vector<bool> seen(code_.blocks.size(), false);
    std::vector<std::uint32_t> open = {from};
    while (!open.empty()) {
        const CodeBlock& block = code_.blocks[open.back()];
        open.pop_back();
        if (block.terminator == Terminator::indexed) return true;
        for (const std::uint32_t next : {block.taken, block.next}) {
            if (next == ptx::none || next >= seen.size() || seen[next]) continue;
            if (next == to) return true;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return false;
}

bool LaunchCheck::leaves_out(std::uint32_t op, std::uint32_t barrier) {
    const auto [known, fresh] = left_out_.try_emplace({op, barrier}, false);
    if (!fresh) return known->second;
    if (program_.ops[op].function != program_.ops[barrier].function) return false;
    const std::uint32_t at = program_.ops[op].block;
    const std::uint32_t waits = program_.ops[barrier].block;
    return known->second = at != waits && goes_to(waits, at) && !goes_to(at, waits);
}

CheckPlace LaunchCheck::place(std::uint32_t op) const {
    const std::vector<SourceFrame> chain = source_chain(program_, op);
    if (chain.empty()) {
        const SourcePosition at =
            program_.image->module().position(program_.ops[op].function->instructions[program_.ops[op].instruction].position);
        return {at.file, at.line, {}};
    }
    const std::size_t own = own_frame(chain);
    CheckPlace place{chain[own].file, chain[own].line, {}};
    for (std::size_t f = own + 1; f < chain.size(); ++f)
        place.inlined_at.push_back(
            fmt::format("{}{}:{}", chain[f].call.empty() ? "" : chain[f].call + " at ", chain[f].file, chain[f].line));
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
    if (const std::string call = toolkit_call(source_chain(program_, site.op)); !call.empty()) report.notes.push_back("in " + call);
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
    std::set<std::pair<std::uint32_t, std::uint32_t>> raced;
    for (const auto& [key, index] : known_)
        if (std::get<0>(key) == CheckKind::race) raced.emplace(std::get<1>(key), std::get<2>(key));
    known_.clear();
    std::sort(doubtful.begin(), doubtful.end(), std::greater<>());
    doubtful.erase(std::unique(doubtful.begin(), doubtful.end()), doubtful.end());
    for (const std::size_t index : doubtful) log_.drop(index);
    for (auto& [pair, hazard] : hazards_)
        if (!raced.contains(pair)) (void)add(hazard);
    hazards_.clear();
}

void LaunchCheck::report_fault(const Diagnostic& fault, CheckKind kind, const CheckSite& site) {
    CheckReport made = begin(kind, site, "");
    const std::string prefix = "kernel " + made.kernel + ": ";
    made.message = fault.message.starts_with(prefix) ? fault.message.substr(prefix.size()) : fault.message;
    for (const std::string& note : fault.notes)
        if (!note.starts_with("inlined ") && !note.starts_with("in ")) made.notes.push_back(note); // begin() has said it
    made.advice = fault.hint;
    report(std::move(made), site.op, 0);
}

} // namespace apod::emu
