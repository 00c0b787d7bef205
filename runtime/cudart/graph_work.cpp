// Between CUDA's node parameters and work.
#include "runtime/cudart/graphs.hpp"

#include "runtime/cudart/launch.hpp"

namespace apod::runtime::cudart {
namespace {

std::byte* corner(const PitchedPointer& box, const Position& at) {
    return static_cast<std::byte*>(box.pointer) + (at.z * box.height + at.y) * box.pitch + at.x;
}

} // namespace

NodeType type_of(const GraphNode& node) {
    // In the order of NodeWork's alternatives.
    constexpr NodeType types[] = {NodeType::empty,    NodeType::kernel, NodeType::copy,       NodeType::fill,
                                  NodeType::host,     NodeType::record, NodeType::wait,       NodeType::graph,
                                  NodeType::allocate, NodeType::free,   NodeType::conditional};
    static_assert(std::size(types) == std::variant_size_v<NodeWork>);
    return types[node.work.index()];
}

Error kernel_work(Runtime& runtime, const KernelNodeParameters* parameters, KernelWork& work) {
    if (parameters == nullptr || (parameters->arguments == nullptr && parameters->extra != nullptr)) return Error::invalid_value;
    work.kernel = runtime.find_kernel(parameters->function);
    if (work.kernel == nullptr) return Error::invalid_device_function;
    work.grid = {parameters->grid.x, parameters->grid.y, parameters->grid.z};
    work.block = {parameters->block.x, parameters->block.y, parameters->block.z};
    work.dynamic_shared_bytes = parameters->dynamic_shared_bytes;
    if (work.grid.count() == 0 || work.block.count() == 0) return Error::invalid_value;
    return pack_parameters(runtime, *work.kernel, this_thread().device, parameters->arguments, work.parameters);
}

Error kernel_parameters(Runtime& runtime, GraphNode& node, KernelNodeParameters& parameters) {
    KernelWork& work = std::get<KernelWork>(node.work);
    std::shared_ptr<const emu::Program> program;
    if (const Error error = runtime.program(*work.kernel, this_thread().device, program); error != Error::success) return error;
    node.arguments.clear();
    for (const emu::Parameter& parameter : program->parameters) node.arguments.push_back(work.parameters.data() + parameter.offset);
    parameters = {};
    parameters.function = work.kernel->host != nullptr ? work.kernel->host : work.kernel;
    parameters.grid = {work.grid.x, work.grid.y, work.grid.z};
    parameters.block = {work.block.x, work.block.y, work.block.z};
    parameters.dynamic_shared_bytes = static_cast<unsigned>(work.dynamic_shared_bytes);
    parameters.arguments = node.arguments.data();
    return Error::success;
}

Error fill_work(const FillNodeParameters* parameters, FillWork& work) {
    if (parameters == nullptr || parameters->to == nullptr) return Error::invalid_value;
    const unsigned element = parameters->element_bytes;
    if (element != 1 && element != 2 && element != 4) return Error::invalid_value;
    work.to = parameters->to;
    work.value = parameters->value;
    work.element_bytes = element;
    work.width = parameters->width * element;
    work.height = parameters->height;
    work.pitch = parameters->height > 1 ? parameters->pitch : 0;
    return Error::success;
}

FillNodeParameters fill_parameters(const FillWork& work) {
    return {work.to, work.pitch, work.value, work.element_bytes, work.width / work.element_bytes, work.height};
}

Error host_work(const HostNodeParameters* parameters, HostWork& work) {
    if (parameters == nullptr || parameters->function == nullptr) return Error::invalid_value;
    work = {parameters->function, parameters->data};
    return Error::success;
}

CopyWork flat_copy(void* to, const void* from, std::size_t bytes, int kind) {
    CopyWork work;
    work.to = to;
    work.from = from;
    work.kind = static_cast<CopyKind>(kind);
    work.width = bytes;
    return work;
}

Error copy_work(const Copy3d* parameters, CopyWork& work) {
    if (parameters == nullptr) return Error::invalid_value;
    if (parameters->from_array != nullptr || parameters->to_array != nullptr) return Error::not_supported;
    if (parameters->kind < 0 || parameters->kind > 4) return Error::invalid_memcpy_direction;
    work = flat_copy(corner(parameters->to, parameters->to_position), corner(parameters->from, parameters->from_position),
                     parameters->extent.width, parameters->kind);
    work.height = parameters->extent.height;
    work.depth = parameters->extent.depth;
    work.to_pitch = parameters->to.pitch;
    work.from_pitch = parameters->from.pitch;
    work.to_slice = parameters->to.pitch * parameters->to.height;
    work.from_slice = parameters->from.pitch * parameters->from.height;
    return Error::success;
}

Copy3d copy_parameters(const CopyWork& work) {
    const auto rows = [&](std::uint64_t slice, std::uint64_t pitch) { return pitch != 0 ? slice / pitch : work.height; };
    Copy3d copy = {};
    copy.from = {const_cast<void*>(work.from), work.from_pitch, work.width, rows(work.from_slice, work.from_pitch)};
    copy.to = {work.to, work.to_pitch, work.width, rows(work.to_slice, work.to_pitch)};
    copy.extent = {work.width, work.height, work.depth};
    copy.kind = static_cast<int>(work.kind);
    return copy;
}

GraphNode* node_in(const Graph& graph, const GraphNode* origin) {
    if (GraphNode* found = graph.find_clone_of(origin)) return found;
    for (const std::unique_ptr<GraphNode>& node : graph.nodes()) {
        for (const Graph* inner : inner_graphs(node->work))
            if (GraphNode* found = node_in(*inner, origin)) return found;
    }
    return nullptr;
}

} // namespace apod::runtime::cudart
