#include "runtime/core/image_data.hpp"

#include "runtime/core/readable.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace apod::runtime {
namespace {

arch::Gpu gpu() {
    arch::Gpu gpu;
    gpu.cc.major = 9;
    gpu.cc.minor = 0;
    return gpu;
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text.data(), text.size())); }

struct Read {
    Error error;
    std::vector<PtxUnit> units;
    Diagnostic why;
};

Read read(std::span<const std::byte> image) {
    Read result;
    result.error = read_image(image, gpu(), "the image", result.units, result.why);
    return result;
}

TEST(ImageData, TextReachesToItsZero) {
    const std::string text = ".version 8.0\n";
    EXPECT_EQ(image_bytes(bytes_of(text).data()), text.size());
    const Read result = read(bytes_of(text + std::string(3, '\0')));
    ASSERT_EQ(result.error, Error::success);
    EXPECT_EQ(result.units.at(0).text, text);
    EXPECT_EQ(result.units.at(0).name, "the image");
}

TEST(ImageData, LinkedUnitsComeBackAsTheyWere) {
    const std::vector<PtxUnit> units = {{"a.ptx", ".version 8.0\n"}, {"b.ptx", ""}, {"", "// c"}};
    const std::vector<std::byte> image = link_image(units);
    EXPECT_EQ(image_bytes(image.data()), image.size());
    const Read result = read(image);
    ASSERT_EQ(result.error, Error::success);
    ASSERT_EQ(result.units.size(), 3u);
    for (std::size_t i = 0; i < units.size(); ++i) {
        EXPECT_EQ(result.units[i].name, units[i].name);
        EXPECT_EQ(result.units[i].text, units[i].text);
    }
}

TEST(ImageData, ALinkedImageThatIsCutOffIsInvalid) {
    const std::vector<std::byte> image = link_image({{"a.ptx", ".version 8.0\n"}});
    for (std::size_t bytes = 9; bytes < image.size(); ++bytes)
        EXPECT_EQ(read(std::span(image).first(bytes)).error, Error::invalid_kernel_image) << bytes;
}

TEST(ImageData, MachineCodeIsRefusedWithWhatToDo) {
    const Read result = read(bytes_of(std::string("\x7f"
                                                  "ELF") +
                                      std::string(60, '\0')));
    EXPECT_EQ(result.error, Error::no_kernel_image_for_device);
    EXPECT_NE(result.why.hint.find("--gpu-architecture=compute_90"), std::string::npos) << result.why.hint;
}

TEST(ImageData, WhatIsNoImageIsSaidToBeNone) {
    EXPECT_EQ(read(bytes_of("hello")).error, Error::invalid_kernel_image);
    EXPECT_EQ(read({}).error, Error::invalid_kernel_image);
    EXPECT_EQ(image_bytes(bytes_of("hello").data()), 0u);
}

TEST(Readable, StopsAtTheEndOfWhatIsMapped) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    auto* start = static_cast<std::byte*>(::mmap(nullptr, 5 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(static_cast<void*>(start), MAP_FAILED);
    ASSERT_EQ(::munmap(start + 3 * page, 2 * page), 0);
    EXPECT_EQ(readable_bytes(start, 100), 100u);
    EXPECT_EQ(readable_bytes(start + 10, 2 * page), 2 * page);
    EXPECT_EQ(readable_bytes(start + 10, std::size_t{1} << 40), 3 * page - 10);
    EXPECT_EQ(readable_bytes(start, 3 * page), 3 * page);
    EXPECT_EQ(readable_bytes(start + 3 * page, 1), 0u);
    EXPECT_EQ(readable_bytes(nullptr, 16), 0u);
    ::munmap(start, 3 * page);
}

} // namespace
} // namespace apod::runtime
