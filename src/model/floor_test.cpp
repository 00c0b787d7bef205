#include "model/floor.hpp"

#include "arch/gpu.hpp"
#include "model/metric_registry.hpp"

#include <gtest/gtest.h>

namespace apod::model {
namespace {

TEST(Floor, OperationsTakeWhatTheTheoreticalRateOfTheSlowestKindAllows) {
    const Result<arch::Gpu> gpu = arch::find_gpu("h200");
    ASSERT_TRUE(gpu.ok());
    MetricMap metrics;
    EXPECT_EQ(own_operations_ns(metrics, *gpu), 0);
    metrics[std::string(metric::integer_operations)].value = 1e12; // addresses: no part of it
    EXPECT_EQ(own_operations_ns(metrics, *gpu), 0);
    metrics[std::string(metric::ffmas)].value = 4e9;
    metrics[std::string(metric::fadds)].value = 1e9;
    EXPECT_DOUBLE_EQ(own_operations_ns(metrics, *gpu), 9e9 / gpu->fp32_gflops());
    metrics[std::string(metric::dmuls)].value = 6e9; // at half the rate
    EXPECT_DOUBLE_EQ(own_operations_ns(metrics, *gpu), 6e9 / gpu->fp64_gflops());
    metrics[std::string(metric::tensor_half)].value = 1e13;
    EXPECT_DOUBLE_EQ(own_operations_ns(metrics, *gpu), 1e13 / peak_operations_per_ns(*gpu, "tensor_half"));
    EXPECT_EQ(peak_operations_per_ns(*gpu, "tensor_tf32") * 2, peak_operations_per_ns(*gpu, "tensor_half"));
}

} // namespace
} // namespace apod::model
