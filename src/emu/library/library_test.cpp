#include "emu/library/heap.hpp"
#include "emu/library/print.hpp"
#include "emu/testing/run_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

constexpr const char* file = "calls_80.ptx";

// Packs arguments as device code does.
struct Packed {
    std::vector<std::byte> bytes;
    template<class T> Packed& add(T value) {
        bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
        const std::size_t at = bytes.size();
        bytes.resize(at + sizeof(T));
        std::memcpy(bytes.data() + at, &value, sizeof(T));
        return *this;
    }
};

std::pair<int, std::string> printed(std::string_view format, const Packed& packed) {
    std::string out;
    const PrintArguments arguments{[&](std::uint64_t offset, std::uint32_t bytes, void* to) {
                                       if (offset + bytes > packed.bytes.size()) return false;
                                       std::memcpy(to, packed.bytes.data() + offset, bytes);
                                       return true;
                                   },
                                   [](std::uint64_t address, std::string& text) {
                                       text = reinterpret_cast<const char*>(address);
                                       return true;
                                   }};
    const int count = format_print(out, format, arguments);
    return {count, out};
}

using Print = std::pair<int, std::string>;

TEST(Print, EveryConversionOfCIsThere) {
    EXPECT_EQ(printed("%d %i %u|%o %x %X %#x", Packed().add(-1).add(2).add(3u).add(8).add(255).add(255).add(16)),
              Print(7, "-1 2 3|10 ff FF 0x10"));
    EXPECT_EQ(printed("%5d|%-5d|%05d|%+d|% d", Packed().add(1).add(2).add(3).add(4).add(5)), Print(5, "    1|2    |00003|+4| 5"));
    EXPECT_EQ(printed("%f %.2f %e %g %a", Packed().add(0.5).add(1.005).add(12345.0).add(1e-9).add(1.0)),
              Print(5, "0.500000 1.00 1.234500e+04 1e-09 0x1p+0"));
    EXPECT_EQ(printed("%c%%%c", Packed().add(65).add(66)), Print(2, "A%B"));
    EXPECT_EQ(printed("%s|%.2s|%6s", Packed().add("text").add("text").add("text")), Print(3, "text|te|  text"));
    EXPECT_EQ(printed("%hd %hhu %ld %lld %llx", Packed().add(70000).add(257).add(1ll << 40).add(-1ll).add(~0ull)),
              Print(5, "4464 1 1099511627776 -1 ffffffffffffffff"));
    EXPECT_EQ(printed("%p", Packed().add(0x1234ull)), Print(1, "0x1234"));
    EXPECT_EQ(printed("%*d|%-*.*f|", Packed().add(4).add(7).add(8).add(2).add(3.14159)), Print(5, "   7|3.14    |"));
}

TEST(Print, ArgumentsLieAtTheirNaturalAlignment) {
    EXPECT_EQ(printed("%d %f %d %lld", Packed().add(1).add(2.0).add(3).add(4ll)), Print(4, "1 2.000000 3 4"));
}

TEST(Print, WhatIsNoConversionIsPrintedAsItStands) {
    EXPECT_EQ(printed("100%", {}), Print(0, "100%"));
    EXPECT_EQ(printed("%n %y", {}), Print(0, "%n %y"));
    EXPECT_EQ(printed("%99999999999999999d", Packed().add(1)).second.size(), 4096u);
}

TEST(Print, AtMostThirtyTwoArgumentsAreUsed) {
    Packed packed;
    std::string format;
    for (int i = 0; i < 34; ++i) {
        packed.add(1);
        format += "%d";
    }
    EXPECT_EQ(printed(format, packed), Print(32, std::string(32, '1') + "%d%d"));
    for (const std::size_t before : {31u, 32u}) // a width is an argument too
        EXPECT_EQ(printed(format.substr(0, 2 * before) + "%*d", packed), Print(32, std::string(before, '1') + "%*d")) << before;
}

TEST(Library, PrintfWritesEveryKindOfArgumentInTheOrderOfTheBlocks) {
    Words in(96);
    for (std::uint32_t i = 0; i < 96; ++i) in[i] = i;
    std::string wanted;
    for (int block = 0; block < 3; ++block)
        for (const int thread : {3, 19}) {
            char line[200];
            std::snprintf(line, sizeof(line),
                          "block %d thread %2d: zero %c %5.2f -7    | +5 0xff 10 (nil) 1.234568e+04 0.0001 -5000000000 -3 %%     42\n",
                          block, thread, 'A' + thread, (block * 32 + thread) / 4.0);
            wanted += line;
        }
    for (const unsigned threads : {1u, 3u}) {
        const FileRun got = run_file(file, "print_kernel", in, {.grid = {3, 1, 1}, .n = 7, .threads = threads});
        ASSERT_EQ(got.error, "");
        EXPECT_EQ(got.printed, wanted);
        EXPECT_EQ(got.out[3], 16u); // arguments
        EXPECT_EQ(got.out[4], 0u);
    }
}

TEST(Library, AFailedAssertionIsWrittenAsCudaWritesItAndStopsTheKernel) {
    Words in(64, 1);
    in[40] = 9;
    const FileRun got = run_file(file, "assert_kernel", in, {.grid = {2, 1, 1}, .n = 5});
    EXPECT_EQ(got.errors.substr(0, 9), "calls.cu:");
    EXPECT_NE(got.errors.find(": void assert_kernel(unsigned int *, const unsigned int *, unsigned int): block: [1,0,0], thread: [8,0,0] "
                              "Assertion `in[i] < n` failed.\n"),
              std::string::npos)
        << got.errors;
    EXPECT_NE(got.error.find("assertion `in[i] < n` failed"), std::string::npos) << got.error;
    EXPECT_NE(got.error.find("calls.cu:"), std::string::npos) << got.error;
}

TEST(Library, ListsAreBuiltInTheHeapAndTheHeapIsGivenBack) {
    const auto module = test_module(file);
    ASSERT_NE(module, nullptr);
    DeviceMemory memory(1ull << 30);
    auto image = Image::load(module, memory);
    ASSERT_TRUE(image);
    Words in(128);
    for (std::uint32_t i = 0; i < 128; ++i) in[i] = i;
    for (int launch = 0; launch < 2; ++launch) {
        const FileRun got = run_image(*image, memory, "list_kernel", in, {.grid = {2, 1, 1}, .block = {64, 1, 1}, .n = 10, .threads = 2});
        ASSERT_EQ(got.error, "");
        for (std::uint32_t i = 0; i < 128; ++i) {
            const std::uint32_t count = i % 10;
            EXPECT_EQ(got.out[i], count * i + count * (count - 1) / 2) << i;
        }
    }
    EXPECT_EQ(memory.heap().live_blocks(), 0u);
}

TEST(Library, AnExhaustedHeapGivesNull) {
    const auto module = test_module(file);
    DeviceMemory memory(1ull << 30);
    ASSERT_TRUE(memory.heap().set_bytes(64));
    auto image = Image::load(module, memory);
    ASSERT_TRUE(image);
    const FileRun got = run_image(*image, memory, "list_kernel", Words(1, 9), {.block = {1, 1, 1}, .n = 10});
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.out[0], 0u + 1 + 2 + 3); // four nodes of 16 bytes
    EXPECT_FALSE(memory.heap().set_bytes(128));
}

TEST(Library, ABlockFreedTwiceIsAFault) {
    const FileRun got = run_file(file, "double_free_kernel", Words(32), {.n = 24});
    for (const char* part : {"free of 0x", "free already", "thread (3, 0, 0)", "calls.cu:"})
        EXPECT_NE(got.error.find(part), std::string::npos) << part << " in " << got.error;
}

TEST(DeviceHeap, FreedNeighboursBecomeOneBlockAgain) {
    DeviceMemory memory(1ull << 24);
    DeviceHeap& heap = memory.heap();
    ASSERT_TRUE(heap.set_bytes(4096));
    const DeviceAddress a = heap.allocate(1000);
    const DeviceAddress b = heap.allocate(1000);
    const DeviceAddress c = heap.allocate(1000);
    EXPECT_EQ(a % 16, 0u);
    EXPECT_EQ(heap.live_blocks(), 3u);
    EXPECT_EQ(heap.allocate(2000), 0u);
    EXPECT_TRUE(heap.free(a));
    EXPECT_TRUE(heap.free(c));
    EXPECT_TRUE(heap.free(b));
    EXPECT_FALSE(heap.free(b));
    EXPECT_TRUE(heap.free(0));
    EXPECT_EQ(heap.allocate(4096), a);
    EXPECT_EQ(heap.live_bytes(), 4096u);
}

} // namespace
} // namespace apod::emu
