#include "bench/host_target.hpp"
#include "bench/program_target.hpp"

#include <gtest/gtest.h>

namespace apod::bench {

TEST(HostTarget, TimesTheWorkAndNotWhatComesBefore) {
    int worked = 0, prepared = 0;
    HostTarget target(
        "work", [&] { return ++worked, Result<void>(); }, [&] { return ++prepared, Result<void>(); });
    const Result<Sample> sample = target.sample(5);
    ASSERT_TRUE(sample);
    EXPECT_EQ(worked, 5);
    EXPECT_EQ(prepared, 1);
    EXPECT_GE(sample->time_ns, 0);
    HostTarget failing("work", [] { return Result<void>(unavailable("no")); });
    EXPECT_FALSE(failing.first_run());
}

TEST(ProgramTarget, TimesAProgramFromStartToEnd) {
    ProgramTarget target({"/bin/sh", "-c", "exit 0"});
    EXPECT_EQ(target.name(), "/bin/sh -c exit 0");
    const Result<Sample> sample = target.sample(2);
    ASSERT_TRUE(sample);
    EXPECT_GT(sample->time_ns, 1000);
    EXPECT_EQ(sample->runs, 2U);
}

TEST(ProgramTarget, AProgramThatFailsIsNotTimed) {
    ProgramTarget target({"/bin/sh", "-c", "echo broken; exit 3"});
    const Result<double> run = target.first_run();
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().kind, ErrorKind::check_failed);
    EXPECT_NE(run.error().message.find("exit status 3"), std::string::npos);
    ASSERT_EQ(run.error().notes.size(), 1U);
    EXPECT_NE(run.error().notes[0].find("broken"), std::string::npos);
    ProgramTarget missing({"/nowhere/program"});
    EXPECT_FALSE(missing.first_run());
    ProgramTarget none({});
    EXPECT_EQ(none.first_run().error().kind, ErrorKind::usage);
}

} // namespace apod::bench
