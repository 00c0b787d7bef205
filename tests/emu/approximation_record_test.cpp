// The approximations as an H200 computes them (tests/replay/h200/approximations.csv) and as the emulator does: other last bits, both within
// the error that the PTX manual allows.
#include "tests/emu/kernel_run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

namespace apod::emu::testing {

namespace {

struct Function {
    const char* instruction;
    double (*exact)(double);
    float from, to;                                   // where it is sampled
    double (*allowed)(double argument, double exact); // the manual's bound on the absolute error
};

double relative(double exact, double bound) { return std::fabs(exact) * bound; }

const Function functions[] = {
    {"ex2.approx.f32", std::exp2, -100, 100, [](double, double y) { return relative(y, 0x1p-22); }},
    {"lg2.approx.f32", std::log2, 0.001f, 64, [](double x, double y) { return x > 0.5 && x < 2 ? 0x1p-22 : relative(y, 0x1p-22); }},
    {"sin.approx.f32", std::sin, -6.28f, 6.28f, [](double, double) { return 0x1.6a09e6p-21; }}, // 2^-20.5
    {"cos.approx.f32", std::cos, -6.28f, 6.28f, [](double, double) { return 0x1.6a09e6p-21; }},
    {"tanh.approx.f32", std::tanh, -8, 8, [](double, double y) { return relative(y, 0x1p-11); }},
    {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 1e-6f, 1e6f,
     [](double, double y) { return relative(y, 0x1.125fbep-23); }},
    {"sqrt.approx.f32", std::sqrt, 1e-6f, 1e6f, [](double, double y) { return relative(y, 0x1p-23); }},
    {"rcp.approx.f32", [](double x) { return 1 / x; }, 1e-6f, 1e6f, [](double, double y) { return relative(y, 0x1p-23); }},
};

constexpr unsigned samples = 1024;

// Evenly over the interval; where it spans decades, evenly over those.
std::vector<std::uint32_t> arguments(const Function& f) {
    std::vector<std::uint32_t> list;
    for (unsigned i = 0; i < samples; ++i) {
        const double t = (i + 0.5) / samples;
        const double x = f.from > 0 ? f.from * std::pow(static_cast<double>(f.to) / f.from, t) : f.from + (f.to - f.from) * t;
        list.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    }
    return list;
}

std::vector<std::uint32_t> results(const Function& f, const std::vector<std::uint32_t>& in, std::string& error) {
    KernelRun run;
    run.text = fmt::format(".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n"
                           ".reg .b32 %r<6>;\n.reg .b64 %d<6>;\nld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\nmov.u32 %r1, %tid.x;\n"
                           "mov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 256, %r1;\nmul.wide.u32 %d3, %r1, 4;\nadd.s64 %d1, %d1, %d3;\n"
                           "add.s64 %d2, %d2, %d3;\nld.global.b32 %r3, [%d1];\n{} %r4, %r3;\nst.global.b32 [%d2], %r4;\nret;\n}}\n",
                           f.instruction);
    run.threads = 256;
    run.blocks = samples / 256;
    run.buffers = {bytes_of(in.data(), in.size()), std::vector<std::byte>(in.size() * 4)};
    error = run_kernel(run);
    std::vector<std::uint32_t> out(in.size());
    std::memcpy(out.data(), run.buffers[1].data(), out.size() * 4);
    return out;
}

using Record = std::map<std::string, std::vector<std::uint32_t>>; // results by instruction, in the order of the arguments

Record read_record() {
    Record record;
    std::ifstream file(APOD_SOURCE_DIR "/tests/replay/h200/approximations.csv");
    for (std::string line; std::getline(file, line);) {
        const std::size_t comma = line.find(',');
        if (line.empty() || line[0] == '#' || comma == std::string::npos) continue;
        record[line.substr(0, comma)].push_back(static_cast<std::uint32_t>(std::stoul(line.substr(comma + 1), nullptr, 16)));
    }
    return record;
}

// The largest error over what the manual allows.
double worst_share(const Function& f, const std::vector<std::uint32_t>& in, const std::vector<std::uint32_t>& out) {
    double worst = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const double x = std::bit_cast<float>(in[i]);
        const double exact = f.exact(x);
        const double rounding = std::fabs(exact) * 0x1p-24; // the bounds are of the function before its result is rounded
        const double error = std::fabs(std::bit_cast<float>(out[i]) - exact);
        worst = std::max(worst, error / (f.allowed(x, exact) + rounding));
    }
    return worst;
}

} // namespace

TEST(RecordedApproximations, HardwareAndEmulatorAreBothWithinWhatTheManualAllows) {
    const Record record = read_record();
    for (const Function& f : functions) {
        const auto in = arguments(f);
        std::string error;
        const auto out = results(f, in, error);
        ASSERT_EQ(error, "") << f.instruction;
        EXPECT_LE(worst_share(f, in, out), 1.0) << f.instruction;
        if (const char* path = std::getenv("APOD_RECORD_APPROXIMATIONS"); on_hardware() && path != nullptr) {
            std::ofstream file(path, std::ios::app);
            for (const std::uint32_t bits : out) file << fmt::format("{},{:08x}\n", f.instruction, bits);
        }
        if (on_hardware()) continue;
        const auto found = record.find(f.instruction);
        ASSERT_NE(found, record.end()) << f.instruction << " was not recorded";
        ASSERT_EQ(found->second.size(), in.size());
        EXPECT_LE(worst_share(f, in, found->second), 1.0) << f.instruction << " on the H200";
    }
}

} // namespace apod::emu::testing
