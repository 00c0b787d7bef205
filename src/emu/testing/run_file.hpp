// Running a kernel of one of the PTX files that the tests share. All of these kernels take (unsigned* out, const unsigned* in, unsigned n).
#pragma once

#include "emu/launch.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace apod::emu::testing {

struct FileRun {
    std::shared_ptr<DeviceMemory> memory; // that the program's image lies in; of run_file() only
    std::vector<std::uint32_t> out;
    std::shared_ptr<const Program> program;
    Execution execution;
    std::string error;   // empty: it ran
    std::string printed; // by the kernel
    std::string errors;
};

struct FileLaunch {
    Dim3 grid{1, 1, 1};
    Dim3 block{32, 1, 1};
    std::uint32_t n = 0;
    std::size_t out_words = 0; // 0: as many as there are threads
    unsigned threads = 1;
    bool cooperative = false;
    std::uint32_t stack_bytes = 16384;
};

inline std::shared_ptr<const ptx::Module> test_module(const std::string& name) {
    std::ifstream file(std::string(APOD_SOURCE_DIR) + "/tests/data/ptx/" + name);
    std::stringstream text;
    text << file.rdbuf();
    auto module = ptx::parse(text.str(), name);
    return module ? *module : nullptr;
}

// In a memory of the caller, so that several launches can share a module's variables and the heap.
inline FileRun run_image(const std::shared_ptr<const Image>& image, DeviceMemory& memory, const std::string& kernel,
                         const std::vector<std::uint32_t>& in, const FileLaunch& launch) {
    FileRun result;
    auto program = lower(image, kernel);
    if (!program) return result.error = to_text(program.error()), result;
    result.program = *program;
    result.out.assign(launch.out_words != 0 ? launch.out_words : launch.grid.count() * launch.block.count(), 0);
    struct {
        std::uint64_t out, in;
        std::uint32_t n;
    } parameters{*memory.allocate(result.out.size() * 4, "out"), *memory.allocate(in.size() * 4, "in"), launch.n};
    (void)memory.write(parameters.out, result.out.data(), result.out.size() * 4);
    (void)memory.write(parameters.in, in.data(), in.size() * 4);
    RunOptions options;
    options.sm_count = 4;
    options.threads = launch.threads;
    options.watchdog_instructions = 50'000'000;
    options.cooperative = launch.cooperative;
    options.stack_bytes = launch.stack_bytes;
    options.print = [&](std::string_view text) { result.printed += text; };
    options.print_error = [&](std::string_view text) { result.errors += text; };
    const LaunchConfig config{launch.grid, launch.block, 0, {reinterpret_cast<const std::byte*>(&parameters), 20}};
    auto execution = run(**program, config, memory, options);
    (void)memory.read(result.out.data(), parameters.out, result.out.size() * 4);
    (void)memory.free(parameters.out);
    (void)memory.free(parameters.in);
    if (!execution) return result.error = to_text(execution.error()), result;
    result.execution = std::move(*execution);
    return result;
}

inline FileRun run_file(const std::string& file, const std::string& kernel, const std::vector<std::uint32_t>& in,
                        const FileLaunch& launch) {
    FileRun result;
    const auto module = test_module(file);
    if (module == nullptr) return result.error = "cannot read " + file, result;
    auto memory = std::make_shared<DeviceMemory>(1ull << 30);
    auto image = Image::load(module, *memory);
    if (!image) return result.error = to_text(image.error()), result;
    result = run_image(*image, *memory, kernel, in, launch);
    result.memory = std::move(memory);
    return result;
}

// What one function of a run executed, in warp instructions.
inline std::uint64_t warps_in(const FileRun& run, std::string_view function) {
    std::uint64_t count = 0;
    for (std::size_t op = 0; op < run.program->ops.size(); ++op)
        if (run.program->ops[op].function->name == function) count += run.execution.counts[op].warps;
    return count;
}

} // namespace apod::emu::testing
