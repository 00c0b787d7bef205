// Running a piece of PTX in a test: one kernel, buffers of one element type, the result or the message.
#pragma once

#include "emu/launch.hpp"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace apod::emu::testing {

// Wraps a body into ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)" with generous register declarations; %rd1 and %rd2
// hold the global addresses a and b, %r1 holds n, %r2 the thread's index in its block and %r3 in the grid.
inline std::string kernel_text(const std::string& body, const std::string& declarations = {}) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n" + declarations +
           ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"
           ".reg .pred %p<20>;\n.reg .b16 %rs<20>;\n.reg .b32 %r<60>;\n.reg .f32 %f<40>;\n.reg .b64 %rd<40>;\n.reg .f64 %fd<20>;\n"
           "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u32 %r1, [n];\n"
           "cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd2, %rd2;\n"
           "mov.u32 %r2, %tid.x;\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ntid.x;\nmad.lo.s32 %r3, %r4, %r5, %r2;\n" +
           body + "\nret;\n}\n";
}

struct Outcome {
    std::vector<std::uint32_t> a; // contents of buffer a afterwards
    Execution execution;
    std::string error; // empty: it ran
    FaultKind fault = FaultKind::none;
    std::uint64_t total_warps = 0;
};

struct Shape {
    Dim3 grid{1, 1, 1};
    Dim3 block{32, 1, 1};
    unsigned threads = 1;
    std::uint64_t watchdog = 20'000'000;
    std::uint32_t dynamic_shared = 0;
    std::function<bool(const Diagnostic&)> stalled = {};
    double stalled_after_s = 0.1;
};

inline Outcome run_text(const std::string& text, std::vector<std::uint32_t> a, const std::vector<std::uint32_t>& b, std::uint32_t n,
                        const Shape& shape = {}, const SinkFactory& sinks = {}) {
    Outcome outcome;
    auto module = ptx::parse(text, "test.ptx");
    if (!module) return outcome.error = to_text(module.error()), outcome;
    DeviceMemory memory(1ull << 30);
    auto image = Image::load(*module, memory);
    if (!image) return outcome.error = to_text(image.error()), outcome;
    auto program = lower(*image, "k");
    if (!program) return outcome.error = to_text(program.error()), outcome;
    struct {
        std::uint64_t a, b;
        std::uint32_t n;
    } parameters{*memory.allocate(a.size() * 4, "a"), *memory.allocate(std::max<std::size_t>(b.size(), 1) * 4, "b"), n};
    (void)memory.write(parameters.a, a.data(), a.size() * 4);
    if (!b.empty()) (void)memory.write(parameters.b, b.data(), b.size() * 4);
    const LaunchConfig config{shape.grid, shape.block, shape.dynamic_shared, {reinterpret_cast<const std::byte*>(&parameters), 20}};
    RunOptions options;
    options.sm_count = 8;
    options.threads = shape.threads;
    options.watchdog_instructions = shape.watchdog;
    options.stalled = shape.stalled;
    options.stalled_after_s = shape.stalled_after_s;
    options.fault = &outcome.fault;
    auto execution = run(**program, config, memory, options, sinks);
    (void)memory.read(a.data(), parameters.a, a.size() * 4);
    outcome.a = std::move(a);
    if (!execution) return outcome.error = to_text(execution.error()), outcome;
    outcome.execution = std::move(*execution);
    for (const OpCount& count : outcome.execution.counts) outcome.total_warps += count.warps;
    return outcome;
}

inline Outcome run_body(const std::string& body, std::vector<std::uint32_t> a, const std::vector<std::uint32_t>& b, std::uint32_t n,
                        const Shape& shape = {}, const SinkFactory& sinks = {}) {
    return run_text(kernel_text(body), std::move(a), b, n, shape, sinks);
}

// Ends a body: stores %r10 to a[global thread index].
inline const std::string store_r10 = "mul.wide.u32 %rd10, %r3, 4;\nadd.s64 %rd11, %rd1, %rd10;\nst.global.u32 [%rd11], %r10;\n";

} // namespace apod::emu::testing
