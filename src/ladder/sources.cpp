#include "ladder/sources.hpp"

#include "base/assets.hpp"
#include "base/file.hpp"
#include "ladder/compile.hpp"

#include <fmt/format.h>

namespace apod::ladder {

namespace fs = std::filesystem;

namespace {

Diagnostic no_compiler(const SourceFile& source, const fs::path& ptx) {
    Diagnostic error =
        unavailable(fmt::format("'{}' is CUDA C++ and there is no nvcc to compile it", source.path),
                    fmt::format("install the CUDA toolkit or set APOD_NVCC to its nvcc; or, where there is one, make '{}' beside it: "
                                "nvcc -ptx -lineinfo -arch=compute_80 {}",
                                ptx.filename().string(), source.path));
    error.where = source.where;
    return error;
}

// The PTX that ships, for the newest GPU that is not newer than the device: <stem>_80.ptx, for what older ones cannot do; else <stem>.ptx.
std::string name_of_built_in(const Ladder& ladder, const SourceFile& source, const arch::ComputeCapability& device) {
    const std::string stem = fs::path(source.path).replace_extension().string();
    for (const int number : {90, 80}) {
        std::string name = fmt::format("{}_{}.ptx", stem, number);
        if (number <= device.number() && find_asset(ladder.origin.assets + "/" + name)) return name;
    }
    return stem + ".ptx";
}

Result<PtxText> load_built_in(const Ladder& ladder, const SourceFile& source, const arch::ComputeCapability& device) {
    const std::string ptx = name_of_built_in(ladder, source, device);
    auto text = read_ladder_file(ladder.origin, ptx, source.where);
    if (!text) return text.error();
    return PtxText{for_older_device(*std::move(text), device), ladder.origin.assets + "/" + ptx};
}

Result<PtxText> load_source(const Ladder& ladder, const SourceFile& source, const arch::ComputeCapability& device) {
    if (!ladder.origin.assets.empty()) return load_built_in(ladder, source, device);
    const fs::path path = (ladder.origin.directory / source.path).lexically_normal();
    fs::path ptx = path;
    ptx.replace_extension(".ptx");
    if (path.extension() == ".cu") {
        if (const auto nvcc = find_nvcc()) {
            // A source that is not there is the ladder's mistake: say where it is named.
            if (const auto there = read_ladder_file(ladder.origin, source.path, source.where); !there) return there.error();
            auto text = compile_to_ptx(*nvcc, {path, ladder.compile_flags, std::nullopt, device, cache_directory()});
            if (!text) return text.error();
            return PtxText{for_older_device(*std::move(text), device), "PTX of " + path.string()}; // there is no such file
        }
        std::error_code ignored;
        if (!fs::exists(ptx, ignored)) return no_compiler(source, ptx);
    }
    auto text = read_ladder_file(ladder.origin, fs::path(source.path).replace_extension(".ptx").string(), source.where);
    if (!text) return text.error();
    const bool from_nvcc = path.extension() == ".cu";
    return PtxText{from_nvcc ? for_older_device(*std::move(text), device) : *std::move(text), ptx.string()};
}

} // namespace

Result<std::vector<PtxText>> load_sources(const Ladder& ladder, const arch::ComputeCapability& device) {
    std::vector<PtxText> texts;
    for (const SourceFile& source : ladder.sources) {
        auto text = load_source(ladder, source, device);
        if (!text) return text.error();
        texts.push_back(*std::move(text));
    }
    return texts;
}

} // namespace apod::ladder
