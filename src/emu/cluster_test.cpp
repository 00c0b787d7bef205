// Clusters: who is who, distributed shared memory in every way to reach it, the cluster's barrier, and what goes wrong.
#include "emu/cluster_shape.hpp"
#include "emu/testing/run_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

// A kernel whose clusters have `shape` blocks; %rd1 and %rd2 hold a and b, %r2 the thread, %r3 the thread in the grid, %r6 the block's
// rank, %r7 the cluster's size, %r9 the address of 1 KiB of shared memory, s.
Outcome run_cluster(const std::string& shape, const std::string& body, Words a, const Words& b, const Shape& how,
                    const SinkFactory& sinks = {}) {
    const std::string text =
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n" + shape +
        "\n{\n.shared .align 16 .b8 s[1024];\n.reg .pred %p<20>;\n.reg .b16 %rs<20>;\n.reg .b32 %r<60>;\n.reg .f32 %f<20>;\n.reg .b64 "
        "%rd<40>;\n"
        "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nmov.u32 %r2, %tid.x;\nmov.u32 %r4, %ctaid.x;\n"
        "mov.u32 %r5, %ntid.x;\nmad.lo.s32 %r3, %r4, %r5, %r2;\nmov.u32 %r6, %cluster_ctarank;\nmov.u32 %r7, %cluster_nctarank;\n"
        "mov.u32 %r9, s;\nmul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\n" +
        body + "\nret;\n}\n";
    return run_text(text, std::move(a), b, 0, how, sinks);
}

const std::string of_four = ".reqnctapercluster 4, 1, 1";
const std::string sync = "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";

TEST(Clusters, OrdersAndPlacesAreOneAnothersInverse) {
    const ClusterShape shape{{6, 4, 2}, {3, 2, 1}};
    std::vector<bool> seen(48);
    for (std::uint64_t order = 0; order < 48; ++order) {
        const std::uint64_t block = shape.block_at(order);
        ASSERT_LT(block, 48u);
        EXPECT_FALSE(seen[block]);
        seen[block] = true;
        EXPECT_EQ(shape.rank_of(block), order % 6);
        const Dim3 cluster = shape.cluster_of(block);
        EXPECT_EQ((cluster.z * 2 + cluster.y) * 2 + cluster.x, order / 6);
    }
}

TEST(Clusters, SpecialRegistersSayWhereABlockIs) {
    const Outcome got = run_cluster(
        ".reqnctapercluster 2, 2, 1",
        "mov.u32 %r10, %cluster_ctaid.x;\nmov.u32 %r11, %cluster_ctaid.y;\nmov.u32 %r12, %clusterid.x;\nmov.u32 %r13, %clusterid.y;\n"
        "mov.u32 %r14, %cluster_nctaid.x;\nmov.u32 %r15, %nclusterid.x;\nmov.u32 %r16, %nclusterid.y;\n"
        "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r17, 1, 0, %p1;\n"
        "mov.u32 %r20, %ctaid.y;\nmad.lo.u32 %r21, %r20, 4, %r4;\nmul.wide.u32 %rd10, %r21, 40;\nadd.s64 %rd11, %rd1, %rd10;\n"
        "st.global.v2.u32 [%rd11], {%r10, %r11};\nst.global.v2.u32 [%rd11+8], {%r12, %r13};\n"
        "st.global.v2.u32 [%rd11+16], {%r14, %r15};\nst.global.v2.u32 [%rd11+24], {%r16, %r17};\nst.global.v2.u32 [%rd11+32], {%r6, "
        "%r7};\n",
        Words(8 * 10), {}, {.grid = {4, 2, 1}, .block = {1, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t y = 0; y < 2; ++y)
        for (std::uint32_t x = 0; x < 4; ++x) {
            const Words wanted{x % 2, y % 2, x / 2, y / 2, 2, 2, 1, 1, y * 2 + x % 2, 4};
            for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(got.a[(y * 4 + x) * 10 + i], wanted[i]) << x << " " << y << " " << i;
        }
}

TEST(Clusters, ALaunchWithoutClustersHasClustersOfOneBlock) {
    const Outcome got = run_cluster("",
                                    "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r10, 100, 0, %p1;\nadd.s32 %r10, %r10, %r7;\n" + sync +
                                        "st.global.u32 [%rd4], %r10;\n",
                                    Words(96), {}, {.grid = {3, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (const std::uint32_t word : got.a) EXPECT_EQ(word, 1u);
}

// Each block stores 1000 * rank + thread; each thread then reads from the block after its own, in `how` many ways.
TEST(Clusters, EveryBlockReadsTheSharedMemoryOfAnother) {
    const std::string store =
        "mad.lo.u32 %r10, %r6, 1000, %r2;\nshl.b32 %r11, %r2, 2;\nadd.s32 %r12, %r9, %r11;\nst.shared.u32 [%r12], %r10;\n" + sync +
        "add.s32 %r13, %r6, 1;\nrem.u32 %r13, %r13, %r7;\n";
    const char* const ways[] = {
        "mapa.shared::cluster.u32 %r14, %r12, %r13;\nld.shared::cluster.u32 %r15, [%r14];\n",
        "cvt.u64.u32 %rd5, %r12;\nmapa.shared::cluster.u64 %rd6, %rd5, %r13;\nld.shared::cluster.u32 %r15, [%rd6];\n",
        "cvt.u64.u32 %rd5, %r12;\ncvta.shared.u64 %rd5, %rd5;\nmapa.u64 %rd6, %rd5, %r13;\nld.u32 %r15, [%rd6];\n",
        "mapa.shared::cluster.u32 %r14, %r12, %r13;\ncvt.u64.u32 %rd5, %r14;\ncvta.shared::cluster.u64 %rd6, %rd5;\nld.u32 %r15, [%rd6];\n",
        // Odd lanes read their own block's, even ones the other's, in one generic request.
        "cvt.u64.u32 %rd5, %r12;\ncvta.shared.u64 %rd5, %rd5;\nmapa.u64 %rd6, %rd5, %r13;\nand.b32 %r16, %r2, 1;\nsetp.eq.u32 %p1, %r16, "
        "1;\n"
        "@%p1 mapa.u64 %rd6, %rd5, %r6;\nld.u32 %r15, [%rd6];\nsub.s32 %r17, %r13, %r6;\nmul.lo.s32 %r17, %r17, 1000;\n@%p1 add.s32 %r15, "
        "%r15, %r17;\n"};
    for (const char* way : ways) {
        const Outcome got = run_cluster(of_four, store + way + sync + "st.global.u32 [%rd4], %r15;\n", Words(8 * 64), {},
                                        {.grid = {8, 1, 1}, .block = {64, 1, 1}, .threads = 2});
        ASSERT_EQ(got.error, "") << way;
        for (std::uint32_t i = 0; i < 8 * 64; ++i) EXPECT_EQ(got.a[i], (i / 64 % 4 + 1) % 4 * 1000 + i % 64) << way << i;
    }
}

TEST(Clusters, AddressesTellTheirBlockAndTheirSpace) {
    const Outcome got = run_cluster(
        of_four,
        "mapa.shared::cluster.u32 %r10, %r9, 2;\ngetctarank.shared::cluster.u32 %r11, %r10;\ngetctarank.shared::cluster.u32 %r12, %r9;\n"
        "cvt.u64.u32 %rd5, %r9;\ncvta.shared.u64 %rd5, %rd5;\nmapa.u64 %rd6, %rd5, 3;\ngetctarank.u64 %r13, %rd6;\n"
        "isspacep.shared::cluster %p1, %rd6;\nisspacep.shared::cta %p2, %rd6;\nisspacep.shared %p3, %rd5;\n"
        "isspacep.shared::cluster %p4, %rd1;\nisspacep.global %p5, %rd6;\n"
        "shl.b32 %r14, %r11, 8;\nor.b32 %r14, %r14, %r12;\nshl.b32 %r15, %r13, 16;\nor.b32 %r14, %r14, %r15;\n"
        "@%p1 or.b32 %r14, %r14, 0x1000000;\n@%p2 or.b32 %r14, %r14, 0x2000000;\n@%p3 or.b32 %r14, %r14, 0x4000000;\n"
        "@%p4 or.b32 %r14, %r14, 0x8000000;\n@%p5 or.b32 %r14, %r14, 0x10000000;\nst.global.u32 [%rd4], %r14;\n",
        Words(4), {}, {.grid = {4, 1, 1}, .block = {1, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t rank = 0; rank < 4; ++rank)
        EXPECT_EQ(got.a[rank], 2u << 8 | rank | 3u << 16 | 0x5000000u | (rank == 3 ? 0x2000000u : 0));
}

TEST(Clusters, StoresAndAtomicsReachOtherBlocks) {
    // All 256 threads of the cluster add to a word of block 1, and each stores into a slot of block 3.
    const Outcome got = run_cluster(
        of_four,
        "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra READY;\nst.shared.u32 [%r9], 7;\nREADY:\n" + sync +
            "mapa.shared::cluster.u32 %r10, %r9, 1;\natom.shared::cluster.add.u32 %r11, [%r10], %r2;\n"
            "cvt.u64.u32 %rd5, %r10;\ncvta.shared::cluster.u64 %rd5, %rd5;\nred.add.u32 [%rd5], 1;\n"
            "mapa.shared::cluster.u32 %r12, %r9, 3;\nshl.b32 %r13, %r3, 2;\nand.b32 %r13, %r13, 1023;\nmax.u32 %r13, %r13, 4;\n"
            "add.s32 %r12, %r12, %r13;\nst.shared::cluster.u32 [%r12], %r3;\n" +
            sync + "shl.b32 %r14, %r2, 2;\nadd.s32 %r15, %r9, %r14;\nld.shared.u32 %r16, [%r15];\nst.global.u32 [%rd4], %r16;\n",
        Words(256), {}, {.grid = {4, 1, 1}, .block = {64, 1, 1}});
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.a[64], 7u + 4 * (64 * 63 / 2) + 256);
    for (std::uint32_t i = 2; i < 64; ++i) EXPECT_EQ(got.a[192 + i], i); // slots of threads 2 to 63 are in what block 3 gave out
}

TEST(Clusters, ABarrierHoldsEveryThreadUntilAllHaveArrived) {
    // A chain: in round r block r adds one to what block r - 1 had. Threads that have exited are not waited for.
    const Outcome got = run_cluster(
        ".reqnctapercluster 8, 1, 1",
        "setp.ge.u32 %p5, %r2, 32;\n@%p5 bra OUT;\nmov.u32 %r20, 1;\nsetp.ne.u32 %p1, %r6, 0;\n@!%p1 st.shared.u32 [%r9], 5;\nLOOP:\n"
        "barrier.cluster.arrive;\nbarrier.cluster.wait;\nsetp.ne.u32 %p2, %r6, %r20;\n@%p2 bra NEXT;\nsub.s32 %r21, %r6, 1;\n"
        "mapa.shared::cluster.u32 %r22, %r9, %r21;\nld.shared::cluster.u32 %r23, [%r22];\nadd.s32 %r23, %r23, 1;\nst.shared.u32 [%r9], "
        "%r23;\n"
        "NEXT:\nadd.s32 %r20, %r20, 1;\nsetp.lt.u32 %p3, %r20, 8;\n@%p3 bra LOOP;\n" +
            sync + "ld.shared.u32 %r24, [%r9];\nst.global.u32 [%rd4], %r24;\nOUT:\n",
        Words(8 * 64), {}, {.grid = {8, 1, 1}, .block = {64, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t block = 0; block < 8; ++block) EXPECT_EQ(got.a[block * 64], 5 + block);
}

TEST(Clusters, RemoteArrivalsAsynchronousStoresAndReductionsCompleteAnMbarrier) {
    // Block 0's mbarrier at s expects an arrival of each of the 4 blocks' thread 0, and 4 bytes x 2 of each; the values land at s + 16 + 8
    // * rank, and s + 64 is summed up.
    const Outcome got = run_cluster(
        of_four,
        "setp.ne.u32 %p1, %r2, 0;\nsetp.ne.u32 %p2, %r6, 0;\nor.pred %p3, %p1, %p2;\n@%p3 bra READY;\n"
        "mbarrier.init.shared.b64 [%r9], 5;\nmbarrier.arrive.expect_tx.shared.b64 %rd20, [%r9], 48;\nst.shared.u32 [%r9+64], 0;\nREADY:\n" +
            sync +
            "@%p1 bra WAIT;\nmapa.shared::cluster.u32 %r10, %r9, 0;\nshl.b32 %r11, %r6, 3;\nadd.s32 %r12, %r10, %r11;\nadd.s32 %r13, %r6, "
            "100;\nadd.s32 %r14, %r6, 200;\n"
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r12+16], {%r13, %r14}, [%r10];\n"
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r10+64], %r13, [%r10];\n"
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r10];\nWAIT:\n@%p2 bra DONE;\nSPIN:\n"
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p4, [%r9], 0;\n@!%p4 bra SPIN;\nDONE:\n" +
            sync + "shl.b32 %r14, %r2, 2;\nadd.s32 %r15, %r9, %r14;\nld.shared.u32 %r16, [%r15];\nst.global.u32 [%rd4], %r16;\n",
        Words(128), {}, {.grid = {4, 1, 1}, .block = {32, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(got.a[4 + 2 * rank], 100 + rank);
        EXPECT_EQ(got.a[5 + 2 * rank], 200 + rank);
    }
    EXPECT_EQ(got.a[16], 100u + 101 + 102 + 103);
}

TEST(Clusters, EveryAsynchronousReductionGivesTheNewValue) {
    struct Reduction {
        const char* name;
        std::uint32_t old, by, wanted;
    };
    constexpr Reduction reductions[] = {{"add.u32", 0xfffffff0u, 0x20, 0x10},
                                        {"add.s32", 5, static_cast<std::uint32_t>(-7), static_cast<std::uint32_t>(-2)},
                                        {"min.u32", 0x80000000u, 3, 3},
                                        {"max.u32", 0x80000000u, 3, 0x80000000u},
                                        {"min.s32", 0x80000000u, 3, 0x80000000u},
                                        {"max.s32", 0x80000000u, 3, 3},
                                        {"inc.u32", 9, 9, 0},
                                        {"inc.u32", 8, 9, 9},
                                        {"dec.u32", 0, 9, 9},
                                        {"dec.u32", 8, 9, 7},
                                        {"and.b32", 0xff00ff00u, 0x0ff00ff0u, 0x0f000f00u},
                                        {"or.b32", 0xff00ff00u, 0x0ff00ff0u, 0xfff0fff0u},
                                        {"xor.b32", 0xff00ff00u, 0x0ff00ff0u, 0xf0f0f0f0u}};
    const auto code = [](const std::string& name, const std::string& value, int bytes) {
        return "add.s32 %r8, %r9, 512;\nld.global.u32 %r20, [%rd2];\nld.global.u32 %r21, [%rd2+4];\nmov.b64 %rd21, {%r21, %r20};\nmov.b64 "
               "%rd22, {%r20, %r21};\n"
               "mbarrier.init.shared.b64 [%r8], 1;\nmbarrier.arrive.expect_tx.shared.b64 %rd20, [%r8], " +
               std::to_string(bytes) + ";\nst.shared.b64 [%r9], %rd22;\n" + sync +
               "setp.ne.u32 %p1, %r6, 0;\n@%p1 bra WAIT;\nmapa.shared::cluster.u32 %r15, %r9, 1;\nmapa.shared::cluster.u32 %r16, %r8, 1;\n"
               "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." +
               name + " [%r15], " + value +
               ", [%r16];\nbra DONE;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 %p5, [%r8], 0;\n@!%p5 bra WAIT;\n"
               "DONE:\n" +
               sync +
               "ld.shared.v2.u32 {%r22, %r23}, [%r9];\nmul.wide.u32 %rd3, %r3, 8;\nadd.s64 %rd4, %rd1, %rd3;\nst.global.v2.u32 [%rd4], "
               "{%r22, %r23};\n";
    };
    for (const Reduction& reduction : reductions) {
        const Outcome got = run_cluster(".reqnctapercluster 2, 1, 1", code(reduction.name, "%r21", 4), Words(4),
                                        {reduction.old, reduction.by}, {.grid = {2, 1, 1}, .block = {1, 1, 1}});
        ASSERT_EQ(got.error, "") << reduction.name;
        EXPECT_EQ(got.a, (Words{reduction.old, reduction.by, reduction.wanted, reduction.by})) << reduction.name;
    }
    const Outcome wide = run_cluster(".reqnctapercluster 2, 1, 1", code("add.u64", "%rd21", 8), Words(4), {0xffffffffu, 1},
                                     {.grid = {2, 1, 1}, .block = {1, 1, 1}});
    ASSERT_EQ(wide.error, "");
    EXPECT_EQ(wide.a, (Words{0xffffffffu, 1, 0, 0xffffffffu + 1u + 1u})); // 0x1ffffffff + 0xffffffff00000001
}

TEST(Clusters, BulkCopiesGoToOtherBlocksAndToSeveral) {
    // Block 0 sends 64 bytes of its own memory to block 1, and 64 bytes of global memory to blocks 1 and 2 at once; mbarriers lie at s +
    // 512.
    const Outcome got = run_cluster(
        of_four,
        "setp.ne.u32 %p1, %r2, 0;\nadd.s32 %r8, %r9, 512;\n@%p1 bra READY;\nmbarrier.init.shared.b64 [%r8], 1;\nmov.u32 %r10, 0;\n"
        "setp.eq.u32 %p2, %r6, 1;\nsetp.eq.u32 %p3, %r6, 2;\n@%p2 mov.u32 %r10, 128;\n@%p3 mov.u32 %r10, 64;\n"
        "mbarrier.arrive.expect_tx.shared.b64 %rd20, [%r8], %r10;\nREADY:\nshl.b32 %r11, %r2, 2;\nadd.s32 %r12, %r9, %r11;\nadd.s32 %r13, "
        "%r2, 50;\n"
        "st.shared.u32 [%r12], %r13;\n" +
            sync +
            "or.b32 %r14, %r2, %r6;\nsetp.ne.u32 %p4, %r14, 0;\n@%p4 bra WAIT;\nmapa.shared::cluster.u32 %r15, %r9, "
            "1;\nmapa.shared::cluster.u32 %r16, %r8, 1;\n"
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r15+256], [%r9], 64, [%r16];\n"
            "mov.u16 %rs1, 6;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r9+320], [%rd2], 64, "
            "[%r8], %rs1;\n"
            "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p5, [%r8], 0;\n@!%p5 bra WAIT;\n"
            "add.s32 %r17, %r12, 256;\nld.shared.u32 %r18, [%r17];\nst.global.u32 [%rd4], %r18;\n" +
            sync,
        Words(128), Words(16, 77), {.grid = {4, 1, 1}, .block = {32, 1, 1}});
    ASSERT_EQ(got.error, "");
    for (std::uint32_t i = 0; i < 16; ++i) {
        EXPECT_EQ(got.a[32 + i], 50 + i);
        EXPECT_EQ(got.a[32 + 16 + i], 77u);
        EXPECT_EQ(got.a[64 + 16 + i], 77u);
        EXPECT_EQ(got.a[96 + 16 + i], 0xffffffffu); // block 3 got nothing
    }
}

struct Requests : EventSink {
    std::uint64_t own = 0, distributed = 0;
    void memory(const MemoryEvent& event) override {
        if (event.space != MemorySpace::shared) return;
        ++(event.distributed ? distributed : own);
        for (unsigned lane = 0; lane < lanes; ++lane) {
            if ((event.active >> lane & 1u) == 0) continue;
            EXPECT_LT(event.address[lane], 1024u);
        }
    }
};

TEST(Clusters, RequestsToOtherBlocksAreToldAsThoseOfSharedMemory) {
    Requests requests;
    const Outcome got = run_cluster(of_four,
                                    "shl.b32 %r11, %r2, 2;\nadd.s32 %r12, %r9, %r11;\nst.shared.u32 [%r12], %r2;\n" + sync +
                                        "mapa.shared::cluster.u32 %r14, %r12, 1;\nld.shared::cluster.u32 %r15, [%r14];\n" + sync +
                                        "st.global.u32 [%rd4], %r15;\n",
                                    Words(128), {}, {.grid = {4, 1, 1}}, [&](unsigned) { return &requests; });
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(requests.own, 4u + 1); // block 1 reads its own
    EXPECT_EQ(requests.distributed, 3u);
}

TEST(Clusters, WhatCannotBeIsSaid) {
    const auto error = [](const std::string& shape, const std::string& body, const Shape& how) {
        return run_cluster(shape, body, Words(1024), {}, how).error;
    };
    EXPECT_NE(error(of_four, "", {.grid = {6, 1, 1}}).find("clusters of (4, 1, 1) blocks do not divide the grid (6, 1, 1)"),
              std::string::npos);
    EXPECT_NE(error(".reqnctapercluster 17, 1, 1", "", {.grid = {17, 1, 1}}).find("a cluster of 17 blocks, at most 16"), std::string::npos);
    EXPECT_NE(error(".explicitcluster", "", {}).find("needs the dimensions of its clusters"), std::string::npos);
    const std::string outside =
        error(of_four, "mapa.shared::cluster.u32 %r10, %r9, 4;\nld.shared::cluster.u32 %r11, [%r10];\n", {.grid = {4, 1, 1}});
    EXPECT_NE(outside.find("out of bounds at shared address"), std::string::npos) << outside;
    EXPECT_NE(outside.find("rank 4"), std::string::npos) << outside;
    // Block 1 has long gone when block 0 has counted to a hundred thousand.
    const std::string absent =
        error(of_four,
              "setp.eq.u32 %p1, %r6, 1;\n@%p1 bra OUT;\nmov.u32 %r20, 0;\nLOOP:\nadd.s32 %r20, %r20, 1;\nsetp.lt.u32 %p2, %r20, "
              "300000;\n@%p2 bra LOOP;\n"
              "mapa.shared::cluster.u32 %r10, %r9, 1;\nld.volatile.shared::cluster.u32 %r11, [%r10];\nst.global.u32 [%rd4], %r11;\nOUT:\n",
              {.grid = {4, 1, 1}});
    EXPECT_TRUE(absent.empty() || absent.find("block 1 of the cluster, which has exited") != std::string::npos) << absent;
    const std::string stuck =
        error(of_four,
              "setp.eq.u32 %p1, %r6, 1;\n@%p1 bra AT;\n" + sync + "AT:\nsetp.ne.u32 %p2, %r6, 1;\n@%p2 bra OUT;\nbar.sync 1, 64;\nOUT:\n",
              {.grid = {4, 1, 1}});
    EXPECT_NE(stuck.find("can never go on"), std::string::npos) << stuck;
}

TEST(Clusters, ResultsDoNotDependOnTheNumberOfThreads) {
    Words first;
    for (const unsigned threads : {1u, 4u}) {
        const Outcome got = run_cluster(
            of_four,
            "mul.lo.u32 %r10, %r3, 2654435761;\nshl.b32 %r11, %r2, 2;\nadd.s32 %r12, %r9, %r11;\nst.shared.u32 [%r12], %r10;\n" + sync +
                "add.s32 %r13, %r6, %r2;\nrem.u32 %r13, %r13, 4;\nmapa.shared::cluster.u32 %r14, %r12, %r13;\nld.shared::cluster.u32 %r15, "
                "[%r14];\n" +
                sync + "st.global.u32 [%rd4], %r15;\n",
            Words(64 * 32), {}, {.grid = {64, 1, 1}, .threads = threads});
        ASSERT_EQ(got.error, "");
        if (first.empty()) first = got.a;
        EXPECT_EQ(got.a, first);
        EXPECT_EQ(got.execution.blocks_run, 64u);
    }
}

} // namespace
} // namespace apod::emu
