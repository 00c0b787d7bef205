#include "runtime/core/failed_calls.hpp"

#include "ptx/module.hpp"
#include "runtime/core/host_call.hpp"
#include "runtime/core/thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace apod::runtime {
namespace {

struct Answer {
    std::string_view call; // a part of its name; empty: any
    Error error;           // success: any
};

constexpr Error any = Error::success;
constexpr std::array<Answer, 18> answers = {{{"", Error::not_ready},
                                             {"PointerGetAttribute", any},
                                             {"MemGetAddressRange", any},
                                             {"HostGetFlags", any},
                                             {"PeerAccess", Error::peer_access_already_enabled},
                                             {"PeerAccess", Error::peer_access_not_enabled},
                                             {"GetDeviceCount", Error::no_device},
                                             {"DeviceGetCount", Error::no_device},
                                             {"FuncGetAttributes", Error::invalid_device_function}, // how CUB finds what it was built for
                                             {"GetProcAddress", any},
                                             {"DriverEntryPoint", any},
                                             {"ModuleGet", Error::symbol_not_found},
                                             {"LibraryGet", Error::symbol_not_found},
                                             {"DeviceGetAttribute", any},
                                             {"GetLimit", Error::unsupported_limit},
                                             {"CtxGet", Error::invalid_context},
                                             {"Occupancy", any},
                                             {"GraphExecUpdate", Error::graph_exec_update_failure}}};

// What a caller does about it.
std::string advice(Error error, bool launch) {
    if (error == Error::memory_allocation) return "the device's memory is full: allocate less, or free earlier";
    if (launch)
        return "ask cudaGetLastError() behind each <<<...>>>: the kernel did not run, and what follows works with what it left undone";
    return "look at the result of each call: what follows works with what this one left undone";
}

} // namespace

bool is_answer(std::string_view call, Error error) {
    return std::any_of(answers.begin(), answers.end(), [&](const Answer& answer) {
        return (answer.error == any || answer.error == error) && call.find(answer.call) != std::string_view::npos;
    });
}

Error because(Error error, std::string why) {
    thread_state().why = std::move(why);
    return error;
}

void FailedCalls::add(Error error, std::string_view name, std::string_view text) {
    ThreadState& thread = thread_state();
    const std::string why = std::exchange(thread.why, {});
    const std::string kernel = ptx::demangle(std::exchange(thread.kernel, {}));
    if (std::exchange(thread.reported, false) || !record_.is_open()) return;
    HostCall call = host_call();
    call.name.erase(0, call.name.find_first_not_of('_')); // <<<...>>> calls __cudaLaunchKernel
    if (call.name.empty() || is_answer(call.name, error)) return;
    CheckReport report;
    report.kind = CheckKind::failed_call;
    report.kernel = kernel;
    report.message = fmt::format("{} gives {} ({}){}{}", call.name, name, text, why.empty() ? "" : ": ", why);
    report.host = call.frames;
    report.advice = advice(error, !kernel.empty());
    std::string key = report.message;
    for (const std::string& frame : call.frames) key += "|" + frame;
    const std::lock_guard lock(mutex_);
    const auto [seen, fresh] = seen_.try_emplace(key, seen_.size(), 1);
    if (fresh)
        record_.failed_call(report);
    else
        record_.failed_again(seen->second.first, ++seen->second.second);
}

} // namespace apod::runtime
