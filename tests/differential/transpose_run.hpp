// The kernels of workloads/transpose on an emulated H200, launched as bench/device/transpose_times.cu launches them.
#pragma once

#include "apod/record.hpp"
#include "base/result.hpp"
#include "device/device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace apod::differential {

class TransposeRun {
public:
    // Reserves the matrices of n x n floats; their contents do not matter to counts.
    static Result<std::unique_ptr<TransposeRun>> make(int n, unsigned threads = 0);

    // `name` as in the recordings: copy, one_thread, per_row_256, ... `budget`: warp instructions, 0 for all.
    Result<LaunchRecord> launch(const std::string& name, std::uint64_t budget = 0);

    [[nodiscard]] const arch::Gpu& gpu() const { return device_->gpu(); }

private:
    TransposeRun() = default;
    int n_ = 0;
    std::unique_ptr<device::Device> device_;
    std::shared_ptr<device::Code> code_;
    device::Address in_ = 0;
    device::Address out_ = 0;
};

} // namespace apod::differential
