// A program given as its source: apod run app.cu.
#pragma once

#include "arch/gpu.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace apod::cli {

// The program and its arguments as they are started. Where the first is a .cu file and nvcc is there, nvcc makes a program of it in
// `directory`, with PTX for the device and with what names source lines (-lineinfo, -g for the host's); what nvcc refuses is bad_input with
// its messages as notes. Everything else comes back as it is.
Result<std::vector<std::string>> compiled(std::vector<std::string> program, const arch::Gpu& gpu, const std::filesystem::path& directory,
                                          bool quiet);

} // namespace apod::cli
