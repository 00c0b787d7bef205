#include "cli/program_records.hpp"

#include "base/file.hpp"
#include "cli/host_frames.hpp"
#include "cli/open_device.hpp"
#include "ptx/module.hpp"
#include "runtime/core/record_file.hpp"
#include "runtime/inspect/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <vector>

namespace apod::cli {

namespace fs = std::filesystem;

// Says now what would otherwise fail in the middle of the program, or in a way that nobody understands.
Result<void> check_program(const std::string& program, const arch::Gpu& gpu) {
    if (program.empty()) return usage_error("the name of the program is empty", "e.g. apod run -- ./program its arguments");
    const fs::path path = find_executable(program);
    if (path.empty()) return {}; // starting it says why
    const Result<std::optional<runtime::ProgramFacts>> facts = runtime::inspect_program(path.string());
    if (!facts) return facts.error();
    if (!*facts) return {};
    const std::optional<Diagnostic> why = runtime::why_it_cannot_run(**facts, static_cast<std::uint32_t>(gpu.cc.number()));
    return why ? Result<void>(*why) : Result<void>();
}

std::vector<std::string> files_of_program(const std::vector<std::string>& program, const std::string& device) {
    std::vector<std::string> files = files_of_device(device);
    files.insert(files.end(), program.begin(), program.end());
    if (!program.empty()) files.push_back(find_executable(program[0]).string());
    return files;
}

Result<void> expect_whole_records(const fs::path& directory) {
    if (const Result<void> written = write_file(directory / runtime::whole_records, "\n"); !written)
        return unavailable("nothing can be recorded: " + to_text(written.error()), {});
    return {};
}

bool are_whole(const fs::path& directory) {
    std::error_code failed;
    return fs::exists(directory / runtime::whole_records, failed);
}

Diagnostic records_lack_something() {
    std::error_code failed;
    const fs::path temporary = fs::temp_directory_path(failed);
    return unavailable("the program did more than is reported: what it did could not be recorded to its end below " + temporary.string(),
                       "set TMPDIR to a directory with space left");
}

// The record files of all processes of the program, in the order in which they were begun.
Result<report::RunRecord> read_records(const fs::path& directory) {
    std::vector<fs::directory_entry> files;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, failed))
        if (entry.path().extension() == ".jsonl") files.push_back(entry); // a program that was killed leaves its temporary directories
    std::sort(files.begin(), files.end(), [](const fs::directory_entry& a, const fs::directory_entry& b) {
        return a.path().filename().string() < b.path().filename().string();
    });
    report::RunRecord record;
    for (const fs::directory_entry& file : files) {
        const Result<std::string> text = read_file(file.path());
        if (!text) return text.error();
        if (const Result<void> read = report::read_run_lines(*text, record); !read) return read.error();
    }
    resolve_host_frames(record.checks);
    resolve_host_frames(record.failed_calls);
    return record;
}

std::vector<CheckReport> all_mistakes(const report::RunRecord& record) {
    std::vector<CheckReport> all = record.checks;
    all.insert(all.end(), record.failed_calls.begin(), record.failed_calls.end());
    return all;
}

std::string readable_launch(const std::string& launch) {
    const std::size_t end = std::min(launch.find(','), launch.size());
    return ptx::demangle(launch.substr(0, end)) + launch.substr(end);
}

std::string how_it_was_stopped(const ProgramEnd& end, double timeout_s, const report::RunRecord& record) {
    if (!end.timed_out && end.signal == 0) return {};
    std::string how =
        end.timed_out ? fmt::format("after {} s", timeout_s) : fmt::format("by signal {} ({})", end.signal, ::strsignal(end.signal));
    for (const std::string& launch : record.unfinished) how += ", while a kernel was running: " + readable_launch(launch);
    return how;
}

} // namespace apod::cli
