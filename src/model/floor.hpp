// The shortest time that physics allows a launch: its bytes at the theoretical bandwidth of the memory that
// they can be in, its operations at the theoretical rate.
#pragma once

#include "apod/record.hpp"
#include "model/facts.hpp"
#include "model/model.hpp"

namespace apod::model {

// Nanoseconds; the larger of what its bytes take (arch/memory_bound.hpp) and operations / peak rate. Stated bytes win over the launch's own
// footprint (distinct sectors loaded plus distinct sectors stored).
[[nodiscard]] double floor_ns(const LaunchFacts& facts, const Work& work);

// Nanoseconds that a launch's own floating-point and tensor operations take at the theoretical rates, the slowest kind of them alone:
// the floor of a launch of which nobody has said what work it has to do. Addresses and other integers are no part of it.
[[nodiscard]] double own_operations_ns(const MetricMap& metrics, const arch::Gpu& gpu);

// Operations a nanosecond of the whole GPU: fp32, fp64, fp16, tensor_half, tensor_tf32, tensor_int8, tensor_double (a multiply-add counts
// two), int32 (adds); 0 for a type without a known rate.
[[nodiscard]] double peak_operations_per_ns(const arch::Gpu& gpu, const std::string& type);

} // namespace apod::model
