// Reads what an ELF file (64 bits, little endian: what CUDA programs on Linux are) says of itself: sections, segments, symbols, libraries.
// The file is anybody's: every offset, count and name is checked against the buffer, which must outlive what is read from it.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apod::runtime {

struct ElfSection {
    std::string_view name;
    std::uint32_t type = 0;    // SHT_...
    std::uint64_t address = 0; // before the loader adds the object's base
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint32_t link = 0;
};

struct ElfSegment {
    std::uint32_t type = 0;  // PT_...
    std::uint32_t flags = 0; // PF_...
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t memory_bytes = 0;
};

struct ElfSymbol {
    std::string_view name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool function = false;
};

class Elf {
public:
    // bad_input where it is no ELF file of this kind, or contradicts itself. `path` is for messages.
    static Result<Elf> read(std::span<const std::byte> file, std::string_view path);

    [[nodiscard]] std::uint16_t type() const { return type_; }       // ET_EXEC, ET_DYN
    [[nodiscard]] std::uint16_t machine() const { return machine_; } // EM_X86_64
    [[nodiscard]] const std::vector<ElfSection>& sections() const { return sections_; }
    [[nodiscard]] const std::vector<ElfSegment>& segments() const { return segments_; }
    [[nodiscard]] const ElfSection* section(std::string_view name) const; // nullptr: none
    [[nodiscard]] bool is_interpreted() const;                            // by a dynamic loader: has PT_INTERP
    [[nodiscard]] bool is_stripped() const;                               // has no .symtab

    // The bytes of a section; empty where the file has none (.bss).
    [[nodiscard]] std::span<const std::byte> contents(const ElfSection& section) const;

    // The defined symbols of .symtab (none where the file is stripped) and of .dynsym.
    Result<std::vector<ElfSymbol>> symbols() const;

    // DT_NEEDED, and the search paths DT_RPATH and DT_RUNPATH.
    struct Libraries {
        std::vector<std::string_view> needed;
        std::string_view rpath;
        std::string_view runpath;
    };
    Result<Libraries> libraries() const;

private:
    Diagnostic broken(const char* what) const;
    Result<void> read_sections();
    Result<void> read_segments();
    Result<void> name_sections(std::uint32_t names);
    Result<std::string_view> text(const ElfSection& table, std::uint64_t at) const;

    std::span<const std::byte> file_;
    std::string path_;
    std::uint16_t type_ = 0;
    std::uint16_t machine_ = 0;
    std::vector<ElfSection> sections_;
    std::vector<ElfSegment> segments_;
};

} // namespace apod::runtime
