// Stream capture: a stream's calls become a graph.
#include "runtime/cudart/graphs.hpp"

#include <algorithm>

namespace apod::runtime::cudart {

Error capture_info(Stream* handle, int* status, unsigned long long* id, Graph** graph, GraphNode* const** dependencies,
                   const EdgeData** data, std::size_t* count) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        if (status == nullptr) return Error::invalid_value;
        *status = static_cast<int>(runtime.captures().status(stream));
        const Capture* capture = runtime.captures().of(stream);
        const bool active = capture != nullptr && !capture->invalid;
        if (id != nullptr) *id = capture != nullptr ? capture->id : 0;
        if (graph != nullptr) *graph = active ? capture->graph : nullptr;
        if (dependencies != nullptr) *dependencies = active ? stream.frontier.data() : nullptr;
        if (data != nullptr) *data = nullptr; // all edges are plain
        if (count != nullptr) *count = active ? stream.frontier.size() : 0;
        return Error::success;
    });
}

Error update_capture(Stream* handle, GraphNode* const* dependencies, const EdgeData*, std::size_t count, unsigned flags) {
    constexpr unsigned set = 1; // otherwise they are added
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        if (runtime.captures().status(stream) == CaptureStatus::none) return Error::illegal_state;
        if (flags > set || (count != 0 && dependencies == nullptr)) return Error::invalid_value;
        if (flags == set) stream.frontier.clear();
        for (std::size_t i = 0; i < count; ++i)
            if (std::find(stream.frontier.begin(), stream.frontier.end(), dependencies[i]) == stream.frontier.end())
                stream.frontier.push_back(dependencies[i]);
        return Error::success;
    });
}

} // namespace apod::runtime::cudart

using namespace apod::runtime;
using namespace apod::runtime::cudart;

#pragma GCC visibility push(default)
extern "C" {

Error cudaStreamBeginCapture(Stream* handle, int mode) {
    return stream_call(handle,
                       [&](Runtime& runtime, Stream& stream) { return runtime.captures().begin(stream, static_cast<CaptureMode>(mode)); });
}

Error cudaStreamBeginCaptureToGraph(Stream* handle, Graph* graph, GraphNode* const* dependencies, const EdgeData*, std::size_t count,
                                    int mode) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        if (graph == nullptr || (count != 0 && dependencies == nullptr)) return Error::invalid_value;
        for (std::size_t i = 0; i < count; ++i)
            if (!graph->owns(dependencies[i])) return Error::invalid_value;
        return runtime.captures().begin(stream, static_cast<CaptureMode>(mode), *graph, {dependencies, dependencies + count});
    });
}

Error cudaStreamEndCapture(Stream* handle, Graph** graph) {
    Graph* unwanted = nullptr; // who captures into a graph has it already
    if (graph == nullptr) graph = &unwanted;
    *graph = nullptr;
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        std::unique_ptr<Graph> made;
        const Error error = runtime.captures().end(stream, made, *graph);
        if (made) runtime.graphs().adopt(std::move(made));
        return error;
    });
}

Error cudaStreamIsCapturing(Stream* handle, int* status) {
    if (status == nullptr) return remember(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        *status = static_cast<int>(runtime.captures().status(stream));
        return Error::success;
    });
}

Error cudaThreadExchangeStreamCaptureMode(int* mode) {
    if (mode == nullptr || *mode < 0 || *mode > static_cast<int>(CaptureMode::relaxed)) return remember(Error::invalid_value);
    const auto before = static_cast<int>(thread_capture_mode());
    thread_capture_mode() = static_cast<CaptureMode>(*mode);
    *mode = before;
    return Error::success;
}

} // extern "C"
#pragma GCC visibility pop
