// Any bytes as a kernel's format for printf, with whatever arguments.
#include "emu/library/print.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The arguments are before the first zero byte, the format behind it.
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = all.find('\0');
    const std::string_view packed = zero == std::string_view::npos ? std::string_view() : all.substr(0, zero);
    apod::emu::PrintArguments arguments;
    arguments.read = [&](std::uint64_t offset, std::uint32_t bytes, void* to) {
        if (offset > packed.size() || bytes > packed.size() - offset) return false;
        std::memcpy(to, packed.data() + offset, bytes);
        return true;
    };
    arguments.text = [](std::uint64_t address, std::string& text) {
        text.assign(address % 100, 'x');
        return address % 7 != 0;
    };
    std::string out;
    if (apod::emu::format_print(out, zero == std::string_view::npos ? all : all.substr(zero + 1), arguments) > 32) std::abort();
    return 0;
}
