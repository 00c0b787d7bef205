#include "emu/host_memory.hpp"

#include "emu/stray.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

namespace apod::emu {

StrangeAddress strange_address(std::uint64_t address, std::uint32_t bytes) {
    constexpr std::uint64_t null_page = 4096; // a member of an object at 0, an element of an array there
    if (address < null_page) return StrangeAddress::null;
    if (address + bytes >= address && in_device_range(address, address + bytes)) return StrangeAddress::no;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    unsigned char resident = 0;
    const bool mapped = mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0;
    return mapped ? StrangeAddress::host : StrangeAddress::none;
}

std::string strange_text(StrangeAddress kind, std::uint64_t address) {
    switch (kind) {
    case StrangeAddress::no: break;
    case StrangeAddress::null: return fmt::format("at a null pointer ({:#x})", address);
    case StrangeAddress::host:
        return fmt::format("at {:#x}, which is the program's own memory on the host: the device does not reach it", address);
    case StrangeAddress::none:
        return fmt::format("out of bounds at global address {:#x}, where neither the device nor the program has memory", address);
    }
    return {};
}

const char* strange_advice(StrangeAddress kind) {
    switch (kind) {
    case StrangeAddress::null: return "check that the pointer was set, and that its allocation succeeded";
    case StrangeAddress::host:
        return "give the kernel memory that the device reaches: cudaMalloc and a copy there (cudaMemcpy), cudaMallocManaged, or "
               "cudaMallocHost "
               "or cudaHostRegister for memory of the host";
    default: return "check the index and the pointer: is it set, and is it one of the device?";
    }
}

} // namespace apod::emu
