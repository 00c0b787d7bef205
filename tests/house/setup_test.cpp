// tools/setup.sh on machines that this one is not: the commands it asks are replaced by scripts in front of PATH.
#include "source_tree.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace apod::house {

namespace fs = std::filesystem;

namespace {

class Setup : public testing::Test {
protected:
    void SetUp() override {
        folder_ =
            fs::temp_directory_path() / ("apod_setup_test_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void fake(const std::string& name, const std::string& script) const {
        const fs::path path = folder_ / name;
        std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(path, fs::perms::owner_all);
    }
    [[nodiscard]] Ran run() const {
        return shell("PATH='" + folder_.string() + "':/usr/bin:/bin '" + (root() / "tools/setup.sh").string() + "' </dev/null");
    }

    // Of the packages asked for, all but fmt and CLI11 are there.
    void fake_missing_packages() const {
        fake("dpkg-query", R"(for p in "$@"; do case $p in -*|libfmt-dev|libcli11-dev) ;; *) echo "installed $p" ;; esac; done; exit 1)");
    }

    fs::path folder_;
};

} // namespace

TEST_F(Setup, SaysNothingWhenNothingIsMissing) {
    fake("dpkg-query", R"(for p in "$@"; do echo "installed $p"; done)");
    fake("apt-get", "echo apt-get was called; exit 1");
    const Ran ran = run();
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.output, "");
}

TEST_F(Setup, TellsAnOrdinaryUserWhatToInstall) {
    fake_missing_packages();
    fake("id", "echo 1000");
    fake("sudo", "exit 1");
    fake("apt-get", "echo apt-get was called; exit 1");
    const Ran ran = run();
    EXPECT_EQ(ran.exit_code, 4);
    EXPECT_NE(ran.output.find("apt-get install libfmt-dev libcli11-dev\n"), std::string::npos) << ran.output;
    EXPECT_EQ(ran.output.find("was called"), std::string::npos) << ran.output;
}

TEST_F(Setup, InstallsExactlyWhatIsMissingAsRoot) {
    fake_missing_packages();
    fake("id", "echo 0");
    fake("apt-get", "echo \"$@\" >> '" + (folder_ / "calls").string() + "'");
    const Ran ran = run();
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_EQ(shell("cat '" + (folder_ / "calls").string() + "'").output,
              "update\ninstall -y --no-install-recommends libfmt-dev libcli11-dev\n");
}

TEST_F(Setup, ShowsWhatAptSaidWhenItFails) {
    fake_missing_packages();
    fake("id", "echo 0");
    fake("apt-get", "echo 'E: no such mirror'; exit 100");
    const Ran ran = run();
    EXPECT_EQ(ran.exit_code, 4);
    EXPECT_NE(ran.output.find("E: no such mirror"), std::string::npos) << ran.output;
}

} // namespace apod::house
