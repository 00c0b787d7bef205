// The PTX that ships is that of the kernels' source, where there is a compiler of the same release to say so; and it is what it says it is.
#include "base/file.hpp"
#include "base/process.hpp"
#include "ladder/compile.hpp"
#include "workloads/transpose/library/ptx.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace apod::transposing {

namespace {

const std::string folder = std::string(APOD_SOURCE_DIR) + "/workloads/transpose/library/";

// "Cuda compilation tools, release 13.0, V13.0.88"
std::string release_of(const std::string& ptx) {
    const std::size_t begin = ptx.find("release ");
    return begin == std::string::npos ? std::string() : ptx.substr(begin, ptx.find('\n', begin) - begin);
}

} // namespace

TEST(TransposePtx, IsThatOfTheSource) {
    const auto nvcc = ladder::find_nvcc();
    if (!nvcc) GTEST_SKIP() << "no nvcc here";
    const Result<TempDirectory> directory = TempDirectory::make();
    ASSERT_TRUE(directory.ok());
    const Result<ProcessResult> run =
        run_process({"/usr/bin/env", "APOD_NVCC=" + nvcc->string(), folder + "make.sh", directory->path().string()});
    ASSERT_TRUE(run.ok() && run->exit_status == 0) << (run ? run->output : to_text(run.error()));
    for (const char* bytes : {"1", "2", "4", "8", "16"}) {
        const std::string name = std::string("kernels_") + bytes + ".ptx";
        const Result<std::string> fresh = read_file((directory->path() / name).string());
        const Result<std::string> shipped = read_file(folder + "ptx/" + name);
        ASSERT_TRUE(fresh.ok() && shipped.ok());
        if (release_of(*fresh) != release_of(*shipped)) GTEST_SKIP() << "it was made by another release: " << release_of(*shipped);
        EXPECT_TRUE(*fresh == *shipped) << name << ": make it again with " << folder << "make.sh";
    }
}

// ptxas holds the instructions against the version and the target that the PTX names, which are older than those that nvcc gave it.
TEST(TransposePtx, NeedsNothingNewerThanItSays) {
    const auto nvcc = ladder::find_nvcc();
    if (!nvcc) GTEST_SKIP() << "no nvcc here, and no ptxas beside it";
    const Result<TempDirectory> directory = TempDirectory::make();
    ASSERT_TRUE(directory.ok());
    for (const char* bytes : {"1", "2", "4", "8", "16"}) {
        const Result<std::string> shipped = read_file(folder + "ptx/kernels_" + bytes + ".ptx");
        ASSERT_TRUE(shipped.ok());
        const std::string old = for_old_gpus(*shipped);
        EXPECT_NE(shipped->find("\n.version 7.4\n.target sm_75\n"), std::string::npos) << bytes;
        EXPECT_NE(old.find("\n.version 6.0\n.target sm_52\n"), std::string::npos) << bytes;
        EXPECT_NE(*shipped, old);
        for (const std::string& ptx : {*shipped, old}) {
            const std::string file = (directory->path() / "kernels.ptx").string();
            std::ofstream(file) << ptx;
            const Result<ProcessResult> run = run_process({(nvcc->parent_path() / "ptxas").string(), "-arch=sm_75", "-O0", file, "-o",
                                                           (directory->path() / "kernels.cubin").string()});
            EXPECT_TRUE(run.ok() && run->exit_status == 0) << bytes << (run ? run->output : to_text(run.error()));
        }
    }
}

} // namespace apod::transposing
