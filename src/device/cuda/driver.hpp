// CUDA's driver API, libcuda.so.1, loaded at run time. Only facts of its binary interface are declared here, from NVIDIA's documentation of
// the driver API; a test holds them against the toolkit's header where that is installed.
#pragma once

#include "base/result.hpp"
#include "device/cuda/shared_library.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace apod::device::cuda {

using Status = int; // CUresult
using DeviceNumber = int;
using Pointer = std::uint64_t; // CUdeviceptr
// What the driver hands out. Each is a pointer to something that only the driver knows.
using Context = struct ContextOfDriver*;
using Module = struct ModuleOfDriver*;
using Function = struct FunctionOfDriver*;
using StreamHandle = struct StreamOfDriver*;
using EventHandle = struct EventOfDriver*;
using GraphHandle = struct GraphOfDriver*;
using GraphExec = struct GraphExecOfDriver*;

struct LaunchAttribute { // CUlaunchAttribute
    int id;              // 4: cluster
    char padding[4];
    union {
        char bytes[64];
        unsigned cluster[3];
    } value;
};

struct LaunchConfiguration { // CUlaunchConfig
    unsigned grid[3];
    unsigned block[3];
    unsigned dynamic_shared_bytes;
    StreamHandle stream;
    LaunchAttribute* attributes;
    unsigned attribute_count;
};

struct Uuid { // CUuuid
    unsigned char bytes[16];
};

// The functions, in the version that is current since CUDA 11. Those marked optional may be null with an older driver.
struct DriverFunctions {
    Status (*init)(unsigned);
    Status (*driver_version)(int*);
    Status (*error_name)(Status, const char**);
    Status (*error_string)(Status, const char**);

    Status (*device_count)(int*);
    Status (*device_get)(DeviceNumber*, int);
    Status (*device_name)(char*, int, DeviceNumber);
    Status (*device_attribute)(int*, int, DeviceNumber);
    Status (*device_memory)(std::size_t*, DeviceNumber);
    Status (*device_uuid)(Uuid*, DeviceNumber);
    Status (*device_bus_id)(char*, int, DeviceNumber);

    Status (*context_retain)(Context*, DeviceNumber);
    Status (*context_release)(DeviceNumber);
    Status (*context_set)(Context);
    Status (*context_synchronize)();
    Status (*context_reset_l2)(); // optional

    Status (*allocate)(Pointer*, std::size_t);
    Status (*free)(Pointer);
    Status (*memory_info)(std::size_t*, std::size_t*);
    Status (*copy_to_device)(Pointer, const void*, std::size_t);
    Status (*copy_to_host)(void*, Pointer, std::size_t);
    Status (*fill)(Pointer, unsigned char, std::size_t);
    Status (*allocate_host)(void**, std::size_t, unsigned);
    Status (*free_host)(void*);
    Status (*allocate_managed)(Pointer*, std::size_t, unsigned);
    Status (*register_host)(void*, std::size_t, unsigned);
    Status (*unregister_host)(void*);
    Status (*host_device_pointer)(Pointer*, void*, unsigned);

    Status (*module_load)(Module*, const void*, unsigned, int*, void**);
    Status (*module_unload)(Module);
    Status (*module_function)(Function*, Module, const char*);
    Status (*function_attribute)(int*, int, Function);
    Status (*function_set_attribute)(Function, int, int);
    Status (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, StreamHandle, void**, void**);
    Status (*launch_ex)(const LaunchConfiguration*, Function, void**, void**);       // optional: clusters
    Status (*module_function_count)(unsigned*, Module);                              // optional: cubins
    Status (*module_functions)(Function*, unsigned, Module);                         // optional: cubins
    Status (*function_name)(const char**, Function);                                 // optional: cubins
    Status (*function_parameter)(Function, std::size_t, std::size_t*, std::size_t*); // optional: cubins

    Status (*stream_create)(StreamHandle*, unsigned);
    Status (*stream_destroy)(StreamHandle);
    Status (*stream_synchronize)(StreamHandle);
    Status (*stream_query)(StreamHandle);
    Status (*stream_wait)(StreamHandle, EventHandle, unsigned);
    Status (*stream_begin_capture)(StreamHandle, int);
    Status (*stream_end_capture)(StreamHandle, GraphHandle*);
    Status (*copy_async)(Pointer, Pointer, std::size_t, StreamHandle);
    Status (*copy_to_device_async)(Pointer, const void*, std::size_t, StreamHandle);
    Status (*copy_to_host_async)(void*, Pointer, std::size_t, StreamHandle);
    Status (*fill_async)(Pointer, unsigned char, std::size_t, StreamHandle);

    Status (*event_create)(EventHandle*, unsigned);
    Status (*event_destroy)(EventHandle);
    Status (*event_record)(EventHandle, StreamHandle);
    Status (*event_synchronize)(EventHandle);
    Status (*event_query)(EventHandle);
    Status (*event_elapsed)(float*, EventHandle, EventHandle);

    Status (*graph_instantiate)(GraphExec*, GraphHandle, unsigned long long);
    Status (*graph_launch)(GraphExec, StreamHandle);
    Status (*graph_destroy)(GraphHandle);
    Status (*graph_exec_destroy)(GraphExec);
};

class Driver {
public:
    // Loads the library, checks that it has what is needed and calls cuInit. Anything missing: unavailable, with what to do.
    static Result<std::shared_ptr<const Driver>> load(const std::string& library = default_library);
    static constexpr const char* default_library = "libcuda.so.1";

    using Hold = Status (*)(StreamHandle, double);
    Driver(std::shared_ptr<SharedLibrary> library, const DriverFunctions& functions, bool emulated, Hold holds = nullptr) :
        call(functions), library_(std::move(library)), emulated_(emulated), hold_(holds) {}

    // The library is apod's own, over the emulator: its times are predictions.
    [[nodiscard]] bool emulated() const { return emulated_; }
    // Of an emulated driver: what the stream gets begins so long after now. False where the driver cannot (a GPU's is held by a kernel).
    [[nodiscard]] bool hold(StreamHandle stream, double for_ns) const { return hold_ != nullptr && hold_(stream, for_ns) == 0; }
    [[nodiscard]] int version() const; // 13000; 0: not told

    // CUDA_ERROR_ILLEGAL_ADDRESS
    [[nodiscard]] std::string name_of(Status status) const;
    // What went wrong in `function` ("cuMemAlloc"), with its cause in plain words. `subject` says with what ("kernel tiled<32>", "3 GB for
    // 'a'"); may be empty. Never call it with success.
    [[nodiscard]] Diagnostic error(std::string_view function, Status status, std::string_view subject = {}) const;
    // The error, or success.
    [[nodiscard]] Result<void> check(std::string_view function, Status status, std::string_view subject = {}) const {
        if (status == 0) return {};
        return error(function, status, subject);
    }

    const DriverFunctions call;

private:
    std::shared_ptr<SharedLibrary> library_;
    bool emulated_;
    Hold hold_;
};

} // namespace apod::device::cuda
