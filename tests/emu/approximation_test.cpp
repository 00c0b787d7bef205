// How far the approximations are off, over dense samples. docs/emulator.md states these bounds.
#include "emu/launch.hpp"
#include "tests/emu/approximation_cases.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

namespace apod::emu::testing {

namespace {

// Runs the instruction on every input; 32-bit elements in and out.
std::vector<std::uint32_t> run_all(const std::string& instruction, const std::vector<std::uint32_t>& in) {
    const std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                             ".reg .b32 %r<6>;\n.reg .b64 %d<6>;\n"
                             "ld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
                             "mad.lo.u32 %r1, %r2, 256, %r1;\nmul.wide.u32 %d3, %r1, 4;\nadd.s64 %d1, %d1, %d3;\nadd.s64 %d2, %d2, %d3;\n"
                             "ld.global.b32 %r3, [%d1];\n" +
                             instruction + " %r4, %r3;\nst.global.b32 [%d2], %r4;\nret;\n}\n";
    std::vector<std::uint32_t> out(in.size());
    DeviceMemory memory(1ull << 28);
    auto module = ptx::parse(text, "approximation.ptx");
    EXPECT_TRUE(module);
    auto image = Image::load(*module, memory);
    auto program = lower(*image, "k");
    EXPECT_TRUE(program) << to_text(program.error());
    const std::uint64_t parameters[] = {*memory.allocate(in.size() * 4, "in"), *memory.allocate(in.size() * 4, "out")};
    (void)memory.write(parameters[0], in.data(), in.size() * 4);
    RunOptions options;
    options.threads = 1;
    const auto blocks = static_cast<std::uint32_t>(in.size() / 256);
    EXPECT_TRUE(run(**program, {{blocks, 1, 1}, {256, 1, 1}, 0, std::as_bytes(std::span(parameters))}, memory, options));
    (void)memory.read(out.data(), parameters[1], in.size() * 4);
    return out;
}

// Every 32749th float, so that all binades are sampled.
std::vector<std::uint32_t> spread_samples() {
    std::vector<std::uint32_t> list;
    for (std::uint64_t bits = 0; bits < 1ull << 32; bits += 32749) list.push_back(static_cast<std::uint32_t>(bits));
    while (list.size() % 256 != 0) list.push_back(0);
    return list;
}
// The interval [from, to] in equal steps, where the function does its work.
std::vector<std::uint32_t> interval_samples(float from, float to) {
    constexpr unsigned count = 1u << 16;
    std::vector<std::uint32_t> list;
    for (unsigned i = 0; i < count; ++i) list.push_back(std::bit_cast<std::uint32_t>(from + (to - from) * (static_cast<float>(i) / count)));
    return list;
}

struct Measured {
    long double worst = 0;
    std::uint32_t at = 0;
};
Measured worst_error(const Approximation& f, const std::string& instruction, const std::vector<std::uint32_t>& in) {
    const auto out = run_all(instruction, in);
    Measured measured;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::uint64_t bits = in[i];
        const long double error = error_in_ulp(f, false, &bits, out[i]);
        if (error > measured.worst) measured = {error, in[i]};
    }
    return measured;
}

} // namespace

TEST(EmulatorApproximations, StayWithinTheirStatedErrorOverDenseSamples) {
    const auto spread = spread_samples();
    for (const Approximation& f : approximations()) {
        if (f.kind != Kind::f32 || f.operands != 1) continue;
        const std::string instruction = std::string(f.name) + ".f32";
        Measured worst = worst_error(f, instruction, spread);
        for (const auto& [from, to] : {std::pair{-1.0f, 1.0f}, std::pair{0.5f, 2.0f}, std::pair{-130.0f, 130.0f}, std::pair{-7.0f, 7.0f}}) {
            const Measured here = worst_error(f, instruction, interval_samples(from, to));
            if (here.worst > worst.worst) worst = here;
        }
        EXPECT_LE(worst.worst, f.bound) << instruction << " at " << fmt::format("{:#x}", worst.at);
        RecordProperty(f.name, fmt::format("{:.3f}", static_cast<double>(worst.worst)));
        fmt::print("{}: at most {:.3f} ulp, at {:#x}\n", instruction, static_cast<double>(worst.worst), worst.at);
    }
}

} // namespace apod::emu::testing
