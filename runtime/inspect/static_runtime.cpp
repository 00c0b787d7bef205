#include "runtime/inspect/static_runtime.hpp"

#include "runtime/inspect/runtime_names.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include <elf.h>

namespace apod::runtime {
namespace {

constexpr std::string_view marker = "__cudaRegisterFatBinary"; // every runtime has it
constexpr std::string_view inner_prefix = "libcudart_static_"; // NVIDIA's functions behind the API
constexpr std::string_view only_in_12 = "cudaGetDeviceProperties_v2";

bool mentions_cuda(const Elf& elf) {
    for (const ElfSection& section : elf.sections()) {
        if (section.type != SHT_STRTAB) continue;
        const std::span<const std::byte> names = elf.contents(section);
        if (::memmem(names.data(), names.size(), marker.data(), marker.size()) != nullptr) return true;
    }
    return false;
}

bool in_code(const Elf& elf, std::uint64_t address, std::uint64_t& end) {
    for (const ElfSegment& segment : elf.segments()) {
        if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0) continue;
        if (address < segment.address || address - segment.address >= segment.file_bytes) continue;
        end = segment.address + segment.file_bytes;
        return end > address; // not where the sum overflows
    }
    return false;
}

// From each function to the next one of another address; of the padding behind it no more than the alignment of functions makes sure of.
std::uint64_t room_of(const std::vector<std::uint64_t>& starts, const ElfSymbol& symbol, std::uint64_t end) {
    constexpr std::uint64_t alignment = 16;
    const auto next = std::upper_bound(starts.begin(), starts.end(), symbol.address);
    const std::uint64_t room = (next != starts.end() ? std::min(*next, end) : end) - symbol.address;
    if (symbol.bytes == 0) return room; // written by hand, and without its size
    const std::uint64_t aligned =
        symbol.bytes < room ? (symbol.address + symbol.bytes + alignment - 1) / alignment * alignment : UINT64_MAX;
    return std::min(room, aligned - symbol.address);
}

// The functions that the loader calls: what the arrays hold in the file, or what a relocation will put there.
std::set<std::uint64_t> run_by_loader(const Elf& elf) {
    std::set<std::uint64_t> functions;
    std::vector<const ElfSection*> arrays;
    for (const ElfSection& section : elf.sections()) {
        if (section.type != SHT_INIT_ARRAY && section.type != SHT_FINI_ARRAY) continue;
        arrays.push_back(&section);
        const std::span<const std::byte> bytes = elf.contents(section);
        for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
            std::uint64_t function = 0;
            std::memcpy(&function, bytes.data() + at, sizeof function);
            functions.insert(function);
        }
    }
    for (const ElfSection& section : elf.sections()) {
        if (section.type != SHT_RELA) continue;
        const std::span<const std::byte> bytes = elf.contents(section);
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= bytes.size(); at += sizeof(Elf64_Rela)) {
            Elf64_Rela relocation;
            std::memcpy(&relocation, bytes.data() + at, sizeof relocation);
            for (const ElfSection* array : arrays)
                if (relocation.r_offset - array->address < array->bytes) functions.insert(static_cast<std::uint64_t>(relocation.r_addend));
        }
    }
    return functions;
}

} // namespace

bool is_runtime_function(std::string_view name) { return std::binary_search(runtime_names.begin(), runtime_names.end(), name); }

Result<StaticRuntime> find_static_runtime(const Elf& elf) {
    StaticRuntime found;
    if (!mentions_cuda(elf)) return found;
    const Result<std::vector<ElfSymbol>> symbols = elf.symbols();
    if (!symbols) return symbols.error();
    const auto is_marker = [](const ElfSymbol& symbol) { return symbol.function && symbol.name == marker; };
    if (std::none_of(symbols->begin(), symbols->end(), is_marker)) return found;
    std::vector<std::uint64_t> starts;
    for (const ElfSymbol& symbol : *symbols)
        if (symbol.function) starts.push_back(symbol.address);
    std::sort(starts.begin(), starts.end());
    const std::set<std::uint64_t> starters = run_by_loader(elf);
    for (const ElfSymbol& symbol : *symbols) {
        std::uint64_t end = 0;
        if (!symbol.function || !in_code(elf, symbol.address, end)) continue;
        if (symbol.name == only_in_12) found.version = 12;
        if (is_runtime_function(symbol.name)) {
            found.functions.push_back({symbol.name, symbol.address, room_of(starts, symbol, end)});
        } else if (symbol.name.starts_with(inner_prefix)) {
            found.inner.push_back({symbol.name, symbol.address, std::min(symbol.bytes, end - symbol.address)});
            if (starters.contains(symbol.address)) found.run_by_loader.push_back(symbol.address);
        }
    }
    // A function is in .symtab and, where it is exported, in .dynsym too.
    const auto before = [](const RuntimeFunction& a, const RuntimeFunction& b) { return a.address < b.address; };
    const auto same = [](const RuntimeFunction& a, const RuntimeFunction& b) { return a.address == b.address; };
    std::stable_sort(found.functions.begin(), found.functions.end(), before);
    found.functions.erase(std::unique(found.functions.begin(), found.functions.end(), same), found.functions.end());
    return found;
}

} // namespace apod::runtime
