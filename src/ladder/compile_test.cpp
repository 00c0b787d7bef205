#include "ladder/compile.hpp"

#include "base/file.hpp"
#include "ladder/compile_cache.hpp"
#include "ladder/sources.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>

namespace apod::ladder {
namespace {

namespace fs = std::filesystem;

class Compile : public ::testing::Test {
protected:
    void SetUp() override {
        nvcc_ = find_nvcc();
        if (!nvcc_) GTEST_SKIP() << "no nvcc here";
    }
    std::optional<fs::path> nvcc_;
    TempDirectory directory_ = std::move(TempDirectory::make().value());
};

// Without what differs between machines and runs: the directories of .file lines, and the bytes of the names of inlined functions, in which
// nvcc puts the number of its own process.
std::string comparable(std::string_view ptx) {
    static const std::regex directory("(\\.file[^\"]*\").*/");
    std::string result;
    std::istringstream lines(normalised_ptx(ptx));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(".b8 ")) result += std::regex_replace(line, directory, "$1") + "\n";
    }
    return result;
}

// Whether nvcc makes `ptx` of `source`, but for comments and the directory of the source.
void expect_compiles_to(const fs::path& nvcc, const fs::path& source, const std::string& ptx, int architecture) {
    // Another toolkit may generate other code; what ships is of 13.0.
    ASSERT_NE(ptx.find("release 13.0"), std::string::npos) << "the shipped PTX does not say that it is of release 13.0";
    const auto compiled = compile_to_ptx(nvcc, {source, {}, architecture, {}, {}});
    ASSERT_TRUE(compiled.ok()) << to_text(compiled.error());
    if (compiled->find("release 13.0") == std::string::npos) GTEST_SKIP() << "nvcc is not of release 13.0";
    EXPECT_TRUE(comparable(*compiled) == comparable(ptx))
        << source << ": make its PTX again with nvcc -ptx -lineinfo -arch=compute_" << architecture
        << ", and name files in its .file lines without their directories";
}

TEST_F(Compile, the_ptx_that_ships_is_what_nvcc_makes_of_the_source) {
    const fs::path root = APOD_SOURCE_DIR;
    const struct {
        const char* ptx;
        const char* source;
        int architecture;
    } shipped[] = {{"workloads/transpose/transpose.ptx", "workloads/transpose/transpose.cu", 75},
                   {"workloads/spmv/spmv.ptx", "workloads/spmv/spmv.cu", 75},
                   {"workloads/spmv/spmv_80.ptx", "workloads/spmv/spmv.cu", 80},
                   {"examples/saxpy/saxpy.ptx", "examples/saxpy/saxpy.cu", 75}};
    for (const auto& [ptx, source, architecture] : shipped)
        expect_compiles_to(*nvcc_, root / source, read_file(root / ptx).value(), architecture);
}

TEST_F(Compile, errors_have_the_place_of_the_first_and_all_messages) {
    const fs::path source = directory_.path() / "bad.cu";
    ASSERT_TRUE(write_file(source, "__global__ void k() {\n    no_such_thing;\n}\n").ok());
    const auto ptx = compile_to_ptx(*nvcc_, {source, {}, 75, {}, {}});
    ASSERT_FALSE(ptx.ok());
    EXPECT_EQ(ptx.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(ptx.error().where.line, 2u);
    EXPECT_NE(to_text(ptx.error()).find("no_such_thing"), std::string::npos);
}

TEST_F(Compile, what_was_compiled_is_kept_until_an_included_file_changes) {
    const fs::path source = directory_.path() / "a.cu";
    const fs::path header = directory_.path() / "a.h";
    ASSERT_TRUE(write_file(header, "constexpr int value = 1111;\n").ok());
    ASSERT_TRUE(write_file(source, "#include \"a.h\"\n__global__ void k(int* p) { *p = value; }\n").ok());
    const CompileJob job{source, {}, 75, {}, directory_.path() / "cache"};
    const auto first = compile_to_ptx(*nvcc_, job);
    ASSERT_TRUE(first.ok()) << to_text(first.error());
    EXPECT_NE(first->find("1111"), std::string::npos);
    ASSERT_FALSE(fs::is_empty(directory_.path() / "cache" / "ptx"));
    // Proof that the second answer comes from the cache: it is marked there.
    const fs::path entry = fs::directory_iterator(directory_.path() / "cache" / "ptx")->path();
    ASSERT_TRUE(write_file(entry, read_file(entry).value() + "// kept\n").ok());
    EXPECT_NE(compile_to_ptx(*nvcc_, job)->find("// kept"), std::string::npos);
    ASSERT_TRUE(write_file(header, "constexpr int value = 22222;\n").ok());
    EXPECT_NE(compile_to_ptx(*nvcc_, job)->find("22222"), std::string::npos);
}

TEST_F(Compile, line_tables_name_the_source_as_it_was_given) {
    const fs::path source = directory_.path() / "a.cu";
    ASSERT_TRUE(write_file(source, "__global__ void k(int* p) { *p = 1; }\n").ok());
    fs::create_directory(directory_.path() / "sub");
    const auto ptx = compile_to_ptx(*nvcc_, {directory_.path() / "sub" / ".." / "a.cu", {}, 75, {}, {}});
    ASSERT_TRUE(ptx.ok());
    EXPECT_NE(ptx->find("\"" + source.string() + "\""), std::string::npos);
}

TEST(ChooseArchitecture, the_newest_that_the_device_runs) {
    constexpr std::string_view supported = "compute_75\ncompute_80\ncompute_90\ncompute_90a\ncompute_120\n";
    EXPECT_EQ(choose_architecture(supported, {9, 0}), 90);
    EXPECT_EQ(choose_architecture(supported, {8, 9}), 80);
    EXPECT_EQ(choose_architecture(supported, {7, 0}), 75);
    EXPECT_EQ(choose_architecture("no such option", {9, 0}), 0);
}

TEST(ForOlderDevice, nvccs_oldest_target_becomes_the_devices) {
    const std::string ptx = "//\n.version 9.0\n.target sm_75\n.address_size 64\n";
    EXPECT_NE(for_older_device(ptx, {7, 0}).find("\n.target sm_70\n"), std::string::npos);
    EXPECT_EQ(for_older_device(ptx, {9, 0}), ptx);
    EXPECT_EQ(for_older_device(ptx, {3, 0}), ptx);
    const std::string newer = "\n.target sm_90a\n";
    EXPECT_EQ(for_older_device(newer, {8, 0}), newer);
    EXPECT_EQ(for_older_device("no PTX", {7, 0}), "no PTX");
}

TEST(Dependencies, a_rule_is_read_with_its_continuations_and_escaped_spaces) {
    const auto paths = parse_dependencies("out.ptx : /a/b.cu \\\n  /usr/x\\ y.h \\\n /c.h\n", "/a/none.cu");
    EXPECT_EQ(paths, (std::vector<fs::path>{"/a/b.cu", "/usr/x y.h", "/c.h"}));
}

// Sets APOD_NVCC for the life of the object.
class HiddenNvcc {
public:
    HiddenNvcc() : before_(std::getenv("APOD_NVCC") != nullptr ? std::optional<std::string>(std::getenv("APOD_NVCC")) : std::nullopt) {
        setenv("APOD_NVCC", "", 1);
    }
    ~HiddenNvcc() {
        if (before_) {
            setenv("APOD_NVCC", before_->c_str(), 1);
        } else {
            unsetenv("APOD_NVCC");
        }
    }
    HiddenNvcc(const HiddenNvcc&) = delete;
    HiddenNvcc& operator=(const HiddenNvcc&) = delete;

private:
    std::optional<std::string> before_;
};

Ladder ladder_of(const fs::path& directory, const std::string& source) {
    Ladder ladder;
    ladder.origin = {"l.toml", directory, {}};
    ladder.sources = {{source, {"l.toml", 1, 10}}};
    return ladder;
}

TEST(Sources, without_nvcc_the_ptx_beside_the_source_is_taken) {
    const HiddenNvcc hidden;
    const TempDirectory directory = std::move(TempDirectory::make().value());
    ASSERT_TRUE(write_file(directory.path() / "a.cu", "").ok());
    const Ladder ladder = ladder_of(directory.path(), "a.cu");
    const auto none = load_sources(ladder, {9, 0});
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().kind, ErrorKind::unavailable);
    EXPECT_EQ(none.error().where.file, "l.toml");
    EXPECT_NE(none.error().hint.find("nvcc -ptx"), std::string::npos);
    ASSERT_TRUE(write_file(directory.path() / "a.ptx", "text").ok());
    const auto texts = load_sources(ladder, {9, 0});
    ASSERT_TRUE(texts.ok());
    EXPECT_EQ(texts->at(0).text, "text");
}

TEST(Sources, a_missing_source_is_reported_with_where_it_is_named) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    const auto texts = load_sources(ladder_of(directory.path(), "none.ptx"), {9, 0});
    ASSERT_FALSE(texts.ok());
    EXPECT_NE(to_text(texts.error()).find("named at l.toml:1:10"), std::string::npos);
}

TEST(Sources, built_in_ladders_need_no_compiler) {
    const HiddenNvcc hidden;
    const auto ladder = load_ladder("transpose");
    ASSERT_TRUE(ladder.ok());
    const auto texts = load_sources(*ladder, {9, 0});
    ASSERT_TRUE(texts.ok()) << to_text(texts.error());
    EXPECT_NE(texts->at(0).text.find(".file\t1 \"transpose.cu\""), std::string::npos);
}

} // namespace
} // namespace apod::ladder
