// A ladder of one's own in PTX, so that no nvcc is needed: right, wrong and faulting rungs as the command shows them.
#include "command.hpp"

#include <gtest/gtest.h>

namespace apod::golden {
namespace {

constexpr const char* kernels = R"(.version 7.0
.target sm_75
.address_size 64

// out[i] = value of the thread's index times `factor`, for i < n
.visible .entry scale(.param .u64 out, .param .u32 n, .param .u32 factor)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %d<4>;
    ld.param.u64 %d0, [out];
    ld.param.u32 %r0, [n];
    ld.param.u32 %r1, [factor];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r0;
    @%p bra end;
    mul.lo.u32 %r6, %r5, %r1;
    cvta.to.global.u64 %d1, %d0;
    mul.wide.u32 %d2, %r5, 4;
    add.s64 %d3, %d1, %d2;
    st.global.u32 [%d3], %r6;
end:
    ret;
}
)";

std::string ladder(const std::string& rungs) {
    return "title = \"multiples\"\nsource = \"own.ptx\"\n[parameters]\nn = 100\n[[buffer]]\nname = \"out\"\ntype = \"u32\"\nshape = \"n\"\n"
           "role = \"out\"\n[golden]\nrung = \"twice\"\n" +
           rungs;
}

std::string rung(const std::string& name, const std::string& arguments) {
    return "[[rung]]\nname = \"" + name + "\"\nwhat = \"" + name +
           " as much\"\nkernel = \"scale\"\ngrid = \"ceil(n/64)\"\nblock = 64\narguments = [" + arguments + "]\n";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class OwnLadder : public testing::Test {
protected:
    OwnLadder() { command_.write("own.ptx", kernels); }

    Outcome climb(const std::string& rungs, const std::string& options = "-q") {
        command_.write("own.toml", ladder(rungs));
        return command_.apod("climb own.toml " + options);
    }

    Command command_;
};

TEST_F(OwnLadder, is_climbed_like_a_built_in_one) {
    const Outcome outcome = climb(rung("twice", "\"out\", \"n\", 2"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "own: multiples (n = 100)")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "\ntwice  OK ")) << outcome.out;
}

TEST_F(OwnLadder, shows_the_first_wrong_element_and_ends_with_1) {
    const Outcome outcome = climb(rung("twice", "\"out\", \"n\", 2") + rung("thrice", "\"out\", \"n\", 3"));
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "WRONG thrice: out[1] is 3, expected 2; 99 of 100 elements differ")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "\nthrice  WRONG           -")) << "a wrong rung has no time\n" << outcome.out;
}

TEST_F(OwnLadder, shows_a_fault_with_its_kernel_and_goes_on_with_the_next_rung) {
    const Outcome outcome =
        climb(rung("twice", "\"out\", \"n\", 2") + rung("beyond", "\"out\", \"n+28\", 2") + rung("again", "\"out\", \"n\", 2"));
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "FAULT beyond: ")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "scale")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "again   OK ")) << outcome.out;
}

TEST_F(OwnLadder, says_what_is_wrong_with_it_at_its_place_and_ends_with_3) {
    const struct {
        const char* from;
        const char* to;
        const char* message;
    } cases[] = {
        {"kernel = \"scale\"", "kernel = \"skale\"", "scale"},
        {"ceil(n/64)", "ceil(n/0)", "zero"},
        {"ceil(n/64)", "ceil(n/", "own.toml:16:16"},
        {"\"out\", \"n\", 2", "\"out\", \"n\"", "own.toml:18:13"},
        {"source = \"own.ptx\"", "source = \"none.ptx\"", "none.ptx"},
    };
    for (const auto& [from, to, message] : cases) {
        std::string text = ladder(rung("twice", "\"out\", \"n\", 2"));
        text.replace(text.find(from), std::string(from).size(), to);
        command_.write("own.toml", text);
        const Outcome outcome = command_.apod("climb own.toml -q");
        EXPECT_EQ(outcome.exit_code, 3) << to << "\n" << outcome.err;
        EXPECT_TRUE(contains(outcome.err, message)) << to << "\n" << outcome.err;
        EXPECT_EQ(outcome.out, "") << to;
    }
}

TEST_F(OwnLadder, a_parameter_of_the_command_line_that_makes_an_empty_buffer_is_a_usage_error) {
    const Outcome outcome = climb(rung("twice", "\"out\", \"n\", 2"), "-q -p n=0");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "shape must be at least 1")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "the command line says n = 0")) << outcome.err;
}

TEST_F(OwnLadder, an_extent_that_is_no_number_is_called_so) {
    std::string wrong = rung("twice", "\"out\", \"n\", 2");
    wrong.replace(wrong.find("block = 64"), 10, "block = \"a lot\"");
    const Outcome outcome = climb(wrong);
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_TRUE(contains(outcome.err, "'a lot' is neither a number nor a formula: expected an operator")) << outcome.err;
}

TEST_F(OwnLadder, nothing_is_written_to_a_directory_that_is_not_there) {
    const Outcome outcome = climb(rung("twice", "\"out\", \"n\", 2"), "-q --json nodir/x.json");
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_TRUE(contains(outcome.err, "cannot write the file: No such file or directory")) << outcome.err;
    EXPECT_EQ(command_.apod("-h; ls").out.find("nodir"), std::string::npos);
}

TEST_F(OwnLadder, a_gpu_older_than_any_that_nvcc_knows_is_told_so) {
    const Outcome outcome = climb(rung("twice", "\"out\", \"n\", 2"), "-q -d emu:gt650m");
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_TRUE(contains(outcome.err, "nvcc of CUDA 13 compiles for 7.5 and newer")) << outcome.err;
}

// Stopping: a kernel that never ends, behind one that does.
constexpr const char* spinning = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 out)
{
    .reg .pred %p;
    .reg .b32 %r;
    .reg .b64 %d<2>;
    ld.param.u64 %d0, [out];
    cvta.to.global.u64 %d1, %d0;
again:
    ld.volatile.global.u32 %r, [%d1];
    setp.ne.u32 %p, %r, 12345;
    @%p bra again;
    ret;
}
)";

class Stopped : public OwnLadder {
protected:
    Stopped() {
        command_.write("own.ptx", kernels + std::string(spinning).substr(std::string(spinning).find(".visible")));
        command_.write("own.toml", ladder(rung("twice", "\"out\", \"n\", 2") +
                                          "[[rung]]\nname = \"endless\"\nkernel = \"spin\"\ngrid = 1\nblock = 32\narguments = [\"out\"]\n" +
                                          rung("late", "\"out\", \"n\", 2")));
    }
};

TEST_F(Stopped, a_ladder_shows_what_had_run_and_names_the_rung_and_the_kernel) {
    for (const std::string name : {"climb", "explain", "climb --check"}) {
        const Outcome outcome = command_.apod(name + " own.toml --timeout 1");
        EXPECT_EQ(outcome.exit_code, 124) << name << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "stopped in rung endless, after 1 s (--timeout)")) << name << outcome.err;
        EXPECT_TRUE(contains(outcome.out, "twice")) << name << outcome.out;
        EXPECT_TRUE(contains(outcome.out, "kernel spin: stopped while block (0, 0, 0) was running")) << name << outcome.out;
        EXPECT_TRUE(contains(outcome.out, "not reached before apod was stopped")) << name << outcome.out;
    }
}

TEST_F(Stopped, a_check_is_not_clean) {
    const Outcome outcome = command_.apod("check -q own.toml --timeout 1");
    EXPECT_EQ(outcome.exit_code, 124) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "no mistakes found until it was stopped")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "It was stopped in rung endless")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "32 threads run in own.ptx:")) << outcome.out;
}

TEST_F(Stopped, an_interrupt_ends_a_ladder_as_a_time_out_does) {
    const Outcome outcome = command_.apod("climb own.toml", "timeout --foreground -s INT 1.5");
    EXPECT_TRUE(contains(outcome.err, "stopped in rung endless, by a signal")) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "twice")) << outcome.out;
}

TEST_F(Stopped, without_a_golden_result_the_kernel_is_named_all_the_same) {
    command_.write("own.toml",
                   "source = \"own.ptx\"\n[[buffer]]\nname = \"out\"\ntype = \"u32\"\nshape = 1\nrole = \"out\"\n[golden]\nrung = "
                   "\"endless\"\n[[rung]]\nname = \"endless\"\nkernel = \"spin\"\ngrid = 1\nblock = 32\narguments = [\"out\"]\n");
    const Outcome outcome = command_.apod("climb own.toml --timeout 1");
    EXPECT_EQ(outcome.exit_code, 124) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "kernel spin: stopped while block (0, 0, 0) was running")) << outcome.out << outcome.err;
}

} // namespace
} // namespace apod::golden
