// The PTX that ships is that of the kernels' source, where there is a compiler of the same release to say so.
#include "base/file.hpp"
#include "base/process.hpp"
#include "ladder/compile.hpp"

#include <gtest/gtest.h>

#include <string>

namespace apod::peaks {

namespace {

std::string without_trailing_blanks(const std::string& text) {
    std::string out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        out += line.substr(0, line.find_last_not_of(" \t") + 1) + "\n";
        begin = end + 1;
    }
    return out;
}

// "Cuda compilation tools, release 13.0, V13.0.88"
std::string release_of(const std::string& ptx) {
    const std::size_t begin = ptx.find("release ");
    return begin == std::string::npos ? std::string() : ptx.substr(begin, ptx.find('\n', begin) - begin);
}

} // namespace

TEST(PeaksKernels, ThePtxThatShipsIsThatOfTheSource) {
    const auto nvcc = ladder::find_nvcc();
    if (!nvcc) GTEST_SKIP() << "no nvcc here";
    const std::string folder = std::string(APOD_SOURCE_DIR) + "/src/peaks/";
    const Result<TempDirectory> directory = TempDirectory::make();
    ASSERT_TRUE(directory.ok());
    const std::string made = (directory->path() / "kernels.ptx").string();
    const Result<ProcessResult> run = run_process({nvcc->string(), "-ptx", "-arch=compute_75", folder + "kernels.cu", "-o", made});
    ASSERT_TRUE(run.ok() && run->exit_status == 0) << (run ? run->output : to_text(run.error()));
    const Result<std::string> fresh = read_file(made);
    const Result<std::string> shipped = read_file(folder + "kernels.ptx");
    ASSERT_TRUE(fresh.ok() && shipped.ok());
    if (release_of(*fresh) != release_of(*shipped)) GTEST_SKIP() << "it was made by another release: " << release_of(*shipped);
    EXPECT_EQ(without_trailing_blanks(*fresh), *shipped)
        << "make it again: nvcc -ptx -arch=compute_75 kernels.cu, and take the blanks at line ends away";
}

} // namespace apod::peaks
