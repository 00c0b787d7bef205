// From what a program hands over to a module that is ready on a device.
#pragma once

#include "runtime/core/jit_log.hpp"
#include "runtime/core/runtime.hpp"

#include <memory>
#include <string>
#include <vector>

namespace apod::runtime {

// What messages call an image that came as a pointer.
inline constexpr const char* loaded_name = "the loaded PTX";

// The PTX units behind a pointer. Errors are in the log.
Error units_of(Runtime& runtime, const void* image, const std::string& name, std::vector<PtxUnit>& units, JitLog& log);
Error units_of_file(Runtime& runtime, const char* path, std::vector<PtxUnit>& units, JitLog& log);

// Adds the module and prepares it on the thread's device; it is gone again where that fails.
Error load(Runtime& runtime, std::vector<PtxUnit> units, Module*& module, JitLog& log);

// A loaded module on the thread's device. Its errors were said when it was loaded.
Error image_of(Runtime& runtime, Module* module, std::shared_ptr<const emu::Image>& image);

// What is in it. symbol_not_found where there is nothing of that name.
[[nodiscard]] unsigned kernel_count(const emu::Image& image);
Error find_kernel(Runtime& runtime, const emu::Image& image, Module* module, const char* name, Kernel** kernel);
void list_kernels(Runtime& runtime, const emu::Image& image, Module* module, Kernel** kernels, unsigned count);
Error find_variable(const emu::Image& image, const char* name, emu::DeviceAddress* address, std::size_t* bytes);
Error find_managed(const emu::Image& image, const char* name, emu::DeviceAddress* address, std::size_t* bytes);

} // namespace apod::runtime
