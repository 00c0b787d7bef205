#include "sass/assemble.hpp"

#include "base/file.hpp"
#include "base/process.hpp"
#include "sass/cubin_cache.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace apod::sass {

namespace fs = std::filesystem;

std::optional<fs::path> find_ptxas() {
    fs::path found;
    if (const char* own = std::getenv("APOD_PTXAS")) {
        found = find_executable(own);
    } else {
        found = find_executable("ptxas");
        if (found.empty()) found = find_executable("/usr/local/cuda/bin/ptxas");
    }
    return found.empty() ? std::nullopt : std::optional(found);
}

Result<Kernel> assemble(const fs::path& ptxas, std::string_view ptx, std::string_view kernel, const AssembleFor& target) {
    const int capability = target.capability;
    // Hopper's own instructions (wgmma, setmaxnreg) exist in the "a" variant only, which runs everything else too.
    const bool own_variant = ptx.find(fmt::format(".target sm_{}a", capability)) != std::string_view::npos;
    std::vector<std::string> command = {ptxas.string(), fmt::format("-arch=sm_{}{}", capability, own_variant ? "a" : ""),
                                        "--generate-line-info", fmt::format("--entry={}", kernel)};
    if (target.relocatable) command.emplace_back("-c");
    if (target.most_registers > 0) command.push_back(fmt::format("--maxrregcount={}", target.most_registers));
    const CubinCache cache(cache_directory(), ptxas, command, ptx);
    if (const auto kept = cache.find())
        if (auto read = read_cubin(*kept, kernel, capability, "a cubin that was kept")) return read;
    const auto directory = TempDirectory::make("apod-ptxas");
    if (!directory) return directory.error();
    const fs::path text = directory->path() / "in.ptx";
    const fs::path cubin = directory->path() / "out.cubin";
    if (auto written = write_file(text, ptx); !written) return written.error();
    command.insert(command.end(), {text.string(), "-o", cubin.string()});
    const auto result = run_process(command);
    if (!result) return result.error();
    if (result->exit_status != 0) {
        Diagnostic refused = unavailable(fmt::format("{} does not assemble {} for sm_{}", ptxas.string(), kernel, capability));
        refused.notes.push_back(result->output);
        return refused;
    }
    const auto bytes = read_file(cubin);
    if (!bytes) return bytes.error();
    auto read = read_cubin(*bytes, kernel, capability, cubin.string());
    if (read) cache.keep(*bytes);
    return read;
}

} // namespace apod::sass
