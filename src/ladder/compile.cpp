#include "ladder/compile.hpp"

#include "base/file.hpp"
#include "base/process.hpp"
#include "ladder/compile_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <regex>

namespace apod::ladder {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_notes = 40;

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool sets_architecture(const std::vector<std::string>& flags) {
    return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
        return flag.starts_with("-arch") || flag.starts_with("--gpu-arch") || flag.starts_with("-gencode") ||
               flag.starts_with("--generate-code");
    });
}

Result<int> architecture_of(const fs::path& nvcc, const CompileJob& job) {
    if (job.architecture) return *job.architecture;
    const auto listed = run_process({nvcc.string(), "--list-gpu-arch"});
    if (!listed) return listed.error();
    const int chosen = choose_architecture(listed->output, job.device);
    if (chosen != 0) return chosen;
    return unavailable(fmt::format("{} does not tell which architectures it knows", nvcc.string()),
                       "set APOD_NVCC to the nvcc of a CUDA toolkit from 11.2 on");
}

// nvcc writes "file(12): error: ..." and, for its own complaints, "nvcc fatal   : ...".
Diagnostic refusal(const fs::path& nvcc, const CompileJob& job, const ProcessResult& result) {
    Diagnostic error = bad_input({job.source.string(), 0, 0}, fmt::format("nvcc does not compile it (exit status {})", result.exit_status),
                                 fmt::format("it was compiled by {}", nvcc.string()));
    static const std::regex place(R"(^(.+)\((\d+)\): (?:fatal )?error.*)");
    bool placed = false;
    for (const std::string& line : lines_of(result.output)) {
        std::smatch match;
        if (!placed && std::regex_match(line, match, place)) {
            std::uint32_t number = 0;
            const std::string digits = match[2].str();
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
            error.where = {match[1].str(), number, 0};
            placed = true;
        }
        if (error.notes.size() < max_notes && !line.empty()) error.notes.push_back(line);
    }
    return error;
}

// The path in quotes on a ".file" line, as a range of the line; an empty one on any other line.
std::pair<std::size_t, std::size_t> quoted_path(const std::string& line) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || line.compare(start, 5, ".file") != 0) return {0, 0};
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    return open == close ? std::pair<std::size_t, std::size_t>{0, 0} : std::pair{open + 1, close - open - 1};
}

// nvcc names sources by absolute path; those below the source's directory become paths as the user wrote them.
std::string with_given_paths(const std::string& ptx, const fs::path& source) {
    std::error_code failed;
    const fs::path directory = fs::canonical(source, failed).parent_path();
    if (failed) return ptx;
    const fs::path given = source.parent_path().lexically_normal();
    std::string result;
    for (std::string& line : lines_of(ptx)) {
        if (const auto [at, length] = quoted_path(line); length != 0) {
            const fs::path relative = fs::weakly_canonical(line.substr(at, length), failed).lexically_relative(directory);
            if (!failed && !relative.empty() && *relative.begin() != "..") line.replace(at, length, (given / relative).string());
        }
        result += line + '\n';
    }
    return result;
}

Result<std::string> run_nvcc(const fs::path& nvcc, const CompileJob& job, const std::vector<std::string>& flags,
                             std::vector<fs::path>& read) {
    const auto directory = TempDirectory::make("apod-nvcc");
    if (!directory) return directory.error();
    const fs::path ptx = directory->path() / "out.ptx";
    const fs::path dependencies = directory->path() / "out.d";
    std::vector<std::string> command = {nvcc.string()};
    command.insert(command.end(), flags.begin(), flags.end());
    for (const std::string& part :
         {std::string("-MD"), std::string("-MF"), dependencies.string(), std::string("-o"), ptx.string(), job.source.string()}) {
        command.push_back(part);
    }
    const auto result = run_process(command);
    if (!result) return result.error();
    if (result->exit_status != 0) return refusal(nvcc, job, *result);
    const auto text = read_file(ptx);
    if (!text)
        return unavailable(fmt::format("{} succeeded but wrote no PTX", nvcc.string()), "remove compile_flags that change its output");
    if (const auto list = read_file(dependencies); list.ok()) read = parse_dependencies(*list, job.source);
    return with_given_paths(*text, job.source);
}

} // namespace

std::optional<fs::path> find_nvcc() {
    fs::path found;
    if (const char* own = std::getenv("APOD_NVCC")) {
        found = find_executable(own);
    } else {
        found = find_executable("nvcc");
        if (found.empty()) found = find_executable("/usr/local/cuda/bin/nvcc");
    }
    return found.empty() ? std::nullopt : std::optional(found);
}

int choose_architecture(std::string_view supported, const arch::ComputeCapability& device) {
    int best = 0;
    int oldest = 0;
    for (const std::string& line : lines_of(supported)) {
        constexpr std::string_view prefix = "compute_";
        int number = 0;
        const char* const end = line.data() + line.size();
        if (!line.starts_with(prefix) || std::from_chars(line.data() + prefix.size(), end, number).ptr != end) continue;
        if (oldest == 0 || number < oldest) oldest = number;
        if (number <= device.number() && number > best) best = number;
    }
    return best != 0 ? best : oldest;
}

Result<std::string> compile_to_ptx(const fs::path& nvcc, const CompileJob& job) {
    const auto source = read_file(job.source);
    if (!source) return source.error();
    std::vector<std::string> flags = {"-ptx", "-lineinfo"};
    if (!sets_architecture(job.flags)) {
        const auto architecture = architecture_of(nvcc, job);
        if (!architecture) return architecture.error();
        flags.push_back(fmt::format("-arch=compute_{}", *architecture));
    }
    flags.insert(flags.end(), job.flags.begin(), job.flags.end());
    const CompileCache cache(job.cache, nvcc, job.source, *source, flags);
    if (auto kept = cache.find()) return *std::move(kept);
    std::vector<fs::path> read;
    auto ptx = run_nvcc(nvcc, job, flags, read);
    if (ptx.ok()) cache.keep(*ptx, read);
    return ptx;
}

std::string for_older_device(std::string ptx, const arch::ComputeCapability& device) {
    constexpr std::string_view target = "\n.target sm_";
    constexpr int oldest_of_nvcc = 75;
    constexpr int oldest_with_drivers = 50;
    const std::size_t at = ptx.find(target);
    if (at == std::string::npos) return ptx;
    int number = 0;
    const char* const begin = ptx.data() + at + target.size();
    const auto [end, failed] = std::from_chars(begin, ptx.data() + ptx.size(), number);
    const bool plain = failed == std::errc() && (end == ptx.data() + ptx.size() || std::isalpha(static_cast<unsigned char>(*end)) == 0);
    if (!plain || number > oldest_of_nvcc || number <= device.number() || device.number() < oldest_with_drivers) return ptx;
    return ptx.replace(at + target.size(), static_cast<std::size_t>(end - begin), fmt::format("{}", device.number()));
}

std::string normalised_ptx(std::string_view ptx) {
    std::string result;
    for (const std::string& line : lines_of(ptx)) {
        const std::size_t start = line.find_first_not_of(" \t");
        if (start == std::string::npos || line.compare(start, 2, "//") == 0) continue;
        result += line.substr(start) + "\n";
    }
    return result;
}

} // namespace apod::ladder
