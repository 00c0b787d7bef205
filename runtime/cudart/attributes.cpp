// Attributes of streams, of kernel nodes and of ranges of memory: kept and given back; what they ask for changes nothing on the emulated
// device, but for cooperative launches and clusters.
#include "runtime/cudart/graphs.hpp"

#include <cstring>
#include <map>
#include <utility>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

using Value = decltype(LaunchAttribute::value);

// cudaLaunchAttributeID
constexpr int attribute_cooperative = 2;
constexpr int attribute_synchronization = 3;
constexpr int attribute_cluster = 4;
constexpr int attribute_priority = 8;
constexpr int last_attribute = 16;

std::map<std::pair<const void*, int>, Value>& kept() {
    static auto& values = *new std::map<std::pair<const void*, int>, Value>;
    return values;
}

Value value_of(const void* holder, int attribute) {
    const auto found = kept().find({holder, attribute});
    return found != kept().end() ? found->second : Value{};
}

bool is_attribute(int attribute) { return attribute > 0 && attribute <= last_attribute; }

// cudaMemRangeAttribute
constexpr int range_read_mostly = 1;
constexpr int range_accessed_by = 3;
constexpr int invalid_device = -2;

Error range_attribute(void* data, std::size_t bytes, int attribute) {
    constexpr int last_range_attribute = 8;
    if (data == nullptr || bytes == 0 || bytes % sizeof(int) != 0 || attribute < range_read_mostly || attribute > last_range_attribute)
        return Error::invalid_value;
    const int none = attribute == range_read_mostly || attribute > range_accessed_by + 1 ? 0 : invalid_device;
    for (std::size_t at = 0; at + sizeof none <= bytes; at += sizeof none) std::memcpy(static_cast<char*>(data) + at, &none, sizeof none);
    return Error::success;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaStreamSetAttribute(Stream* handle, int attribute, const Value* value) {
    return stream_call(handle, [&](Runtime&, Stream& stream) {
        if (!is_attribute(attribute) || value == nullptr) return Error::invalid_value;
        if (attribute == attribute_priority) stream.priority = value->number;
        kept()[{&stream, attribute}] = *value;
        return Error::success;
    });
}

Error cudaStreamGetAttribute(Stream* handle, int attribute, Value* value) {
    return stream_call(handle, [&](Runtime&, Stream& stream) {
        if (!is_attribute(attribute) || value == nullptr) return Error::invalid_value;
        *value = value_of(&stream, attribute);
        if (attribute == attribute_priority) value->number = stream.priority;
        if (attribute == attribute_synchronization && value->number == 0) value->number = 1; // automatic
        return Error::success;
    });
}

Error cudaStreamCopyAttributes(Stream* to, Stream* from) {
    return stream_call(to, [&](Runtime& runtime, Stream& stream) {
        const Stream* other = runtime.find_stream(from);
        if (other == nullptr) return Error::invalid_resource_handle;
        for (int attribute = 1; attribute <= last_attribute; ++attribute)
            if (const auto found = kept().find({other, attribute}); found != kept().end()) kept()[{&stream, attribute}] = found->second;
        stream.priority = other->priority;
        return Error::success;
    });
}

Error cudaGraphKernelNodeSetAttribute(GraphNode* node, int attribute, const Value* value) {
    return node_call<KernelWork>(node, [&](Runtime&, KernelWork& work) {
        if (!is_attribute(attribute) || value == nullptr) return Error::invalid_value;
        if (attribute == attribute_cooperative) work.cooperative = value->number != 0;
        if (attribute == attribute_cluster) work.cluster = {value->cluster[0], value->cluster[1], value->cluster[2]};
        kept()[{node, attribute}] = *value;
        return Error::success;
    });
}

Error cudaGraphKernelNodeGetAttribute(GraphNode* node, int attribute, Value* value) {
    return node_call<KernelWork>(node, [&](Runtime&, KernelWork& work) {
        if (!is_attribute(attribute) || value == nullptr) return Error::invalid_value;
        *value = value_of(node, attribute);
        if (attribute == attribute_cooperative) value->number = work.cooperative ? 1 : 0;
        if (attribute == attribute_cluster) {
            value->cluster[0] = work.cluster.x;
            value->cluster[1] = work.cluster.y;
            value->cluster[2] = work.cluster.z;
        }
        return Error::success;
    });
}

Error cudaMemRangeGetAttribute(void* data, std::size_t bytes, int attribute, const void* memory, std::size_t count) {
    return call([&](Runtime&) { return memory == nullptr || count == 0 ? Error::invalid_value : range_attribute(data, bytes, attribute); });
}

Error cudaMemRangeGetAttributes(void** data, std::size_t* bytes, int* attributes, std::size_t attribute_count, const void* memory,
                                std::size_t count) {
    return call([&](Runtime&) {
        if (data == nullptr || bytes == nullptr || attributes == nullptr || memory == nullptr || count == 0) return Error::invalid_value;
        for (std::size_t i = 0; i < attribute_count; ++i)
            if (const Error error = range_attribute(data[i], bytes[i], attributes[i]); error != Error::success) return error;
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
