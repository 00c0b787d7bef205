#include "ladder/climb.hpp"

#include "base/file.hpp"
#include "ladder/fake_device.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace apod::ladder {
namespace {

using testing::FakeDevice;
using testing::FakeKernel;
using testing::FakeLaunch;
using testing::record_of;

constexpr std::string_view head = R"(source = "k.ptx"
[parameters]
n = 4
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
)";

std::string rung(std::string_view name, std::string_view kernel, std::string_view more = "") {
    return fmt::format(
        "[[rung]]\nname = \"{}\"\nkernel = \"{}\"\ngrid = \"ceil(n/2)\"\nblock = 2\narguments = [\"out\", \"in\", \"n\"]\n{}\n", name,
        kernel, more);
}

// Doubles each element; `wrong_from` on, adds one too much.
std::shared_ptr<FakeKernel> doubling(const std::string& name, int wrong_from = 1 << 30, double time = 10) {
    const auto body = [=](const FakeLaunch& launch) -> Result<LaunchRecord> {
        auto* out = launch.pointer<float>(0);
        const auto* in = launch.pointer<const float>(1);
        for (int i = 0; i < launch.integer(2); ++i) out[i] = 2 * in[i] + (i >= wrong_from ? 1.0f : 0.0f);
        return record_of(time, 100);
    };
    return std::make_shared<FakeKernel>(name + "(float*, float const*, int)", std::vector<std::string>{"u64", "u64", "u32"}, body);
}

class Climb : public ::testing::Test {
protected:
    // Parses and climbs a ladder of the head above and the rest; errors come as text in `error_`.
    std::optional<ClimbResult> climb_it(FakeDevice& device, const std::string& rest, const ClimbOptions& options = {}) {
        EXPECT_TRUE(write_file(directory_.path() / "k.ptx", "").ok());
        const auto ladder = parse_ladder(std::string(head) + rest, {"l.toml", directory_.path(), {}});
        if (!ladder) {
            error_ = to_text(ladder.error());
            return std::nullopt;
        }
        auto result = climb(*ladder, device, options);
        EXPECT_EQ(device.allocations(), 0u) << "buffers were not freed";
        if (result.ok()) return *std::move(result);
        error_ = to_text(result.error());
        kind_ = result.error().kind;
        return std::nullopt;
    }
    std::string error_;
    ErrorKind kind_ = ErrorKind::internal;
    TempDirectory directory_ = std::move(TempDirectory::make().value());
};

TEST_F(Climb, right_rungs_are_timed_and_wrong_ones_are_not) {
    FakeDevice device({doubling("first"), doubling("good"), doubling("bad", 2)});
    const auto result = climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "first") + rung("b", "good") + rung("c", "bad"));
    ASSERT_TRUE(result) << error_;
    EXPECT_FALSE(result->all_right());
    ASSERT_EQ(result->rungs.size(), 3u);
    EXPECT_EQ(result->rungs[0].verification, Verification::correct);
    EXPECT_EQ(result->rungs[1].verification, Verification::correct);
    EXPECT_EQ(result->rungs[1].time_ns.value, 10);
    EXPECT_EQ(result->rungs[1].limiter, "dram");
    const RungResult& bad = result->rungs[2];
    EXPECT_EQ(bad.verification, Verification::wrong);
    EXPECT_EQ(bad.time_ns.value, 0);
    EXPECT_TRUE(bad.launches.empty());
    ASSERT_TRUE(bad.mismatch);
    EXPECT_EQ(bad.mismatch->buffer, "out");
    EXPECT_EQ(bad.mismatch->index, 2u);
    EXPECT_EQ(bad.mismatch->expected, "4");
    EXPECT_EQ(bad.mismatch->actual, "5");
    EXPECT_EQ(bad.mismatch->differing, 2u);
    EXPECT_EQ(bad.mismatch->compared, 4u);
    EXPECT_EQ(device.launches.size(), 3u) << "the golden rung runs once";
    EXPECT_EQ(device.launches[0].grid, (Dim3{2, 1, 1}));
    EXPECT_EQ(device.launches[0].block, (Dim3{2, 1, 1}));
}

TEST_F(Climb, an_element_left_unwritten_is_wrong_whatever_was_there_before) {
    const auto idle = std::make_shared<FakeKernel>("idle(float*, float const*, int)", std::vector<std::string>{"u64", "u64", "u32"},
                                                   [](const FakeLaunch&) -> Result<LaunchRecord> { return record_of(1); });
    FakeDevice device({doubling("first"), idle});
    const auto result = climb_it(device, "[golden]\nrung = \"a\"\n[check]\nrelative = 0.5\n" + rung("a", "first") + rung("b", "idle"));
    ASSERT_TRUE(result) << error_;
    EXPECT_EQ(result->rungs[1].verification, Verification::wrong);
    EXPECT_EQ(result->rungs[1].mismatch->differing, 4u);
}

TEST_F(Climb, of_a_sample_only_what_it_wrote_is_compared) {
    const auto part = [](const std::string& name, float off) {
        return std::make_shared<FakeKernel>(name + "(float*, float const*, int)", std::vector<std::string>{"u64", "u64", "u32"},
                                            [=](const FakeLaunch& launch) -> Result<LaunchRecord> {
                                                launch.pointer<float>(0)[1] = 2 * launch.pointer<float>(1)[1] + off;
                                                LaunchRecord record = record_of(1);
                                                record.sample = SampleNote{1, 4};
                                                return record;
                                            });
    };
    FakeDevice device({doubling("first"), part("good", 0), part("bad", 1)});
    const auto result = climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "first") + rung("b", "good") + rung("c", "bad"));
    ASSERT_TRUE(result) << error_;
    EXPECT_EQ(result->rungs[1].verification, Verification::sampled);
    EXPECT_EQ(result->rungs[2].verification, Verification::wrong);
    EXPECT_EQ(result->rungs[2].mismatch->index, 1u);
    EXPECT_EQ(result->rungs[2].mismatch->compared, 1u);
}

TEST_F(Climb, a_sampled_golden_rung_vouches_only_for_what_it_wrote) {
    const auto part = std::make_shared<FakeKernel>("part(float*, float const*, int)", std::vector<std::string>{"u64", "u64", "u32"},
                                                   [](const FakeLaunch& launch) -> Result<LaunchRecord> {
                                                       launch.pointer<float>(0)[1] = 2;
                                                       LaunchRecord record = record_of(1);
                                                       record.sample = SampleNote{1, 4};
                                                       return record;
                                                   });
    FakeDevice device({part, doubling("all"), doubling("bad", 1), doubling("unseen", 2)});
    const auto result =
        climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "part") + rung("b", "all") + rung("c", "bad") + rung("d", "unseen"));
    ASSERT_TRUE(result) << error_;
    EXPECT_EQ(result->rungs[0].verification, Verification::sampled);
    EXPECT_EQ(result->rungs[2].verification, Verification::wrong);
    EXPECT_NE(result->rungs[3].verification, Verification::wrong);
}

TEST_F(Climb, a_rung_that_faults_does_not_stop_the_climb) {
    const auto faulty =
        std::make_shared<FakeKernel>("faulty(float*, float const*, int)", std::vector<std::string>{"u64", "u64", "u32"},
                                     [](const FakeLaunch&) -> Result<LaunchRecord> { return check_failed("out of bounds"); });
    FakeDevice device({doubling("first"), faulty});
    const auto result = climb_it(device, "[golden]\nrung = \"b\"\n" + rung("a", "faulty") + rung("b", "first"));
    ASSERT_TRUE(result) << error_;
    EXPECT_FALSE(result->all_right());
    ASSERT_TRUE(result->rungs[0].error);
    EXPECT_EQ(result->rungs[0].error->message, "out of bounds");
    EXPECT_EQ(result->rungs[0].error->where.file, "l.toml");
    EXPECT_EQ(result->rungs[0].verification, Verification::not_run);
    EXPECT_EQ(result->rungs[1].verification, Verification::correct);
}

TEST_F(Climb, a_faulting_golden_rung_is_an_error_of_the_climb) {
    const auto faulty =
        std::make_shared<FakeKernel>("faulty(float*, float const*, int)", std::vector<std::string>{"u64", "u64", "u32"},
                                     [](const FakeLaunch&) -> Result<LaunchRecord> { return check_failed("out of bounds"); });
    FakeDevice device({faulty});
    EXPECT_FALSE(climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "faulty")));
    EXPECT_NE(error_.find("golden rung 'a'"), std::string::npos) << error_;
    EXPECT_EQ(kind_, ErrorKind::check_failed);
}

TEST_F(Climb, a_rung_whose_condition_is_false_says_so) {
    FakeDevice device({doubling("first")});
    const auto result = climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "first") + rung("b", "first", "when = \"n > 100\""));
    ASSERT_TRUE(result) << error_;
    EXPECT_TRUE(result->all_right());
    EXPECT_EQ(result->rungs[1].verification, Verification::not_run);
    EXPECT_EQ(result->rungs[1].skipped_because, "runs only when n > 100");
    EXPECT_EQ(device.launches.size(), 1u);
}

TEST_F(Climb, a_rung_may_say_for_whom_it_is) {
    FakeDevice device({doubling("first")});
    const std::string why = "when = \"n > 100\"\notherwise = \"pays for more than 100\"";
    const auto result = climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "first") + rung("b", "first", why));
    ASSERT_TRUE(result) << error_;
    EXPECT_EQ(result->rungs[1].skipped_because, "pays for more than 100");
    EXPECT_FALSE(climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "first", "otherwise = \"x\"")));
    EXPECT_NE(error_.find("has 'otherwise' and no 'when'"), std::string::npos) << error_;
}

TEST_F(Climb, expressions_know_the_gpu_and_the_result_has_only_the_ladders_parameters) {
    FakeDevice device({doubling("first")});
    const auto with = [&](const std::string& condition) {
        return climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "first") + rung("b", "first", "when = \"" + condition + "\""));
    };
    const arch::Gpu& gpu = device.gpu();
    const auto result = with(fmt::format("gpu_sms == {} and gpu_cc == {} and gpu_shared >= {}", gpu.sm_count, gpu.cc.number(),
                                         gpu.limits.shared_per_block_bytes));
    ASSERT_TRUE(result) << error_;
    EXPECT_EQ(result->rungs[1].verification, Verification::correct) << result->rungs[1].skipped_because;
    EXPECT_FALSE(result->parameters.contains("gpu_sms"));
    EXPECT_FALSE(with("gpu_sm > 1"));
    EXPECT_NE(error_.find("did you mean 'gpu_sms'"), std::string::npos) << error_;
}

TEST_F(Climb, several_launches_add_up) {
    FakeDevice device({doubling("first", 1 << 30, 10)});
    const std::string launch = "[[rung.launch]]\nkernel = \"first\"\ngrid = 1\nblock = 1\narguments = [\"out\", \"in\", \"n\"]\n";
    const auto result = climb_it(device, "[golden]\nrung = \"a\"\n[[rung]]\nname = \"a\"\n" + launch + launch);
    ASSERT_TRUE(result) << error_;
    const RungResult& both = result->rungs[0];
    ASSERT_EQ(both.launches.size(), 2u);
    EXPECT_EQ(both.launches[1].index, 1u);
    EXPECT_EQ(both.time_ns.value, 20);
    EXPECT_EQ(both.time_ns.source, Source::predicted);
    EXPECT_EQ(both.metrics.at("smsp__inst_executed.sum").value, 200);
    EXPECT_EQ(both.floor_ns.value, 2) << "without [work] the launches' floors add up";
}

TEST_F(Climb, the_floor_follows_from_the_work) {
    FakeDevice device({doubling("first")});
    auto result = climb_it(device, "[golden]\nrung = \"a\"\n[work]\nbytes = \"2*n*1000\"\n" + rung("a", "first"));
    ASSERT_TRUE(result) << error_;
    EXPECT_EQ(result->useful_bytes, 8000u);
    EXPECT_DOUBLE_EQ(result->rungs[0].floor_ns.value, 8) << "8000 B at 1000 GB/s";
    EXPECT_EQ(device.launches[0].useful_bytes, 8000u);
    result = climb_it(device, "[golden]\nrung = \"a\"\n[work]\nbytes = 8000\noperations = \"n*10000\"\n" + rung("a", "first"));
    ASSERT_TRUE(result) << error_;
    EXPECT_DOUBLE_EQ(result->rungs[0].floor_ns.value, 20) << "40000 operations at 10 * 100 * 2 a ns";
}

TEST_F(Climb, chosen_rungs_run_and_the_golden_one_with_them) {
    FakeDevice device({doubling("first"), doubling("second")});
    const std::string rungs = "[golden]\nrung = \"a\"\n" + rung("a", "first") + rung("b", "second");
    const auto result = climb_it(device, rungs, {{{"n", 8}}, {"b"}, 0, {}});
    ASSERT_TRUE(result) << error_;
    ASSERT_EQ(result->rungs.size(), 1u);
    EXPECT_EQ(result->rungs[0].name, "b");
    EXPECT_EQ(result->parameters.at("n"), 8);
    EXPECT_EQ(device.launches.size(), 2u);
    EXPECT_FALSE(climb_it(device, rungs, {{}, {"bb"}, 0, {}}));
    EXPECT_NE(error_.find("no rung 'bb'"), std::string::npos);
    EXPECT_EQ(kind_, ErrorKind::usage);
}

TEST_F(Climb, the_yardstick_is_run_and_not_compared) {
    FakeDevice device({doubling("first"), doubling("copy", 0, 3)});
    const auto result = climb_it(device, "[golden]\nrung = \"a\"\n[yardstick]\nname = \"copy\"\nkernel = \"copy\"\ngrid = 1\nblock = 1\n"
                                         "arguments = [\"out\", \"in\", \"n\"]\n" +
                                             rung("a", "first"));
    ASSERT_TRUE(result) << error_;
    ASSERT_TRUE(result->yardstick);
    EXPECT_EQ(result->yardstick->time_ns.value, 3);
    EXPECT_TRUE(result->all_right());
}

TEST_F(Climb, arguments_are_checked_against_the_kernel) {
    FakeDevice device({doubling("first")});
    const auto with = [&](std::string_view arguments) {
        std::string rungs = "[golden]\nrung = \"a\"\n" + rung("a", "first");
        const std::string usual = R"(["out", "in", "n"])";
        rungs.replace(rungs.find(usual), usual.size(), arguments);
        EXPECT_FALSE(climb_it(device, rungs));
        EXPECT_EQ(error_.substr(0, 7), "l.toml:") << error_;
        return error_;
    };
    EXPECT_NE(with(R"(["out", "in"])").find("first(float*, float const*, int) takes 3 arguments, and 2 are given"), std::string::npos);
    EXPECT_NE(with(R"(["out", "n", "n"])").find("argument 2 is the number 'n', and the kernel"), std::string::npos);
    EXPECT_NE(with(R"(["out", "in", "in"])").find("argument 3 is the buffer 'in', and the kernel"), std::string::npos);
    EXPECT_NE(with(R"(["out", "in", 0.5])").find("argument 3 is 0.5"), std::string::npos);
    EXPECT_NE(with(R"(["out", "in", 5000000000])").find("does not fit"), std::string::npos);
    EXPECT_NE(with(R"(["out", "in", "n/0"])").find("division by zero"), std::string::npos);
}

TEST_F(Climb, a_missing_kernel_is_reported_where_it_is_named) {
    FakeDevice device({doubling("first")});
    EXPECT_FALSE(climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "fist")));
    EXPECT_EQ(error_.substr(0, 12), "l.toml:18:10") << error_;
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(Climb, a_buffer_too_large_for_the_device_is_unavailable_before_the_host_fills_it) {
    FakeDevice device({doubling("first")});
    EXPECT_FALSE(climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "first"), {{{"n", 1e15}}, {}, 0, {}}));
    EXPECT_EQ(kind_, ErrorKind::unavailable);
    EXPECT_NE(error_.find("smaller parameters"), std::string::npos) << error_;
}

TEST_F(Climb, progress_is_told) {
    FakeDevice device({doubling("first")});
    std::vector<std::string> seen;
    ClimbOptions options;
    options.progress = [&](const std::string& name, std::size_t index, std::size_t count) {
        seen.push_back(fmt::format("{} {}/{}", name, index, count));
    };
    ASSERT_TRUE(climb_it(device, "[golden]\nrung = \"a\"\n" + rung("a", "first") + rung("b", "first"), options));
    EXPECT_EQ(seen, (std::vector<std::string>{"a 0/2", "b 1/2"}));
}

} // namespace
} // namespace apod::ladder
