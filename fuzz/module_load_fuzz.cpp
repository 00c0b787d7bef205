// Any PTX that parses is placed in memory, lowered and run for a while, or refused with a reason: no text makes the emulator itself fail.
#include "emu/launch.hpp"
#include "emu/memory.hpp"
#include "emu/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace {

void run(const apod::emu::Program& program, apod::emu::DeviceMemory& memory) {
    if (program.static_shared_bytes > 1u << 18 || program.local_bytes > 1u << 16 || program.parameter_bytes > 1u << 16) return;
    const std::vector<std::byte> parameters(program.parameter_bytes);
    apod::emu::RunOptions options;
    options.threads = 1;
    options.watchdog_instructions = 5000;
    options.print = [](std::string_view) {};
    options.print_error = [](std::string_view) {};
    (void)apod::emu::run(program, {{2, 1, 1}, {48, 1, 1}, 1024, parameters}, memory, options);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto module = apod::ptx::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
    if (!module) return 0;
    static apod::emu::DeviceMemory memory(64ull << 20);
    const auto image = apod::emu::Image::load(*module, memory);
    if (!image) return 0;
    for (const apod::ptx::Function& function : (*module)->functions) {
        if (!function.is_entry || !function.has_body) continue;
        const auto program = apod::emu::lower(*image, function.name);
        if (program) run(**program, memory);
    }
    return 0;
}
