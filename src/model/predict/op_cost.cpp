#include "model/predict/op_cost.hpp"

namespace apod::model {

namespace {

// Clocks of one warp instruction (32 results) on a pipe with the given results a clock.
double clk(double results_per_clk) { return results_per_clk > 0 ? 32.0 / results_per_clk : 0; }

OpCost arithmetic(Pipe pipe, double rate, double latency, double instructions = 1) {
    return {instructions, pipe, instructions * clk(rate), latency};
}

// Instructions of the sequences that ptxas 13.0 emits for sm_90, on the usual path; latency is about that of the dependent chain.
OpCost expanded(emu::OpClass op_class, const arch::Gpu& gpu) {
    const arch::Throughput& rate = gpu.throughput;
    const arch::Latency& latency = gpu.latency;
    switch (op_class) {
    case emu::OpClass::fp32_div: return arithmetic(Pipe::fma, rate.fp32, latency.special + 8 * latency.alu, 10);
    case emu::OpClass::fp32_sqrt: return arithmetic(Pipe::fma, rate.fp32, latency.special + 6 * latency.alu, 8);
    case emu::OpClass::fp64_div: return arithmetic(Pipe::fp64, rate.fp64, latency.special + 9 * latency.fp64, 12);
    case emu::OpClass::fp64_sqrt: return arithmetic(Pipe::fp64, rate.fp64, latency.special + 9 * latency.fp64, 12);
    default: // integer division: two conversions and a reciprocal on the special unit set its rate (measured: 5.75 clk a warp on an H200)
        return {17, Pipe::special, 3 * clk(rate.special), 2 * latency.special + 8 * latency.alu};
    }
}

OpCost plain(emu::OpClass op_class, const arch::Gpu& gpu) {
    using enum emu::OpClass;
    const arch::Throughput& rate = gpu.throughput;
    const arch::Latency& latency = gpu.latency;
    switch (op_class) {
    case int_add: return arithmetic(Pipe::alu, rate.int_add, latency.alu);
    case int_mul: return arithmetic(Pipe::fma, rate.int_mul, latency.alu + 1);
    case logic: return arithmetic(Pipe::alu, rate.logic, latency.alu);
    case compare:
    case select: return arithmetic(Pipe::alu, rate.compare, latency.alu + 1);
    case popc: return arithmetic(Pipe::special, rate.popc, latency.special);
    case convert: return arithmetic(Pipe::convert, rate.convert, latency.special);
    case convert64: return arithmetic(Pipe::convert, rate.convert64, latency.special);
    case fp16: return arithmetic(Pipe::fma, rate.fp16x2, latency.alu + 1);
    case fp32: return arithmetic(Pipe::fma, rate.fp32, latency.alu);
    case fp64: return arithmetic(Pipe::fp64, rate.fp64, latency.fp64);
    case special: return arithmetic(Pipe::special, rate.special, latency.special);
    case shuffle: return arithmetic(Pipe::shuffle, rate.shuffle, latency.shared - 5);
    case vote: return arithmetic(Pipe::alu, rate.compare, latency.alu + 8);
    case barrier: return {1, Pipe::barrier, clk(rate.barrier), 0};
    default: return {};
    }
}

bool is_integer_width_change(std::string_view name) {
    // cvt.s64.s32, cvt.u32.u64 and their like are moves of register halves, or a sign extension.
    if (!name.starts_with("cvt.")) return false;
    return name.find(".f") == std::string_view::npos && name.find("bf16") == std::string_view::npos;
}

} // namespace

std::string_view pipe_name(Pipe pipe) {
    switch (pipe) {
    case Pipe::none: return "issue";
    case Pipe::fma: return "fma";
    case Pipe::alu: return "alu";
    case Pipe::fp64: return "fp64";
    case Pipe::special: return "xu";
    case Pipe::convert: return "xu";
    case Pipe::shuffle: return "shuffle";
    case Pipe::barrier: return "barrier";
    case Pipe::fma_heavy: return "fma";
    }
    return "issue";
}

OpCost constant_division_cost(const arch::Gpu& gpu) { return arithmetic(Pipe::fma, gpu.throughput.int_mul, 4 * gpu.latency.alu, 4); }

OpCost op_cost(emu::OpClass op_class, std::string_view name, const arch::Gpu& gpu) {
    using enum emu::OpClass;
    switch (op_class) {
    case load_param: return {0, Pipe::none, 0, 0};
    case move:
        if (name.starts_with("cvta")) return {0, Pipe::none, 0, 0};
        return {0.5, Pipe::none, 0, gpu.latency.alu};
    case convert:
    case convert64:
        if (is_integer_width_change(name)) return {0.5, Pipe::alu, 0.5 * clk(gpu.throughput.int_add), gpu.latency.alu};
        return plain(op_class, gpu);
    case fp32_div:
    case fp32_sqrt:
    case fp64_div:
    case fp64_sqrt:
    case int_div: return expanded(op_class, gpu);
    case branch:
    case exit: return {1, Pipe::none, 0, 0};
    case call: return {4, Pipe::none, 0, 2 * gpu.latency.alu};
    default: return plain(op_class, gpu);
    }
}

} // namespace apod::model
