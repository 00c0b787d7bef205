// cp.reduce.async.bulk in every form that ptxas takes for sm_90: 256 elements in one instruction, against references of one element.
#include "tests/emu/float_reference.hpp"
#include "tests/emu/form_runner.hpp"
#include "tests/emu/recorded.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace apod::emu::testing {
namespace {

constexpr std::uint32_t elements = 256;

struct Reduction {
    std::string name;
    Kind kind;
    std::function<std::uint64_t(std::uint64_t old, std::uint64_t by)> result;
    bool in_shared = false; // into shared memory too
};

std::uint64_t float_sum(std::uint64_t a, std::uint64_t b, const reference::Format& format) {
    return reference::encode(reference::add(reference::decode(a, format), reference::decode(b, format), reference::Mode::nearest), format,
                             reference::Mode::nearest);
}
// As atom.add.f32 does in global memory.
std::uint64_t flushed_sum(std::uint64_t a, std::uint64_t b) {
    const auto flush = [](std::uint64_t v) { return reference::flush(v, reference::f32); };
    return flush(float_sum(flush(a), flush(b), reference::f32));
}

void add_integers(std::vector<Reduction>& list, const char* type, Kind kind, bool is_signed) {
    const unsigned bits = bits_of(kind);
    const std::uint64_t flip = is_signed ? 1ull << (bits - 1) : 0;
    const auto less = [flip](std::uint64_t a, std::uint64_t b) { return (a ^ flip) < (b ^ flip); };
    const bool narrow = bits == 32;
    if (narrow || !is_signed)
        list.push_back({fmt::format("add.{}", type), kind, [](std::uint64_t a, std::uint64_t b) { return a + b; }, true});
    list.push_back({fmt::format("min.{}", type), kind, [=](std::uint64_t a, std::uint64_t b) { return less(a, b) ? a : b; }, narrow});
    list.push_back({fmt::format("max.{}", type), kind, [=](std::uint64_t a, std::uint64_t b) { return less(a, b) ? b : a; }, narrow});
}

void add_halves(std::vector<Reduction>& list, const char* type, Kind kind, const reference::Format& format) {
    const auto least = [&format](bool smallest) {
        return [&format, smallest](std::uint64_t a, std::uint64_t b) { return extreme(a, b, format, smallest, extreme_rules[0]); };
    };
    list.push_back(
        {fmt::format("add.noftz.{}", type), kind, [&format](std::uint64_t a, std::uint64_t b) { return float_sum(a, b, format); }});
    list.push_back({fmt::format("min.{}", type), kind, least(true)});
    list.push_back({fmt::format("max.{}", type), kind, least(false)});
}

std::vector<Reduction> all_reductions() {
    std::vector<Reduction> list;
    add_integers(list, "u32", Kind::i32, false);
    add_integers(list, "s32", Kind::i32, true);
    add_integers(list, "u64", Kind::i64, false);
    add_integers(list, "s64", Kind::i64, true);
    for (const bool wide : {false, true}) {
        const Kind kind = wide ? Kind::i64 : Kind::i32;
        const char* type = wide ? "b64" : "b32";
        list.push_back({fmt::format("and.{}", type), kind, [](std::uint64_t a, std::uint64_t b) { return a & b; }, !wide});
        list.push_back({fmt::format("or.{}", type), kind, [](std::uint64_t a, std::uint64_t b) { return a | b; }, !wide});
        list.push_back({fmt::format("xor.{}", type), kind, [](std::uint64_t a, std::uint64_t b) { return a ^ b; }, !wide});
    }
    list.push_back({"inc.u32", Kind::i32, [](std::uint64_t a, std::uint64_t b) { return a >= b ? 0 : a + 1; }, true});
    list.push_back({"dec.u32", Kind::i32, [](std::uint64_t a, std::uint64_t b) { return a == 0 || a > b ? b : a - 1; }, true});
    list.push_back({"add.f32", Kind::f32, flushed_sum});
    list.push_back({"add.f64", Kind::f64, [](std::uint64_t a, std::uint64_t b) { return float_sum(a, b, reference::f64); }});
    add_halves(list, "f16", Kind::h16, reference::f16);
    add_halves(list, "bf16", Kind::b16, reference::bf16);
    return list;
}

// 2 KiB of operands are brought into shared memory, then one thread reduces; what was reduced into shared memory goes out again.
std::string kernel_of(const std::string& instruction, bool in_shared, std::uint32_t bytes) {
    std::string text = ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 cells, .param .u64 by)\n{\n"
                       ".shared .align 16 .b8 s[4096];\n.shared .align 8 .b64 barrier;\n.reg .pred %p<4>;\n.reg .b32 %r<20>;\n"
                       ".reg .b64 %d<10>;\nld.param.u64 %d1, [cells];\nld.param.u64 %d2, [by];\nmov.u32 %r1, %tid.x;\n"
                       "mul.wide.u32 %d3, %r1, 8;\nadd.s64 %d4, %d1, %d3;\nadd.s64 %d5, %d2, %d3;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 3;\n"
                       "add.s32 %r3, %r2, %r3;\nld.global.b64 %d6, [%d4];\nld.global.b64 %d7, [%d5];\nst.shared.b64 [%r3], %d6;\n"
                       "st.shared.b64 [%r3+2048], %d7;\nmov.u32 %r4, barrier;\nadd.s32 %r5, %r2, 2048;\nsetp.ne.u32 %p1, %r1, 0;\n"
                       "@!%p1 mbarrier.init.shared.b64 [%r4], 1;\nfence.proxy.async;\nbar.sync 0;\n@%p1 bra WAIT;\n";
    if (in_shared)
        text += fmt::format("mbarrier.arrive.expect_tx.shared.b64 _, [%r4], {};\n{} [%r2], [%r5], {}, [%r4];\n", bytes, instruction, bytes);
    else
        text += fmt::format("{} [%d1], [%r5], {};\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n", instruction, bytes);
    text += "WAIT:\n";
    if (in_shared)
        text +=
            "mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0;\n@!%p2 bra WAIT;\nld.shared.b64 %d6, [%r3];\nst.global.b64 [%d4], %d6;\n";
    return text + "ret;\n}\n";
}

std::vector<std::byte> operands_of(Kind kind, std::uint32_t seed) {
    const std::vector<std::uint64_t> values = values_of(kind, 60, seed);
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(elements * 8);
    const std::size_t width = bits_of(kind) / 8;
    for (std::size_t i = 0; i < bytes.size() / width; ++i) {
        const std::uint64_t value = values[random() % values.size()];
        std::memcpy(bytes.data() + i * width, &value, width);
    }
    return bytes;
}

std::uint64_t element(const std::vector<std::byte>& bytes, std::size_t index, std::size_t width) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + index * width, width);
    return value;
}

void check(const Reduction& reduction, bool in_shared) {
    const std::size_t width = bits_of(reduction.kind) / 8;
    const std::string instruction = fmt::format(
        "cp.reduce.async.bulk.{}.{}",
        in_shared ? "shared::cluster.shared::cta.mbarrier::complete_tx::bytes" : "global.shared::cta.bulk_group", reduction.name);
    const std::vector<std::byte> old = operands_of(reduction.kind, 1);
    const std::vector<std::byte> by = operands_of(reduction.kind, 2);
    KernelRun run{kernel_of(instruction, in_shared, static_cast<std::uint32_t>(elements * width)), 1, elements, {old, by}, {}};
    const std::uint64_t key = key_of(run);
    ASSERT_EQ(run_kernel(run), "") << instruction;
    const std::vector<std::byte>& got = run.buffers[0];
    for (std::size_t i = 0; i < old.size() / width; ++i) { // what lies behind the elements stays as it was
        const std::uint64_t mask = width == 8 ? ~0ull : (1ull << (8 * width)) - 1;
        const std::uint64_t before = element(old, i, width);
        const std::uint64_t wanted = (i < elements ? reduction.result(before, element(by, i, width)) : before) & mask;
        const std::uint64_t is = element(got, i, width);
        const bool open = reduction.kind == Kind::f64 && reference::is_nan(is, reference::f64) && reference::is_nan(wanted, reference::f64);
        EXPECT_TRUE(is == wanted || open) << instruction
                                          << fmt::format(": {:#x} by {:#x} gave {:#x}, not {:#x}", before, element(by, i, width), is,
                                                         wanted);
    }
    if (reduction.kind == Kind::f64) return; // the payload of a NaN is open
    EXPECT_EQ(compare_with_record(instruction, key, hash_of(got.data(), got.size())), "");
}

constexpr std::size_t recorded = 1; // launches that an H200 was asked: add.u32 into global memory

TEST(BulkReductions, EveryFormCombinesElementByElement) {
    const std::size_t before = agreed_with_record();
    std::size_t launches = 0;
    for (const Reduction& reduction : all_reductions())
        for (const bool in_shared : {false, true}) {
            if (in_shared && !reduction.in_shared) continue;
            check(reduction, in_shared);
            launches += reduction.kind != Kind::f64 ? 1 : 0;
        }
    EXPECT_EQ(launches, 38u);
    if (!on_hardware()) {
        EXPECT_EQ(agreed_with_record() - before, recorded);
    }
}

} // namespace
} // namespace apod::emu::testing
