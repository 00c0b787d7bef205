#include "runtime/inspect/elf.hpp"

#include <cstring>
#include <utility>

#include <elf.h>

namespace apod::runtime {
namespace {

// Whether [at, at + bytes) lies in a buffer of `size` bytes.
bool inside(std::uint64_t at, std::uint64_t bytes, std::uint64_t size) { return at <= size && bytes <= size - at; }

// The caller has checked the bounds.
template<class T> T load(std::span<const std::byte> bytes, std::uint64_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

} // namespace

Diagnostic Elf::broken(const char* what) const { return bad_input({path_, 0, 0}, what); }

Result<Elf> Elf::read(std::span<const std::byte> file, std::string_view path) {
    Elf elf;
    elf.file_ = file;
    elf.path_ = path;
    if (file.size() < SELFMAG || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0) return elf.broken("this is not an ELF file");
    if (file.size() < sizeof(Elf64_Ehdr)) return elf.broken("the ELF header is cut off");
    const auto header = load<Elf64_Ehdr>(file, 0);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return elf.broken("this is not a 64-bit little-endian ELF file");
    elf.type_ = header.e_type;
    elf.machine_ = header.e_machine;
    if (const Result<void> read = elf.read_sections(); !read) return read.error();
    if (const Result<void> read = elf.read_segments(); !read) return read.error();
    return elf;
}

// A file with very many sections keeps their number, and that of the table of names, in section 0.
Result<void> Elf::read_sections() {
    const auto header = load<Elf64_Ehdr>(file_, 0);
    if (header.e_shoff == 0) return {};
    if (header.e_shentsize != sizeof(Elf64_Shdr)) return broken("its section headers have a size that is not known");
    if (!inside(header.e_shoff, sizeof(Elf64_Shdr), file_.size())) return broken("its section headers lie outside the file");
    const auto first = load<Elf64_Shdr>(file_, header.e_shoff);
    const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
    if (count > file_.size() / sizeof(Elf64_Shdr) || !inside(header.e_shoff, count * sizeof(Elf64_Shdr), file_.size()))
        return broken("its section headers lie outside the file");
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto section = load<Elf64_Shdr>(file_, header.e_shoff + i * sizeof(Elf64_Shdr));
        const bool empty = section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL;
        if (!empty && !inside(section.sh_offset, section.sh_size, file_.size())) return broken("a section lies outside the file");
        sections_.push_back({{}, section.sh_type, section.sh_addr, section.sh_offset, section.sh_size, section.sh_link});
    }
    return name_sections(header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx);
}

Result<void> Elf::name_sections(std::uint32_t names) {
    if (names == SHN_UNDEF) return {};
    if (names >= sections_.size()) return broken("the table of its sections' names is missing");
    const std::uint64_t table = load<Elf64_Ehdr>(file_, 0).e_shoff;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        const auto at = load<Elf64_Shdr>(file_, table + i * sizeof(Elf64_Shdr)).sh_name;
        const Result<std::string_view> name = text(sections_[names], at);
        if (!name) return name.error();
        sections_[i].name = *name;
    }
    return {};
}

Result<void> Elf::read_segments() {
    const auto header = load<Elf64_Ehdr>(file_, 0);
    if (header.e_phoff == 0 || header.e_phnum == 0) return {};
    if (header.e_phentsize != sizeof(Elf64_Phdr)) return broken("its program headers have a size that is not known");
    if (!inside(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), file_.size()))
        return broken("its program headers lie outside the file");
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
        const auto segment = load<Elf64_Phdr>(file_, header.e_phoff + i * sizeof(Elf64_Phdr));
        segments_.push_back({segment.p_type, segment.p_flags, segment.p_offset, segment.p_vaddr, segment.p_filesz, segment.p_memsz});
    }
    return {};
}

const ElfSection* Elf::section(std::string_view name) const {
    for (const ElfSection& section : sections_)
        if (section.name == name) return &section;
    return nullptr;
}

bool Elf::is_interpreted() const {
    for (const ElfSegment& segment : segments_)
        if (segment.type == PT_INTERP) return true;
    return false;
}

bool Elf::is_stripped() const {
    for (const ElfSection& section : sections_)
        if (section.type == SHT_SYMTAB) return false;
    return true;
}

std::span<const std::byte> Elf::contents(const ElfSection& section) const {
    const bool empty = section.type == SHT_NOBITS || section.type == SHT_NULL;
    if (empty || !inside(section.offset, section.bytes, file_.size())) return {};
    return file_.subspan(section.offset, section.bytes);
}

// A string of a table must end within it.
Result<std::string_view> Elf::text(const ElfSection& table, std::uint64_t at) const {
    const std::span<const std::byte> bytes = contents(table);
    if (at >= bytes.size()) return broken("a name lies outside its table");
    const char* begin = reinterpret_cast<const char*>(bytes.data() + at);
    const void* end = std::memchr(begin, 0, bytes.size() - at);
    if (end == nullptr) return broken("a name does not end within its table");
    return std::string_view(begin, static_cast<std::size_t>(static_cast<const char*>(end) - begin));
}

Result<std::vector<ElfSymbol>> Elf::symbols() const {
    std::vector<ElfSymbol> symbols;
    for (const ElfSection& section : sections_) {
        if (section.type != SHT_SYMTAB && section.type != SHT_DYNSYM) continue;
        if (section.link >= sections_.size()) return broken("the table of its symbols' names is missing");
        const std::span<const std::byte> table = contents(section);
        symbols.reserve(table.size() / sizeof(Elf64_Sym));
        for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.size(); at += sizeof(Elf64_Sym)) {
            const auto symbol = load<Elf64_Sym>(table, at);
            const unsigned type = ELF64_ST_TYPE(symbol.st_info);
            if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE)) continue;
            const Result<std::string_view> name = text(sections_[section.link], symbol.st_name);
            if (!name) return name.error();
            symbols.push_back({*name, symbol.st_value, symbol.st_size, type == STT_FUNC});
        }
    }
    return symbols;
}

Result<Elf::Libraries> Elf::libraries() const {
    Libraries libraries;
    for (const ElfSection& section : sections_) {
        if (section.type != SHT_DYNAMIC) continue;
        if (section.link >= sections_.size()) return broken("the table of its libraries' names is missing");
        const std::span<const std::byte> table = contents(section);
        for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= table.size(); at += sizeof(Elf64_Dyn)) {
            const auto entry = load<Elf64_Dyn>(table, at);
            if (entry.d_tag == DT_NULL) break;
            if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH) continue;
            const Result<std::string_view> name = text(sections_[section.link], entry.d_un.d_val);
            if (!name) return name.error();
            if (entry.d_tag == DT_NEEDED) libraries.needed.push_back(*name);
            if (entry.d_tag == DT_RPATH) libraries.rpath = *name;
            if (entry.d_tag == DT_RUNPATH) libraries.runpath = *name;
        }
    }
    return libraries;
}

} // namespace apod::runtime
