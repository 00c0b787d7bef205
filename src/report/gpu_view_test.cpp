#include "report/gpu_reader.hpp"
#include "report/gpu_view.hpp"

#include "report/devices_view.hpp"

#include <gtest/gtest.h>

namespace apod::report {

namespace {

PresentGpu sample_gpu() {
    PresentGpu present;
    device::DeviceFacts& f = present.facts;
    f.id = "cuda:0";
    f.name = "NVIDIA H200";
    f.uuid = "GPU-1";
    f.bus_id = "0000:01:00.0";
    f.cc = {9, 0};
    f.sm_count = 132;
    f.boost_mhz = 1980;
    f.memory_mhz = 3201;
    f.bus_bits = 6016;
    f.memory_bytes = std::uint64_t{140} << 30;
    f.l2_bytes = 60 << 20;
    f.compute_mode = "default";
    f.driver_version = "580.1";
    f.cuda_version = 13000;
    f.pcie_generation_max = 5;
    f.pcie_width_max = 16;
    f.ecc = true;
    f.counters = {false, "refused by the driver", "ask for it"};
    const Result<arch::Gpu> gpu = device::describe(f);
    EXPECT_TRUE(gpu.ok());
    if (gpu) present.gpu = *gpu;
    peaks::Peaks peaks;
    peaks.measured_at = "2026-12-01T06:00:00Z";
    peaks.driver = "580.1";
    peaks.figures = {{"dram.copy", "bandwidth", "DRAM copy", "GB/s", {4262, Source::measured, 0.001}, 4814.0, "2 x 3201 MHz", "a note"},
                     {"launch.graph", "launch", "in a graph", "ns", {517, Source::measured, {}}, {}, {}, {}}};
    present.peaks = peaks;
    return present;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST(GpuView, SaysWhatIsKnownWithItsFormulaAndWhatIsNotTold) {
    const std::string text = present_text({sample_gpu()}, {});
    for (const char* part :
         {"cuda:0: NVIDIA H200 (described as h200)", "2 x 3201 MHz x 6016 bit / 8 = 4814 GB/s (theoretical)", "66.91 TFLOP/s",
          "PCIe 5.0 x16 at most (63.0 GB/s a direction)", "ECC on, MIG not told", "580.1, CUDA 13.0",
          "refused: refused by the driver; ask for it", "DRAM copy", "88.5 %", "0.10 %", "measured 2026-12-01T06:00:00Z"})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
}

TEST(GpuView, WhatIsWrittenAsJsonReadsBackAsTheSame) {
    const std::string written = devices_json({}, {sample_gpu()});
    const Result<std::vector<PresentGpu>> read = present_from_json(written, "devices.json");
    ASSERT_TRUE(read.ok()) << to_text(read.error());
    EXPECT_EQ(devices_json({}, *read), written);
}

TEST(GpuView, ADocumentWithoutAGpuIsBadInputAndSaysHowToRecordOne) {
    for (const char* text : {"", "{}", R"({"schema": 1, "devices": []})", R"({"schema": 1, "devices": [{"id": "emu:h200"}]})",
                             R"({"schema": 1, "devices": [{"hardware": 1}]})"}) {
        const Result<std::vector<PresentGpu>> read = present_from_json(text, "x.json");
        ASSERT_FALSE(read.ok()) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
        EXPECT_TRUE(contains(read.error().hint, "apod devices --measure --json x.json"));
    }
}

TEST(GpuView, CsvHasARowAFigureAndMarkdownATable) {
    const std::string csv = peaks_csv({sample_gpu()});
    EXPECT_TRUE(contains(csv, "dram.copy,DRAM copy,GB/s,4262,measured,0.001,4814")) << csv;
    EXPECT_TRUE(contains(present_markdown({sample_gpu()}), "| DRAM copy |"));
}

} // namespace apod::report
