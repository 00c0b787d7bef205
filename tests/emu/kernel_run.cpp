#include "tests/emu/kernel_run.hpp"

#include "emu/launch.hpp"
#include "tests/emu/hardware.hpp"

#include <cstdlib>
#include <span>
#include <string_view>

namespace apod::emu::testing {

namespace {

std::string run_emulated(KernelRun& run) {
    DeviceMemory memory(1ull << 28);
    auto module = ptx::parse(run.text, "test.ptx");
    if (!module) return to_text(module.error()) + "\n" + run.text;
    auto image = Image::load(*module, memory);
    if (!image) return to_text(image.error());
    auto program = lower(*image, "k");
    if (!program) return to_text(program.error());
    std::vector<std::byte> parameters;
    const auto add = [&](const void* value, std::size_t bytes) {
        const auto* first = static_cast<const std::byte*>(value);
        parameters.insert(parameters.end(), first, first + bytes);
    };
    std::vector<DeviceAddress> places;
    for (const auto& buffer : run.buffers) {
        places.push_back(*memory.allocate(buffer.size(), "buffer"));
        (void)memory.write(places.back(), buffer.data(), buffer.size());
        add(&places.back(), 8);
    }
    for (const std::uint32_t scalar : run.scalars) add(&scalar, 4);
    RunOptions options;
    options.threads = 1;
    const LaunchConfig config{{run.blocks, 1, 1}, {run.threads, 1, 1}, 0, parameters};
    if (auto execution = emu::run(**program, config, memory, options); !execution) return to_text(execution.error());
    for (std::size_t i = 0; i < places.size(); ++i) (void)memory.read(run.buffers[i].data(), places[i], run.buffers[i].size());
    return {};
}

} // namespace

bool on_hardware() {
    const char* where = std::getenv("APOD_TESTS_ON");
    return where != nullptr && std::string_view(where) == "cuda";
}

std::string run_kernel(KernelRun& run) { return on_hardware() ? run_on_hardware(run) : run_emulated(run); }

std::uint64_t hash_of(const void* bytes, std::size_t count, std::uint64_t state) {
    const auto* first = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < count; ++i) state = (state ^ first[i]) * 0x100000001b3ull;
    return state;
}

} // namespace apod::emu::testing
