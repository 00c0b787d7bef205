#include "emu/testing/run_kernel.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

void expect_parts(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(message.find(part), std::string::npos) << "no '" << part << "' in:\n" << message;
}

TEST(Fault, AnAccessPastTheEndNamesThreadAddressAndAllocation) {
    const Outcome got = run_body("mov.u32 %r10, 1;\n" + store_r10, Words(40), {}, 0, {.grid = {2, 1, 1}});
    expect_parts(got.error, {"test.ptx:", "kernel k", "write of 4 bytes out of bounds at global address",
                             "block (1, 0, 0) thread (8, 0, 0)", "0 bytes past the end of allocation 'a' (160 bytes"});
}

TEST(Fault, NothingIsWrittenByARequestThatFaults) {
    const Outcome got = run_body("mov.u32 %r10, 1;\n" + store_r10, Words(40), {}, 0, {.grid = {2, 1, 1}});
    for (std::uint32_t i = 32; i < 40; ++i) EXPECT_EQ(got.a[i], 0u);
}

TEST(Fault, AMisalignedAccessIsNamedAsSuch) {
    const Outcome got = run_body("ld.global.u32 %r10, [%rd1+2];\n", Words(40), {}, 0);
    expect_parts(got.error, {"misaligned read of 4 bytes", "thread (0, 0, 0)"});
}

TEST(Fault, AnAccessAtTheVeryEndOfTheAddressSpaceIsOutOfBoundsToo) {
    for (const char* access :
         {"st.u64 [%rd20], %rd1;\n", "st.global.u64 [%rd20], %rd1;\n", "ld.global.u64 %rd21, [%rd20];\n", "ld.u64 %rd21, [%rd20];\n"}) {
        const Outcome got = run_body(std::string("mov.u64 %rd20, -8;\n") + access, Words(40), {}, 0);
        expect_parts(got.error, {"out of bounds at global address 0xfffffffffffffff8"});
    }
}

TEST(Fault, SharedMemoryHasBoundsToo) {
    const Outcome got = run_body(
        ".shared .align 4 .b8 s[64];\nmov.u32 %r20, s;\nshl.b32 %r21, %r2, 2;\nadd.s32 %r22, %r20, %r21;\nst.shared.u32 [%r22], %r2;\n",
        Words(40), {}, 0);
    expect_parts(got.error, {"out of bounds at shared address 0x40", "thread (16, 0, 0)", "shared memory has 64 bytes"});
}

TEST(Fault, ABarrierThatSomeThreadsNeverReachIsADeadlockWithThePlacesWhereTheyStand) {
    // Warp 1 waits at barrier 1, warp 0 at barrier 0.
    const Outcome got = run_body("setp.ge.u32 %p1, %r2, 32;\n@%p1 bra OTHER;\nbar.sync 0;\nbra.uni END;\nOTHER:\nbar.sync 1;\nEND:\n",
                                 Words(40), {}, 0, {.block = {64, 1, 1}});
    expect_parts(got.error, {"can never go on", "32 threads wait at the barrier", "__syncthreads"});
}

TEST(Fault, TheWatchdogStopsAnEndlessLoop) {
    const Outcome got =
        run_body("LOOP:\nadd.s32 %r10, %r10, 1;\nsetp.ge.u32 %p1, %r2, 0;\n@%p1 bra LOOP;\n", Words(40), {}, 0, {.watchdog = 100000});
    expect_parts(got.error, {"still runs after 100000 warp instructions", "32 threads run in test.ptx:"});
}

TEST(Fault, TrapStopsTheKernel) {
    const Outcome got = run_body("setp.eq.u32 %p1, %r2, 5;\n@%p1 trap;\n", Words(40), {}, 0);
    expect_parts(got.error, {"trap reached by block (0, 0, 0) thread (5, 0, 0)"});
}

TEST(Fault, ItsKindIsToldBesideTheMessage) {
    EXPECT_EQ(run_body("setp.eq.u32 %p1, %r2, 5;\n@%p1 trap;\n", Words(40), {}, 0).fault, FaultKind::trap);
    EXPECT_EQ(run_body("ld.global.u32 %r10, [%rd1+2];\n", Words(40), {}, 0).fault, FaultKind::misaligned);
    EXPECT_EQ(run_body("", Words(40), {}, 0).fault, FaultKind::none);
}

TEST(Fault, ANullPointerAndMemoryOfTheHostAreNamedAsSuch) {
    expect_parts(run_body("mov.u64 %rd20, 0;\nst.global.u32 [%rd20], %r2;\n", Words(40), {}, 0).error,
                 {"write of 4 bytes at a null pointer (0x0), by block (0, 0, 0)", "check that the pointer was set"});
    static std::uint32_t own = 0;
    const Outcome host = run_body(fmt::format("mov.u64 %rd20, {};\nst.global.u32 [%rd20], %r2;\n", reinterpret_cast<std::uintptr_t>(&own)),
                                  Words(40), {}, 0);
    expect_parts(host.error, {"write of 4 bytes at 0x", "is the program's own memory on the host", "cudaMallocManaged"});
    EXPECT_EQ(host.error.find("allocation '"), std::string::npos) << host.error;
    EXPECT_EQ(own, 0u);
}

TEST(Fault, AnInstructionThatCannotRunIsNamedWhenTheKernelIsLoaded) {
    const Outcome got = run_body("wgmma.fence.sync.aligned;\n", Words(40), {}, 0);
    expect_parts(got.error, {"test.ptx:21:1", "cannot run 'wgmma.fence.sync.aligned'"});
}

TEST(Fault, AMissingKernelListsThoseThereAre) {
    auto module = ptx::parse(kernel_text(""), "test.ptx");
    ASSERT_TRUE(module);
    DeviceMemory memory(1 << 20);
    auto image = Image::load(*module, memory);
    ASSERT_TRUE(image);
    const auto program = lower(*image, "kk");
    ASSERT_FALSE(program);
    expect_parts(to_text(program.error()), {"no kernel 'kk'", "it has k"});
}

TEST(Fault, OfSeveralFaultyBlocksTheFirstIsReportedWhateverTheThreads) {
    for (const unsigned threads : {1u, 4u}) {
        const Outcome got =
            run_body("setp.lt.u32 %p1, %r4, 5;\n@%p1 ret;\ntrap;\n", Words(40), {}, 0, {.grid = {8, 1, 1}, .threads = threads});
        expect_parts(got.error, {"trap reached by block (5, 0, 0)"});
    }
}

} // namespace
} // namespace apod::emu
