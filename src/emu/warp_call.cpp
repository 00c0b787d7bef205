// Calls and returns. The caller's path becomes the parent of the paths that run the callee; lanes that return arrive there, and the caller
// goes on when the last has come back.
#include "emu/check/block_check.hpp"
#include "emu/library/library.hpp"
#include "emu/warp.hpp"

#include <bit>

namespace apod::emu {

void Warp::activate(std::uint32_t frame) {
    frames_[active_frame_].local_top = context.local_top; // alloca may have moved it
    const Frame& next = frames_[frame];
    context.region[region_registers] = next.registers;
    context.predicates = next.predicates;
    context.local_base = next.local_base;
    context.local_top = next.local_top;
    active_frame_ = frame;
}

void Warp::set_kernel_frame(std::byte* registers, std::uint32_t* predicates, std::uint32_t local_bytes) {
    kernel_local_bytes_ = local_bytes;
    frames_.set_kernel(registers, predicates, local_bytes);
    context.region[region_registers] = registers;
    context.predicates = predicates;
    context.predicates[true_predicate] = 0xffffffffu;
}

Warp::Step Warp::call(WarpHost& host, const CodeBlock& block, const Op& op) {
    const CallSite& site = host.code.calls[static_cast<std::size_t>(op.imm)];
    const std::uint32_t mask = paths_[current_].mask;
    const std::uint32_t here = mask & guard(op);
    if (here == 0) return go_to(block.next);
    if (site.builtin != Builtin::none) {
        std::uint32_t calling = here;
        BlockCheck* check = context.block->check;
        if (check != nullptr) check->before_builtin(context, frames_[active_frame_], op, site, calling);
        host.library->call(context, frames_[active_frame_], op, site, calling);
        if (check != nullptr) check->after_builtin(context, frames_[active_frame_], site, calling);
        if (context.block->fault.kind != FaultKind::none) return Step::stop;
        return go_on_behind_call(block, op);
    }
    // The parent waits behind the call; lanes that do not call are there already.
    const std::uint32_t caller = current_;
    paths_[caller].state = PathState::waiting_children;
    paths_[caller].block = block.next;
    paths_[caller].mask = mask & ~here;
    paths_[caller].children = 0;
    if (site.function != ptx::none)
        enter(host, op, site, caller, site.function, here);
    else
        call_pointers(host, op, site, caller, here);
    return context.block->fault.kind == FaultKind::none ? Step::go_on : Step::stop;
}

// A call that does not return has nothing behind it.
Warp::Step Warp::go_on_behind_call(const CodeBlock& block, const Op& op) {
    if (block.next != ptx::none) return go_to(block.next);
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(paths_[current_].mask));
    report_fault(context, op, FaultKind::trap, MemorySpace::global, AccessKind::load, lane, 0, 0);
    return Step::stop;
}

// Lanes that call the same function do so together.
void Warp::call_pointers(WarpHost& host, const Op& op, const CallSite& site, std::uint32_t caller, std::uint32_t mask) {
    const ValuePlace pointer{true, 8, 0, site.target};
    const auto target = [&](unsigned lane) { return read_value(context, frames_[active_frame_], pointer, lane); };
    for (std::uint32_t rest = mask; rest != 0;) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t handle = target(lane);
        std::uint32_t together = 0;
        for (std::uint32_t others = rest; others != 0; others &= others - 1) {
            const auto other = static_cast<unsigned>(std::countr_zero(others));
            if (target(other) == handle) together |= 1u << other;
        }
        rest &= ~together;
        const std::uint32_t function = function_of(host.code, site, handle);
        if (function == ptx::none) {
            report_fault(context, op, FaultKind::bad_call, MemorySpace::global, AccessKind::load, lane, handle, 0);
            return;
        }
        enter(host, op, site, caller, function, together);
        if (context.block->fault.kind != FaultKind::none) return;
    }
}

// The function behind a handle, if it takes and gives what the call does.
std::uint32_t Warp::function_of(const Code& code, const CallSite& site, std::uint64_t handle) {
    const std::uint64_t index = ((handle & ~window_mask) >> 4) - 1;
    if (index >= code.function_at.size() || handle != function_handle(index)) return ptx::none;
    const std::uint32_t found = code.function_at[index];
    if (found == ptx::none) return ptx::none;
    const FunctionCode& function = code.functions[found];
    if (function.parameters.size() != site.arguments.size() || function.returns.size() != site.results.size()) return ptx::none;
    for (std::size_t i = 0; i < site.arguments.size(); ++i)
        if (function.parameters[i].bytes != site.arguments[i].bytes) return ptx::none;
    return found;
}

void Warp::enter(WarpHost& host, const Op& op, const CallSite& site, std::uint32_t caller, std::uint32_t callee, std::uint32_t mask) {
    const FunctionCode& function = host.code.functions[callee];
    const std::uint32_t base = (context.local_top + function.frame_align - 1) / function.frame_align * function.frame_align;
    const std::uint32_t depth = frames_[active_frame_].depth + 1;
    if (std::uint64_t{base} + function.frame_bytes > context.block->local_bytes) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        report_fault(context, op, FaultKind::stack_overflow, MemorySpace::local, AccessKind::store, lane,
                     std::uint64_t{base} + function.frame_bytes, depth);
        return;
    }
    const std::uint32_t index = frames_.take(function, base);
    Frame& frame = frames_[index];
    frame.function = callee;
    frame.caller = active_frame_;
    frame.call_path = caller;
    frame.call = static_cast<std::uint32_t>(op.imm);
    frame.depth = depth;
    for (std::size_t i = 0; i < site.arguments.size(); ++i)
        copy_value(context, frames_[active_frame_], site.arguments[i], frame, function.parameters[i], mask);
    if (context.block->check != nullptr) context.block->check->enter(context, frames_[active_frame_], site, frame, function, callee, mask);
    current_ = add_path(Path{.block = function.entry, .mask = mask, .parent = caller, .frame = index});
    ++paths_[caller].children;
}

Warp::Step Warp::leave_function(WarpHost& host, const CodeBlock& block, const Op& op) {
    Path& path = paths_[current_];
    const std::uint32_t leaving = path.mask & guard(op);
    if (leaving == 0) return go_to(block.next);
    const Frame& frame = frames_[path.frame];
    const FunctionCode& function = host.code.functions[frame.function];
    const CallSite& site = host.code.calls[frame.call];
    Path& caller = paths_[frame.call_path];
    if (caller.block == ptx::none) { // a function that was said not to return
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(leaving));
        report_fault(context, op, FaultKind::trap, MemorySpace::global, AccessKind::load, lane, 0, 0);
        return Step::stop;
    }
    for (std::size_t i = 0; i < site.results.size(); ++i)
        if (site.results[i].bytes != 0) copy_value(context, frame, function.returns[i], frames_[frame.caller], site.results[i], leaving);
    if (context.block->check != nullptr) context.block->check->leave(context, frame, function, frames_[frame.caller], site, leaving);
    caller.mask |= leaving;
    path.mask &= ~leaving;
    if (path.mask != 0) return go_to(block.next);
    join_parent();
    return paths_[current_].state == PathState::runnable ? Step::go_on : Step::stop;
}

} // namespace apod::emu
