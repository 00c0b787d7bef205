// A fatbin of the program, and what its host code knows of it. PTX is parsed, placed and lowered at the first use of something in it.
#pragma once

#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "emu/memory.hpp"
#include "emu/program.hpp"
#include "runtime/core/error.hpp"
#include "runtime/core/fatbin.hpp"
#include "runtime/core/image_data.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace apod::runtime {

// The code that a fatbin holds, made ready for each device that uses it.
class Module {
public:
    // `fatbin` is the container in the program's memory; it stays there. Code that nvcc -rdc=true compiled has a container for each of
    // its units, in `parts`, which are linked here; the container itself then holds at most machine code.
    Module(const std::byte* fatbin, std::vector<const std::byte*> parts, std::string program) :
        fatbin_(fatbin), parts_(std::move(parts)), program_(std::move(program)) {}
    // PTX texts themselves, as libraries and the driver API load them; several are linked.
    explicit Module(std::vector<PtxUnit> units) : units_(std::move(units)) {}

    // The image on a device. A failure is remembered and given again.
    Result<std::shared_ptr<const emu::Image>> image(int device, const arch::Gpu& gpu, emu::DeviceMemory& memory);
    // What kind of failure image() had: no PTX for the device, or PTX that cannot be read.
    [[nodiscard]] Error failure() const { return failure_; }
    // Its kernels launch kernels. Known once there is an image.
    [[nodiscard]] bool launches_kernels() const { return launches_kernels_; }

private:
    Result<void> find_units(const arch::Gpu& gpu);
    Result<bool> add_unit(const std::vector<FatbinEntry>& entries, const arch::Gpu& gpu, std::string name);
    Result<std::shared_ptr<const ptx::Module>> parsed(const arch::Gpu& gpu);

    const std::byte* fatbin_ = nullptr;
    std::vector<const std::byte*> parts_;
    std::string program_;
    std::vector<PtxUnit> units_;
    std::shared_ptr<const ptx::Module> module_;
    std::map<int, std::shared_ptr<const emu::Image>> images_;
    bool launches_kernels_ = false;
    Error failure_ = Error::success;
    Diagnostic diagnostic_;
};

// A __global__ function. Its address is the handle that programs hold (cudaKernel_t).
struct Kernel {
    Module* module = nullptr;
    std::string name; // mangled
    const void* host = nullptr;
    std::uint32_t dynamic_shared_limit = 0; // cudaFuncAttributeMaxDynamicSharedMemorySize; 0: the default limit
    int carveout = -1;
    bool non_portable_cluster = false;
    std::map<int, std::shared_ptr<const emu::Program>> programs; // by device
};

// A __device__, __constant__ or __managed__ variable.
struct Variable {
    Module* module = nullptr;
    std::string name;
    std::uint64_t bytes = 0;
    bool constant = false;
    void** managed = nullptr; // the host's pointer to it, to be filled in
};

} // namespace apod::runtime
