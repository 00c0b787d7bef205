// Nothing of the form table is untested, nothing that nvcc was seen to emit is missing, and what cannot run is refused by name.
#include "emu/forms.hpp"
#include "tests/emu/catalogues.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace apod::emu::testing {

namespace {

// Families with tests of their own, by the start of their names in the table.
struct Elsewhere {
    const char* prefix;
    const char* where;
};
constexpr Elsewhere elsewhere[] = {
    {"ld.", "src/emu/memory_test.cpp"},
    {"st.", "src/emu/memory_test.cpp"},
    {"atom.", "atomic_test.cpp"},
    {"atomv.", "atomic_test.cpp"},
    {"red.async", "src/emu/cluster_test.cpp"},
    {"st.async", "src/emu/cluster_test.cpp"},
    {"mapa", "src/emu/cluster_test.cpp"},
    {"getctarank", "src/emu/cluster_test.cpp"},
    {"pack.b128", "atomic_test.cpp"},
    {"unpack.b128", "atomic_test.cpp"},
    {"cvta.", "src/emu/memory_test.cpp"},
    {"isspacep", "src/emu/memory_test.cpp"},
    {"fence", "src/emu/memory_test.cpp"},
    {"mov.b128", "src/emu/memory_test.cpp"},
    {"cp.async", "the tests of asynchronous copies"},
    {"cp.reduce.async.bulk", "bulk_reduce_test.cpp"},
    {"mbarrier", "the tests of asynchronous copies"},
    {"wmma", "the tests of matrix instructions"},
    {"mma", "the tests of matrix instructions"},
    {"ldmatrix", "the tests of matrix instructions"},
    {"stmatrix", "the tests of matrix instructions"},
    {"movmatrix", "the tests of matrix instructions"},
    {"tex", "the tests of textures"},
    {"surf", "the tests of textures"},
    {"stack", "the tests of calls"},
    {"alloca", "the tests of calls"},
    {"bar.warp", "src/emu/divergence_test.cpp"},
    {"shfl.", "warp_ops_test.cpp"},
    {"vote.", "warp_ops_test.cpp"},
    {"match.", "warp_ops_test.cpp"},
    {"redux.", "warp_ops_test.cpp"},
    {"elect", "warp_ops_test.cpp"},
    {"activemask", "warp_ops_test.cpp"},
    {"mov.clock", "special registers, below"},
    {"nop", "it does nothing"},
};

bool is_tested_elsewhere(const std::string& name) {
    return std::any_of(std::begin(elsewhere), std::end(elsewhere), [&](const Elsewhere& e) { return name.starts_with(e.prefix); });
}

std::string in_kernel(const std::string& body) {
    return ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .align 16 .b8 p_in[32])\n{\n"
           ".reg .pred %p<8>;\n.reg .b16 %h<24>;\n.reg .b32 %r<64>;\n.reg .b64 %d<24>;\n.reg .f32 %f<24>;\n.reg .f64 %g<24>;\n" +
           body + "\nret;\n}\n";
}

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

// Opcodes that touch memory, other threads or the control flow.
bool is_lane_local(const std::string& opcode) {
    constexpr std::string_view others[] = {"ld",    "st",     "atom", "red",  "wmma",  "cp",    "mbarrier", "tex",
                                           "sust",  "call",   "bra",  "ret",  "exit",  "trap",  "bar",      "barrier",
                                           "fence", "membar", "vote", "shfl", "match", "redux", "brx",      "activemask"};
    return std::find(std::begin(others), std::end(others), opcode.substr(0, opcode.find('.'))) == std::end(others);
}

} // namespace

TEST(EmulatorCompleteness, EveryFormOfTheTableIsExercised) {
    std::set<std::string> used;
    for (const Catalogue& catalogue : all_catalogues())
        for (const FormCase& form : catalogue) EXPECT_EQ(lower_case(form, used), "") << form.name;
    std::string missing;
    for (const auto& [name, form] : form_table().all())
        if (!used.contains(name) && !is_tested_elsewhere(name)) missing += name + " ";
    EXPECT_EQ(missing, "") << "add a case to a catalogue of tests/emu, or a line to `elsewhere`";
}

TEST(EmulatorCompleteness, EveryLaneLocalFormThatNvccWasSeenToEmitLowers) {
    std::size_t tried = 0;
    for (const std::string& line : lines_of(APOD_SOURCE_DIR "/tests/data/ptx/forms.ptx")) {
        std::istringstream words(line);
        std::string opcode;
        words >> opcode;
        if (!line.starts_with("\t") || opcode.empty() || opcode[0] == '.' || opcode[0] == '@' || opcode[0] == '{' || opcode[0] == '}' ||
            !is_lane_local(opcode))
            continue;
        std::set<std::string> used;
        EXPECT_EQ(lower_text(in_kernel(line), used), "") << line;
        ++tried;
    }
    EXPECT_GT(tried, 200u);
}

TEST(EmulatorCompleteness, EverySpecialRegisterOfALaunchCanBeRead) {
    for (const char* name : {"tid.x",
                             "tid.y",
                             "tid.z",
                             "ntid.x",
                             "ctaid.y",
                             "nctaid.z",
                             "laneid",
                             "warpid",
                             "nwarpid",
                             "smid",
                             "nsmid",
                             "lanemask_eq",
                             "lanemask_le",
                             "lanemask_lt",
                             "lanemask_ge",
                             "lanemask_gt",
                             "clock",
                             "clock_hi",
                             "globaltimer_lo",
                             "globaltimer_hi",
                             "envreg0",
                             "envreg31",
                             "pm0",
                             "pm7",
                             "dynamic_smem_size",
                             "total_smem_size"}) {
        std::set<std::string> used;
        EXPECT_EQ(lower_text(in_kernel(fmt::format("mov.u32 %r1, %{};", name)), used), "") << name;
    }
    for (const char* name : {"clock64", "globaltimer", "gridid", "pm0_64"}) {
        std::set<std::string> used;
        EXPECT_EQ(lower_text(in_kernel(fmt::format("mov.u64 %d1, %{};", name)), used), "") << name;
    }
    std::set<std::string> used;
    EXPECT_EQ(lower_text(in_kernel("add.u32 %r1, %r2, WARP_SZ;\nnanosleep.u32 100;\npmevent 1;"), used), "");
}

constexpr const char* refused[] = {
    "add.sat.f32x2 %d1, %d2, %d3;",
    "mul.rn.f32.f16 %f1, %h2, %f3;",
    "add.ftz.f32.f16 %f1, %h2, %f3;",
    "add.rz.s32 %r1, %r2, %r3;",
    "add.sat.u32 %r1, %r2, %r3;",
    "mul.rna.f32 %f1, %f2, %f3;",
    "fma.rn.oob.f16 %h1, %h2, %h3, %h4;",
    "cvt.f32.f64 %f1, %g1;",
    "cvt.s32.f32 %r1, %f1;",
    "cvt.rn.s32.f32 %r1, %f1;",
    "cvt.rni.f32.s32 %f1, %r1;",
    "cvt.rz.satfinite.e4m3x2.f32 %h1, %f1, %f2;",
    "cvt.rs.f16x2.f32 %r1, %f1, %f2, %r2;",
    "cvt.rn.satfinite.e2m3x2.f16x2 %h1, %r2;",
    "cvt.rn.ue8m0x2.f32 %h1, %f1, %f2;",
    "cvt.pack.sat.u32.s32 %r1, %r2, %r3;",
    "set.lt.f64.f32 %g1, %f1, %f2;",
    "set.lt.u64.f32 %d1, %f1, %f2;",
    "setp.lt.u.f32 %p1, %f1, %f2;",
    "lop3.xor.b32 %r1|%p1, %r2, %r3, %r4, 0x80, %p2;",
    "vabsdiff4.u32.u32.u32.sat.add %r1, %r2, %r3, %r4;",
    "vadd.s32.s32.s32.wrap %r1, %r2, %r3;",
    "vshl.s32.s32.u32 %r1, %r2, %r3;",
    "vmad.s32.s32.s32.shr8 %r1, %r2, %r3, %r4;",
    "vset.s32.s32.lt.sat %r1, %r2, %r3;",
    "add.s32 %r1, %r2.b0, %r3;",
    "mov.v4.u32 {%r1, %r2, %r3, %r4}, %r5;",
    "mov.u64 %d1, %tid.x;",
    "ld.global.invented.u32 %r1, [%d1];",
    "ld.global.b128 %r1, [%d1];",
    "ld.global.v2.b128 {%r1, %r2}, [%d1];",
    "ld.global.L2::cache_hint.u32 %r1, [%d1], %r2;",
    "ld.shared.v8.u32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%d1];",
    "st.global.invented.u32 [%d1], %r1;",
    "st.async.release.global.u32 [%d1], %r2;",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.f32 [%r1], %f2, [%r3];",
    "mbarrier.arrive.shared::cluster.b64 %d1, [%r1];",
    "mapa.shared::cta.u32 %r1, %r2, 0;",
    "barrier.cluster.arrive.invented;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%d1], [%r1], 16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.invented.u32 [%d1], [%r1], 16;",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%r1], [%r2], 16, [%r3];",
    "cp.async.mbarrier.arrive.noinc.shared.b64;",
    "cvta.to.global.u64 _, %d2;",
    "mov.b128 _, {%d1, %d2};",
    "movmatrix.sync.aligned.m8n8.trans.b16 _, %r1;",
    "mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%r1, %r2}, {%r3}, {%r4}, {};",
    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %d1;",
    "atom.global.invented.add.u32 %r1, [%d1], %r2;",
    "atom.global.add.min.u32 %r1, [%d1], %r2;",
    "shfl.sync.down.b64 %d1, %d2, 1, 31, -1;",
    "shfl.down.b32 %r1, %r2, 1, 31;",
    "vote.sync.most.pred %p1, %p2, -1;",
    "redux.sync.mul.s32 %r1, %r2, -1;",
    "isspacep.invented %p1, %d1;",
    "fence.invented;",
    "bra.invented $L;\n$L:",
    "wgmma.fence.sync.aligned;",
    "setmaxnreg.inc.sync.aligned.u32 64;",
};

// A modifier that is dropped silently would give a wrong result.
TEST(EmulatorCompleteness, WhatIsNotFullyKnownIsRefusedByName) {
    for (const char* instruction : refused) {
        std::set<std::string> used;
        const std::string error = lower_text(in_kernel(instruction), used);
        const std::string text(instruction);
        const std::string name = text.substr(0, text.find_first_of(" ;"));
        EXPECT_NE(error, "") << instruction;
        EXPECT_NE(error.find("'" + name + "'"), std::string::npos) << instruction << "\n" << error;
    }
}

} // namespace apod::emu::testing
