// How far a prediction may be off: what launches with known times showed of the model, and how far the numbers of the GPU's description
// that set the time are to be trusted.
#pragma once

#include "arch/gpu.hpp"
#include "model/cache/hierarchy.hpp"
#include "model/predict/predict.hpp"

#include <string_view>

namespace apod::model {

// Likely relative error of a number by its mark (docs/devices.md): M 3 %, V 5 %, P and R 10 %, ? 30 %.
[[nodiscard]] double error_of_mark(std::string_view confidence);

// Of Prediction::time_ns, 0.25 = 25 %: the model's own error (model.error_machine with machine code, model.error_ptx without) and those of
// the numbers behind each share, the share's weight times theirs, as independent errors add up. The weight of a resource is what a change
// of its time does to the whole: its share to the power of model.overlap_exponent, over the sum of these; the launch's own cost adds up.
// `sampling`: of counts that were scaled up, where only a sample of the launch is known.
struct SamplingErrors {
    double blocks = 0; // of all counts
    CacheErrors cache;
};
[[nodiscard]] double likely_error(const arch::Gpu& gpu, const Prediction& prediction, bool from_machine_code,
                                  const SamplingErrors& sampling = {});

} // namespace apod::model
