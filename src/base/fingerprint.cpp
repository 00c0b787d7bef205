#include "base/fingerprint.hpp"

#include <fmt/format.h>

#include <system_error>

namespace apod {

void Fingerprint::add(std::string_view bytes) {
    const auto take = [this](std::uint64_t value) {
        first_ = (first_ ^ value) * 0x100000001b3u;
        second_ = (second_ ^ value) * 0x10000000233u;
    };
    for (const char c : bytes) take(static_cast<unsigned char>(c));
    take(0x1ff); // a separator: no byte has this value
}

std::string Fingerprint::text() const { return fmt::format("{:016x}{:016x}", first_, second_); }

std::string state_of(const std::filesystem::path& path) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    if (failed) return "missing";
    const auto time = std::filesystem::last_write_time(path, failed).time_since_epoch().count();
    return fmt::format("{} {}", size, failed ? 0 : time);
}

} // namespace apod
