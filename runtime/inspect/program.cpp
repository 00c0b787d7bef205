#include "runtime/inspect/program.hpp"

#include "runtime/core/fatbin.hpp"
#include "runtime/inspect/elf.hpp"
#include "runtime/inspect/mapped_file.hpp"
#include "runtime/inspect/static_runtime.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <elf.h>

namespace apod::runtime {
namespace {

constexpr std::array<std::string_view, 26> closed_libraries = {
    "libcublas.so",   "libcublasLt.so", "libcudnn",        "libcusparse.so", "libcusparseLt.so", "libcusolver.so", "libcusolverMg.so",
    "libcufft.so",    "libcufftw.so",   "libcurand.so",    "libnccl.so",     "libnpp",           "libnvjpeg.so",   "libnvjpeg2k.so",
    "libcutensor.so", "libnvinfer",     "libnvonnxparser", "libcufile.so",   "libcudss.so",      "libnvshmem",     "libnvblas.so",
    "libcuquantum",   "libcustatevec",  "libcutensornet",  "libcuvs.so",     "libraft.so",
};

// Containers follow each other, aligned to 8 bytes. What cannot be read ends the search: the runtime says more when it is used.
void read_fatbins(std::span<const std::byte> bytes, ProgramFacts& facts) {
    constexpr std::uint64_t header_bytes = 16;
    constexpr std::uint64_t alignment = 8;
    while (bytes.size() >= header_bytes) {
        const Result<std::uint64_t> size = fatbin_bytes(bytes.data());
        if (!size) {
            bytes = bytes.subspan(alignment);
            continue;
        }
        const Result<std::vector<FatbinEntry>> entries = read_fatbin(bytes);
        if (!entries) return;
        facts.device_code = true;
        for (const FatbinEntry& entry : *entries) {
            if (entry.kind == EntryKind::ptx) facts.ptx.insert(entry.architecture);
            if (entry.kind == EntryKind::machine_code) facts.machine_code.insert(entry.architecture);
        }
        bytes = bytes.subspan(std::min<std::uint64_t>(bytes.size(), (*size + alignment - 1) / alignment * alignment));
    }
}

Result<void> read_libraries(const Elf& elf, ProgramFacts& facts) {
    const Result<Elf::Libraries> libraries = elf.libraries();
    if (!libraries) return libraries.error();
    for (const std::string_view library : libraries->needed) {
        if (is_closed_library(library)) facts.closed.emplace_back(library);
        if (!library.starts_with("libcudart.so")) continue;
        facts.runtime = RuntimeLink::shared;
        facts.runtime_library = library;
    }
    return {};
}

bool is_script(std::span<const std::byte> file) { return file.size() < SELFMAG || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0; }

std::string names(const std::vector<std::string>& libraries) {
    std::string text;
    for (const std::string& library : libraries) text += (text.empty() ? "" : ", ") + library;
    return text;
}

std::string architectures(const std::set<std::uint32_t>& numbers) {
    std::string text;
    for (const std::uint32_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

std::string with_ptx(std::uint32_t compute_capability) {
    const std::string number = std::to_string(compute_capability);
    return "-gencode arch=compute_" + number + ",code=compute_" + number;
}

std::optional<Diagnostic> wrong_runtime(const ProgramFacts& facts) {
    constexpr const char* shared = "link with nvcc -cudart shared (in CMake: set(CMAKE_CUDA_RUNTIME_LIBRARY Shared))";
    if (facts.runtime == RuntimeLink::hidden)
        return bad_input({facts.path, 0, 0}, "it is stripped and has the CUDA runtime linked into it, where nobody can find it any more",
                         std::string("leave its symbols in (no strip, no -s), or ") + shared);
    if (facts.runtime == RuntimeLink::linked && !facts.dynamic_loader)
        return bad_input({facts.path, 0, 0}, "it is linked with -static, so that no library can be put before its CUDA runtime",
                         std::string("link without -static; or better, ") + shared);
    if (facts.runtime == RuntimeLink::linked && !facts.x86_64)
        return bad_input({facts.path, 0, 0}, "it has the CUDA runtime linked into it, which can be redirected on x86-64 only", shared);
    if (facts.runtime != RuntimeLink::shared) return std::nullopt;
    if (facts.runtime_library.starts_with("libcudart.so.13") || facts.runtime_library.starts_with("libcudart.so.12")) return std::nullopt;
    return bad_input({facts.path, 0, 0}, "it is built for " + facts.runtime_library + "; apod has libcudart.so.12 and libcudart.so.13",
                     "build it with CUDA 12 or 13");
}

std::optional<Diagnostic> no_usable_ptx(const ProgramFacts& facts, std::uint32_t compute_capability) {
    if (!facts.device_code || (facts.ptx.empty() && facts.machine_code.empty())) return std::nullopt;
    if (facts.ptx.empty())
        return bad_input({facts.path, 0, 0},
                         "it holds machine code (sm_" + architectures(facts.machine_code) + ") but no PTX, which is what can be emulated",
                         "add " + with_ptx(std::min(*facts.machine_code.begin(), compute_capability)) +
                             " to nvcc's flags (in CMake: set(CMAKE_CUDA_ARCHITECTURES " + std::to_string(compute_capability) + "))");
    if (*facts.ptx.begin() <= compute_capability) return std::nullopt;
    return bad_input({facts.path, 0, 0},
                     "its PTX is for compute capability " + architectures(facts.ptx) + " and higher, the device has " +
                         std::to_string(compute_capability),
                     "add " + with_ptx(compute_capability) +
                         " to nvcc's flags, or take a newer device with --device (apod devices lists them)");
}

} // namespace

bool is_closed_library(std::string_view soname) {
    return std::any_of(closed_libraries.begin(), closed_libraries.end(),
                       [soname](std::string_view closed) { return soname.starts_with(closed); });
}

Result<std::optional<ProgramFacts>> inspect_program(const std::string& path) {
    const Result<MappedFile> file = MappedFile::open(path);
    if (!file) return file.error();
    if (is_script(file->bytes())) return std::optional<ProgramFacts>();
    const Result<Elf> elf = Elf::read(file->bytes(), path);
    if (!elf) return elf.error();
    ProgramFacts facts;
    facts.path = path;
    facts.dynamic_loader = elf->is_interpreted();
    facts.x86_64 = elf->machine() == EM_X86_64;
    if (const Result<void> read = read_libraries(*elf, facts); !read) return read.error();
    for (const char* name : {".nv_fatbin", "__nv_relfatbin"})
        if (const ElfSection* section = elf->section(name)) read_fatbins(elf->contents(*section), facts);
    const Result<StaticRuntime> linked = find_static_runtime(*elf);
    if (!linked) return linked.error();
    if (linked->present()) facts.runtime = RuntimeLink::linked;
    if (facts.runtime == RuntimeLink::none && facts.device_code && elf->is_stripped()) facts.runtime = RuntimeLink::hidden;
    return std::optional(std::move(facts));
}

std::optional<Diagnostic> why_it_cannot_run(const ProgramFacts& facts, std::uint32_t compute_capability) {
    if (!facts.closed.empty())
        return unavailable(
            facts.path + " needs " + names(facts.closed) + ": NVIDIA's kernels in there are machine code, which cannot be emulated",
            "run it on a GPU; or, where the program does not call them, leave them out when linking or start it with --anyway");
    if (std::optional<Diagnostic> runtime = wrong_runtime(facts)) return runtime;
    return no_usable_ptx(facts, compute_capability);
}

} // namespace apod::runtime
