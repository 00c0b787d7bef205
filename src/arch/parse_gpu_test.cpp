#include "arch/gpu.hpp"
#include "base/assets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace apod::arch {
namespace {

std::string h200_text() { return std::string(find_asset("data/arch/h200.toml").value()); }

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The message, "parsed" when there is none.
Diagnostic error_of(const std::string& text) {
    const auto gpu = parse_gpu(text, "x.toml");
    if (gpu) return usage_error("parsed");
    EXPECT_EQ(gpu.error().kind, ErrorKind::bad_input);
    EXPECT_FALSE(gpu.error().where.file.empty());
    return gpu.error();
}

std::uint32_t line_of(const std::string& text, std::string_view what) {
    const auto at = text.find(what);
    return static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST(ParseGpu, ReadsTheGpuAndWhatItsCapabilityShares) {
    const auto gpu = parse_gpu(h200_text(), "x.toml");
    ASSERT_TRUE(gpu) << to_text(gpu.error());
    EXPECT_EQ(gpu->id, "h200");
    EXPECT_EQ(gpu->cc.number(), 90);
    EXPECT_EQ(gpu->sm_count, 132u);
    EXPECT_EQ(gpu->limits.shared_per_block_optin_bytes, 232448u);
    EXPECT_EQ(gpu->limits.shared_carveouts_bytes.back(), 233472u);
    EXPECT_DOUBLE_EQ(gpu->memory.peak_gbs, 4814);
    EXPECT_EQ(gpu->memory.size_bytes, 150109880320u);
    EXPECT_NEAR(gpu->fp64_gflops(), 33454, 1);
}

TEST(ParseGpu, TheGpusOwnFileOverrulesTheSharedOne) {
    const auto h100 = find_gpu("h100-sxm");
    const auto h200 = find_gpu("h200");
    ASSERT_TRUE(h100 && h200);
    EXPECT_NE(h100->latency.l2_hit, h200->latency.l2_hit);
    EXPECT_EQ(h100->latency.alu, h200->latency.alu);
}

TEST(ParseGpu, ProvenanceIsSpelledOutWithItsNote) {
    const auto gpu = find_gpu("h200");
    ASSERT_TRUE(gpu);
    const auto& mix = gpu->provenance.at("memory.efficiency_mix");
    EXPECT_EQ(mix.confidence, "M");
    EXPECT_TRUE(mix.source.starts_with("measured on an H200"));
    EXPECT_NE(mix.source.find("(copy of 4 GiB: 4268 GB/s)"), std::string::npos);
    EXPECT_EQ(gpu->provenance.at("limits.max_threads_per_sm").confidence, "V");
}

TEST(ParseGpu, AnUnknownKeyIsNamedWithItsPlaceAndTheNearestKey) {
    const auto text = replaced(h200_text(), "bus_bits ", "bus_bit  ");
    const auto error = error_of(text);
    EXPECT_EQ(error.message, "unknown key 'bus_bit' in [memory]");
    EXPECT_EQ(error.where.line, line_of(text, "bus_bit  "));
    EXPECT_EQ(error.where.column, 1u);
    EXPECT_TRUE(error.hint.starts_with("did you mean 'bus_bits'?"));
    EXPECT_EQ(error_of("cores = 3\n").message, "unknown key 'cores' at top level");
}

TEST(ParseGpu, AWrongTypeIsNamedWithItsPlace) {
    const auto text = replaced(h200_text(), "value = 132", "value = \"132\"");
    const auto error = error_of(text);
    EXPECT_EQ(error.message, "'sm_count' must be a whole number");
    EXPECT_EQ(error.where.line, line_of(text, "sm_count"));
    EXPECT_GT(error.where.column, 10u);
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 132", "value = 132.5")).message, "'sm_count' must be a whole number");
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 1980", "value = true")).message, "'boost_mhz' must be a number");
    EXPECT_EQ(error_of(replaced(h200_text(), "\"h200\"", "200")).message, "'id' must be a string");
    EXPECT_EQ(error_of(replaced(h200_text(), "[launch]", "[[launch]]")).message, "'launch' must be a table");
}

TEST(ParseGpu, NonsenseValuesAreRefused) {
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 132", "value = 0")).message, "'sm_count' = 0 makes no sense");
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 132", "value = -4")).message, "'sm_count' = -4 makes no sense");
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 1980", "value = nan")).message, "'boost_mhz' = nan makes no sense");
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 0.938", "value = 1.2")).message, "'memory.efficiency_read' = 1.2 makes no sense");
    EXPECT_NE(error_of(replaced(h200_text(), "value = 4814", "value = 4000")).message.find("but rate_gbps * bus_bits / 8 is"),
              std::string::npos);
    EXPECT_EQ(error_of(replaced(h200_text(), "\"h200\"", "\"../h200\"")).message, "'id' may hold lower-case letters, digits and '-' only");
}

TEST(ParseGpu, AMissingKeyIsNamed) {
    const auto error = error_of(replaced(h200_text(), "bus_bits ", "#"));
    EXPECT_EQ(error.message, "'memory.bus_bits' is missing");
    EXPECT_NE(error.hint.find("cc/9.0.toml"), std::string::npos);
    EXPECT_EQ(error_of(replaced(h200_text(), "id  ", "#")).message, "'id' is missing");
    EXPECT_EQ(error_of("").message, "'id' is missing");
}

TEST(ParseGpu, ANumberNeedsItsSourceAndItsMark) {
    EXPECT_EQ(error_of(replaced(h200_text(), "{ value = 132, source = \"DRIVER\", confidence = \"M\" }", "132")).message,
              "'sm_count' must carry its source");
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 132, source = \"DRIVER\"", "value = 132, source = \"DRIVR\"")).message,
              "source 'DRIVR' is not spelled out in [sources]");
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 132, source = \"DRIVER\"", "value = 132, source = \" \"")).message,
              "a number without source");
    EXPECT_EQ(error_of(replaced(h200_text(), "value = 132, source = \"DRIVER\",", "value = 132,")).message, "'sm_count.source' is missing");
    EXPECT_EQ(error_of(replaced(h200_text(), "confidence = \"M\"", "confidence = \"X\"")).message, "'X' is no mark of confidence");
}

TEST(ParseGpu, TheCapabilityMustBeDescribedAndWellFormed) {
    EXPECT_EQ(error_of(replaced(h200_text(), "\"9.0\"", "\"9.7\"")).message, "no description of compute capability 9.7");
    for (const auto* bad : {"\"9\"", "\"9.\"", "\".0\"", "\"9.0.1\"", "\"09.0\"", "\"-9.0\"", "\"../../h200\"", "\"99999999999.0\""})
        EXPECT_NE(error_of(replaced(h200_text(), "\"9.0\"", bad)).message.find("is no compute capability"), std::string::npos) << bad;
    const auto other = parse_gpu(h200_text(), "x.toml", [](const std::string&) { return built_in_capability("8.0"); });
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().where.file, "cc/9.0.toml");
}

TEST(ParseGpu, ErrorsInTheSharedFileNameThatFile) {
    const auto gpu = parse_gpu(h200_text(), "x.toml", [](const std::string& cc) -> std::optional<std::string> {
        return replaced(built_in_capability(cc).value(), "[latency]\nalu ", "[latency]\naluu");
    });
    ASSERT_FALSE(gpu);
    EXPECT_EQ(gpu.error().where.file, "cc/9.0.toml");
    EXPECT_EQ(gpu.error().message, "unknown key 'aluu' in [latency]");
}

TEST(ParseGpu, AGpuMayOverruleTheModelsConstants) {
    const auto gpu = parse_gpu(
        replaced(h200_text(), "[sources]", "[model]\nwarp_start_clk = { value = 7, source = \"H200\", confidence = \"M\" }\n\n[sources]"),
        "x.toml");
    ASSERT_TRUE(gpu) << to_text(gpu.error());
    EXPECT_EQ(gpu->model.warp_start_clk, 7);
    EXPECT_EQ(gpu->model.block_start_clk, 200);
}

TEST(ParseGpu, NoTruncationCrashes) {
    const std::string text = h200_text();
    for (std::size_t size = 0; size < text.size(); ++size) {
        const auto gpu = parse_gpu(std::string_view(text).substr(0, size), "x.toml");
        EXPECT_TRUE(gpu || gpu.error().kind == ErrorKind::bad_input) << size;
    }
}

TEST(ParseGpu, NoTruncationOfTheSharedFileCrashes) {
    const std::string shared = built_in_capability("9.0").value();
    for (std::size_t size = 0; size < shared.size(); size += 3) {
        const auto gpu = parse_gpu(h200_text(), "x.toml", [&](const std::string&) { return shared.substr(0, size); });
        EXPECT_TRUE(gpu || gpu.error().kind == ErrorKind::bad_input) << size;
    }
}

TEST(ParseGpu, NoDamagedByteCrashes) {
    constexpr unsigned seed = 7;
    std::mt19937 random(seed);
    const std::string text = h200_text();
    for (int i = 0; i < 3000; ++i) {
        std::string damaged = text;
        for (unsigned k = 0; k < 1 + random() % 4; ++k) damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
        const auto gpu = parse_gpu(damaged, "x.toml");
        EXPECT_TRUE(gpu || gpu.error().kind == ErrorKind::bad_input) << "seed " << seed;
    }
}

TEST(ParseGpu, DeepNestingIsRefusedNotFollowed) {
    EXPECT_FALSE(parse_gpu("id = " + std::string(100000, '['), "x.toml"));
    EXPECT_FALSE(parse_gpu("sm_count = " + std::string(100000, '{'), "x.toml"));
}

} // namespace
} // namespace apod::arch
