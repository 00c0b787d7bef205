// The kernels that the emulator's speed is measured with are correct: checks say nothing about them.
#include "run_checked.hpp"

#include "bench/emu/kernel_cases.hpp"
#include "emu/check/allocations.hpp"
#include "emu/check/log.hpp"
#include "emu/launch.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <span>
#include <sstream>

namespace apod::checks {
namespace {

// The cases fill their buffers directly, as no program can: that counts.
void mark_written(emu::Allocations& allocations, std::span<const std::byte> parameters) {
    for (std::size_t at = 0; at + 8 <= parameters.size(); at += 8) {
        std::uint64_t value = 0;
        std::memcpy(&value, parameters.data() + at, 8);
        if (const emu::ObjectId id = allocations.find(value); id != 0) allocations.wrote(allocations[id].base, allocations[id].bytes);
    }
}

TEST(Checks, SayNothingAboutTheKernelsOfTheBenchmark) {
    emu::DeviceMemory memory(8ull << 30);
    memory.enable_checks();
    std::ifstream file(std::string(APOD_SOURCE_DIR) + "/bench/emu/kernels.ptx");
    std::stringstream text;
    text << file.rdbuf();
    auto module = ptx::parse(text.str(), "kernels.ptx");
    ASSERT_TRUE(module) << apod::to_text(module.error());
    auto image = emu::Image::load(*module, memory);
    ASSERT_TRUE(image) << apod::to_text(image.error());
    const std::vector<bench::KernelCase> cases = bench::kernel_cases(memory);
    EXPECT_FALSE(cases.empty());
    for (const bench::KernelCase& kernel : cases) {
        auto program = emu::lower(*image, kernel.name);
        ASSERT_TRUE(program) << apod::to_text(program.error());
        emu::CheckLog log;
        emu::RunOptions options;
        options.sm_count = 4;
        options.max_blocks = 16;
        options.checks = &log;
        const emu::LaunchConfig config = kernel.launch();
        mark_written(*memory.checks(), config.parameters);
        auto execution = emu::run(**program, config, memory, options);
        EXPECT_TRUE(execution) << kernel.name << ": " << apod::to_text(execution.error());
        for (const CheckReport& report : log.reports()) ADD_FAILURE() << kernel.name << ": " << to_text(report);
    }
}

} // namespace
} // namespace apod::checks
