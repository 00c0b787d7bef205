#include "runtime/core/readable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace apod::runtime {

std::size_t readable_bytes(const void* from, std::size_t wanted) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(from);
    const std::uintptr_t first = start / page * page;
    std::array<unsigned char, 512> resident; // of a page each: not asked for, but written
    const std::uintptr_t end = wanted > UINTPTR_MAX - page - start ? UINTPTR_MAX - page : start + wanted;
    std::uintptr_t at = first;
    while (at < end) {
        std::uintptr_t step = std::min<std::uintptr_t>((end - at + page - 1) / page, resident.size()) * page;
        while (step > 0 && ::mincore(reinterpret_cast<void*>(at), step, resident.data()) != 0) step = step / page / 2 * page;
        if (step == 0) break; // not even one page
        at += step;
    }
    return at <= start ? 0 : std::min<std::size_t>(at - start, wanted);
}

} // namespace apod::runtime
