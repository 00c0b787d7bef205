// What names an entry of a cache: a number of all that it depends on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace apod {

// FNV-1a of 64 bits, twice with different starts: enough against accidents, and no library.
class Fingerprint {
public:
    void add(std::string_view bytes);
    [[nodiscard]] std::string text() const; // 32 hexadecimal digits

private:
    std::uint64_t first_ = 0xcbf29ce484222325u;
    std::uint64_t second_ = 0x84222325cbf29ce4u;
};

// Size and time of a file: reading all of a toolkit each time would cost more than a cache saves.
[[nodiscard]] std::string state_of(const std::filesystem::path& path);

} // namespace apod
