// What nvcc's code calls before main: fatbins, kernels, variables.
#include "runtime/core/message.hpp"
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

struct Wrapper { // of .nvFatBinSegment
    std::uint32_t magic;
    std::uint32_t version;
    const std::byte* data;
    const std::byte* const* parts; // of version 2: the fatbins of the units that -rdc=true linked, then a null pointer
};

constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::uint32_t version_of_linked = 2;

std::vector<const std::byte*> parts_of(const Wrapper& wrapper) {
    std::vector<const std::byte*> parts;
    if (wrapper.version != version_of_linked || wrapper.parts == nullptr) return parts;
    for (const std::byte* const* part = wrapper.parts; *part != nullptr; ++part) parts.push_back(*part);
    return parts;
}

Module* module_of(void** handle) { return reinterpret_cast<Module*>(handle); }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void** __cudaRegisterFatBinary(void* data) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    const auto* wrapper = static_cast<const Wrapper*>(data);
    const bool known = wrapper->magic == wrapper_magic && wrapper->version <= version_of_linked;
    if (!known) say("error: the program registers device code in a form that is not known");
    if (!known) return reinterpret_cast<void**>(runtime.add_fatbin(nullptr));
    return reinterpret_cast<void**>(runtime.add_fatbin(wrapper->data, parts_of(*wrapper)));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    runtime.remove_module(module_of(handle));
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*, void*, void*, int*) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    runtime.add_kernel(module_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t bytes, int constant, int) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    runtime.add_variable(host, {module_of(handle), name, bytes, constant != 0, nullptr});
}

void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* name, int, std::size_t bytes, int constant, int) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    runtime.add_variable(host_pointer, {module_of(handle), name, bytes, constant != 0, host_pointer});
}

// Called before the first use of a managed variable by the host.
char __cudaInitModule(void**) {
    return call([](Runtime& runtime) { return runtime.place_managed(); }) == Error::success ? 1 : 0;
}

Error cudaGetSymbolAddress(void** address, const void* symbol) {
    return call([&](Runtime& runtime) {
        const Variable* variable = runtime.find_variable(symbol);
        if (variable == nullptr) return Error::invalid_symbol;
        apod::emu::DeviceAddress at = 0;
        const Error error = runtime.variable_address(*variable, this_thread().device, at);
        *address = reinterpret_cast<void*>(at);
        return error;
    });
}

Error cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
    return call([&](Runtime& runtime) {
        const Variable* variable = runtime.find_variable(symbol);
        if (variable == nullptr) return Error::invalid_symbol;
        *bytes = variable->bytes;
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
