#include "tests/emu/warp_kernel.hpp"

#include "tests/emu/kernel_run.hpp"
#include "tests/emu/recorded.hpp"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace apod::emu::testing {

namespace {

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

std::string kernel(const std::string& code) {
    const bool blackwell = code.starts_with("redux.sync") && code.find(".f32") != std::string::npos;
    return std::string(".version 8.6\n.target sm_") + (blackwell ? "100a" : "90a") +
           "\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 members)\n{\n"
           ".reg .pred %p<6>;\n.reg .b32 %r<12>;\n.reg .b64 %d<8>;\n"
           "ld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\nld.param.u32 %r1, [members];\nmov.u32 %r2, %tid.x;\n"
           "mul.wide.u32 %d3, %r2, 4;\nadd.s64 %d1, %d1, %d3;\nadd.s64 %d2, %d2, %d3;\nadd.s64 %d2, %d2, %d3;\n"
           "ld.global.u32 %r3, [%d1];\ncvt.u64.u32 %d4, %r3;\nshl.b64 %d4, %d4, 20;\nand.b32 %r4, %r3, 1;\nsetp.ne.u32 %p1, %r4, 0;\n"
           "mov.u32 %r5, 0xdeadbeef;\nsetp.ne.u32 %p2, 0, 0;\n"
           "shr.u32 %r6, %r1, %r2;\nand.b32 %r6, %r6, 1;\nsetp.eq.u32 %p3, %r6, 0;\n@%p3 bra $around;\n" +
           code + "\n$around:\nselp.u32 %r7, 1, 0, %p2;\nst.global.v2.u32 [%d2], {%r5, %r7};\nret;\n}\n";
}

} // namespace

WarpResult run_warp(std::string code, const Lanes& a, std::uint32_t members) {
    replace_all(code, "{d}", "%r5");
    replace_all(code, "{p}", "%p2");
    replace_all(code, "{a}", "%r3");
    replace_all(code, "{wide_a}", "%d4");
    replace_all(code, "{odd}", "%p1");
    WarpResult result;
    KernelRun run;
    run.text = kernel(code);
    run.buffers = {bytes_of(a.data(), a.size()), std::vector<std::byte>(256)};
    run.scalars = {members};
    const std::uint64_t key = key_of(run);
    result.error = run_kernel(run);
    if (!result.error.empty()) return result;
    std::vector<std::uint32_t> out(64);
    std::memcpy(out.data(), run.buffers[1].data(), 256);
    for (unsigned lane = 0; lane < 32; ++lane) {
        result.value[lane] = out[2 * lane];
        result.predicate[lane] = out[2 * lane + 1] != 0;
    }
    result.error = compare_with_record(code.substr(0, code.find('\n')), key, hash_of(out.data(), 256));
    return result;
}

} // namespace apod::emu::testing
