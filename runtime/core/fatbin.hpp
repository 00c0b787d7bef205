// The container in which nvcc puts a program's device code: a header and entries, each PTX text or machine code for one architecture,
// perhaps compressed. Layouts are those that nvcc 13.0 writes; every read is checked against the size of the buffer.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace apod::runtime {

enum class EntryKind : std::uint8_t { ptx, machine_code, other };
enum class Compression : std::uint8_t { none, lz4, zstd };

struct FatbinEntry {
    EntryKind kind = EntryKind::other;
    std::uint32_t architecture = 0;     // 90: compute capability 9.0
    bool architecture_specific = false; // sm_90a: runs on 9.0 alone
    Compression compression = Compression::none;
    std::span<const std::byte> payload; // as stored
    std::uint64_t plain_bytes = 0;      // of compressed entries
};

// Bytes of the whole container that begins at `data`: what may be read of it is known only from its own header (24 bytes are read).
[[nodiscard]] Result<std::uint64_t> fatbin_bytes(const std::byte* data);

// The entries in their order. A buffer that is not a fatbin, or ends early, is bad_input.
[[nodiscard]] Result<std::vector<FatbinEntry>> read_fatbin(std::span<const std::byte> fatbin);

// The PTX text of an entry, decompressed, without the padding behind it.
[[nodiscard]] Result<std::string> ptx_text(const FatbinEntry& entry);

// The PTX that runs best on a device: the highest architecture that is not above it. nullptr when there is none.
[[nodiscard]] const FatbinEntry* best_ptx(const std::vector<FatbinEntry>& entries, std::uint32_t device_architecture);

// Why best_ptx found nothing, and the compiler flag that helps.
[[nodiscard]] Diagnostic no_ptx(const std::vector<FatbinEntry>& entries, std::uint32_t device_architecture, const std::string& program);

} // namespace apod::runtime
