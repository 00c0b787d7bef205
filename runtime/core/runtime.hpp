// The state behind the CUDA API: the emulated devices with their streams, the program's modules, kernels, variables and memory. It does not
// know which API calls it. One thread at a time is inside, which the API's entry (cudart/call.hpp) sees to.
#pragma once

#include "arch/gpu.hpp"
#include "device/emulated/launch_program.hpp"
#include "emu/memory.hpp"
#include "runtime/core/capture.hpp"
#include "runtime/core/checks.hpp"
#include "runtime/core/error.hpp"
#include "runtime/core/failed_calls.hpp"
#include "runtime/core/graph.hpp"
#include "runtime/core/memory_table.hpp"
#include "runtime/core/module.hpp"
#include "runtime/core/record_file.hpp"
#include "runtime/core/settings.hpp"
#include "runtime/core/shared_memory.hpp"
#include "runtime/core/stream.hpp"
#include "runtime/core/timeline.hpp"
#include "runtime/core/work.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace apod::runtime {

// One emulated GPU.
struct Device {
    explicit Device(const arch::Gpu& gpu, int index);
    // By cudaLimit's numbers: what was set, or what a GPU has at first. nullopt: there is no such limit.
    [[nodiscard]] std::optional<std::uint64_t> limit(int number) const;

    int index;
    Timeline timeline;
    Stream legacy;
    Error fault = Error::success; // a kernel's fault: every later call on the device gives it
    std::set<int> peers;          // whose memory was enabled
    unsigned flags = 0;
    std::unordered_map<int, std::uint64_t> limits;
};

class Runtime {
public:
    // Made at the first call, never destroyed: programs call CUDA from their own destructors. Init errors: start_error().
    static Runtime& instance();

    // success, or no_device with the reason said on standard error.
    [[nodiscard]] Error start_error() const { return start_error_; }

    [[nodiscard]] const arch::Gpu& gpu() const { return gpu_; }
    [[nodiscard]] int device_count() const { return static_cast<int>(devices_.size()); }
    [[nodiscard]] Device& device(int index) { return *devices_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] MemoryTable& memory() { return *memory_table_; }
    [[nodiscard]] emu::DeviceMemory& device_memory() { return *memory_; }
    [[nodiscard]] SharedMemory& shared_memory();

    // Registration by the program's own constructors; nothing is read yet.
    Module* add_fatbin(const std::byte* fatbin, std::vector<const std::byte*> parts = {});
    Module* add_module(std::vector<PtxUnit> units);
    [[nodiscard]] bool is_module(const Module* module) const { return modules_.contains(const_cast<Module*>(module)); }
    void add_kernel(Module* module, const void* host, std::string name);
    void add_variable(const void* host, Variable variable);
    void remove_module(Module* module);
    // Fills in the host's pointers to managed variables, which places the modules that have any.
    Error place_managed();

    // By host stub or by handle; nullptr when there is none.
    [[nodiscard]] Kernel* find_kernel(const void* host_or_handle);
    // The handle of a loaded module's kernel: the same one each time.
    [[nodiscard]] Kernel* named_kernel(Module* module, const std::string& name);
    [[nodiscard]] Variable* find_variable(const void* host);
    Error variable_address(const Variable& variable, int device, emu::DeviceAddress& address);
    // The kernel ready to run on a device. An error has been said on standard error.
    Error program(Kernel& kernel, int device, std::shared_ptr<const emu::Program>& program);

    Stream* create_stream(int device, StreamKind kind, unsigned flags, int priority);
    // The handle as a stream; nullptr where it is none. 0 and 1 are the current device's legacy default stream, 2 is the thread's own.
    [[nodiscard]] Stream* find_stream(Stream* handle);
    [[nodiscard]] bool is_stream(const Stream* stream) const { return streams_.contains(stream); }
    void destroy_stream(Stream* stream);
    Event* create_event(unsigned flags);
    [[nodiscard]] bool is_event(const Event* event) const { return events_.contains(event); }
    void destroy_event(Event* event);

    [[nodiscard]] Captures& captures() { return captures_; }
    [[nodiscard]] GraphTable& graphs() { return graphs_; }
    // Runs a graph's nodes, or puts the graph into the one that the stream is captured to.
    Error launch(GraphExec& exec, Stream& stream);

    // Executes the work on the stream's device, now; or puts it into the graph that the stream is captured to. Faults of a kernel do not
    // show here but in Device::fault.
    Error submit(Stream& stream, const Work& work);

    // The call under way gives the program an error. What is no failure of this call's own is left out: that a kernel has faulted before,
    // that there is no device.
    void failed(Error error, std::string_view name, std::string_view text);

    std::recursive_mutex mutex;

private:
    Runtime();
    bool start();
    void start_checks();

    Error execute(Stream& stream, const KernelWork& work);
    // The kernels that a kernel of the module has launched, and those that they launch.
    Error run_children(Stream& stream, Module& module, int depth);
    Error run_kernel(Stream& stream, const KernelWork& work);
    [[nodiscard]] bool may_yet_go_on(const Diagnostic& what) const; // emu::RunOptions::stalled
    // Counts, or only runs where enough launches of that kernel and shape were counted; writes the record and gives the kernel's time.
    Result<double> run_or_count(const emu::Program& program, const device::Launch& launch, const device::LaunchPlace& place);
    Error execute(Stream& stream, const CopyWork& work);
    Error execute(Stream& stream, const FillWork& work);
    Error execute(Stream& stream, const HostWork& work);
    Error execute(Stream& stream, const RecordWork& work);
    Error execute(Stream& stream, const WaitWork& work);
    Error execute(Stream& stream, const FreeWork& work);
    Error run_nodes(const std::vector<GraphNode*>& order, Stream& stream, double begin_ns);
    Error run_node(GraphNode& node, Stream& branch);
    // Gives the graph's conditions the values that a launch begins with.
    void begin_conditions(const Graph& graph);
    Error run_condition(const ConditionalWork& condition, Stream& branch);
    [[nodiscard]] bool on_device(const void* address, std::uint64_t bytes) const;
    // invalid_value, with what is wrong with that range.
    [[nodiscard]] Error beyond(const char* direction, const void* address, std::uint64_t bytes) const;
    [[nodiscard]] bool is_pinned(const void* address) const;

    Settings settings_;
    arch::Gpu gpu_;
    Error start_error_ = Error::no_device;
    std::unique_ptr<emu::DeviceMemory> memory_;
    std::unique_ptr<MemoryTable> memory_table_;
    std::unique_ptr<SharedMemory> shared_memory_; // null until a process shares memory
    std::vector<std::unique_ptr<Device>> devices_;
    RecordFile record_;
    FailedCalls failed_calls_{record_};
    struct Counted {
        unsigned launches = 0;
        double kernel_ns = 0; // of the last
        std::uint32_t record = 0;
    };
    std::map<std::pair<std::string, std::array<std::uint32_t, 7>>, Counted> counted_; // by kernel, grid, block and dynamic shared memory
    std::unique_ptr<ProgramChecks> checks_;                                           // null: none
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> told_strays_; // kernel, line and column of accesses that were warned of
    Captures captures_;
    GraphTable graphs_;
    std::string program_; // path of the running executable
    std::unordered_map<Module*, std::unique_ptr<Module>> modules_;
    std::unordered_map<const void*, std::unique_ptr<Kernel>> kernels_by_host_;
    std::unordered_map<const void*, Kernel*> kernels_;                     // by handle
    std::vector<std::unique_ptr<Kernel>> named_kernels_;                   // of loaded libraries
    std::unordered_map<const void*, std::unique_ptr<Variable>> variables_; // by host
    std::unordered_map<const Stream*, std::unique_ptr<Stream>> streams_;
    std::unordered_map<const Event*, std::unique_ptr<Event>> events_;
    std::uint64_t next_stream_id_ = 3; // 1 and 2 are the default streams'
};

} // namespace apod::runtime
