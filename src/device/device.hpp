// A device runs kernels: hardware (cuda/), emulated (emulated/), or a recording (replay/). What a launch cost comes back as a LaunchRecord,
// the same whoever ran it; each number says how it was learnt.
#pragma once

#include "apod/check.hpp"
#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apod::device {

using Address = std::uint64_t; // device address

class Async;

struct KernelParameter {
    std::string name;
    std::string type;         // PTX's: u64, u32, f32, b8, ...
    std::uint32_t offset = 0; // in the parameter block
    std::uint32_t bytes = 0;
};

struct KernelInfo {
    std::string name;    // as it is in the module (mangled)
    std::string display; // demangled
    std::vector<KernelParameter> parameters;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t registers_per_thread = 0;
};

// A kernel made ready on its device. Lives no longer than the device.
class Kernel {
public:
    virtual ~Kernel() = default;
    [[nodiscard]] virtual const KernelInfo& info() const = 0;
};

// A loaded module.
class Code {
public:
    virtual ~Code() = default;
    [[nodiscard]] virtual std::vector<std::string> kernel_names() const = 0; // demangled, in module order
    // `name` is a mangled name, a full demangled name, or a demangled name up to its parameters ("tiled" or "tiled<32>").
    // Not found or ambiguous: bad_input that lists what there is.
    virtual Result<std::shared_ptr<Kernel>> kernel(std::string_view name) = 0;
};

struct Launch {
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    Dim3 cluster{0, 0, 0};                // blocks of a cluster; 0: what the kernel itself says
    std::vector<std::byte> parameters;    // KernelInfo::parameter_bytes long, packed at the given offsets
    std::uint64_t useful_bytes = 0;       // what the problem must read and write, for the floor; 0: derive from the footprint
    std::uint64_t distinct_bytes = 0;     // those of them at different addresses, where nobody counts; 0: all
    double operations = 0;                // what it must compute (of `operation_type`), for the floor
    std::string operation_type;           // fp32, fp64, int32; empty: none
    std::uint64_t instruction_budget = 0; // emulated: warp instructions after which a sample of the blocks must do; 0: no limit
};

class Device {
public:
    virtual ~Device() = default;
    [[nodiscard]] virtual std::string id() const = 0; // "emu:h200", "cuda:0"
    [[nodiscard]] virtual const arch::Gpu& gpu() const = 0;
    [[nodiscard]] virtual bool is_emulated() const = 0;

    virtual Result<Address> allocate(std::uint64_t bytes, std::string name) = 0;
    virtual Result<void> free(Address address) = 0;
    virtual Result<void> write(Address to, std::span<const std::byte> from) = 0;
    virtual Result<void> read(std::span<std::byte> to, Address from) = 0;
    virtual Result<void> fill(Address to, std::byte value, std::uint64_t bytes) = 0;
    // As fill, but for checks these bytes are not initialised by it.
    virtual Result<void> poison(Address to, std::byte value, std::uint64_t bytes) { return fill(to, value, bytes); }

    // PTX text; `file` names it in messages.
    virtual Result<std::shared_ptr<Code>> load(std::string ptx, std::string file) = 0;

    // Runs the kernel once for its results and its record. A launch beyond the device's limits is bad_input that names the limit;
    // a fault of the kernel is check_failed. The record has no findings yet.
    virtual Result<LaunchRecord> launch(Kernel& kernel, const Launch& launch) = 0;

    // Streams, events and what else is timed by a clock (device/async.hpp); null where times are predicted or recorded.
    [[nodiscard]] virtual Async* async() { return nullptr; }

    // The mistakes that checks have found in the launches so far; none where the device does not check.
    [[nodiscard]] virtual std::vector<CheckReport> check_reports() const { return {}; }
};

} // namespace apod::device
