#include "run_checked.hpp"

#include "emu/check/log.hpp"
#include "emu/launch.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace apod::checks {

namespace {

std::string folder() { return std::string(APOD_SOURCE_DIR) + "/tests/checks/"; }

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace

CheckedRun run_checked(const std::string& file, const CheckedLaunch& launch) {
    CheckedRun result;
    emu::DeviceMemory memory(1ull << 30);
    memory.enable_checks();
    auto module = ptx::parse(text_of(folder() + file + ".ptx"), file + ".ptx");
    if (!module) return result.error = apod::to_text(module.error()), result;
    auto image = emu::Image::load(*module, memory);
    if (!image) return result.error = apod::to_text(image.error()), result;
    auto program = emu::lower(*image, launch.kernel);
    if (!program) return result.error = apod::to_text(program.error()), result;
    struct {
        std::uint64_t out, in;
        std::uint32_t n;
    } parameters{*memory.allocate(launch.n * 4, "out"), *memory.allocate(launch.n * 4, "in"), launch.n};
    std::vector<std::uint32_t> in(launch.n);
    for (std::uint32_t k = 0; k < launch.n; ++k) in[k] = k;
    in[3] = static_cast<std::uint32_t>((parameters.in - parameters.out) / 4);
    (void)memory.write(parameters.in, in.data(), in.size() * 4);
    if (launch.fills_out) (void)memory.fill(parameters.out, std::byte{0}, launch.n * 4);
    emu::CheckLog log;
    emu::RunOptions options;
    options.sm_count = 4;
    options.watchdog_instructions = 50'000'000;
    options.cooperative = launch.cooperative;
    options.checks = &log;
    const emu::LaunchConfig config{launch.grid, launch.block, launch.dynamic_shared, {reinterpret_cast<const std::byte*>(&parameters), 20}};
    auto execution = emu::run(**program, config, memory, options);
    if (!execution) result.error = apod::to_text(execution.error());
    result.reports = log.reports();
    return result;
}

std::map<std::string, std::vector<Expectation>> expectations(const std::string& file) {
    std::map<std::string, std::vector<Expectation>> found;
    std::istringstream lines(text_of(folder() + file + ".cu"));
    std::string line, kernel;
    std::vector<Expectation> waiting;
    bool in_device = false;
    for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
        if (line.starts_with("__device__")) in_device = true;
        if (const auto at = line.find("__global__ void "); at != std::string::npos) {
            kernel = line.substr(at + 16, line.find('(') - at - 16);
            found[kernel] = std::exchange(waiting, {});
            in_device = false;
        }
        const auto mark = line.find("// expect: ");
        if (mark == std::string::npos || line.starts_with("//")) continue;
        (in_device ? waiting : found[kernel]).push_back({line.substr(mark + 11), number});
    }
    return found;
}

std::string kind_name(CheckKind kind) {
    switch (kind) {
    case CheckKind::out_of_bounds: return "out_of_bounds";
    case CheckKind::misaligned: return "misaligned";
    case CheckKind::use_after_free: return "use_after_free";
    case CheckKind::double_free: return "double_free";
    case CheckKind::invalid_free: return "invalid_free";
    case CheckKind::leak: return "leak";
    case CheckKind::uninitialised: return "uninitialised";
    case CheckKind::race: return "race";
    case CheckKind::divergent_barrier: return "divergent_barrier";
    case CheckKind::barrier_misuse: return "barrier_misuse";
    case CheckKind::deadlock: return "deadlock";
    case CheckKind::invalid_shuffle: return "invalid_shuffle";
    case CheckKind::invalid_mask: return "invalid_mask";
    case CheckKind::async_copy: return "async_copy";
    case CheckKind::stack_overflow: return "stack_overflow";
    case CheckKind::failed_call: return "failed_call";
    case CheckKind::fault: return "fault";
    }
    return "?";
}

namespace {

std::string side_text(const CheckAccess& side) {
    std::string text = fmt::format("{} in {}:{}", side.what, side.place.file, side.place.line);
    for (const std::string& call : side.place.inlined_at) text += " < " + call;
    return text + fmt::format(" by block ({}, {}, {}) thread ({}, {}, {})", side.block.x, side.block.y, side.block.z, side.thread.x,
                              side.thread.y, side.thread.z);
}

} // namespace

std::string to_text(const CheckReport& report) {
    std::string text = fmt::format("{}: {}\n  {}", kind_name(report.kind), report.message, side_text(report.access));
    if (report.other) text += "\n  other: " + side_text(*report.other);
    if (report.object)
        text += fmt::format("\n  {} '{}' of {} bytes at offset {}", report.object->space, report.object->name, report.object->bytes,
                            report.object->offset);
    for (const std::string& note : report.notes) text += "\n  " + note;
    return text + fmt::format("\n  {} times\n", report.count);
}

bool names_line(const CheckPlace& place, const std::string& file, std::uint32_t line) {
    const std::string wanted = fmt::format("{}:{}", file, line);
    if (fmt::format("{}:{}", place.file, place.line) == wanted) return true;
    for (const std::string& call : place.inlined_at)
        if (call == wanted || call.ends_with(" at " + wanted)) return true;
    return false;
}

} // namespace apod::checks
