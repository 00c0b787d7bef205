#include "workloads/spmv/zip.hpp"

#include "workloads/spmv/inflate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::spmv {

namespace {

constexpr std::size_t end_bytes = 22;       // the end of the central directory
constexpr std::size_t entry_bytes = 46;     // an entry of it, without its name and extras
constexpr std::size_t local_bytes = 30;     // the header before a member's data
constexpr std::uint64_t most_growth = 1032; // deflate makes nothing smaller than by this factor
constexpr std::uint32_t all_ones = 0xffffffffu;

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

struct Entry {
    std::string name;
    std::uint64_t flags = 0;
    std::uint64_t method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
};

class ZipReader {
public:
    ZipReader(std::string_view archive, const std::string& file) : archive_(archive), file_(file) {}

    Result<std::map<std::string, std::string>> read() {
        const std::size_t end = find_end();
        if (end == std::string_view::npos) return error("this is no zip archive, which an .npz file is: its directory is not found");
        const std::uint64_t count = number(archive_, end + 10, 2);
        std::uint64_t at = number(archive_, end + 16, 4);
        if (count == 0xffff || at == all_ones) return error("the archive has more than 65534 members or 4 GB before its directory");
        std::map<std::string, std::string> members;
        for (std::uint64_t i = 0; i < count; ++i) {
            Entry entry;
            if (Result<void> read = read_entry(at, entry); !read) return read.error();
            auto contents = extract(entry);
            if (!contents) return contents.error();
            members[entry.name] = *std::move(contents);
        }
        return members;
    }

private:
    [[nodiscard]] Diagnostic error(std::string message) const { return bad_input({file_, 0, 0}, std::move(message)); }

    // A comment of up to 65535 bytes may follow.
    [[nodiscard]] std::size_t find_end() const {
        if (archive_.size() < end_bytes) return std::string_view::npos;
        const std::size_t last = archive_.size() - end_bytes;
        for (std::size_t back = 0; back <= std::min<std::size_t>(last, 65535); ++back) {
            if (archive_.substr(last - back, 4) == std::string_view("PK\5\6", 4)) return last - back;
        }
        return std::string_view::npos;
    }

    Result<void> read_entry(std::uint64_t& at, Entry& entry) {
        if (at > archive_.size() || archive_.size() - at < entry_bytes || archive_.substr(at, 4) != std::string_view("PK\1\2", 4)) {
            return error("the archive's directory is truncated or garbled");
        }
        const std::size_t name = number(archive_, at + 28, 2);
        const std::size_t extra = number(archive_, at + 30, 2);
        const std::size_t comment = number(archive_, at + 32, 2);
        if (archive_.size() - at - entry_bytes < name + extra + comment) return error("the archive's directory is truncated");
        entry.name = archive_.substr(at + entry_bytes, name);
        entry.flags = number(archive_, at + 8, 2);
        entry.method = number(archive_, at + 10, 2);
        entry.crc = static_cast<std::uint32_t>(number(archive_, at + 16, 4));
        entry.packed = number(archive_, at + 20, 4);
        entry.size = number(archive_, at + 24, 4);
        entry.offset = number(archive_, at + 42, 4);
        read_large_sizes(archive_.substr(at + entry_bytes + name, extra), entry);
        at += entry_bytes + name + extra + comment;
        return {};
    }

    // The extra field 1 holds, in this order, what did not fit 32 bits.
    static void read_large_sizes(std::string_view extra, Entry& entry) {
        while (extra.size() >= 4) {
            const std::uint64_t id = number(extra, 0, 2);
            const std::size_t length = std::min<std::size_t>(number(extra, 2, 2), extra.size() - 4);
            std::string_view field = extra.substr(4, length);
            extra.remove_prefix(4 + length);
            if (id != 1) continue;
            for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.offset}) {
                if (*value != all_ones || field.size() < 8) continue;
                *value = number(field, 0, 8);
                field.remove_prefix(8);
            }
        }
    }

    Result<std::string> extract(const Entry& entry) const {
        const auto fail = [&](std::string_view why) {
            return error(fmt::format("the member '{}' of the archive {}", shown(entry.name), why));
        };
        if ((entry.flags & 1) != 0) return fail("is encrypted");
        if (entry.method != 0 && entry.method != 8) return fail(fmt::format("is compressed by method {}; 0 and 8 are known", entry.method));
        if (entry.offset > archive_.size() || archive_.size() - entry.offset < local_bytes ||
            archive_.substr(entry.offset, 4) != std::string_view("PK\3\4", 4)) {
            return fail("is not where the directory says");
        }
        const std::uint64_t start =
            entry.offset + local_bytes + number(archive_, entry.offset + 26, 2) + number(archive_, entry.offset + 28, 2);
        if (start > archive_.size() || archive_.size() - start < entry.packed) return fail("is truncated");
        const std::string_view packed = archive_.substr(start, entry.packed);
        if (entry.method == 0 && entry.packed != entry.size) return fail("has two different sizes");
        if (entry.size / most_growth > entry.packed) return fail("cannot be as large as the directory says");
        auto contents = entry.method == 0 ? Result<std::string>(std::string(packed)) : inflate(packed, entry.size);
        if (!contents) return fail("is garbled: it cannot be decompressed");
        if (crc32(*contents) != entry.crc) return fail("is garbled: its checksum differs");
        return contents;
    }

    static std::string shown(const std::string& name) {
        std::string text = name.substr(0, 40);
        std::replace_if(
            text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
        return text;
    }

    std::string_view archive_;
    std::string file_;
};

} // namespace

Result<std::map<std::string, std::string>> read_zip(std::string_view archive, const std::string& file) {
    return ZipReader(archive, file).read();
}

} // namespace apod::spmv
