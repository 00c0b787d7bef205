#include "runtime/static_runtime/bind.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

extern "C" void apod_static_binder();
extern "C" __attribute__((visibility("hidden"))) std::uint64_t apod_static_bind(std::uint32_t number);

// A call's arguments are in these registers (System V ABI for x86-64); %rax counts vector registers for variadic functions. On entry the
// stack holds the binding's number, then the return address of the call.
__asm__(R"(
    .text
    .hidden apod_static_binder
    .globl apod_static_binder
    .type apod_static_binder, @function
apod_static_binder:
    pushq %rbp
    movq %rsp, %rbp
    pushq %rax
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %r10
    subq $136, %rsp
    movups %xmm0, 0(%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movl 8(%rbp), %edi
    call apod_static_bind
    movq %rax, %r11
    movups 0(%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $136, %rsp
    popq %r10
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rax
    popq %rbp
    addq $8, %rsp
    jmp *%r11
    .size apod_static_binder, . - apod_static_binder
)");

namespace apod::runtime::static_runtime {
namespace {

// Blocks that never move: a call may read one while another object's entries are added.
constexpr std::size_t block_size = 512;
constexpr std::size_t most_blocks = 4096;
std::array<std::atomic<Binding*>, most_blocks> blocks;
std::atomic<std::uint32_t> bindings{0};

void* open_runtime(const char* library) {
    const std::string path = std::string(own_directory()) + library;
    void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* why = ::dlerror();
        give_up("cannot load " + path + ": " + (why != nullptr ? why : "no reason given"), 4);
    }
    return handle;
}

} // namespace

std::uint32_t add_binding(const Binding& binding) {
    const std::uint32_t number = bindings.load();
    const std::size_t block = number / block_size;
    if (block >= most_blocks) give_up("too many libraries with a CUDA runtime of their own", 70);
    if (blocks[block].load() == nullptr) blocks[block].store(new Binding[block_size]);
    blocks[block].load()[number % block_size] = binding;
    bindings.store(number + 1);
    return number;
}

std::uint64_t binder_address() { return reinterpret_cast<std::uint64_t>(&apod_static_binder); }

const char* own_directory() {
    static const std::string directory = [] {
        Dl_info info = {};
        ::dladdr(reinterpret_cast<void*>(&own_directory), &info);
        const std::string path = info.dli_fname != nullptr ? info.dli_fname : "";
        return path.substr(0, path.rfind('/') + 1);
    }();
    return directory.c_str();
}

void give_up(std::string_view what, int exit_code) {
    const std::string line = "apod: error: " + std::string(what) + "\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(exit_code);
}

} // namespace apod::runtime::static_runtime

std::uint64_t apod_static_bind(std::uint32_t number) {
    using namespace apod::runtime::static_runtime;
    const Binding& binding = blocks[number / block_size].load()[number % block_size];
    void* handle = open_runtime(binding.library); // counted by the loader: opening again is cheap, and happens once a function
    const std::string name(binding.name);
    void* function = ::dlsym(handle, name.c_str());
    if (function == nullptr) give_up("the program calls " + name + ", which apod's CUDA runtime does not have", 4);
    const auto address = reinterpret_cast<std::uint64_t>(function);
    __atomic_store_n(binding.slot, address, __ATOMIC_RELEASE);
    return address;
}
