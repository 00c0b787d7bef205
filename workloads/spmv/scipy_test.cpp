// SciPy as a judge that shares nothing with us: the files that it writes, and its products.
#include "apod/spmv.hpp"
#include "base/file.hpp"
#include "base/process.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <sstream>

namespace apod::spmv {
namespace {

std::vector<double> doubles(const std::filesystem::path& path) {
    const std::string bytes = read_file(path).value();
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
    return values;
}

// The first in PATH may be another than Debian's, which tools/setup.sh gives SciPy to.
std::string python_with_scipy() {
    for (const char* python : {"python3", "/usr/bin/python3"}) {
        const auto there = run_process({python, "-c", "import scipy.sparse"});
        if (there && there->exit_status == 0) return python;
    }
    return {};
}

TEST(SciPy, files_of_every_format_give_the_products_that_it_computes) {
    const std::string python = python_with_scipy();
    if (python.empty()) GTEST_SKIP() << "python3-scipy is not installed";
    const auto directory = TempDirectory::make("apod-scipy");
    ASSERT_TRUE(directory.ok());
    const auto made = run_process({python, APOD_SOURCE_DIR "/workloads/spmv/testdata/scipy_matrices.py", directory->path().string()});
    ASSERT_TRUE(made.ok());
    ASSERT_EQ(made->exit_status, 0) << made->output;
    std::istringstream names(read_file(directory->path() / "names.txt").value());
    int files = 0;
    for (std::string name; std::getline(names, name); ++files) {
        SCOPED_TRACE(name);
        const std::filesystem::path path = directory->path() / name;
        const auto a = to_csr<double, std::int64_t>(read_matrix(path.string()).matrix);
        validate(a);
        const std::vector<double> x = doubles(std::filesystem::path(path).replace_extension(".x"));
        const std::vector<double> right = doubles(std::filesystem::path(path).replace_extension(".y"));
        std::vector<double> y(right.size(), std::nan(""));
        multiply<double, std::int64_t, double>(a, 1, x, 0, y);
        const Reference bound = reference<double, std::int64_t, double>(a, 1, x, 0, y);
        // Both lie within the bound of the exact product. SciPy prints .mtx files with fewer digits in some versions: 1e-15 of the size.
        for (std::size_t i = 0; i < y.size(); ++i) ASSERT_LE(std::abs(y[i] - right[i]), 2 * bound.bound[i] + 1e-13) << "row " << i;
    }
    EXPECT_EQ(files, 30);
}

} // namespace
} // namespace apod::spmv
