// The descriptions that are built in: all load, are complete and agree with what the vendor states.
#include "arch/fields.hpp"
#include "arch/gpu.hpp"
#include "base/assets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace apod::arch {
namespace {

std::vector<Gpu> all_gpus() {
    std::vector<Gpu> gpus;
    for (const auto& id : known_gpu_ids()) {
        auto gpu = find_gpu(id);
        EXPECT_TRUE(gpu) << to_text(gpu.error());
        if (gpu) gpus.push_back(*gpu);
    }
    return gpus;
}

TEST(Descriptions, EveryOneLoadsUnderItsOwnName) {
    const auto gpus = all_gpus();
    EXPECT_GE(gpus.size(), 45u);
    for (std::size_t i = 0; i < gpus.size(); ++i) EXPECT_EQ(gpus[i].id, known_gpu_ids()[i]);
    EXPECT_TRUE(std::is_sorted(known_gpu_ids().begin(), known_gpu_ids().end()));
}

TEST(Descriptions, EveryNumberHasItsSource) {
    for (const auto& gpu : all_gpus())
        for (const auto& field : number_fields()) {
            if (!field.required) continue;
            ASSERT_TRUE(gpu.provenance.contains(field.path())) << gpu.id << ' ' << field.path();
            EXPECT_FALSE(gpu.provenance.at(field.path()).source.empty());
        }
}

TEST(Descriptions, TheModelsConstantsAreTrustedOnlyWhereTheyWereMeasured) {
    for (const auto& gpu : all_gpus()) {
        EXPECT_EQ(gpu.model.atomic_slices, 56) << gpu.id;
        const Provenance& provenance = gpu.provenance.at("model.atomic_slices");
        EXPECT_EQ(provenance.confidence, gpu.id == "h200" ? "M" : "?") << gpu.id;
        EXPECT_EQ(provenance.source.starts_with("borrowed from the h200: "), gpu.id != "h200") << provenance.source;
    }
}

TEST(Descriptions, PeakBandwidthIsRateTimesBus) {
    for (const auto& gpu : all_gpus()) {
        const double computed = gpu.memory.rate_gbps * gpu.memory.bus_bits / 8;
        EXPECT_NEAR(gpu.memory.peak_gbs, computed, 0.01 * computed) << gpu.id;
    }
}

TEST(Descriptions, SharesOfThePeakAreOrderedAsMemoryBehaves) {
    for (const auto& gpu : all_gpus()) {
        EXPECT_LE(gpu.memory.efficiency_mix, gpu.memory.efficiency_read) << gpu.id;
        EXPECT_LE(gpu.memory.efficiency_mix, gpu.memory.efficiency_write) << gpu.id;
    }
}

TEST(Descriptions, TheL2IsFasterThanTheMemoryAndNearer) {
    for (const auto& gpu : all_gpus()) {
        EXPECT_GT(gpu.caches.l2_bytes_per_clk * gpu.clock_ghz(), gpu.memory.peak_gbs) << gpu.id;
        EXPECT_LE(gpu.latency.shared, gpu.latency.l1_hit) << gpu.id;
        EXPECT_LE(gpu.latency.l1_hit, gpu.latency.l2_hit) << gpu.id;
        EXPECT_LE(gpu.latency.l2_hit, gpu.latency.dram) << gpu.id;
    }
}

struct Stated {
    const char* id;
    double fp32_gflops;
    double fp64_gflops;
    double peak_gbs;
};

// As the vendor or the device states them; multiply-add counts as two.
const std::vector<Stated> stated = {
    {"t4", 8141, 254, 320},
    {"v100", 15667, 7834, 898},
    {"v100-32gb", 15667, 7834, 898},
    {"v100-pcie", 14131, 7066, 898},
    {"titan-v", 14899, 7450, 652.8},
    {"p100", 9519, 4760, 732.2},
    {"quadro-p6000", 12634, 395, 433.2},
    {"rtx2060", 6451, 202, 336},
    {"rtx2080ti", 13448, 420, 616},
    {"a10", 31242, 488, 600},
    {"a30", 10322, 5161, 933.1},
    {"a40", 37417, 585, 696},
    {"a100-40gb", 19492, 9746, 1555.2},
    {"a100-pcie-40gb", 19492, 9746, 1555.2},
    {"a100", 19492, 9746, 2039},
    {"a100-pcie", 19492, 9746, 1935.4},
    {"h100-pcie", 51218, 25609, 2039},
    {"h100-sxm", 66908, 33454, 3352.3},
    {"h100-nvl", 60319, 30159, 4022.8},
    {"h200", 66908, 33454, 4814},
    {"gh200", 66908, 33454, 4022.8},
    {"gh200-144gb", 66908, 33454, 4916.7},
    {"b200", 74450, 37225, 8192},
    {"l4", 30290, 473, 300},
    {"l40", 90516, 1414, 864},
    {"l40s", 91607, 1431, 864},
    {"rtx6000-ada", 91062, 1423, 960},
    {"rtx-a6000", 38707, 605, 768},
    {"rtx3060", 12738, 199, 360},
    {"rtx3080", 29768, 465, 760},
    {"rtx3090", 35581, 556, 936},
    {"rtx4060", 15114, 236, 272},
    {"rtx4070", 29146, 455, 504},
    {"rtx4080", 48737, 762, 716.8},
    {"rtx4090", 82575, 1290, 1008},
    {"rtx5080", 56276, 879, 960},
    {"rtx5090", 104753, 1637, 1792},
    {"rtx-pro-6000", 125951, 1968, 1792},
    {"jetson-agx-orin", 5325, 83, 204.8},
    {"jetson-orin-nano", 2089, 33, 102.4},
    {"quadro-fx5800", 622, 78, 102.4},
    {"9800gt", 336, 0, 57.6},
    {"nvs140m", 26, 0, 9.6},
    {"gt750m", 743, 31, 80},
    {"gt650m", 641, 27, 64},
};

TEST(Descriptions, RatesAndBandwidthsAreTheStatedOnes) {
    EXPECT_EQ(stated.size(), known_gpu_ids().size());
    for (const auto& expected : stated) {
        const auto gpu = find_gpu(expected.id);
        ASSERT_TRUE(gpu) << expected.id;
        EXPECT_NEAR(gpu->fp32_gflops(), expected.fp32_gflops, 0.51) << expected.id;
        EXPECT_NEAR(gpu->fp64_gflops(), expected.fp64_gflops, 0.51) << expected.id;
        EXPECT_NEAR(gpu->memory.peak_gbs, expected.peak_gbs, 0.05) << expected.id;
    }
}

TEST(Descriptions, EveryCapabilityFileServesAGpu) {
    const auto gpus = all_gpus();
    for (const auto name : asset_names("data/arch/cc/")) {
        const bool used = std::any_of(gpus.begin(), gpus.end(), [&](const Gpu& gpu) {
            return name == "data/arch/cc/" + std::to_string(gpu.cc.major) + "." + std::to_string(gpu.cc.minor) + ".toml";
        });
        EXPECT_TRUE(used) << name;
    }
}

TEST(FindGpu, AnUnknownIdIsAUsageErrorThatNamesTheNearest) {
    const auto gpu = find_gpu("h20");
    ASSERT_FALSE(gpu);
    EXPECT_EQ(gpu.error().kind, ErrorKind::usage);
    EXPECT_EQ(gpu.error().message, "no GPU 'h20' is known");
    EXPECT_TRUE(gpu.error().hint.starts_with("did you mean 'h200'? known: 9800gt, ")) << gpu.error().hint;
}

TEST(FindGpu, AFamilyNameIsAnsweredWithItsMembers) {
    const auto gpu = find_gpu("h100");
    ASSERT_FALSE(gpu);
    EXPECT_EQ(gpu.error().hint, "choose one of h100-nvl, h100-pcie, h100-sxm");
}

TEST(FindGpu, IdsDoNotReachOtherFiles) {
    for (const auto* id : {"", "cc/9.0", "../arch/h200", "h200.tom", "."}) {
        const auto gpu = find_gpu(id);
        ASSERT_FALSE(gpu) << id;
        EXPECT_EQ(gpu.error().kind, ErrorKind::usage) << id;
    }
}

TEST(FindGpu, APathToADescriptionIsRead) {
    const auto gpu = find_gpu(APOD_SOURCE_DIR "/data/arch/t4.toml");
    ASSERT_TRUE(gpu) << to_text(gpu.error());
    EXPECT_EQ(gpu->id, "t4");
    const auto missing = find_gpu("no/such/gpu.toml");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, ErrorKind::bad_input);
}

} // namespace
} // namespace apod::arch
