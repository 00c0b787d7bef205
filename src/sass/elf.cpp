#include "sass/elf.hpp"

#include <fmt/format.h>

namespace apod::sass {

namespace {

Diagnostic damaged(const std::string& file, std::string what) {
    return {ErrorKind::bad_input, {file, 0, 0}, std::move(what), "give a cubin that ptxas or nvcc -cubin wrote"};
}

std::string_view part_of(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset) return {};
    return bytes.substr(offset, size);
}

std::string_view text_at(std::string_view strings, std::size_t offset) {
    if (offset >= strings.size()) return {};
    const std::string_view rest = strings.substr(offset);
    return rest.substr(0, rest.find('\0'));
}

} // namespace

Result<std::vector<Section>> read_sections(std::string_view bytes, const std::string& file) {
    constexpr std::size_t header = 64;
    constexpr std::string_view magic = "\x7f"
                                       "ELF\x02\x01";
    if (bytes.size() < header || !bytes.starts_with(magic)) return damaged(file, "this is no ELF file of 64 bits");
    const auto table = value_at<std::uint64_t>(bytes, 0x28);
    const auto entry = value_at<std::uint16_t>(bytes, 0x3a);
    const auto count = value_at<std::uint16_t>(bytes, 0x3c);
    const auto names = value_at<std::uint16_t>(bytes, 0x3e);
    constexpr std::uint16_t smallest_entry = 64;
    if (entry < smallest_entry || names >= count || part_of(bytes, table, std::uint64_t{entry} * count).empty())
        return damaged(file, "its table of sections is cut off");
    const auto section_bytes = [&](std::size_t at) {
        constexpr std::uint32_t no_bits = 8;
        if (value_at<std::uint32_t>(bytes, at + 4) == no_bits) return std::string_view();
        return part_of(bytes, value_at<std::uint64_t>(bytes, at + 0x18), value_at<std::uint64_t>(bytes, at + 0x20));
    };
    const std::string_view strings = section_bytes(table + std::uint64_t{entry} * names);
    std::vector<Section> sections;
    for (std::uint16_t i = 0; i < count; ++i) {
        const std::size_t at = table + std::uint64_t{entry} * i;
        sections.push_back({text_at(strings, value_at<std::uint32_t>(bytes, at)), section_bytes(at),
                            value_at<std::uint32_t>(bytes, at + 0x28), value_at<std::uint32_t>(bytes, at + 0x2c)});
    }
    return sections;
}

const Section* find_section(const std::vector<Section>& sections, std::string_view name) {
    for (const Section& section : sections)
        if (section.name == name) return &section;
    return nullptr;
}

} // namespace apod::sass
