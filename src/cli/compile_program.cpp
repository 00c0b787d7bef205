#include "cli/compile_program.hpp"

#include "base/process.hpp"
#include "cli/output.hpp"
#include "ladder/compile.hpp"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <system_error>

namespace apod::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_notes = 40;

Diagnostic refusal(const std::string& source, const std::string& command, const ProcessResult& result) {
    Diagnostic error = bad_input({source, 0, 0}, fmt::format("nvcc does not compile it (exit status {})", result.exit_status),
                                 "what was tried: " + command + "; build it as it needs, with -lineinfo, and run the program");
    std::istringstream lines(result.output);
    for (std::string line; error.notes.size() < most_notes && std::getline(lines, line);)
        if (!line.empty()) error.notes.push_back(line);
    return error;
}

} // namespace

Result<std::vector<std::string>> compiled(std::vector<std::string> program, const arch::Gpu& gpu, const fs::path& directory, bool quiet) {
    std::error_code failed;
    const fs::path source = program[0];
    if (source.extension() != ".cu" || !fs::is_regular_file(source, failed)) return program;
    const std::optional<fs::path> nvcc = ladder::find_nvcc();
    if (!nvcc) return program; // starting it says what to do
    const Result<ProcessResult> listed = run_process({nvcc->string(), "--list-gpu-arch"});
    if (!listed) return listed.error();
    const int architecture = ladder::choose_architecture(listed->output, gpu.cc);
    const std::string target = fmt::format("arch=compute_{0},code=compute_{0}", architecture);
    const fs::path made = directory / source.stem();
    const std::vector<std::string> shown = {"-O3", "-g", "-lineinfo", "-gencode", target};
    std::string text = "nvcc";
    for (const std::string& flag : shown) text += " " + flag;
    if (!quiet) note(fmt::format("compiling {}: {}", program[0], text));
    std::vector<std::string> command = {nvcc->string()};
    command.insert(command.end(), shown.begin(), shown.end());
    command.insert(command.end(), {"-o", made.string(), source.string()});
    const Result<ProcessResult> result = run_process(command);
    if (!result) return result.error();
    if (result->exit_status != 0) return refusal(program[0], text, *result);
    program[0] = made.string();
    return program;
}

} // namespace apod::cli
