// Stream capture: a stream's calls become a graph.
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

#pragma GCC visibility push(default)
extern "C" {

Error cuStreamBeginCapture_v2(Stream* handle, int mode) {
    if (mode < 0 || mode > static_cast<int>(CaptureMode::relaxed)) return refuse(Error::invalid_value);
    return stream_call(handle,
                       [&](Runtime& runtime, Stream& stream) { return runtime.captures().begin(stream, static_cast<CaptureMode>(mode)); });
}

Error cuStreamEndCapture(Stream* handle, Graph** graph) {
    if (graph == nullptr) return refuse(Error::invalid_value);
    *graph = nullptr;
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        std::unique_ptr<Graph> made;
        const Error error = runtime.captures().end(stream, made, *graph);
        if (made) runtime.graphs().adopt(std::move(made));
        return error;
    });
}

Error cuStreamIsCapturing(Stream* handle, int* status) {
    if (status == nullptr) return refuse(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        *status = static_cast<int>(runtime.captures().status(stream));
        return Error::success;
    });
}

Error cuStreamGetCaptureInfo_v2(Stream* handle, int* status, std::uint64_t* id, Graph** graph, GraphNode* const** dependencies,
                                std::size_t* count) {
    if (status == nullptr) return refuse(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        *status = static_cast<int>(runtime.captures().status(stream));
        const Capture* capture = runtime.captures().of(stream);
        const bool active = capture != nullptr && !capture->invalid;
        if (id != nullptr) *id = capture != nullptr ? capture->id : 0;
        if (graph != nullptr) *graph = active ? capture->graph : nullptr;
        if (dependencies != nullptr) *dependencies = active ? stream.frontier.data() : nullptr;
        if (count != nullptr) *count = active ? stream.frontier.size() : 0;
        return Error::success;
    });
}

Error cuStreamGetCaptureInfo_v3(Stream* handle, int* status, std::uint64_t* id, Graph** graph, GraphNode* const** dependencies,
                                const void** edges, std::size_t* count) {
    if (edges != nullptr) *edges = nullptr; // all edges are plain
    return cuStreamGetCaptureInfo_v2(handle, status, id, graph, dependencies, count);
}

Error cuThreadExchangeStreamCaptureMode(int* mode) {
    if (mode == nullptr || *mode < 0 || *mode > static_cast<int>(CaptureMode::relaxed)) return refuse(Error::invalid_value);
    const auto before = static_cast<int>(thread_capture_mode());
    thread_capture_mode() = static_cast<CaptureMode>(*mode);
    *mode = before;
    return Error::success;
}

Error cuStreamBeginCapture_v2_ptsz(Stream* stream, int mode) { return cuStreamBeginCapture_v2(per_thread(stream), mode); }
Error cuStreamEndCapture_ptsz(Stream* stream, Graph** graph) { return cuStreamEndCapture(per_thread(stream), graph); }
Error cuStreamIsCapturing_ptsz(Stream* stream, int* status) { return cuStreamIsCapturing(per_thread(stream), status); }

} // extern "C"
#pragma GCC visibility pop
