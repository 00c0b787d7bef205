#include "runtime/static_runtime/island.hpp"

#include "runtime/static_runtime/bind.hpp"
#include "runtime/static_runtime/jump.hpp"

#include <cstring>

#include <sys/mman.h>

namespace apod::runtime::static_runtime {
namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t reach = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 20); // of a near jump, with some room to spare
constexpr std::uint64_t lowest = 0x10000;                                            // below it the kernel gives no memory

std::uint64_t pages(std::uint64_t bytes) { return (bytes + page - 1) / page * page; }

std::byte* try_at(std::uint64_t address, std::size_t bytes) {
    void* wanted = reinterpret_cast<void*>(address);
    void* got = ::mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) return nullptr;
    if (got == wanted) return static_cast<std::byte*>(got);
    ::munmap(got, bytes); // a kernel before 4.17 takes the address for a hint
    return nullptr;
}

} // namespace

// Below first: above a program its heap grows.
std::byte* memory_near(std::uint64_t low, std::uint64_t high, std::size_t bytes) {
    const std::uint64_t size = pages(bytes);
    std::uint64_t step = page;
    for (std::uint64_t away = size + page; low > lowest + away && high - (low - away) < reach; away += step) {
        if (std::byte* found = try_at((low - away) / page * page, size)) return found;
        step = away < (std::uint64_t{1} << 20) ? page * 16 : std::uint64_t{1} << 20;
    }
    for (std::uint64_t away = std::uint64_t{1} << 28; high + away + size - low < reach; away += std::uint64_t{1} << 20)
        if (std::byte* found = try_at((high + away) / page * page, size)) return found;
    void* anywhere = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return anywhere == MAP_FAILED ? nullptr : static_cast<std::byte*>(anywhere);
}

Result<Island> Island::make(std::uint64_t low, std::uint64_t high, std::span<const std::string_view> names, const char* library) {
    const std::uint64_t code_bytes = pages(names.size() * stub_bytes);
    const std::uint64_t slot_bytes = pages((names.size() + 1) * sizeof(std::uint64_t));
    std::byte* memory = memory_near(low, high, code_bytes + slot_bytes);
    if (memory == nullptr) return internal_error("no memory for the redirection of the CUDA runtime");
    auto* slots = reinterpret_cast<std::uint64_t*>(memory + code_bytes);
    std::uint64_t* binder_slot = slots + names.size();
    *binder_slot = binder_address();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::uint32_t number = add_binding({names[i], library, &slots[i]});
        const auto stub = reinterpret_cast<std::uint64_t>(memory) + i * stub_bytes;
        const std::vector<std::byte> code =
            stub_code(stub, reinterpret_cast<std::uint64_t>(&slots[i]), number, reinterpret_cast<std::uint64_t>(binder_slot));
        std::memcpy(memory + i * stub_bytes, code.data(), code.size());
        slots[i] = stub + stub_second_half;
    }
    if (::mprotect(memory, code_bytes, PROT_READ | PROT_EXEC) != 0)
        return internal_error("the system does not let the redirection of the CUDA runtime be executed");
    return Island(reinterpret_cast<std::uint64_t>(memory));
}

std::uint64_t Island::stub(std::size_t index) const { return base_ + index * stub_bytes; }

} // namespace apod::runtime::static_runtime
