#include "runtime/static_runtime/objects.hpp"

#include "runtime/static_runtime/bind.hpp"
#include "runtime/static_runtime/island.hpp"
#include "runtime/static_runtime/jump.hpp"
#include "runtime/static_runtime/redirect.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace apod::runtime::static_runtime {
namespace {

// An object by where it lies: the same file may come again elsewhere, another one may come to the same place after dlclose.
struct Seen {
    const link_map* map;
    std::uint64_t base;
    const void* dynamic;
    bool operator==(const Seen&) const = default;
};

Options chosen;

std::vector<Seen>& seen() {
    static auto& objects = *new std::vector<Seen>;
    return objects;
}

void write_line(const std::string& text) { [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size()); }

bool is_ours(const std::string& file) { return file.substr(0, file.rfind('/') + 1) == own_directory(); }

void redirect_object(const link_map& map, bool executable) {
    const Object object{executable ? "/proc/self/exe" : map.l_name, map.l_addr};
    if (object.file.empty() || is_ours(object.file)) return;
    const Result<Redirected> redirected = redirect(object, chosen.trap);
    if (!redirected) give_up((executable ? "" : object.file + ": ") + redirected.error().message, 70);
    if (redirected->hidden)
        write_line("apod: warning: " + object.file +
                   " is stripped and has the CUDA runtime linked into it, where nobody can find it: it will see no device\n"
                   "  help: leave its symbols in (no strip, no -s), or link it with nvcc -cudart shared\n");
    if (!chosen.tell || redirected->functions == 0) return;
    write_line("apod: note: " + std::to_string(redirected->functions) + " functions of the CUDA runtime redirected in " + object.file +
               "\n");
}

void redirect_new_objects() {
    std::vector<Seen> present;
    const link_map* first = _r_debug.r_map;
    for (const link_map* map = first; map != nullptr; map = map->l_next) {
        const Seen object{map, map->l_addr, map->l_ld};
        present.push_back(object);
        if (std::find(seen().begin(), seen().end(), object) == seen().end()) redirect_object(*map, map == first);
    }
    seen() = std::move(present);
}

// The loader calls this in place of its own empty function when it has begun to change its list and when the list is whole again; that is
// before it runs constructors. Debuggers stop there.
void list_changed() {
    if (_r_debug.r_state == r_debug::RT_CONSISTENT) redirect_new_objects();
}

// The loader's function must be empty, and have room for a jump before the next one begins.
bool has_room(const unsigned char* code) {
    constexpr std::size_t alignment = 16;
    constexpr unsigned char landing[] = {0xf3, 0x0f, 0x1e, 0xfa}; // endbr64
    std::size_t at = std::memcmp(code, landing, sizeof landing) == 0 ? sizeof landing : 0;
    return code[at] == 0xc3 && reinterpret_cast<std::uintptr_t>(code) % alignment == 0;
}

// False where the loader is of another make.
bool hook_loader() {
    auto* code = reinterpret_cast<unsigned char*>(_r_debug.r_brk);
    if (code == nullptr || !has_room(code)) return false;
    const auto address = reinterpret_cast<std::uint64_t>(code);
    std::byte* memory = memory_near(address, address, 4096);
    if (memory == nullptr) return false;
    constexpr std::uint64_t room = 16;
    const auto hook = reinterpret_cast<std::uint64_t>(&list_changed);
    const Entry stub{"the loader's hook", reinterpret_cast<std::uint64_t>(memory), room, hook};
    const Entry entry{"the loader's notice", address, room, stub.address};
    const Result<std::vector<Write>> far = plan_jumps({&stub, 1});
    const Result<std::vector<Write>> near = plan_jumps({&entry, 1});
    if (!far || !near) return false;
    std::memcpy(memory, (*far)[0].bytes.data(), (*far)[0].bytes.size());
    void* page = reinterpret_cast<void*>(address / 4096 * 4096);
    if (::mprotect(memory, 4096, PROT_READ | PROT_EXEC) != 0) return false;
    if (::mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
    std::memcpy(code, (*near)[0].bytes.data(), (*near)[0].bytes.size());
    return ::mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
}

} // namespace

void watch_objects(const Options& options) {
    chosen = options;
    redirect_new_objects();
    if (hook_loader() || !chosen.tell) return;
    write_line("apod: note: libraries that are loaded later keep their own CUDA runtime: this loader is not known\n");
}

} // namespace apod::runtime::static_runtime
