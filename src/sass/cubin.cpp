#include "sass/cubin.hpp"

#include "sass/elf.hpp"
#include "sass/line_program.hpp"

#include <fmt/format.h>

namespace apod::sass {

namespace {

constexpr std::size_t instruction_bytes = 16;
constexpr std::size_t symbol_bytes = 24;

// What .nv.info says of a kernel, a list of (form, attribute, size or value, and then the bytes).
struct Info {
    std::uint32_t registers = 0;
    std::uint32_t stack_bytes = 0;
};

Info read_info(std::string_view info, std::uint32_t symbol) {
    constexpr std::uint8_t with_bytes = 4;
    constexpr std::uint8_t attribute_frame = 0x11;
    constexpr std::uint8_t attribute_registers = 0x2f;
    Info result;
    for (std::size_t at = 0; at + 4 <= info.size();) {
        const auto form = value_at<std::uint8_t>(info, at);
        const auto attribute = value_at<std::uint8_t>(info, at + 1);
        const auto size = value_at<std::uint16_t>(info, at + 2);
        at += 4;
        if (form != with_bytes) continue;
        if (value_at<std::uint32_t>(info, at) == symbol) {
            if (attribute == attribute_registers) result.registers = value_at<std::uint32_t>(info, at + 4);
            if (attribute == attribute_frame) result.stack_bytes = value_at<std::uint32_t>(info, at + 4);
        }
        at += size;
    }
    return result;
}

struct Symbols {
    std::string_view table;
    std::string_view names;
    [[nodiscard]] std::size_t count() const { return table.size() / symbol_bytes; }
    [[nodiscard]] std::string_view name(std::size_t i) const {
        const auto at = value_at<std::uint32_t>(table, i * symbol_bytes);
        if (at >= names.size()) return {};
        const std::string_view rest = names.substr(at);
        return rest.substr(0, rest.find('\0'));
    }
    [[nodiscard]] std::uint16_t section(std::size_t i) const { return value_at<std::uint16_t>(table, i * symbol_bytes + 6); }
    [[nodiscard]] std::uint64_t value(std::size_t i) const { return value_at<std::uint64_t>(table, i * symbol_bytes + 8); }
};

Symbols read_symbols(const std::vector<Section>& sections) {
    const Section* table = find_section(sections, ".symtab");
    if (table == nullptr || table->link >= sections.size()) return {};
    return {table->bytes, sections[table->link].bytes};
}

// The lines of one section's instructions. The addresses in the line program are filled in by relocations, which name a symbol of it.
LineTable lines_of(const std::vector<Section>& sections, const Symbols& symbols, std::uint32_t section) {
    const Section* program = find_section(sections, ".nv_debug_line_sass");
    if (program == nullptr) return {};
    std::map<std::uint64_t, bool> starts;
    for (const auto& [name, entry] :
         {std::pair{".rela.nv_debug_line_sass", std::size_t{24}}, {".rel.nv_debug_line_sass", std::size_t{16}}}) {
        const Section* relocations = find_section(sections, name);
        if (relocations == nullptr) continue;
        for (std::size_t at = 0; at + entry <= relocations->bytes.size(); at += entry) {
            const auto symbol = value_at<std::uint64_t>(relocations->bytes, at + 8) >> 32;
            starts[value_at<std::uint64_t>(relocations->bytes, at)] = symbol < symbols.count() && symbols.section(symbol) == section;
        }
    }
    return read_lines(program->bytes, starts);
}

} // namespace

Result<Kernel> read_cubin(std::string_view bytes, std::string_view kernel, int capability, const std::string& file) {
    constexpr int oldest = 70;
    if (capability < oldest)
        return Diagnostic{
            ErrorKind::bad_input, {file, 0, 0}, fmt::format("machine code of compute capability {} is not read", capability), ""};
    const auto sections = read_sections(bytes, file);
    if (!sections) return sections.error();
    const std::string section_name = fmt::format(".text.{}", kernel);
    std::uint32_t number = 0;
    while (number < sections->size() && (*sections)[number].name != section_name) ++number;
    if (number == sections->size())
        return Diagnostic{ErrorKind::bad_input, {file, 0, 0}, fmt::format("there is no kernel {} in it", kernel), "name one that it holds"};
    const Symbols symbols = read_symbols(*sections);
    const LineTable lines = lines_of(*sections, symbols, number);
    Kernel result;
    const std::string_view code = (*sections)[number].bytes;
    std::size_t used = 0;
    for (std::uint32_t i = 0; std::size_t{i} * instruction_bytes + instruction_bytes <= code.size(); ++i) {
        const std::size_t at = i * instruction_bytes;
        const auto low = value_at<std::uint64_t>(code, at);
        Instruction instruction = decode(low, value_at<std::uint64_t>(code, at + 8), i, capability);
        const auto line = lines.upper_bound(at);
        if (line != lines.begin()) instruction.ptx_line = std::prev(line)->second;
        if (!is_filling(low, instruction, i)) used = i + 1;
        result.instructions.push_back(instruction);
    }
    result.instructions.resize(used);
    if (const Section* info = find_section(*sections, ".nv.info"))
        for (std::size_t i = 0; i < symbols.count(); ++i) {
            if (symbols.name(i) != kernel) continue;
            const Info facts = read_info(info->bytes, static_cast<std::uint32_t>(i));
            result.registers = facts.registers;
            result.stack_bytes = facts.stack_bytes;
        }
    return result;
}

} // namespace apod::sass
