// Any bytes as a program: whatever the reader gives must lie in the bytes.
#include "runtime/inspect/elf.hpp"
#include "runtime/inspect/static_runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace {

// Reads every byte, so that the address sanitizer sees a view that leaves the buffer.
std::size_t touch(std::string_view text) {
    std::size_t sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    return sum;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::runtime;
    const auto elf = Elf::read(std::as_bytes(std::span(data, size)), "fuzz");
    if (!elf) return 0;
    std::size_t sum = 0;
    for (const ElfSection& section : elf->sections()) {
        sum += touch(section.name);
        const auto bytes = elf->contents(section);
        sum += touch({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    if (const auto symbols = elf->symbols())
        for (const ElfSymbol& symbol : *symbols) sum += touch(symbol.name);
    if (const auto libraries = elf->libraries())
        for (const std::string_view name : libraries->needed) sum += touch(name);
    if (const auto runtime = find_static_runtime(*elf))
        for (const RuntimeFunction& function : runtime->functions)
            if (function.room == 0) std::abort();
    return sum == SIZE_MAX ? 1 : 0;
}
