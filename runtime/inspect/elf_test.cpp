#include "runtime/inspect/elf.hpp"
#include "runtime/inspect/mapped_file.hpp"
#include "runtime/inspect/static_runtime.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <elf.h>

namespace apod::runtime {
namespace {

MappedFile this_program() { return *MappedFile::open("/proc/self/exe"); }

// Everything that can be asked; nothing may crash.
void ask_everything(std::span<const std::byte> bytes) {
    const Result<Elf> elf = Elf::read(bytes, "damaged");
    if (!elf) return;
    for (const ElfSection& section : elf->sections()) (void)elf->contents(section);
    (void)elf->symbols().ok();
    (void)elf->libraries().ok();
    (void)find_static_runtime(*elf).ok();
}

} // namespace

TEST(Elf, TellsWhatThisProgramIs) {
    const MappedFile file = this_program();
    const Result<Elf> elf = Elf::read(file.bytes(), "self");
    ASSERT_TRUE(elf);
    EXPECT_TRUE(elf->type() == ET_DYN || elf->type() == ET_EXEC);
    EXPECT_TRUE(elf->is_interpreted());
    EXPECT_FALSE(elf->is_stripped());
    ASSERT_NE(elf->section(".text"), nullptr);
    EXPECT_EQ(elf->section(".no_such_section"), nullptr);
    EXPECT_EQ(elf->contents(*elf->section(".text")).size(), elf->section(".text")->bytes);
}

TEST(Elf, FindsMainAndTheLibrariesOfThisProgram) {
    const MappedFile file = this_program();
    const Result<Elf> elf = Elf::read(file.bytes(), "self");
    ASSERT_TRUE(elf);
    const Result<std::vector<ElfSymbol>> symbols = elf->symbols();
    ASSERT_TRUE(symbols);
    EXPECT_TRUE(std::any_of(symbols->begin(), symbols->end(), [](const ElfSymbol& s) { return s.name == "main" && s.function; }));
    const Result<Elf::Libraries> libraries = elf->libraries();
    ASSERT_TRUE(libraries);
    EXPECT_TRUE(
        std::any_of(libraries->needed.begin(), libraries->needed.end(), [](std::string_view n) { return n.starts_with("libc.so"); }));
}

TEST(Elf, AFileOfAnotherKindIsBadInput) {
    const std::string text = "#!/bin/sh\necho this is no program\n";
    const Result<Elf> elf = Elf::read(std::as_bytes(std::span(text)), "script");
    ASSERT_FALSE(elf);
    EXPECT_EQ(elf.error().kind, ErrorKind::bad_input);
    EXPECT_FALSE(MappedFile::open("/no/such/file"));
    EXPECT_FALSE(MappedFile::open("/"));
}

TEST(Elf, AFileThatIsCutOffAnywhereIsReadOrRefused) {
    const MappedFile file = this_program();
    for (std::size_t size = 0; size < 512; ++size) ask_everything(file.bytes().first(size));
    for (std::size_t part = 1; part < 16; ++part) ask_everything(file.bytes().first(file.bytes().size() / 16 * part));
}

TEST(Elf, DamagedHeadersAreReadOrRefused) {
    const MappedFile file = this_program();
    const std::size_t size = std::min<std::size_t>(file.bytes().size(), std::size_t{1} << 16);
    std::mt19937 random(20260801);
    SCOPED_TRACE("seed 20260801");
    for (int round = 0; round < 200; ++round) {
        std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().begin() + static_cast<std::ptrdiff_t>(size));
        for (int flips = 0; flips < 4; ++flips) bytes[random() % 1024] = static_cast<std::byte>(random());
        ask_everything(bytes);
    }
}

TEST(Elf, ThisProgramCarriesNoCudaRuntime) {
    const MappedFile file = this_program();
    const Result<Elf> elf = Elf::read(file.bytes(), "self");
    ASSERT_TRUE(elf);
    const Result<StaticRuntime> runtime = find_static_runtime(*elf);
    ASSERT_TRUE(runtime);
    EXPECT_FALSE(runtime->present());
}

TEST(RuntimeNames, AreThoseOfTheApiOfBothVersions) {
    for (const char* name : {"cudaMalloc", "__cudaRegisterFatBinary", "cudaLaunchKernel_ptsz", "cudaMemcpy_ptds",
                             "cudaGetDeviceProperties_v2", "cudaMemAdvise_v2", "__cudaPopCallConfiguration"})
        EXPECT_TRUE(is_runtime_function(name)) << name;
    for (const char* name : {"cudaCheck", "cuda", "", "cudaMalloc_", "main"}) EXPECT_FALSE(is_runtime_function(name)) << name;
}

} // namespace apod::runtime
