#include "runtime/core/fatbin.hpp"

#include <fmt/format.h>

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace apod::runtime {
namespace {

constexpr std::uint32_t header_magic = 0xba55ed50;
constexpr std::uint64_t smallest_header = 16;
constexpr std::uint64_t smallest_entry = 0x40;
constexpr std::uint64_t most_plain_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;
constexpr std::uint64_t flag_specific = 0x100000;

// The caller has checked the bounds.
template<class T> T load(std::span<const std::byte> bytes, std::uint64_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

Diagnostic broken(std::string what) { return bad_input({}, "the program's device code cannot be read: " + std::move(what)); }

EntryKind kind_of(std::uint16_t number) {
    if (number == 1) return EntryKind::ptx;
    return number == 2 ? EntryKind::machine_code : EntryKind::other;
}

Compression compression_of(std::uint64_t flags) {
    if ((flags & flag_zstd) != 0) return Compression::zstd;
    return (flags & flag_lz4) != 0 ? Compression::lz4 : Compression::none;
}

Result<FatbinEntry> read_entry(std::span<const std::byte> rest, std::uint64_t& entry_bytes) {
    if (rest.size() < smallest_entry) return broken("an entry's header is cut off");
    const std::uint64_t header = load<std::uint32_t>(rest, 0x04);
    const std::uint64_t padded = load<std::uint64_t>(rest, 0x08);
    if (header < smallest_entry || header > rest.size() || padded > rest.size() - header) return broken("an entry runs past the end");
    const std::uint64_t flags = load<std::uint64_t>(rest, 0x28);
    FatbinEntry entry;
    entry.kind = kind_of(load<std::uint16_t>(rest, 0x00));
    entry.architecture = load<std::uint32_t>(rest, 0x1c);
    entry.architecture_specific = (flags & flag_specific) != 0;
    entry.compression = compression_of(flags);
    entry.plain_bytes = load<std::uint64_t>(rest, 0x38);
    const std::uint64_t compressed = load<std::uint32_t>(rest, 0x10);
    entry.payload = rest.subspan(header, compressed != 0 && compressed <= padded ? compressed : padded);
    entry_bytes = header + padded;
    return entry;
}

Result<std::string> decompress(const FatbinEntry& entry) {
    if (entry.plain_bytes > most_plain_bytes) return broken(fmt::format("an entry of {} bytes", entry.plain_bytes));
    std::string text(entry.plain_bytes, '\0');
    if (entry.compression == Compression::zstd) {
        const std::size_t done = ZSTD_decompress(text.data(), text.size(), entry.payload.data(), entry.payload.size());
        if (ZSTD_isError(done) != 0) return broken(fmt::format("zstd: {}", ZSTD_getErrorName(done)));
        text.resize(done);
        return text;
    }
    const int done = LZ4_decompress_safe(reinterpret_cast<const char*>(entry.payload.data()), text.data(),
                                         static_cast<int>(entry.payload.size()), static_cast<int>(text.size()));
    if (done < 0) return broken("its LZ4 block is damaged");
    text.resize(static_cast<std::size_t>(done));
    return text;
}

} // namespace

Result<std::uint64_t> fatbin_bytes(const std::byte* data) {
    const std::span<const std::byte> header(data, smallest_header);
    if (load<std::uint32_t>(header, 0) != header_magic) return broken("it does not begin as a fatbin does");
    const std::uint64_t header_bytes = load<std::uint16_t>(header, 6);
    const std::uint64_t body = load<std::uint64_t>(header, 8);
    if (header_bytes < smallest_header || body > (std::uint64_t{1} << 40)) return broken("its header makes no sense");
    return header_bytes + body;
}

Result<std::vector<FatbinEntry>> read_fatbin(std::span<const std::byte> fatbin) {
    if (fatbin.size() < smallest_header) return broken("its header is cut off");
    const Result<std::uint64_t> total = fatbin_bytes(fatbin.data());
    if (!total) return total.error();
    if (*total > fatbin.size()) return broken("it is cut off");
    std::span<const std::byte> rest = fatbin.subspan(load<std::uint16_t>(fatbin, 6));
    rest = rest.first(std::min<std::uint64_t>(rest.size(), load<std::uint64_t>(fatbin, 8)));
    std::vector<FatbinEntry> entries;
    while (!rest.empty()) {
        std::uint64_t entry_bytes = 0;
        Result<FatbinEntry> entry = read_entry(rest, entry_bytes);
        if (!entry) return entry.error();
        entries.push_back(*entry);
        rest = rest.subspan(entry_bytes);
    }
    return entries;
}

Result<std::string> ptx_text(const FatbinEntry& entry) {
    std::string text(reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size());
    if (entry.compression != Compression::none) {
        Result<std::string> plain = decompress(entry);
        if (!plain) return plain;
        text = *std::move(plain);
    }
    const std::size_t end = text.find('\0');
    if (end != std::string::npos) text.resize(end);
    return text;
}

const FatbinEntry* best_ptx(const std::vector<FatbinEntry>& entries, std::uint32_t device_architecture) {
    const FatbinEntry* best = nullptr;
    for (const FatbinEntry& entry : entries) {
        if (entry.kind != EntryKind::ptx || entry.architecture > device_architecture) continue;
        if (entry.architecture_specific && entry.architecture != device_architecture) continue;
        if (best == nullptr || entry.architecture > best->architecture) best = &entry;
    }
    return best;
}

Diagnostic no_ptx(const std::vector<FatbinEntry>& entries, std::uint32_t device_architecture, const std::string& program) {
    std::set<std::uint32_t> ptx;
    std::set<std::uint32_t> code;
    for (const FatbinEntry& entry : entries) (entry.kind == EntryKind::ptx ? ptx : code).insert(entry.architecture);
    const std::string help = fmt::format("compile with -gencode arch=compute_{0},code=compute_{0}", device_architecture);
    if (ptx.empty() && code.empty()) return bad_input({program, 0, 0}, "its fatbin holds no device code", help);
    const std::uint32_t lowest = ptx.empty() ? *code.begin() : *ptx.begin();
    if (ptx.empty())
        return bad_input({program, 0, 0}, fmt::format("it holds machine code (sm_{}) but no PTX, which is what can be emulated", lowest),
                         fmt::format("add -gencode arch=compute_{0},code=compute_{0} to nvcc's flags (or -arch=sm_{0} alone)", lowest));
    return bad_input({program, 0, 0},
                     fmt::format("its PTX is for compute capability {}.{} and higher, the device has {}.{}", lowest / 10, lowest % 10,
                                 device_architecture / 10, device_architecture % 10),
                     help + ", or take a newer device with --device");
}

} // namespace apod::runtime
