#include "emu/fault.hpp"

#include "emu/host_memory.hpp"
#include "emu/source_chain.hpp"
#include "emu/stray.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>

namespace apod::emu {

namespace {

std::string dimensions(std::uint64_t index, const Dim3& shape) {
    return fmt::format("({}, {}, {})", index % shape.x, index / shape.x % shape.y, index / shape.x / shape.y);
}

const char* space_word(MemorySpace space) {
    switch (space) {
    case MemorySpace::global: return "global";
    case MemorySpace::shared: return "shared";
    case MemorySpace::local: return "local";
    case MemorySpace::constant: return "constant";
    }
    return "?";
}

const char* access_word(AccessKind kind) {
    switch (kind) {
    case AccessKind::load: return "read";
    case AccessKind::store: return "write";
    case AccessKind::atomic:
    case AccessKind::reduction: return "atomic update";
    }
    return "access";
}

// "transpose.cu:12" of an op, or its place in the PTX.
SourcePosition place(const Program& program, std::uint32_t op) {
    const std::vector<SourceFrame> chain = source_chain(program, op);
    if (chain.empty())
        return program.image->module().position(program.ops[op].function->instructions[program.ops[op].instruction].position);
    const SourceFrame& own = chain[own_frame(chain)];
    return {own.file, own.line, own.column};
}

std::string place_text(const Program& program, std::uint32_t op) {
    const SourcePosition at = place(program, op);
    const std::vector<SourceFrame> chain = source_chain(program, op);
    const std::size_t caller = own_frame(chain) + 1;
    if (caller >= chain.size()) return fmt::format("{}:{}", at.file, at.line);
    return fmt::format("{}:{} (inlined at {}:{})", at.file, at.line, chain[caller].file, chain[caller].line);
}

void add_inlining(const Program& program, std::uint32_t op, Diagnostic& diagnostic) {
    const std::vector<SourceFrame> chain = source_chain(program, op);
    if (const std::string call = toolkit_call(chain); !call.empty()) diagnostic.notes.push_back("in " + call);
    const std::size_t caller = own_frame(chain) + 1;
    if (caller >= chain.size()) return;
    diagnostic.notes.push_back(fmt::format("inlined {}at {}:{}", chain[caller].call.empty() ? "" : chain[caller].call + " ",
                                           chain[caller].file, chain[caller].line));
}

std::string thread_text(const LaunchState& launch, const Block& block, const Fault& fault) {
    return fmt::format("block {} thread {}", dimensions(block.index(), launch.config.grid),
                       dimensions(std::uint64_t{fault.warp} * lanes + fault.lane, launch.config.block));
}

StrangeAddress strange(const Fault& fault) {
    const bool memory = fault.kind == FaultKind::out_of_bounds && fault.space == MemorySpace::global; // constant: an offset, too
    return memory ? strange_address(fault.address, fault.bytes) : StrangeAddress::no;
}

void add_allocation(const LaunchState& launch, const Block& block, const Fault& fault, Diagnostic& diagnostic) {
    if (fault.space == MemorySpace::shared || fault.space == MemorySpace::local) {
        const std::uint64_t size = fault.space == MemorySpace::shared ? launch.shared_bytes : launch.local_bytes;
        const std::uint64_t rank = fault.address >> cluster_rank_shift;
        if (fault.space == MemorySpace::shared && rank != 0)
            diagnostic.notes.push_back(
                fmt::format("the address names the block with rank {} of a cluster of {}", rank - 1, launch.clusters.size()));
        diagnostic.notes.push_back(fmt::format("{} memory has {} bytes here", space_word(fault.space), size));
        return;
    }
    if (strange(fault) != StrangeAddress::no) return; // the headline says what it is
    const auto nearest = launch.memory.nearest(fault.address);
    if (!nearest) {
        diagnostic.notes.push_back("there are no allocations");
        return;
    }
    const std::string name = nearest->name.empty() ? "" : fmt::format(" '{}'", nearest->name);
    const std::uint64_t end = nearest->base + nearest->bytes;
    if (fault.address >= nearest->base && fault.address < end)
        diagnostic.notes.push_back(fmt::format("it starts {} bytes before the end of allocation{} ({} bytes at {:#x})", end - fault.address,
                                               name, nearest->bytes, nearest->base));
    else if (fault.address >= end)
        diagnostic.notes.push_back(fmt::format("it is {} bytes past the end of allocation{} ({} bytes at {:#x})", fault.address - end, name,
                                               nearest->bytes, nearest->base));
    else
        diagnostic.notes.push_back(fmt::format("it is {} bytes before allocation{} ({} bytes at {:#x})", nearest->base - fault.address,
                                               name, nearest->bytes, nearest->base));
    (void)block;
}

// Where the warps of a block that cannot go on stand, a line for each place.
void add_standing(const LaunchState& launch, const Block& block, Diagnostic& diagnostic) {
    std::map<std::string, std::uint32_t> places;
    std::uint32_t exited = launch.threads;
    for (const Warp& warp : block.warps()) {
        exited -= static_cast<std::uint32_t>(std::popcount(warp.context.live));
        for (const Path& path : warp.paths()) {
            if (path.mask == 0 || path.state == PathState::free_slot || path.state == PathState::waiting_children || warp.finished())
                continue;
            const CodeBlock& code = launch.code.blocks[path.block];
            const bool at_cluster = path.state == PathState::at_cluster_barrier;
            const bool at_end = path.state == PathState::at_barrier || path.state == PathState::at_warp_sync || at_cluster;
            const std::uint32_t op = at_end ? code.last : code.first;
            const char* doing = path.state == PathState::at_barrier ? "wait at the barrier"
                                : at_cluster                        ? "wait at the cluster's barrier"
                                : at_end                            ? "wait for lanes of their warp"
                                                                    : "run";
            places[fmt::format("{} in {}", doing, place_text(launch.program, op))] += static_cast<std::uint32_t>(std::popcount(path.mask));
        }
    }
    for (const auto& [where, threads] : places) diagnostic.notes.push_back(fmt::format("{} threads {}", threads, where));
    if (exited != 0) diagnostic.notes.push_back(fmt::format("{} threads have exited", exited));
}

// What the target of a call that cannot be made is.
std::string pointed_at(const LaunchState& launch, std::uint64_t handle) {
    const std::vector<ptx::Function>& functions = launch.program.image->module().functions;
    const std::uint64_t index = ((handle & ~window_mask) >> 4) - 1;
    if (index >= functions.size() || handle != function_handle(index)) return fmt::format("{:#x}, which is no function,", handle);
    return fmt::format("{}, whose parameters or results are not those of the call,", ptx::demangle(functions[index].name));
}

std::string image_fault_text(ImageFault why, std::uint64_t handle) {
    switch (why) {
    case ImageFault::no_handle: return fmt::format("{:#x} is no texture or surface object; it was used", handle);
    case ImageFault::not_a_texture: return fmt::format("surface object {:#x} read as a texture", handle);
    case ImageFault::not_a_surface: return fmt::format("texture object {:#x} used as a surface", handle);
    case ImageFault::other_shape: return fmt::format("{:#x} is a texture or surface of another shape; it was used", handle);
    case ImageFault::outside: return fmt::format("access outside surface {:#x}", handle);
    case ImageFault::misaligned: return fmt::format("misaligned access to surface {:#x}", handle);
    case ImageFault::freed: return fmt::format("the memory of texture or surface {:#x} was freed; it was used", handle);
    }
    return "?";
}

std::string headline(const LaunchState& launch, const Block& block, const Fault& fault) {
    const std::string who = thread_text(launch, block, fault);
    switch (fault.kind) {
    case FaultKind::out_of_bounds:
        if (const StrangeAddress what = strange(fault); what != StrangeAddress::no)
            return fmt::format("{} of {} bytes {}, by {}", access_word(fault.access), fault.bytes, strange_text(what, fault.address), who);
        return fmt::format("{} of {} bytes out of bounds at {} address {:#x} by {}", access_word(fault.access), fault.bytes,
                           space_word(fault.space), fault.address, who);
    case FaultKind::misaligned:
        return fmt::format("misaligned {} of {} bytes at {} address {:#x} by {}", access_word(fault.access), fault.bytes,
                           space_word(fault.space), fault.address, who);
    case FaultKind::trap: return fmt::format("trap reached by {}", who);
    case FaultKind::bad_branch: return fmt::format("indexed branch to target {} of fewer by {}", fault.address, who);
    case FaultKind::bad_call: return fmt::format("call through a pointer to {} by {}", pointed_at(launch, fault.address), who);
    case FaultKind::stack_overflow:
        return fmt::format("stack overflow: {} bytes of local memory are needed {}, {} are there, by {}", fault.address,
                           fault.bytes != 0 ? fmt::format("{} calls deep", fault.bytes) : "by alloca", launch.local_bytes, who);
    case FaultKind::assertion: return fmt::format("assertion `{}` failed in {}", block.library().failed_expression(), who);
    case FaultKind::bad_free:
        return fmt::format("free of {:#x}, which malloc in device code did not give or which is free already, by {}", fault.address, who);
    case FaultKind::bad_image: return fmt::format("{} by {}", image_fault_text(static_cast<ImageFault>(fault.bytes), fault.address), who);
    case FaultKind::absent_block:
        return fmt::format("distributed shared memory of block {} of the cluster, which has exited, accessed by {}",
                           (fault.address >> cluster_rank_shift) - 1, who);
    case FaultKind::deadlock:
        return fmt::format("block {} can never go on: a barrier is not reached by all threads it waits for",
                           dimensions(block.index(), launch.config.grid));
    case FaultKind::watchdog:
        return fmt::format("block {} still runs after {} warp instructions, the watchdog's limit",
                           dimensions(block.index(), launch.config.grid), launch.watchdog);
    case FaultKind::stalled:
        return fmt::format(
            "block {} can never go on: for {} s it has waited in a loop for memory that nothing on the device writes any more",
            dimensions(block.index(), launch.config.grid), fault.bytes);
    case FaultKind::cancelled:
        return fmt::format("stopped while block {} was running, after {} warp instructions of it",
                           dimensions(block.index(), launch.config.grid), block.instructions());
    default: return "stopped";
    }
}

const char* advice(FaultKind kind) {
    switch (kind) {
    case FaultKind::out_of_bounds: return "check the index against the array's size before the access";
    case FaultKind::misaligned: return "an access of N bytes needs an address that is a multiple of N";
    case FaultKind::deadlock: return "every thread of the block must reach the same __syncthreads(): move it out of the branch or loop";
    case FaultKind::bad_call:
        return "set the pointer before the call; a null pointer is 0, an object without its constructor has no functions";
    case FaultKind::stack_overflow: return "look for recursion that does not end, or raise the stack size (cudaLimitStackSize)";
    case FaultKind::bad_image:
        return "the object must exist, have the dimensions that the function reads (tex2D, surf3Dread, ...), and its memory be allocated";
    case FaultKind::absent_block: return "blocks of a cluster must not exit before others have read their memory: end with cluster.sync()";
    case FaultKind::watchdog: return "look for a loop that never ends, or raise the limit";
    case FaultKind::stalled:
        return "where the host was to write it after the launch: here a launch has run when its call returns, so write it before";
    case FaultKind::cancelled: return "look for a loop that never ends where its threads are, or give it more time";
    default: return "";
    }
}

} // namespace

SourcePosition place_of(const Program& program, std::uint32_t op) { return place(program, op); }

Diagnostic describe_fault(const LaunchState& launch, const Block& block) {
    const Fault& fault = block.fault();
    Diagnostic diagnostic;
    diagnostic.kind = ErrorKind::check_failed;
    diagnostic.where = place(launch.program, fault.op);
    diagnostic.message = fmt::format("kernel {}: {}", ptx::demangle(launch.program.name()), headline(launch, block, fault));
    add_inlining(launch.program, fault.op, diagnostic);
    if (fault.kind == FaultKind::out_of_bounds || fault.kind == FaultKind::misaligned) add_allocation(launch, block, fault, diagnostic);
    if (fault.kind == FaultKind::deadlock || fault.kind == FaultKind::watchdog || fault.kind == FaultKind::cancelled ||
        fault.kind == FaultKind::stalled)
        add_standing(launch, block, diagnostic);
    diagnostic.hint = strange(fault) != StrangeAddress::no ? strange_advice(strange(fault)) : advice(fault.kind);
    return diagnostic;
}

// The slow paths that the lane handlers call.

bool resolve_global(WarpContext& warp, const Op& op, std::uint64_t first, std::uint64_t end) {
    const auto& memory = *static_cast<const DeviceMemory*>(warp.block->memory);
    const auto found = memory.find(first);
    if (!found || end > found->base + found->bytes || end < first) return stray_access_passes(memory, op.index, first, end);
    warp.block->known[op.index] = {found->base, found->base + found->bytes};
    return true;
}

void report_fault(WarpContext& warp, const Op& op, FaultKind kind, MemorySpace space, AccessKind access, std::uint32_t lane,
                  std::uint64_t address, std::uint32_t bytes) {
    Fault& fault = warp.block->fault;
    if (fault.kind != FaultKind::none) return; // the first one counts
    fault = {kind, space, access, op.index, warp.index, lane, bytes, address};
}

} // namespace apod::emu
