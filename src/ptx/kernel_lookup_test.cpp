#include "ptx/kernel_lookup.hpp"

#include <gtest/gtest.h>

namespace apod::ptx {
namespace {

std::shared_ptr<const ptx::Module> module_of(std::initializer_list<const char*> names) {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
    for (const char* name : names) text += std::string(".visible .entry ") + name + "()\n{\n\tret;\n}\n";
    Result<std::shared_ptr<const ptx::Module>> module = ptx::parse(text, "k.ptx");
    EXPECT_TRUE(module.ok());
    return module.ok() ? *module : nullptr;
}

class KernelLookup : public ::testing::Test {
protected:
    std::shared_ptr<const ptx::Module> module_ =
        module_of({"_Z5tiledILi16EEvPfPKfi", "_Z5tiledILi32EEvPfPKfi", "_Z4copyPfPKfi", "_Z4copyPdPKdi", "plain", "_Z6singleILb1EEvv"});

    std::string found(std::string_view name) {
        const Result<const ptx::Function*> kernel = find_kernel(*module_, name);
        return kernel ? std::string((*kernel)->name) : "error";
    }
};

TEST_F(KernelLookup, EveryNameThatAPersonWouldWriteIsFound) {
    EXPECT_EQ(found("_Z4copyPfPKfi"), "_Z4copyPfPKfi");
    EXPECT_EQ(found("void tiled<32>(float*, float const*, int)"), "_Z5tiledILi32EEvPfPKfi");
    EXPECT_EQ(found("tiled<32>(float*, float const*, int)"), "_Z5tiledILi32EEvPfPKfi");
    EXPECT_EQ(found("tiled<16>"), "_Z5tiledILi16EEvPfPKfi");
    EXPECT_EQ(found("plain"), "plain");
    EXPECT_EQ(found("copy(float*, float const*, int)"), "_Z4copyPfPKfi");
    EXPECT_EQ(found("single"), "_Z6singleILb1EEvv");
}

TEST_F(KernelLookup, AnAmbiguousNameListsItsReadings) {
    const Result<const ptx::Function*> kernel = find_kernel(*module_, "tiled");
    ASSERT_FALSE(kernel.ok());
    EXPECT_EQ(kernel.error().kind, ErrorKind::bad_input);
    ASSERT_EQ(kernel.error().notes.size(), 2u);
    EXPECT_NE(kernel.error().notes[0].find("tiled<16>"), std::string::npos);
    EXPECT_FALSE(find_kernel(*module_, "copy").ok());
}

TEST_F(KernelLookup, AnUnknownNameListsTheKernelsAndSuggestsTheNearest) {
    const Result<const ptx::Function*> kernel = find_kernel(*module_, "plane");
    ASSERT_FALSE(kernel.ok());
    EXPECT_NE(kernel.error().hint.find("plain"), std::string::npos) << kernel.error().hint;
    EXPECT_NE(to_text(kernel.error()).find("tiled<32>"), std::string::npos);
}

TEST_F(KernelLookup, KernelsAreListedInModuleOrder) {
    const std::vector<std::string> names = kernel_displays(*module_);
    ASSERT_EQ(names.size(), 6u);
    EXPECT_EQ(names[4], "plain");
}

} // namespace
} // namespace apod::ptx
