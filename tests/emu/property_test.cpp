// Random straight-line programs against a scalar interpreter, which runs them one lane and one instruction at a time with the references of
// the form catalogues. APOD_SEED=n in the environment runs one more seed.
#include "emu/launch.hpp"
#include "tests/emu/catalogues.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

namespace apod::emu::testing {

namespace {

constexpr unsigned registers_of_a_class = 6;
constexpr unsigned program_length = 120;
constexpr unsigned threads = 64;

// Registers by what they hold. Doubles have registers of their own: the bits of a NaN are not compared, so nothing else may read them.
enum class Class : std::uint8_t { half_word, word, long_word, real, predicate };
constexpr Class classes[] = {Class::half_word, Class::word, Class::long_word, Class::real, Class::predicate};

Class class_of(Kind kind) {
    if (kind == Kind::pred) return Class::predicate;
    if (kind == Kind::f64) return Class::real;
    return bits_of(kind) == 64 ? Class::long_word : bits_of(kind) == 16 ? Class::half_word : Class::word;
}
const char* letter(Class c) {
    constexpr const char* letters[] = {"h", "w", "q", "d", "p"};
    return letters[static_cast<int>(c)];
}
unsigned bits_of_class(Class c) {
    constexpr unsigned bits[] = {16, 32, 64, 64, 1};
    return bits[static_cast<int>(c)];
}

struct Step {
    const FormCase* form = nullptr;
    std::vector<unsigned> inputs;
    unsigned output = 0;
    int guard = -1; // a predicate register
    bool guard_negated = false;
};

// Plain instructions with one exact result.
std::vector<FormCase> pool() {
    std::vector<FormCase> forms;
    for (const Catalogue& catalogue : all_catalogues())
        for (const FormCase& form : catalogue) {
            if (!form.code.empty() || !form.before.empty() || !form.after.empty() || form.accepts) continue;
            if (form.name.find("cvt.pack") != std::string::npos || form.name == "copysign.f64") continue;
            forms.push_back(form);
        }
    return forms;
}

// Every opcode is as likely as another, whatever the number of its forms.
std::map<std::string, std::vector<const FormCase*>> by_opcode(const std::vector<FormCase>& forms) {
    std::map<std::string, std::vector<const FormCase*>> groups;
    for (const FormCase& form : forms) groups[form.name.substr(0, form.name.find('.'))].push_back(&form);
    return groups;
}

std::vector<Step> random_program(const std::map<std::string, std::vector<const FormCase*>>& groups, std::mt19937& random) {
    std::vector<Step> program;
    for (unsigned i = 0; i < program_length; ++i) {
        auto group = groups.begin();
        std::advance(group, random() % groups.size());
        Step step;
        step.form = group->second[random() % group->second.size()];
        for (std::size_t n = 0; n < step.form->inputs.size(); ++n) step.inputs.push_back(random() % registers_of_a_class);
        step.output = random() % registers_of_a_class;
        if (random() % 4 == 0) {
            step.guard = static_cast<int>(random() % registers_of_a_class);
            step.guard_negated = random() % 2 == 0;
        }
        program.push_back(step);
    }
    return program;
}

std::string text_of(const Step& step) {
    std::string text = step.guard < 0 ? "" : fmt::format("@{}%p{} ", step.guard_negated ? "!" : "", step.guard);
    text += fmt::format("{} %{}{}", step.form->name, letter(class_of(step.form->output)), step.output);
    for (std::size_t n = 0; n < step.inputs.size(); ++n)
        text += fmt::format(", %{}{}", letter(class_of(step.form->inputs[n])), step.inputs[n]);
    return text + ";\n";
}

// Each register has a 64-bit cell for each thread: cell = (class * 6 + number) * threads + thread.
std::size_t cell(Class c, unsigned number, unsigned thread) {
    return (static_cast<std::size_t>(c) * registers_of_a_class + number) * threads + thread;
}

std::string move_all(bool load) {
    std::string text;
    for (const Class c : classes)
        for (unsigned n = 0; n < registers_of_a_class; ++n) {
            const std::size_t offset = cell(c, n, 0) * 8;
            if (c == Class::predicate && load) text += fmt::format("ld.global.u32 %r2, [%a1+{}];\nsetp.ne.u32 %p{}, %r2, 0;\n", offset, n);
            if (c == Class::predicate && !load) text += fmt::format("selp.u32 %r2, 1, 0, %p{};\nst.global.u32 [%a1+{}], %r2;\n", n, offset);
            if (c == Class::predicate) continue;
            if (load)
                text += fmt::format("ld.global.b{} %{}{}, [%a1+{}];\n", bits_of_class(c), letter(c), n, offset);
            else
                text += fmt::format("st.global.b{} [%a1+{}], %{}{};\n", bits_of_class(c), offset, letter(c), n);
        }
    return text;
}

std::string kernel(const std::vector<Step>& program) {
    std::string text =
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 cells)\n{\n"
        ".reg .b64 %a<3>;\n.reg .b32 %r<3>;\n.reg .b16 %h<6>;\n.reg .b32 %w<6>;\n.reg .b64 %q<6>;\n.reg .b64 %d<6>;\n"
        ".reg .pred %p<6>;\nld.param.u64 %a1, [cells];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %a2, %r1, 8;\nadd.s64 %a1, %a1, %a2;\n";
    text += move_all(true);
    for (const Step& step : program) text += text_of(step);
    return text + move_all(false) + "ret;\n}\n";
}

void interpret(const std::vector<Step>& program, std::vector<std::uint64_t>& cells) {
    for (unsigned thread = 0; thread < threads; ++thread)
        for (const Step& step : program) {
            if (step.guard >= 0 && (cells[cell(Class::predicate, static_cast<unsigned>(step.guard), thread)] != 0) == step.guard_negated)
                continue;
            std::uint64_t inputs[4] = {};
            for (std::size_t n = 0; n < step.inputs.size(); ++n) {
                const Kind kind = step.form->inputs[n];
                const std::uint64_t mask = kind == Kind::pred ? 1 : bits_of(kind) == 64 ? ~0ull : (1ull << bits_of(kind)) - 1;
                inputs[n] = cells[cell(class_of(kind), step.inputs[n], thread)] & mask;
            }
            const Class to = class_of(step.form->output);
            const std::uint64_t mask = bits_of_class(to) == 64 ? ~0ull : (1ull << bits_of_class(to)) - 1;
            cells[cell(to, step.output, thread)] = step.form->reference(inputs) & mask;
        }
}

std::vector<std::uint64_t> random_cells(std::mt19937& random) {
    constexpr Kind kinds[] = {Kind::i16, Kind::i32, Kind::i64, Kind::f64, Kind::pred};
    constexpr Kind other_kinds[] = {Kind::h16, Kind::f32, Kind::i64, Kind::f64, Kind::pred};
    std::vector<std::uint64_t> cells;
    for (const Class c : classes)
        for (unsigned n = 0; n < registers_of_a_class; ++n) {
            const auto values = values_of((n % 2 == 0 ? kinds : other_kinds)[static_cast<int>(c)], 100, random());
            for (unsigned thread = 0; thread < threads; ++thread) cells.push_back(values[random() % values.size()]);
        }
    return cells;
}

bool is_nan(std::uint64_t bits) { return (bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull; }

std::string run_program(const std::string& text, std::vector<std::uint64_t>& cells) {
    auto module = ptx::parse(text, "random.ptx");
    if (!module) return to_text(module.error());
    DeviceMemory memory(1ull << 26);
    auto image = Image::load(*module, memory);
    if (!image) return to_text(image.error());
    auto program = lower(*image, "k");
    if (!program) return to_text(program.error());
    const std::uint64_t parameters[] = {*memory.allocate(cells.size() * 8, "cells")};
    (void)memory.write(parameters[0], cells.data(), cells.size() * 8);
    RunOptions options;
    options.threads = 1;
    auto execution = run(**program, {{1, 1, 1}, {threads, 1, 1}, 0, std::as_bytes(std::span(parameters))}, memory, options);
    if (!execution) return to_text(execution.error());
    (void)memory.read(cells.data(), parameters[0], cells.size() * 8);
    return {};
}

// Where they differ first; empty when nowhere.
std::string difference(const std::vector<std::uint64_t>& got, const std::vector<std::uint64_t>& wanted) {
    for (const Class c : classes)
        for (unsigned n = 0; n < registers_of_a_class; ++n)
            for (unsigned thread = 0; thread < threads; ++thread) {
                const std::uint64_t mask = c == Class::predicate ? 1 : bits_of_class(c) == 64 ? ~0ull : (1ull << bits_of_class(c)) - 1;
                const std::uint64_t a = got[cell(c, n, thread)] & mask;
                const std::uint64_t b = wanted[cell(c, n, thread)] & mask;
                if (a == b || (c == Class::real && is_nan(a) && is_nan(b))) continue;
                return fmt::format("%{}{} of thread {} is {:#x}, the interpreter says {:#x}", letter(c), n, thread, a, b);
            }
    return {};
}

void check_seed(const std::vector<FormCase>& forms, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto program = random_program(by_opcode(forms), random);
    std::vector<std::uint64_t> got = random_cells(random);
    std::vector<std::uint64_t> wanted = got;
    const std::string text = kernel(program);
    ASSERT_EQ(run_program(text, got), "") << "seed " << seed << "\n" << text;
    interpret(program, wanted);
    ASSERT_EQ(difference(got, wanted), "") << "seed " << seed << "\n" << text;
}

} // namespace

TEST(EmulatorProperty, RandomStraightLineProgramsAgreeWithAScalarInterpreter) {
    const std::vector<FormCase> forms = pool();
    ASSERT_GT(forms.size(), 1000u);
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        check_seed(forms, seed);
        if (HasFatalFailure()) return;
    }
    if (const char* more = std::getenv("APOD_SEED")) check_seed(forms, static_cast<std::uint32_t>(std::strtoul(more, nullptr, 10)));
}

} // namespace apod::emu::testing
