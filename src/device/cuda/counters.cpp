#include "device/cuda/counters.hpp"

#include "base/file.hpp"

#include <charconv>
#include <optional>

namespace apod::device::cuda {

namespace {

constexpr unsigned cap_sys_admin = 21; // linux/capability.h
constexpr unsigned cap_perfmon = 38;

// The value behind "name:" at the start of a line.
std::string_view value_of(std::string_view text, std::string_view name) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') continue;
        line.remove_prefix(name.size() + 1);
        const std::size_t begin = line.find_first_not_of(" \t");
        return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
    }
    return {};
}

std::optional<std::uint64_t> number(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    return value;
}

} // namespace

CounterPermission counter_permission(std::string_view driver_parameters, std::string_view process_status) {
    const auto restricted = number(value_of(driver_parameters, "RmProfilingAdminOnly"), 10);
    const auto capabilities = number(value_of(process_status, "CapEff"), 16);
    if (restricted && *restricted == 0) return {true, "the driver gives counters to every user", {}};
    const bool administrator = capabilities && ((*capabilities >> cap_sys_admin | *capabilities >> cap_perfmon) & 1) != 0;
    if (restricted) {
        if (administrator) return {true, "the driver gives counters to administrators alone, and this process is one", {}};
        return {false, "the driver gives counters to administrators alone (ERR_NVGPUCTRPERM)",
                "run as root or with CAP_SYS_ADMIN (docker: --cap-add SYS_ADMIN); or let an administrator load the driver with "
                "'options nvidia NVreg_RestrictProfilingToAdminUsers=0' in /etc/modprobe.d and restart"};
    }
    if (administrator) return {std::nullopt, "the driver's parameters cannot be read here; this process has an administrator's rights", {}};
    return {std::nullopt, "the driver's parameters cannot be read here; without an administrator's rights counters are refused by default",
            "if they are: run as root or with CAP_SYS_ADMIN, or have NVreg_RestrictProfilingToAdminUsers=0 set on the host"};
}

CounterPermission counter_permission() {
    const auto text = [](const char* path) {
        Result<std::string> read = read_file(path);
        return read ? *std::move(read) : std::string();
    };
    return counter_permission(text("/proc/driver/nvidia/params"), text("/proc/self/status"));
}

} // namespace apod::device::cuda
