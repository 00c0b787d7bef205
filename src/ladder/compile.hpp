// CUDA C++ to PTX by nvcc, where there is one; kept by content in the user's cache directory.
#pragma once

#include "arch/gpu.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

// $APOD_NVCC when set (set but empty: there is none), else nvcc in PATH, else /usr/local/cuda/bin/nvcc.
[[nodiscard]] std::optional<std::filesystem::path> find_nvcc();

// The newest of nvcc's `supported` architectures ("compute_75", one a line, as --list-gpu-arch prints them) that the device can run; the
// oldest when the device is older than all. 0 when the list is empty.
[[nodiscard]] int choose_architecture(std::string_view supported, const arch::ComputeCapability& device);

struct CompileJob {
    std::filesystem::path source;
    std::vector<std::string> flags;  // after apod's own: -ptx -lineinfo -arch=compute_XX
    std::optional<int> architecture; // 75: compute_75; without it the device decides
    arch::ComputeCapability device;  // used where `architecture` is not given
    std::filesystem::path cache;     // directory; empty: no cache
};

// The PTX of a .cu. Its .file lines name sources below the source's directory as `source` is given, not by absolute path. What nvcc refuses
// is bad_input with the place of its first error and its messages as notes.
Result<std::string> compile_to_ptx(const std::filesystem::path& nvcc, const CompileJob& job);

// PTX of nvcc for a device from 5.0 on that is older than nvcc's oldest architecture: CUDA 13 begins at 7.5. Its `.target` becomes the
// device's. That claims too much only where the source asked for an instruction that the older device lacks, and then the driver's own
// assembler refuses it. Any other PTX comes back as it is.
[[nodiscard]] std::string for_older_device(std::string ptx, const arch::ComputeCapability& device);

// PTX without what differs between equal compilations: comment lines, blank lines.
[[nodiscard]] std::string normalised_ptx(std::string_view ptx);

} // namespace apod::ladder
