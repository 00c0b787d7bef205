// A user's mistakes in a ladder of their own, each answered with its place and what to do.
#include "base/file.hpp"
#include "emulated_climb.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace apod::golden {
namespace {

constexpr std::string_view ptx = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 out, .param .u64 in, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra done;
    mul.wide.s32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd5];
    add.f32 %f2, %f1, %f1;
    st.global.f32 [%rd4], %f2;
done:
    ret;
}
)";

constexpr std::string_view toml = R"toml(source = "twice.ptx"
arguments = ["out", "in", "n"]
[parameters]
n = 100
[[buffer]]
name = "in"
type = "f32"
shape = "n"
init = "iota"
[[buffer]]
name = "out"
type = "f32"
shape = "n"
role = "out"
[golden]
rung = "a"
[[rung]]
name = "a"
kernel = "twice"
grid = "ceil(n/32)"
block = 32
[[rung]]
name = "b"
kernel = "twice"
grid = "ceil(n/64)"
block = 64
)toml";

class Mistakes : public ::testing::Test {
protected:
    // Climbs the ladder above with one piece replaced, of the ladder or of the kernel.
    Result<ladder::ClimbResult> climb_with(std::string_view from, std::string_view to) {
        std::string ladder_text(toml);
        std::string kernel_text(ptx);
        for (std::string* text : {&ladder_text, &kernel_text}) {
            const std::size_t at = text->rfind(from);
            if (at != std::string::npos) text->replace(at, from.size(), to);
        }
        EXPECT_TRUE(write_file(directory_.path() / "l.toml", ladder_text).ok());
        EXPECT_TRUE(write_file(directory_.path() / "twice.ptx", kernel_text).ok());
        return climb_emulated((directory_.path() / "l.toml").string());
    }
    // The error of the climb as a whole, without the directory.
    std::string error_with(std::string_view from, std::string_view to) {
        const auto climb = climb_with(from, to);
        EXPECT_FALSE(climb.ok());
        return climb.ok() ? "" : without_directory(to_text(climb.error()));
    }
    // The error of the second rung.
    std::string rung_error_with(std::string_view from, std::string_view to) {
        const auto climb = climb_with(from, to);
        EXPECT_TRUE(climb.ok()) << to_text(climb.error());
        if (!climb || !climb->rungs.at(1).error) return "no error";
        return without_directory(to_text(*climb->rungs[1].error));
    }
    std::string without_directory(std::string text) const {
        const std::string prefix = (directory_.path() / "").string();
        for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
        return text;
    }

private:
    TempDirectory directory_ = std::move(TempDirectory::make("apod-mistakes").value());
};

void expect_part(const std::string& actual, const std::string& part) { EXPECT_NE(actual.find(part), std::string::npos) << actual; }

TEST_F(Mistakes, without_any_the_ladder_climbs) {
    const auto climb = climb_with("\n", "\n");
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    EXPECT_TRUE(climb->all_right());
}

TEST_F(Mistakes, a_missing_kernel_is_answered_with_those_there_are) {
    const std::string error = error_with("kernel = \"twice\"", "kernel = \"thrice\"");
    expect_part(error, "l.toml:24:10: ");
    expect_part(error, "thrice");
    expect_part(error, "twice");
}

TEST_F(Mistakes, arguments_that_do_not_fit_are_named) {
    expect_part(error_with("[\"out\", \"in\", \"n\"]", "[\"out\", \"in\"]"),
                "l.toml:2:13: the kernel twice takes 3 arguments, and 2 are given");
    expect_part(error_with("[\"out\", \"in\", \"n\"]", "[\"out\", \"n\", \"in\"]"), "l.toml:2:26: argument 3 is the buffer 'in'");
}

TEST_F(Mistakes, a_block_beyond_the_device_is_the_rungs_error) {
    const std::string error = rung_error_with("block = 64", "block = 2048");
    expect_part(error, "l.toml:22:1: ");
    expect_part(error, "1024");
}

TEST_F(Mistakes, a_grid_beyond_the_device_is_the_rungs_error) {
    expect_part(rung_error_with("grid = \"ceil(n/64)\"", "grid = [1, 70000]"), "65535");
}

TEST_F(Mistakes, too_much_shared_memory_is_the_rungs_error) {
    const std::string error = rung_error_with("block = 64", "block = 64\ndynamic_shared = 1000000");
    expect_part(error, "l.toml:22:1: ");
    expect_part(error, "shared");
}

TEST_F(Mistakes, a_wrong_rung_shows_its_first_differing_element) {
    const auto climb = climb_with("ceil(n/64)", "ceil(n/64)-1");
    ASSERT_TRUE(climb.ok()) << to_text(climb.error());
    EXPECT_FALSE(climb->all_right());
    const ladder::RungResult& rung = climb->rungs.at(1);
    EXPECT_EQ(rung.verification, ladder::Verification::wrong);
    ASSERT_TRUE(rung.mismatch);
    EXPECT_EQ(rung.mismatch->index, 64u);
    EXPECT_EQ(rung.mismatch->expected, "128");
    EXPECT_EQ(rung.mismatch->differing, 36u);
}

TEST_F(Mistakes, an_access_out_of_bounds_names_address_thread_and_allocation) {
    const std::string error = error_with("@%p1 bra done;", "");
    expect_part(error, "twice");
    expect_part(error, "out of bounds");
    expect_part(error, "golden rung 'a'");
}

TEST_F(Mistakes, an_instruction_that_is_none_has_its_place_in_the_ptx) {
    expect_part(error_with("add.f32 %f2, %f1, %f1;", "frobnicate.f32 %f2, %f1;"), "twice.ptx:23:");
}

TEST_F(Mistakes, garbage_instead_of_ptx_is_an_error) {
    expect_part(error_with(ptx, "\x7f"
                                "ELF garbage"),
                "twice.ptx:1:");
}

TEST_F(Mistakes, truncated_ptx_is_an_error) { expect_part(error_with(ptx, ptx.substr(0, 500)), "twice.ptx:"); }

TEST_F(Mistakes, a_division_by_zero_is_an_error_with_its_place) {
    expect_part(error_with("ceil(n/64)", "ceil(n/(n-100))"), "l.toml:25:15: division by zero");
}

} // namespace
} // namespace apod::golden
