// Every atom and red in every space, against references that share no code with the emulator: each thread updates a cell of its own, and
// the cell and the old value that came back are compared. (That updates of one cell by many threads all arrive is tests/programs'
// business.)
#include "tests/emu/float_reference.hpp"
#include "tests/emu/form_runner.hpp"
#include "tests/emu/recorded.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

namespace apod::emu::testing {
namespace {

using Cell = std::array<std::uint64_t, 2>; // 16 bytes
constexpr std::uint32_t threads = 256;

enum class Where { global, shared, cluster, generic_global, generic_shared };
constexpr Where everywhere[] = {Where::global, Where::shared, Where::cluster, Where::generic_global, Where::generic_shared};

bool in_global(Where where) { return where == Where::global || where == Where::generic_global; }

const char* space_of(Where where) {
    switch (where) {
    case Where::global: return ".global";
    case Where::shared: return ".shared";
    case Where::cluster: return ".shared::cluster";
    default: return "";
    }
}

struct Outcome {
    std::string error;
    std::vector<Cell> cells;
    std::vector<Cell> results;
};

// What is recorded of a launch. Where a sum of doubles is NaN, its payload is open (`any_nan`).
std::uint64_t hash_of_outcome(const Outcome& outcome, bool any_nan) {
    std::vector<Cell> cells = outcome.cells;
    if (any_nan)
        for (Cell& cell : cells)
            if (reference::is_nan(cell[0], reference::f64)) cell[0] = 0x7ff8000000000000ull;
    return hash_of(outcome.results.data(), outcome.results.size() * sizeof(Cell), hash_of(cells.data(), cells.size() * sizeof(Cell)));
}

// `code` has {a}, the address, and stores what it likes to [%d4], the thread's result; %d5 and %d6 are the addresses of its operands b and
// c. The line with {a} names the launch in the record.
Outcome run_on_cells(Where where, std::string code, const std::vector<Cell>& cells, const std::vector<Cell>& b, const std::vector<Cell>& c,
                     bool any_nan = false) {
    const std::size_t line = code.find("{a}") == std::string::npos ? 0 : code.rfind('\n', code.find("{a}")) + 1;
    const std::string name = code.substr(line, code.find('\n', line) - line);
    std::string text =
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 cells, .param .u64 b, .param .u64 c, "
        ".param .u64 out)\n{\n.shared .align 16 .b8 s[4096];\n.reg .b16 %w<24>;\n.reg .b32 %r<24>;\n.reg .b64 %d<24>;\n.reg .b128 %q<6>;\n"
        "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d1, %r1, 16;\nld.param.u64 %d2, [cells];\nadd.s64 %d2, %d2, %d1;\n"
        "ld.param.u64 %d4, [out];\nadd.s64 %d4, %d4, %d1;\nld.param.u64 %d5, [b];\nadd.s64 %d5, %d5, %d1;\n"
        "ld.param.u64 %d6, [c];\nadd.s64 %d6, %d6, %d1;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 4;\nadd.s32 %r2, %r2, %r3;\n"
        "mapa.shared::cluster.u32 %r4, %r2, 0;\ncvt.u64.u32 %d7, %r2;\ncvta.shared.u64 %d7, %d7;\n";
    if (!in_global(where)) text += "ld.global.v2.b64 {%d8, %d9}, [%d2];\nst.shared.v2.b64 [%r2], {%d8, %d9};\n";
    const char* const addresses[] = {"%d2", "%r2", "%r4", "%d2", "%d7"};
    for (std::size_t at = code.find("{a}"); at != std::string::npos; at = code.find("{a}"))
        code.replace(at, 3, addresses[static_cast<int>(where)]);
    text += code;
    if (!in_global(where)) text += "ld.shared.v2.b64 {%d8, %d9}, [%r2];\nst.global.v2.b64 [%d2], {%d8, %d9};\n";
    text += "ret;\n}\n";
    KernelRun launch{std::move(text), 1, threads, {}, {}};
    for (const std::vector<Cell>* buffer : {&cells, &b, &c}) launch.buffers.push_back(bytes_of(buffer->data(), threads));
    launch.buffers.emplace_back(threads * sizeof(Cell));
    const std::uint64_t key = key_of(launch);
    Outcome outcome;
    outcome.error = run_kernel(launch);
    if (!outcome.error.empty()) return outcome;
    outcome.cells.resize(threads);
    outcome.results.resize(threads);
    std::memcpy(outcome.cells.data(), launch.buffers[0].data(), threads * sizeof(Cell));
    std::memcpy(outcome.results.data(), launch.buffers[3].data(), threads * sizeof(Cell));
    outcome.error = compare_with_record(name, key, hash_of_outcome(outcome, any_nan));
    return outcome;
}

struct AtomicForm {
    std::string operation;
    std::string type;
    Kind kind;
    std::function<std::uint64_t(std::uint64_t old, std::uint64_t b, std::uint64_t c, bool global)> result;
    bool three = false;
};

std::uint64_t narrowed(std::uint64_t value, unsigned bits) { return bits == 64 ? value : value & ((1ull << bits) - 1); }
std::int64_t extended(std::uint64_t value, unsigned bits) { return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits); }

std::uint64_t float_sum(std::uint64_t a, std::uint64_t b, const reference::Format& format, bool flushed) {
    if (flushed) a = reference::flush(a, format), b = reference::flush(b, format);
    const std::uint64_t sum =
        reference::encode(reference::add(reference::decode(a, format), reference::decode(b, format), reference::Mode::nearest), format,
                          reference::Mode::nearest);
    return flushed ? reference::flush(sum, format) : sum;
}

std::uint64_t by_halves(std::uint64_t a, std::uint64_t b, const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& f) {
    return f(a & 0xffff, b & 0xffff) | f(a >> 16, b >> 16) << 16;
}

void add_integer_forms(std::vector<AtomicForm>& forms, const char* type, Kind kind, unsigned bits, bool is_signed) {
    const auto less = [=](std::uint64_t a, std::uint64_t b) { return is_signed ? extended(a, bits) < extended(b, bits) : a < b; };
    if (bits == 32 || !is_signed) // PTX has no add.s64
        forms.push_back({"add", type, kind, [=](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return narrowed(a + b, bits); }});
    forms.push_back({"min", type, kind, [=](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return less(a, b) ? a : b; }});
    forms.push_back({"max", type, kind, [=](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return less(a, b) ? b : a; }});
}

std::vector<AtomicForm> all_forms() {
    std::vector<AtomicForm> forms;
    add_integer_forms(forms, "u32", Kind::i32, 32, false);
    add_integer_forms(forms, "s32", Kind::i32, 32, true);
    add_integer_forms(forms, "u64", Kind::i64, 64, false);
    add_integer_forms(forms, "s64", Kind::i64, 64, true);
    for (const auto& [type, kind] : {std::pair{"b32", Kind::i32}, std::pair{"b64", Kind::i64}}) {
        forms.push_back({"and", type, kind, [](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return a & b; }});
        forms.push_back({"or", type, kind, [](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return a | b; }});
        forms.push_back({"xor", type, kind, [](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return a ^ b; }});
        forms.push_back({"exch", type, kind, [](std::uint64_t, std::uint64_t b, std::uint64_t, bool) { return b; }});
    }
    for (const auto& [type, kind] : {std::pair{"b16", Kind::i16}, std::pair{"b32", Kind::i32}, std::pair{"b64", Kind::i64}})
        forms.push_back({"cas", type, kind, [](std::uint64_t a, std::uint64_t b, std::uint64_t c, bool) { return a == b ? c : a; }, true});
    forms.push_back({"inc", "u32", Kind::i32, [](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return a >= b ? 0 : a + 1; }});
    forms.push_back(
        {"dec", "u32", Kind::i32, [](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return a == 0 || a > b ? b : a - 1; }});
    forms.push_back({"add", "f32", Kind::f32,
                     [](std::uint64_t a, std::uint64_t b, std::uint64_t, bool global) { return float_sum(a, b, reference::f32, global); }});
    forms.push_back({"add", "f64", Kind::f64,
                     [](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return float_sum(a, b, reference::f64, false); }});
    const auto half = [](std::uint64_t a, std::uint64_t b) { return float_sum(a, b, reference::f16, false); };
    const auto brain = [](std::uint64_t a, std::uint64_t b) { return float_sum(a, b, reference::bf16, false); };
    forms.push_back({"add.noftz", "f16", Kind::h16, [=](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return half(a, b); }});
    forms.push_back({"add.noftz", "bf16", Kind::b16, [=](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return brain(a, b); }});
    forms.push_back(
        {"add.noftz", "f16x2", Kind::h16x2, [=](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return by_halves(a, b, half); }});
    forms.push_back({"add.noftz", "bf16x2", Kind::b16x2,
                     [=](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return by_halves(a, b, brain); }});
    return forms;
}

const char* register_of(unsigned bits) { return bits == 64 ? "%d" : bits == 32 ? "%r" : "%w"; }

std::vector<Cell> cells_of(Kind kind, std::uint32_t seed) {
    const std::vector<std::uint64_t> values = values_of(kind, 60, seed);
    std::mt19937 random(seed);
    std::vector<Cell> cells(threads);
    for (Cell& cell : cells) cell = {values[random() % values.size()], 0x1122334455667788ull};
    return cells;
}

bool same(std::uint64_t got, std::uint64_t wanted, Kind kind) {
    if (kind == Kind::f64 && reference::is_nan(got, reference::f64) && reference::is_nan(wanted, reference::f64))
        return true; // its payload is open
    return got == wanted;
}

void check_form(const AtomicForm& form, Where where, bool red) {
    const unsigned bits = bits_of(form.kind);
    const std::string r = register_of(bits);
    const std::string type = fmt::format("b{}", bits);
    std::string code = fmt::format("ld.global.{} {}10, [%d5];\nld.global.{} {}11, [%d6];\n", type, r, type, r);
    const std::string values = form.three ? fmt::format("{}10, {}11", r, r) : r + "10";
    if (red)
        code += fmt::format("red{}.{}.{} [{{a}}], {};\n", space_of(where), form.operation, form.type, values);
    else
        code += fmt::format("atom{}.{}.{} {}12, [{{a}}], {};\nst.global.{} [%d4], {}12;\n", space_of(where), form.operation, form.type, r,
                            values, type, r);
    const std::vector<Cell> cells = cells_of(form.kind, 1);
    std::vector<Cell> b = cells_of(form.kind, 2);
    const std::vector<Cell> c = cells_of(form.kind, 3);
    if (form.three) // every other comparison holds
        for (std::uint32_t i = 0; i < threads; i += 2) b[i] = cells[i];
    const Outcome got = run_on_cells(where, code, cells, b, c, form.kind == Kind::f64);
    ASSERT_EQ(got.error, "") << code;
    for (std::uint32_t i = 0; i < threads; ++i) {
        const std::uint64_t wanted = form.result(cells[i][0], b[i][0], c[i][0], in_global(where));
        const std::uint64_t rest = bits == 64 ? 0 : cells[i][0] >> bits;
        EXPECT_EQ(rest, bits == 64 ? 0 : got.cells[i][0] >> bits);
        EXPECT_TRUE(same(narrowed(got.cells[i][0], bits), wanted, form.kind))
            << code << fmt::format("old {:#x} b {:#x} gave {:#x}, not {:#x}", cells[i][0], b[i][0], got.cells[i][0], wanted);
        EXPECT_EQ(got.cells[i][1], cells[i][1]);
        if (!red) {
            EXPECT_EQ(narrowed(got.results[i][0], bits), cells[i][0]) << code;
        }
    }
}

// A test or a record that changes alone would otherwise be compared with nothing.
struct EveryLaunchIsRecorded {
    std::size_t before = agreed_with_record();
    std::size_t launches = 0;
    ~EveryLaunchIsRecorded() {
        if (!on_hardware()) EXPECT_EQ(agreed_with_record() - before, launches);
    }
};

TEST(Atomics, EveryFormInEverySpaceGivesTheOldValueAndStoresTheNew) {
    EveryLaunchIsRecorded recorded;
    for (const AtomicForm& form : all_forms())
        for (const Where where : everywhere) {
            check_form(form, where, false);
            ++recorded.launches;
        }
}

TEST(Atomics, EveryReductionInEverySpaceStoresTheNewValue) {
    EveryLaunchIsRecorded recorded;
    for (const AtomicForm& form : all_forms())
        for (const Where where : everywhere) {
            if (form.operation == "cas" || form.operation == "exch") continue;
            check_form(form, where, true);
            ++recorded.launches;
        }
}

TEST(Atomics, SixteenBytesAreExchangedAndComparedAsOne) {
    std::vector<Cell> cells(threads);
    std::vector<Cell> b(threads);
    std::vector<Cell> c(threads);
    std::mt19937_64 random(7);
    for (std::uint32_t i = 0; i < threads; ++i) {
        cells[i] = {random(), random()};
        b[i] = cells[i];
        if (i % 3 == 1) b[i][0] ^= 1ull << (i % 64); // one bit of one half decides
        if (i % 3 == 2) b[i][1] ^= 1ull << (i % 64);
        c[i] = {random(), random()};
    }
    const std::string load = "ld.global.v2.b64 {%d10, %d11}, [%d5];\nmov.b128 %q1, {%d10, %d11};\nld.global.v2.b64 {%d10, %d11}, [%d6];\n"
                             "mov.b128 %q2, {%d10, %d11};\n";
    const std::string store = "mov.b128 {%d12, %d13}, %q3;\nst.global.v2.b64 [%d4], {%d12, %d13};\n";
    EveryLaunchIsRecorded recorded;
    for (const Where where : everywhere) {
        recorded.launches += 2;
        const Outcome swapped =
            run_on_cells(where, load + fmt::format("atom{}.cas.b128 %q3, [{{a}}], %q1, %q2;\n", space_of(where)) + store, cells, b, c);
        ASSERT_EQ(swapped.error, "");
        const Outcome exchanged =
            run_on_cells(where, load + fmt::format("atom{}.exch.b128 %q3, [{{a}}], %q2;\n", space_of(where)) + store, cells, b, c);
        ASSERT_EQ(exchanged.error, "");
        for (std::uint32_t i = 0; i < threads; ++i) {
            EXPECT_EQ(swapped.cells[i], i % 3 == 0 ? c[i] : cells[i]);
            EXPECT_EQ(exchanged.cells[i], c[i]);
            EXPECT_EQ(swapped.results[i], cells[i]);
            EXPECT_EQ(exchanged.results[i], cells[i]);
        }
    }
}

struct VectorType {
    const char* name;
    Kind element; // whose values fill the cells
    unsigned bits;
    const reference::Format* format;
    unsigned lengths[3];
};
constexpr VectorType vector_types[] = {{"f32", Kind::f32, 32, &reference::f32, {2, 4, 0}},
                                       {"f16", Kind::h16, 16, &reference::f16, {2, 4, 8}},
                                       {"bf16", Kind::b16, 16, &reference::bf16, {2, 4, 8}},
                                       {"f16x2", Kind::h16, 32, &reference::f16, {2, 4, 0}},
                                       {"bf16x2", Kind::b16, 32, &reference::bf16, {2, 4, 0}}};

// The numbers in a cell: 32 bits for f32, else 16.
std::uint64_t number(const Cell& cell, unsigned index, unsigned bits) {
    const unsigned at = index * bits;
    return narrowed(cell[at / 64] >> (at % 64), bits);
}

std::vector<Cell> numbers_of(const VectorType& type, std::uint32_t seed) {
    const unsigned bits = bits_of(type.element);
    const std::vector<std::uint64_t> values = values_of(type.element, 60, seed);
    std::mt19937 random(seed);
    std::vector<Cell> cells(threads, Cell{0, 0});
    for (Cell& cell : cells)
        for (unsigned i = 0; i < 128 / bits; ++i) cell[i * bits / 64] |= values[random() % values.size()] << (i * bits % 64);
    return cells;
}

void check_vector(const VectorType& type, const std::string& operation, unsigned length) {
    const std::string r = register_of(type.bits);
    const std::string noftz = type.element == Kind::f32 ? "" : ".noftz";
    std::string code;
    std::string values;
    std::string results;
    std::string store;
    for (unsigned i = 0; i < length; ++i) {
        code += fmt::format("ld.global.b{} {}{}, [%d5+{}];\n", type.bits, r, 8 + i, i * type.bits / 8);
        values += fmt::format("{}{}{}", i == 0 ? "" : ", ", r, 8 + i);
        results += fmt::format("{}{}{}", i == 0 ? "" : ", ", r, 16 + i);
        store += fmt::format("st.global.b{} [%d4+{}], {}{};\n", type.bits, i * type.bits / 8, r, 16 + i);
    }
    const std::vector<Cell> cells = numbers_of(type, 11);
    const std::vector<Cell> b = numbers_of(type, 12);
    for (const bool red : {false, true}) {
        const std::string instruction =
            red ? fmt::format("red.global.{}{}.v{}.{} [{{a}}], {{{}}};\n", operation, noftz, length, type.name, values)
                : fmt::format("atom.global.v{}.{}.{}{} {{{}}}, [{{a}}], {{{}}};\n", length, type.name, operation, noftz, results, values) +
                      store;
        const Outcome got = run_on_cells(Where::global, code + instruction, cells, b, cells);
        ASSERT_EQ(got.error, "") << instruction;
        const unsigned bits = bits_of(type.element);
        const unsigned touched = length * type.bits / bits;
        for (std::uint32_t i = 0; i < threads; ++i)
            for (unsigned n = 0; n < 128 / bits; ++n) {
                const std::uint64_t old = number(cells[i], n, bits);
                const std::uint64_t by = number(b[i], n, bits);
                const std::uint64_t wanted = n >= touched         ? old
                                             : operation == "add" ? float_sum(old, by, *type.format, type.element == Kind::f32)
                                                                  : extreme(old, by, *type.format, operation == "min", extreme_rules[0]);
                EXPECT_EQ(number(got.cells[i], n, bits), wanted) << instruction;
                EXPECT_EQ(number(got.results[i], n, bits), red || n >= touched ? 0 : old) << instruction;
            }
    }
}

TEST(Atomics, VectorsOfFloatsAreUpdatedElementByElement) {
    EveryLaunchIsRecorded recorded;
    for (const VectorType& type : vector_types)
        for (const unsigned length : type.lengths)
            for (const char* operation : {"add", "min", "max"}) {
                if (length == 0 || (type.element == Kind::f32 && std::string(operation) != "add")) continue;
                check_vector(type, operation, length);
                recorded.launches += 2;
            }
}

TEST(Atomics, ACachePolicyIsAHintAndWhatPtxLacksIsRefused) {
    const std::vector<Cell> cells(threads, Cell{5, 0});
    const Outcome hinted = run_on_cells(Where::global,
                                        "createpolicy.fractional.L2::evict_last.b64 %d10, 1.0;\nmov.b32 %r10, 7;\n"
                                        "atom.global.add.L2::cache_hint.u32 %r11, [{a}], %r10, %d10;\nst.global.b32 [%d4], %r11;\n"
                                        "red.global.add.L2::cache_hint.u32 [{a}], %r10, %d10;\n",
                                        cells, cells, cells);
    ASSERT_EQ(hinted.error, "");
    EXPECT_EQ(hinted.cells[9][0], 19u);
    EXPECT_EQ(hinted.results[9][0], 5u);
    for (const char* refused : {"atom.global.add.f16 %w1, [{a}], %w2;", "atom.global.min.noftz.f16 %w1, [{a}], %w2;",
                                "atom.global.add.b32 %r1, [{a}], %r2;", "atom.global.add.s64 %d11, [{a}], %d12;",
                                "red.shared.add.s64 [{a}], %d12;", "atom.shared.v2.f32.add {%r1, %r2}, [{a}], {%r3, %r4};",
                                "atom.global.v8.f32.add {%r1}, [{a}], {%r3};", "atom.global.add.noftz.u32 %r1, [{a}], %r2;"})
        EXPECT_NE(run_on_cells(Where::global, std::string(refused) + "\n", cells, cells, cells).error, "") << refused;
}

} // namespace
} // namespace apod::emu::testing
