#include "runtime/static_runtime/redirect.hpp"

#include "runtime/inspect/mapped_file.hpp"
#include "runtime/static_runtime/island.hpp"
#include "runtime/static_runtime/jump.hpp"

#include <algorithm>
#include <cstring>

#include <elf.h>
#include <sys/mman.h>

namespace apod::runtime::static_runtime {
namespace {

constexpr std::uint64_t page = 4096;

// The names that bindings keep for as long as the process runs: the file's mapping does not stay.
std::vector<std::string_view> lasting_names(const std::vector<RuntimeFunction>& functions) {
    std::vector<std::string_view> names;
    for (const RuntimeFunction& function : functions) names.push_back(*new std::string(function.name));
    return names;
}

// What is in memory must be what the file says: it may have been replaced since.
bool same_code(const Elf& elf, std::span<const std::byte> file, const RuntimeFunction& function, std::uint64_t base) {
    for (const ElfSegment& segment : elf.segments()) {
        if (segment.type != PT_LOAD || function.address < segment.address) continue;
        const std::uint64_t at = function.address - segment.address;
        if (at >= segment.file_bytes) continue;
        const std::uint64_t offset = segment.offset + at;
        const std::uint64_t bytes = std::min<std::uint64_t>({function.room, 16, segment.file_bytes - at});
        if (offset > file.size() || bytes > file.size() - offset) return false;
        return std::memcmp(file.data() + offset, reinterpret_cast<const void*>(base + function.address), bytes) == 0;
    }
    return false;
}

bool protect(std::uint64_t low, std::uint64_t high, int protection) {
    const std::uint64_t begin = low / page * page;
    return ::mprotect(reinterpret_cast<void*>(begin), high - begin, protection) == 0;
}

void fill_with_traps(const StaticRuntime& runtime, std::uint64_t base) {
    const auto fill = [base](const RuntimeFunction& function) {
        std::memset(reinterpret_cast<void*>(base + function.address), static_cast<int>(trap_byte), function.room);
    };
    for (const RuntimeFunction& function : runtime.functions) fill(function);
    for (const RuntimeFunction& function : runtime.inner) fill(function);
}

// From the first byte that is written to the last.
std::pair<std::uint64_t, std::uint64_t> extent(const StaticRuntime& runtime, std::uint64_t base) {
    std::uint64_t low = UINT64_MAX;
    std::uint64_t high = 0;
    for (const std::vector<RuntimeFunction>* functions : {&runtime.functions, &runtime.inner})
        for (const RuntimeFunction& function : *functions) {
            low = std::min(low, base + function.address);
            high = std::max(high, base + function.address + function.room);
        }
    return {low, high};
}

Result<void> write_jumps(const StaticRuntime& runtime, const std::vector<Write>& writes, std::uint64_t base, bool trap) {
    const auto [low, high] = extent(runtime, base);
    if (!protect(low, high, PROT_READ | PROT_WRITE | PROT_EXEC))
        return internal_error("the system does not let the program's code be redirected");
    if (trap) fill_with_traps(runtime, base);
    for (const std::uint64_t function : runtime.run_by_loader) *reinterpret_cast<std::byte*>(base + function) = return_byte;
    for (const Write& write : writes) std::memcpy(reinterpret_cast<void*>(write.address), write.bytes.data(), write.bytes.size());
    if (!protect(low, high, PROT_READ | PROT_EXEC)) return internal_error("the system does not let the redirected code be executed");
    return {};
}

// Device code that neither asks for a runtime library nor shows the one that it must have.
bool hides_runtime(const Elf& elf) {
    if (elf.section(".nv_fatbin") == nullptr || !elf.is_stripped()) return false;
    const Result<Elf::Libraries> libraries = elf.libraries();
    if (!libraries) return false;
    return std::none_of(libraries->needed.begin(), libraries->needed.end(),
                        [](std::string_view name) { return name.starts_with("libcudart.so"); });
}

} // namespace

Result<Redirected> redirect(const Object& object, bool trap) {
    const Result<MappedFile> file = MappedFile::open(object.file);
    if (!file) return Redirected(); // the kernel's own object has no file
    const Result<Elf> elf = Elf::read(file->bytes(), object.file);
    if (!elf) return elf.error();
    const Result<StaticRuntime> runtime = find_static_runtime(*elf);
    if (!runtime) return runtime.error();
    if (!runtime->present()) return Redirected{0, hides_runtime(*elf)};
    for (const RuntimeFunction& function : runtime->functions)
        if (!same_code(*elf, file->bytes(), function, object.base))
            return internal_error(object.file + " is not the file that was loaded: " + std::string(function.name) + " differs");
    const std::vector<std::string_view> names = lasting_names(runtime->functions);
    const auto [low, high] = extent(*runtime, object.base);
    const char* library = runtime->version == 12 ? "libcudart.so.12" : "libcudart.so.13";
    const Result<Island> island = Island::make(low, high, names, library);
    if (!island) return island.error();
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < names.size(); ++i)
        entries.push_back({names[i], object.base + runtime->functions[i].address, runtime->functions[i].room, island->stub(i)});
    const Result<std::vector<Write>> writes = plan_jumps(entries);
    if (!writes) return writes.error();
    if (const Result<void> written = write_jumps(*runtime, *writes, object.base, trap); !written) return written.error();
    return Redirected{names.size(), false};
}

} // namespace apod::runtime::static_runtime
