// However a program ends, `apod run` ends as it did and reports what had run.
#include "base/process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apod {
namespace {

const std::string command = APOD_COMMAND;
const std::string program = APOD_PROGRAM;

ProcessResult run(const std::vector<std::string>& options, const std::string& how, const std::string& subcommand = "run") {
    std::vector<std::string> arguments = {command, subcommand};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", program, how});
    const Result<ProcessResult> result = run_process(arguments);
    return result ? *result : ProcessResult{-1, result.error().message};
}

bool says(const ProcessResult& result, const std::string& words) { return result.output.find(words) != std::string::npos; }

} // namespace

TEST(Endings, TheExitCodeIsTheProgramsOwn) {
    const ProcessResult result = run({}, "exit");
    EXPECT_EQ(result.exit_status, 5);
    EXPECT_TRUE(says(result, "fine (launch 0)")) << result.output;
}

TEST(Endings, AnAbortIsNamedAndTheReportComes) {
    const ProcessResult result = run({}, "abort");
    EXPECT_EQ(result.exit_status, 128 + SIGABRT);
    EXPECT_TRUE(says(result, "ended by signal 6")) << result.output;
    EXPECT_TRUE(says(result, "fine (launch 0)")) << result.output;
}

TEST(Endings, ACrashIsNamedAndTheReportComes) {
    const ProcessResult result = run({}, "crash");
    EXPECT_EQ(result.exit_status, 128 + SIGSEGV);
    EXPECT_TRUE(says(result, "ended by signal 11")) << result.output;
    EXPECT_TRUE(says(result, "fine (launch 0)")) << result.output;
}

TEST(Endings, AKernelsFaultIsShownAndTheProgramGoesOn) {
    const ProcessResult result = run({}, "fault");
    EXPECT_EQ(result.exit_status, 6);
    EXPECT_TRUE(says(result, "out of bounds")) << result.output;
    EXPECT_TRUE(says(result, "fine (launch 0)")) << result.output;
}

TEST(Endings, ATimeOutEndsTheProgramAndNamesTheKernelThatWasRunning) {
    const ProcessResult result = run({"--timeout", "1.5"}, "spin");
    EXPECT_EQ(result.exit_status, 124);
    EXPECT_TRUE(says(result, "stopped after 1.5 s")) << result.output;
    EXPECT_TRUE(says(result, "while a kernel was running: spin(int volatile*)")) << result.output;
    EXPECT_TRUE(says(result, "fine (launch 0)")) << result.output;
}

TEST(Endings, AStoppedCheckIsNotCleanAndNamesTheKernelThatWasRunning) {
    const ProcessResult result = run({"--timeout", "1.5"}, "spin", "check");
    EXPECT_EQ(result.exit_status, 124);
    EXPECT_TRUE(says(result, "no mistakes found until it was stopped")) << result.output;
    EXPECT_TRUE(says(result, "It was stopped after 1.5 s, while a kernel was running: spin(int volatile*)")) << result.output;
    EXPECT_TRUE(says(run({}, "abort", "check"), "It was stopped by signal 6")) << result.output;
}

TEST(Endings, CallsThatFailAreInTheReportThoughTheProgramDoesNotAsk) {
    const ProcessResult result = run({}, "refused");
    EXPECT_EQ(result.exit_status, 0) << result.output;
    EXPECT_TRUE(says(result, "Calls that failed")) << result.output;
    EXPECT_TRUE(says(result, "fine(int*) did not run, in main")) << result.output;
    EXPECT_TRUE(says(result, "(3 times)")) << result.output;
    EXPECT_FALSE(says(run({}, "repeat"), "Calls that failed"));
}

TEST(Endings, CallsThatFailAreMistakesForCheckButAnswersAreNot) {
    const ProcessResult result = run({"--no-leaks"}, "refused", "check");
    EXPECT_EQ(result.exit_status, 1);
    EXPECT_TRUE(says(result, "4 mistakes found")) << result.output; // two launches, the copy, the peer
    EXPECT_TRUE(says(result, "failed-call in fine(int*)\n")) << result.output;
    EXPECT_TRUE(says(result, "failed-call in fine(int*) (3 times)\n")) << result.output;
    EXPECT_TRUE(says(result, "cudaLaunchKernel gives cudaErrorInvalidValue (invalid argument): grid 4 x 1 x 1, block 2048 x 1"))
        << result.output; // lines are broken
    EXPECT_TRUE(says(result, "a block has 1024 threads at most, not 2048")) << result.output;
    EXPECT_TRUE(says(result, "cudaMemcpy gives cudaErrorInvalidValue (invalid argument): 2048 bytes from 0x")) << result.output;
    EXPECT_TRUE(says(result, "bytes from the start of an allocation of 1024")) << result.output;
    EXPECT_TRUE(says(result, "called by main")) << result.output;
    EXPECT_FALSE(says(result, "cudaPointerGetAttributes")) << result.output;
}

TEST(Endings, ALeakSaysWhichCallGaveTheMemory) {
    const ProcessResult result = run({}, "lost", "check");
    EXPECT_TRUE(says(result, "77 bytes of device memory (allocation 2 of the program, by cudaMalloc) are never freed")) << result.output;
    EXPECT_TRUE(says(result, "called by main")) << result.output;
}

TEST(Endings, AKernelThatWaitsForALaterWriteOfTheHostIsStoppedWithWhereItWaits) {
    const ProcessResult result = run({}, "waits");
    EXPECT_EQ(result.exit_status, 7); // as the program answers cudaErrorLaunchTimeout
    EXPECT_TRUE(says(result, "kernel spin(int volatile*): block (0, 0, 0) can never go on")) << result.output; // lines are broken
    EXPECT_TRUE(says(result, "waited in a loop")) << result.output;
    EXPECT_TRUE(says(result, "here a launch has run")) << result.output;
}

TEST(Endings, WhereAnotherThreadMayWriteItTheKernelWaitsOn) {
    const ProcessResult result = run({}, "thread");
    EXPECT_EQ(result.exit_status, 0) << result.output;
    EXPECT_TRUE(says(result, "warning: ")) << result.output;
    EXPECT_TRUE(says(result, "it waits on, for the program's other threads")) << result.output;
    EXPECT_TRUE(says(result, "endings: PASS")) << result.output;
}

TEST(Endings, OfLaunchesThatAreRepeatedTheFirstAreCountedAndAllRun) {
    const ProcessResult result = run({"--counted", "2"}, "repeat");
    EXPECT_EQ(result.exit_status, 0);
    EXPECT_TRUE(says(result, "endings: PASS")) << result.output;
    EXPECT_TRUE(says(result, "6 of 11 launches only ran (--counted)")) << result.output; // five of seven, one of three
    const ProcessResult all = run({}, "repeat");
    EXPECT_FALSE(says(all, "only ran")) << all.output;
}

TEST(Endings, ARunThatCountsNothingSaysWhatRan) {
    const ProcessResult result = run({"--counted", "0"}, "repeat");
    EXPECT_EQ(result.exit_status, 0);
    EXPECT_TRUE(says(result, "endings: PASS")) << result.output;
    EXPECT_TRUE(says(result, "11 of 11 launches only ran (--counted): nothing was counted and no time predicted")) << result.output;
    EXPECT_TRUE(says(result, "kernels, which only ran")) << result.output;
    EXPECT_FALSE(says(result, "limiter")) << result.output;
}

TEST(Endings, AccessesThatAGpuWouldLetPassAreWarnedOf) {
    const ProcessResult result = run({}, "near");
    EXPECT_EQ(result.exit_status, 0);
    EXPECT_TRUE(says(result, "endings: PASS")) << result.output;
    EXPECT_TRUE(says(result,
                     "kernel add(int*): reads beyond every allocation, 10 accesses of up to 4 bytes, the first 0 bytes past the end of an "
                     "allocation of 1024 bytes"))
        << result.output;
    EXPECT_TRUE(says(result, "writes beyond every allocation, 10 accesses")) << result.output;
}

TEST(Endings, ApodRunEmulatesAndTakesNoOtherDevice) {
    const ProcessResult result = run({"-d", "cuda:0"}, "exit");
    EXPECT_EQ(result.exit_status, 2);
    EXPECT_TRUE(says(result, "apod run needs an emulated GPU, and 'cuda:0' is none")) << result.output;
}

TEST(Endings, AnInterruptFromTheTerminalReachesTheProgramAndTheReportComes) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::setpgid(0, 0);
        ::dup2(ends[1], STDOUT_FILENO);
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execl(command.c_str(), command.c_str(), "run", "--", program.c_str(), "loop", nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    ::kill(-child, SIGINT);
    ProcessResult result;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) result.output.append(buffer, static_cast<std::size_t>(got));
    ::close(ends[0]);
    ::waitpid(child, &result.exit_status, 0);
    EXPECT_EQ(WEXITSTATUS(result.exit_status), 128 + SIGINT);
    EXPECT_TRUE(says(result, "fine (launch 0)")) << result.output;
}

namespace {

// Zombies have ended too: who would collect them may not.
bool has_ended(int process) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    return !std::getline(stat, line) || line.compare(line.rfind(')') + 1, 2, " Z") == 0;
}

template<class Condition> bool comes_true(const Condition& condition) {
    for (int tries = 0; tries < 200 && !condition(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return condition();
}

} // namespace

TEST(Endings, WhereApodItselfIsKilledTheProgramAndWhatItStartedEndToo) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t apod = ::fork();
    ASSERT_GE(apod, 0);
    if (apod == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execl(command.c_str(), command.c_str(), "run", "--", program.c_str(), "child", nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    std::string said;
    for (char letter = 0; letter != '\n' && ::read(ends[0], &letter, 1) == 1;) said += letter;
    int first = 0;
    int second = 0;
    char record[256] = {};
    ASSERT_EQ(std::sscanf(said.c_str(), "program %d child %d record %255s", &first, &second, record), 3) << said;
    EXPECT_FALSE(has_ended(first) || has_ended(second));
    EXPECT_TRUE(std::filesystem::exists(record));
    ::kill(apod, SIGKILL);
    ::waitpid(apod, nullptr, 0);
    EXPECT_TRUE(comes_true([&] { return has_ended(first); }));
    EXPECT_TRUE(comes_true([&] { return has_ended(second); }));
    EXPECT_TRUE(comes_true([&] { return !std::filesystem::exists(record); })) << record;
    ::close(ends[0]);
}

TEST(Endings, ASourceIsCompiledSoThatLinesAreNamed) {
    const Result<ProcessResult> run = run_process({command, "run", "--json", "-", "--", APOD_SOURCE});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->exit_status, 0) << run->output;
    EXPECT_TRUE(says(*run, "-lineinfo")) << run->output;
    EXPECT_TRUE(says(*run, "vector_add.cu\"")) << run->output; // the file of a line
    EXPECT_TRUE(says(::apod::run({}, "repeat"), "No source lines: the program was compiled without -lineinfo"));
}

} // namespace apod
