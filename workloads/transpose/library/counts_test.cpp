// What the kernels promise about memory, counted on the emulated H200: no bank conflicts, whole sectors, and none of the output's written
// twice.
#include "device/emulated/emulated.hpp"
#include "model/metric_registry.hpp"
#include "workloads/transpose/library/choose.hpp"
#include "workloads/transpose/library/problem.hpp"
#include "workloads/transpose/library/ptx.hpp"
#include "workloads/transpose/library/testing.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace apod::transposing {

namespace {

constexpr std::uint64_t sector = 32;

class TransposeCounts : public testing::Test {
protected:
    void SetUp() override {
        const Result<arch::Gpu> gpu = arch::find_gpu("h200");
        ASSERT_TRUE(gpu.ok());
        device_ = device::make_emulated(*gpu, {});
    }

    // Runs what the library would; out == in where it is in place.
    LaunchRecord record(Transpose what, bool in_place = false) {
        EXPECT_TRUE(complete(what, this, in_place ? static_cast<const void*>(this) : &what).ok());
        const auto bytes = static_cast<std::uint64_t>(what.rows * what.columns * what.element_bytes);
        const Result<device::Address> from = device_->allocate(bytes, "in");
        const Result<device::Address> to = in_place ? from : device_->allocate(bytes, "out");
        const Result<std::shared_ptr<device::Code>> code = device_->load(ptx_of(what.element_bytes), "kernels.ptx");
        Choice choice;
        EXPECT_TRUE(from.ok() && to.ok() && code.ok() && choose(what, *to, *from, choice));
        out_ = *to;
        kernel_ = choice.kernel;
        const Result<std::shared_ptr<device::Kernel>> kernel = (*code)->kernel(choice.kernel);
        EXPECT_TRUE(kernel.ok()) << choice.kernel;
        device::Launch launch;
        launch.grid = {choice.grid_x, choice.grid_y};
        launch.block = {choice.threads};
        launch.dynamic_shared_bytes = choice.shared_bytes;
        launch.parameters.resize((*kernel)->info().parameter_bytes);
        const std::int64_t two[] = {static_cast<std::int64_t>(*to),
                                    static_cast<std::int64_t>(*from),
                                    what.rows,
                                    what.columns,
                                    what.in_pitch,
                                    what.out_pitch,
                                    0,
                                    0,
                                    choice.shift};
        const std::int64_t one[] = {static_cast<std::int64_t>(*to), what.rows, what.in_pitch, 0, choice.tiles};
        std::memcpy(launch.parameters.data(), in_place ? one : two, launch.parameters.size());
        Result<LaunchRecord> record = device_->launch(**kernel, launch);
        EXPECT_TRUE(record.ok()) << to_text(record.error());
        return record.ok() ? *std::move(record) : LaunchRecord{};
    }

    // Those of all rows of the output, each row's for itself. Elements of less than 4 bytes beside the row's first and last whole word, of
    // `small_word` bytes, are written one by one.
    [[nodiscard]] std::uint64_t sectors_of_rows(const Transpose& what, std::uint64_t small_word) const {
        const auto bytes = static_cast<std::uint64_t>(what.element_bytes);
        const std::uint64_t word = bytes < 4 ? small_word : bytes;
        std::uint64_t sectors = 0;
        for (std::uint64_t row = 0; row < static_cast<std::uint64_t>(what.columns); ++row) {
            const std::uint64_t begin = out_ + row * static_cast<std::uint64_t>(what.rows) * bytes;
            const std::uint64_t end = begin + static_cast<std::uint64_t>(what.rows) * bytes;
            const std::uint64_t first = (begin + word - 1) / word * word;
            const std::uint64_t last = end / word * word;
            sectors += (first - begin + end - last) / bytes + (last - 1) / sector - first / sector + 1;
        }
        return sectors;
    }

    std::unique_ptr<device::Device> device_;
    device::Address out_ = 0;
    std::string kernel_;
};

double metric(const LaunchRecord& record, std::string_view name) { return model::value_or_zero(record.metrics, name); }

} // namespace

TEST_F(TransposeCounts, OddSizesWriteEverySectorOnce) {
    using namespace model::metric;
    for (const int bytes : element_sizes) {
        const Transpose what{.rows = 1501, .columns = 9'100'000 / 1501 / bytes / 2 * 2 + 1, .element_bytes = bytes};
        const LaunchRecord mine = record(what);
        SCOPED_TRACE(bytes);
        EXPECT_EQ(kernel_, "transpose_lines");
        // A warp stores two rows of single bytes at once, which begin in different banks; and those behind the last whole word of a row
        // share words of shared memory.
        EXPECT_LE(metric(mine, shared_load_conflicts), bytes == 1 ? 110000 : 0);
        EXPECT_LE(metric(mine, shared_store_conflicts), bytes == 1 ? 1500 : 0);
        const auto sectors = static_cast<double>(sectors_of_rows(what, 4));
        EXPECT_EQ(metric(mine, global_store_sectors), sectors);
        // Rows of tiles begin and end anywhere within a sector, and tiles read a few rows of their neighbours.
        EXPECT_LE(metric(mine, global_load_sectors), (bytes == 1 ? 3.7 : bytes == 2 ? 2.8 : 1.4) * sectors);
    }
}

TEST_F(TransposeCounts, StripsOfFewColumnsWriteEverySectorOnce) {
    using namespace model::metric;
    for (const int bytes : {1, 2}) {
        const Transpose what{.rows = 9'100'000 / 37 / bytes, .columns = 37, .element_bytes = bytes};
        const LaunchRecord mine = record(what);
        SCOPED_TRACE(bytes);
        EXPECT_EQ(kernel_, "transpose_strips");
        const auto sectors = static_cast<double>(sectors_of_rows(what, 16));
        EXPECT_EQ(metric(mine, global_store_sectors), sectors);
        // Rows of 37 are read as pieces of 16 bytes, of which neighbours share sectors.
        EXPECT_LE(metric(mine, global_load_sectors), 3 * sectors);
    }
}

TEST_F(TransposeCounts, AlignedSizesMoveEverySectorOnceInFullRequests) {
    using namespace model::metric;
    for (const int bytes : element_sizes) {
        const Transpose what{.rows = 1536, .columns = 6144 / bytes + 512, .element_bytes = bytes};
        const LaunchRecord mine = record(what);
        SCOPED_TRACE(bytes);
        EXPECT_EQ(kernel_, "transpose_cells");
        EXPECT_EQ(metric(mine, shared_load_conflicts), 0);
        EXPECT_EQ(metric(mine, shared_store_conflicts), 0);
        const auto sectors = static_cast<double>(what.rows * what.columns * bytes / static_cast<std::int64_t>(sector));
        EXPECT_EQ(metric(mine, global_store_sectors), sectors);
        EXPECT_EQ(metric(mine, global_load_sectors), sectors);
        const double each = bytes == 1 ? 8 : 16; // sectors of a request: 32 words of 8 or 16 bytes
        EXPECT_EQ(metric(mine, global_store_requests), sectors / each);
        EXPECT_EQ(metric(mine, global_load_requests), sectors / each);
    }
}

TEST_F(TransposeCounts, InPlaceEverySectorIsReadOnceAndWrittenOnceWhereRowsAreAligned) {
    using namespace model::metric;
    for (const int bytes : element_sizes) {
        const Transpose what{.rows = 512, .columns = 512, .element_bytes = bytes};
        const LaunchRecord mine = record(what, true);
        SCOPED_TRACE(bytes);
        EXPECT_EQ(kernel_, "transpose_in_place");
        EXPECT_EQ(metric(mine, shared_load_conflicts), 0);
        EXPECT_EQ(metric(mine, shared_store_conflicts), 0);
        const auto sectors = static_cast<double>(what.rows * what.columns * bytes / static_cast<std::int64_t>(sector));
        EXPECT_EQ(metric(mine, global_store_sectors), sectors);
        EXPECT_EQ(metric(mine, global_load_sectors), sectors);
    }
}

} // namespace apod::transposing
