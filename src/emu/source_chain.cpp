#include "emu/source_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace apod::emu {

namespace {

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The part of the path before its last component, which is cut off too.
std::string_view take_component(std::string_view& path) {
    const std::size_t slash = path.rfind('/');
    const std::string_view last = slash == std::string_view::npos ? path : path.substr(slash + 1);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    return last;
}

// The folder that a toolkit's include folder lies in: "/usr/local/cuda-13.0", ".../targets/x86_64-linux", a package of pip's.
bool is_toolkit(std::string_view folder) {
    constexpr std::array<std::string_view, 5> packages = {"cuda", "cuda_runtime", "cuda_nvcc", "cuda_cccl", "cccl"};
    std::string_view last = take_component(folder);
    if (name_of(folder) == "targets") return true;
    if (!last.empty() && last.front() >= '0' && last.front() <= '9') last = take_component(folder); // cuda/13.0 of the HPC SDK
    return last.starts_with("cuda-") || std::find(packages.begin(), packages.end(), last) != packages.end();
}

bool is_same(const ptx::SourceLocation& location, const ptx::SourceLocation& callee) {
    return location.file == callee.inlined_file && location.line == callee.inlined_line && location.column == callee.inlined_column;
}

} // namespace

bool is_toolkit_header(std::string_view file) {
    const std::string_view name = name_of(file);
    if (name.starts_with("sm_") && name.ends_with("intrinsics.hpp")) return true; // also where folders are cut off
    for (std::size_t at = file.find("/include/"); at != std::string_view::npos; at = file.find("/include/", at + 1))
        if (is_toolkit(file.substr(0, at))) return true;
    return false;
}

std::vector<SourceFrame> source_chain(const Program& program, std::uint32_t op) {
    std::vector<SourceFrame> chain;
    const ptx::SourceLocation* source = program.source(op);
    if (source == nullptr || source->line == 0) return chain;
    const ptx::Module& module = program.image->module();
    chain.push_back({std::string(module.file_name(source->file)), source->line, source->column, {}});
    // The place of a call that was inlined into an inlined one is a location of its own, written before this one.
    const ptx::SourceLocation* const first = module.locations.data();
    while (source != nullptr && source->inlined_line != 0) {
        chain.push_back({std::string(module.file_name(source->inlined_file)), source->inlined_line, source->inlined_column,
                         source->function.empty() ? "" : ptx::demangle(source->function)});
        const ptx::SourceLocation* caller = source;
        while (caller != first && !is_same(*--caller, *source)) {
        }
        source = caller != source && is_same(*caller, *source) ? caller : nullptr;
    }
    return chain;
}

std::size_t own_frame(const std::vector<SourceFrame>& chain) {
    const auto own = std::find_if(chain.begin(), chain.end(), [](const SourceFrame& frame) { return !is_toolkit_header(frame.file); });
    return own == chain.end() ? 0 : static_cast<std::size_t>(own - chain.begin());
}

std::string toolkit_call(const std::vector<SourceFrame>& chain) {
    const std::size_t own = own_frame(chain);
    if (own == 0) return {};
    const std::string& call = chain[own].call;
    const std::string where = fmt::format("{}:{}", name_of(chain[0].file), chain[0].line);
    return call.empty() ? where : fmt::format("{} ({})", call.substr(0, call.find('(')), where);
}

} // namespace apod::emu
