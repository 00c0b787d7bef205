// What the command says about itself, and about command lines that it does not understand.
#include "command.hpp"

#include <gtest/gtest.h>

namespace apod::golden {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

TEST(Help, is_printed_on_standard_output_with_two_examples) {
    const Command command;
    for (const std::string name : {"", "climb", "explain", "devices"}) {
        const Outcome outcome = command.apod(name + " --help");
        EXPECT_EQ(outcome.exit_code, 0) << name;
        EXPECT_EQ(outcome.err, "") << name;
        const std::size_t examples = outcome.out.find("Examples:");
        ASSERT_NE(examples, std::string::npos) << name;
        EXPECT_EQ(count(outcome.out.substr(examples), "\n  apod "), 2U) << outcome.out;
        EXPECT_EQ(outcome.out.back(), '\n');
        expect_golden("help" + (name.empty() ? name : "_" + name) + ".txt", outcome.out);
    }
}

TEST(Version, is_the_same_everywhere) {
    const Command command;
    const Outcome outcome = command.apod("--version");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out.substr(0, 5), "apod ");
    EXPECT_EQ(command.apod("climb --version").out, outcome.out);
    EXPECT_EQ(command.apod("devices --version").out, outcome.out);
}

TEST(Usage, errors_have_exit_code_2_say_what_to_do_and_leave_standard_output_alone) {
    const Command command;
    ASSERT_EQ(command.apod("--version && mkdir there && ln -s run.sh linked").exit_code, 0);
    const struct {
        const char* arguments;
        const char* message;
        const char* help;
    } cases[] = {
        {"", "no command is given", "apod --help"},
        {"clmib transpose", "there is no command 'clmib'", "did you mean 'climb'?"},
        {"climb", "LADDER is required", "apod climb --help"},
        {"climb transpose --jsn x", "--jsn", "did you mean '--json'?"},
        {"climb transpose --json", "--json", "apod climb --help"},
        {"climb transpose --color sometimes", "sometimes", "help"},
        {"climb transpose --threads -3", "--threads", "help"},
        {"climb transpos", "transpos", "did you mean 'transpose'?"},
        {"climb spmv -p matrix=stencli", "the parameter 'matrix' of the ladder 'spmv' cannot be 'stencli'", "did you mean 'stencil'?"},
        {"climb transpose -d emu:h200,emu:a100", "this command takes one device", "apod explain LADDER --device emu:h200,emu:a100"},
        {"climb transpose --what-if sms=264", "apod explain answers this", "apod climb --help"},
        {"explain /proc/self/exe", "'/proc/self/exe' is a program, and this command takes a ladder", "apod run -- /proc/self/exe"},
        {"climb transpose --json ''", "--json: the name of the file is empty", "help"},
        {"transfer --svg ''", "--svg: the name of the file is empty", "help"},
        {"climb transpose --json x --markdown x", "--json and --markdown both write x", "its own file"},
        {"run --timeout nan -- true", "'nan' is no number from 0.001 to 1000000000", "apod run --help"},
        {"run --timeout 1e30 -- true", "'1e30' is no number", "apod run --help"},
        {"run --timeout 0 -- true", "'0' is no number", "apod run --help"},
        {"check --timeout=-1 -- true", "'-1' is no number", "apod check --help"},
        {"run --counted=-1 -- true", "'-1' is no number from 0 to 4294967294", "apod run --help"},
        {"transfer --time nan", "'nan' is no number from 0 to 10000", "apod transfer --help"},
        {"run -- ''", "the name of the program is empty", "apod run -- ./program"},
        {"climb transpose -p n", "NAME=VALUE", "-p n=2048"},
        {"climb transpose --json x --csv ./x", "--json and --csv both write ./x", "its own file"},
        {"climb transpose --json x --csv there/../x", "--json and --csv both write there/../x", "its own file"},
        {"climb transpose --json run.sh --csv linked", "--json and --csv both write linked", "its own file"},
        {"climb transpose -p n=many", "not a number", "-p n=2048"},
        {"climb transpose -p n=64 -p n=32", "--param n is given twice: n=64 and n=32", "give one of them"},
        {"explain transpose -p n=64 --param n=64", "--param n is given twice: n=64 and n=64", "give one of them"},
        {"check transpose -p n=64 -p n=32", "--param n is given twice: n=64 and n=32", "give one of them"},
        {"climb transpose -p n=1e999", "not a number", "-p n=2048"},
        {"climb transpose -p m=3", "m", "help"},
        {"climb transpose -p n=16 --rung tield", "tield", "help"},
        {"climb transpose --device h200", "there is no device 'h200'", "emu:h200"},
        {"climb transpose --device emu:h20", "h20", "did you mean 'h200'?"},
        {"climb transpose --json - --csv -", "--json and --csv both go to standard output", "give one of them a file"},
        {"devices extra", "extra", "apod devices --help"},
    };
    for (const auto& [arguments, message, help] : cases) {
        const Outcome outcome = command.apod(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.err;
        EXPECT_EQ(outcome.out, "") << arguments;
        EXPECT_TRUE(contains(outcome.err, message)) << arguments << "\n" << outcome.err;
        EXPECT_TRUE(contains(outcome.err, help)) << arguments << "\n" << outcome.err;
    }
}

TEST(Usage, a_gpu_that_is_not_there_is_exit_code_4_and_names_what_works) {
    const Outcome outcome = Command().apod("climb transpose --device cuda:0");
    EXPECT_EQ(outcome.exit_code, 4);
    EXPECT_TRUE(contains(outcome.err, "emu:h200")) << outcome.err;
}

TEST(Usage, an_instruction_set_that_is_not_there_is_exit_code_4_and_says_how_to_have_it) {
    const Outcome outcome = Command().apod("climb transpose -p n=16 -r padded -q", "APOD_LANES=v9");
    EXPECT_EQ(outcome.exit_code, 4);
    EXPECT_TRUE(contains(outcome.err, "APOD_LANES asks for the instruction set 'v9'")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "-DAPOD_LANES_ISAS=all")) << outcome.err;
}

TEST(Usage, a_bad_ladder_file_is_exit_code_3_with_its_place) {
    const Command command;
    command.write("broken.toml", "[ladder\n");
    const Outcome broken = command.apod("climb broken.toml");
    EXPECT_EQ(broken.exit_code, 3) << broken.err;
    EXPECT_TRUE(contains(broken.err, "broken.toml:1")) << broken.err;
    command.write("garbage.toml", std::string("\x00\xFF\x80garbage", 10));
    EXPECT_EQ(command.apod("climb garbage.toml").exit_code, 3);
    command.write("empty.toml", "");
    EXPECT_EQ(command.apod("climb empty.toml").exit_code, 3);
    EXPECT_NE(command.apod("climb ./missing.toml").exit_code, 0);
    EXPECT_EQ(command.apod("climb ./").exit_code, 3);
}

TEST(Usage, a_program_that_cannot_be_started_says_what_was_meant) {
    const Command command;
    command.write("scale", "#!/bin/sh\n");
    const Outcome bare = command.apod("run -q -- scale");
    EXPECT_EQ(bare.exit_code, 3);
    EXPECT_TRUE(contains(bare.err, "did you mean ./scale?")) << bare.err;
    command.write("kernels.cu", "int main() {}\n");
    for (const char* name : {"kernels.cu", "./kernels.cu"}) {
        const Outcome source = command.apod(std::string("run -q -- ") + name, "APOD_NVCC="); // with nvcc it is compiled
        EXPECT_EQ(source.exit_code, 3);
        EXPECT_TRUE(contains(source.err, std::string("nvcc -lineinfo -o kernels ") + name)) << source.err;
    }
    const Outcome missing = command.apod("run -q -- ./no_such_program");
    EXPECT_EQ(missing.exit_code, 3);
    EXPECT_TRUE(contains(missing.err, "check its path")) << missing.err;
}

} // namespace
} // namespace apod::golden
