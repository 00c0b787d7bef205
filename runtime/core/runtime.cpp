#include "runtime/core/runtime.hpp"

#include "emu/fresh_memory.hpp"
#include "emu/stray.hpp"
#include "runtime/core/message.hpp"
#include "runtime/core/thread.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

namespace apod::runtime {

Device::Device(const arch::Gpu& gpu, int at) : index(at), timeline(gpu.launch) {
    legacy.id = 1;
    legacy.kind = StreamKind::legacy;
    legacy.device = at;
    timeline.add(&legacy);
}

std::optional<std::uint64_t> Device::limit(int number) const {
    if (const auto set = limits.find(number); set != limits.end()) return set->second;
    switch (number) {
    case 0: return 1024;    // stack of a thread
    case 1: return 1 << 20; // printf buffer
    case 2: return 8 << 20; // malloc heap
    case 3: return 2;       // synchronisation depth
    case 4: return 2048;    // pending launches
    case 5: return 128;     // L2 fetch granularity
    case 6: return 0;       // persisting L2
    default: return std::nullopt;
    }
}

Runtime& Runtime::instance() {
    static Runtime& runtime = *new Runtime;
    return runtime;
}

Runtime::Runtime() : settings_(settings_from_environment()) {
    std::error_code ignored;
    program_ = std::filesystem::read_symlink("/proc/self/exe", ignored).filename().string();
    if (start()) start_error_ = Error::success;
}

bool Runtime::start() {
    constexpr std::string_view prefix = "emu:";
    std::string_view id = settings_.device;
    if (id.starts_with(prefix)) id.remove_prefix(prefix.size());
    Result<arch::Gpu> gpu = arch::find_gpu(id);
    if (!gpu) {
        say(gpu.error());
        return false;
    }
    gpu_ = *std::move(gpu);
    const auto count = static_cast<std::uint64_t>(settings_.devices);
    const std::uint64_t host_bytes = std::uint64_t{64} << 30; // room for pinned and managed memory
    emu::set_stray_access(settings_.check ? emu::StrayAccess::fault : emu::StrayAccess::passes_where_mapped);
    emu::set_fresh_memory(settings_.poison ? emu::FreshMemory::poison : emu::FreshMemory::zeros);
    memory_ = std::make_unique<emu::DeviceMemory>(gpu_.memory.size_bytes * count + host_bytes);
    if (settings_.check) memory_->enable_checks();
    memory_table_ = std::make_unique<MemoryTable>(*memory_, gpu_.memory.size_bytes, settings_.devices);
    for (int index = 0; index < settings_.devices; ++index) devices_.push_back(std::make_unique<Device>(gpu_, index));
    record_.open(settings_.record, program_, settings_.device, settings_.devices);
    if (settings_.check) start_checks();
    return true;
}

void Runtime::start_checks() {
    checks_ = std::make_unique<ProgramChecks>(*memory_, record_);
    memory_table_->on_allocate = [this](emu::DeviceAddress address) { checks_->allocated(address); };
    memory_table_->on_bad_free = [this](emu::DeviceAddress address) { checks_->bad_free(address); };
    memory_table_->on_leak = [this](const Held& held) {
        if (device(held.device).fault != Error::success) return; // no call frees anything any more: the fault is the report
        const std::optional<emu::Allocation> allocation = memory_->find(held.base);
        checks_->leak(held.base, held.bytes, allocation ? allocation->name.c_str() : "");
    };
    std::atexit([] { instance().memory_table_->report_leaks(); });
}

Module* Runtime::add_fatbin(const std::byte* fatbin, std::vector<const std::byte*> parts) {
    auto module = std::make_unique<Module>(fatbin, std::move(parts), program_);
    Module* handle = module.get();
    modules_.emplace(handle, std::move(module));
    return handle;
}

Module* Runtime::add_module(std::vector<PtxUnit> units) {
    auto module = std::make_unique<Module>(std::move(units));
    Module* handle = module.get();
    modules_.emplace(handle, std::move(module));
    return handle;
}

void Runtime::add_kernel(Module* module, const void* host, std::string name) {
    auto kernel = std::make_unique<Kernel>();
    kernel->module = module;
    kernel->name = std::move(name);
    kernel->host = host;
    kernels_[kernel.get()] = kernel.get();
    kernels_by_host_[host] = std::move(kernel);
}

Kernel* Runtime::named_kernel(Module* module, const std::string& name) {
    for (const std::unique_ptr<Kernel>& kernel : named_kernels_)
        if (kernel->module == module && kernel->name == name) return kernel.get();
    auto kernel = std::make_unique<Kernel>();
    kernel->module = module;
    kernel->name = name;
    kernels_[kernel.get()] = kernel.get();
    named_kernels_.push_back(std::move(kernel));
    return named_kernels_.back().get();
}

void Runtime::add_variable(const void* host, Variable variable) { variables_[host] = std::make_unique<Variable>(std::move(variable)); }

void Runtime::remove_module(Module* module) {
    std::erase_if(kernels_, [module](const auto& entry) { return entry.second->module == module; });
    std::erase_if(kernels_by_host_, [module](const auto& entry) { return entry.second->module == module; });
    std::erase_if(named_kernels_, [module](const auto& kernel) { return kernel->module == module; });
    std::erase_if(variables_, [module](const auto& entry) { return entry.second->module == module; });
    modules_.erase(module);
}

SharedMemory& Runtime::shared_memory() {
    if (!shared_memory_) shared_memory_ = std::make_unique<SharedMemory>(*memory_table_);
    return *shared_memory_;
}

Error Runtime::place_managed() {
    if (start_error_ != Error::success) return start_error_;
    for (auto& [host, variable] : variables_) {
        if (variable->managed == nullptr) continue;
        emu::DeviceAddress address = 0;
        if (const Error error = variable_address(*variable, 0, address); error != Error::success) return error;
        *variable->managed = reinterpret_cast<void*>(address);
    }
    return Error::success;
}

Kernel* Runtime::find_kernel(const void* host_or_handle) {
    if (const auto found = kernels_by_host_.find(host_or_handle); found != kernels_by_host_.end()) return found->second.get();
    const auto found = kernels_.find(host_or_handle);
    return found != kernels_.end() ? found->second : nullptr;
}

Variable* Runtime::find_variable(const void* host) {
    const auto found = variables_.find(host);
    return found != variables_.end() ? found->second.get() : nullptr;
}

Error Runtime::variable_address(const Variable& variable, int device, emu::DeviceAddress& address) {
    const int place = variable.managed != nullptr ? 0 : device; // a managed variable is one for all devices
    const Result<std::shared_ptr<const emu::Image>> image = variable.module->image(place, gpu_, *memory_);
    if (!image) {
        say(image.error());
        return variable.module->failure();
    }
    address = (*image)->address_of(variable.name);
    return address != 0 ? Error::success : Error::invalid_symbol;
}

Error Runtime::program(Kernel& kernel, int device, std::shared_ptr<const emu::Program>& program) {
    if (const auto found = kernel.programs.find(device); found != kernel.programs.end()) {
        program = found->second;
        return Error::success;
    }
    const Result<std::shared_ptr<const emu::Image>> image = kernel.module->image(device, gpu_, *memory_);
    if (!image) {
        say(image.error());
        return kernel.module->failure();
    }
    if ((*image)->module().find_function(kernel.name) == nullptr) return Error::invalid_device_function;
    const Result<std::shared_ptr<const emu::Program>> lowered = emu::lower(*image, kernel.name);
    if (!lowered) {
        say(lowered.error());
        return Error::invalid_ptx;
    }
    program = kernel.programs[device] = *lowered;
    return Error::success;
}

Stream* Runtime::create_stream(int device, StreamKind kind, unsigned flags, int priority) {
    auto stream = std::make_unique<Stream>();
    Stream* handle = stream.get();
    *handle = {next_stream_id_++, kind, device, flags, priority, 0};
    this->device(device).timeline.add(handle);
    streams_.emplace(handle, std::move(stream));
    return handle;
}

Stream* Runtime::find_stream(Stream* handle) {
    constexpr std::uintptr_t legacy = 1;
    constexpr std::uintptr_t per_thread = 2;
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    ThreadState& thread = thread_state();
    if (number <= legacy) return &device(thread.device).legacy;
    if (number != per_thread) return is_stream(handle) ? handle : nullptr;
    thread.per_thread_streams.resize(devices_.size());
    Stream*& own = thread.per_thread_streams[static_cast<std::size_t>(thread.device)];
    if (own == nullptr) own = create_stream(thread.device, StreamKind::per_thread, 0, 0);
    return own;
}

void Runtime::destroy_stream(Stream* stream) {
    captures_.forget(*stream);
    device(stream->device).timeline.remove(stream);
    streams_.erase(stream);
}

Event* Runtime::create_event(unsigned flags) {
    auto event = std::make_unique<Event>();
    Event* handle = event.get();
    handle->flags = flags;
    events_.emplace(handle, std::move(event));
    return handle;
}

void Runtime::destroy_event(Event* event) { events_.erase(event); }

void Runtime::failed(Error error, std::string_view name, std::string_view text) {
    const bool faulted = start_error_ != Error::success || device(thread_state().device).fault != Error::success;
    if (error != Error::success && !faulted) failed_calls_.add(error, name, text);
}

Error Runtime::submit(Stream& stream, const Work& work) {
    if (captures_.any())
        if (const std::optional<Error> taken = captures_.take(stream, work)) return *taken;
    return std::visit([&](const auto& item) { return execute(stream, item); }, work);
}

} // namespace apod::runtime
