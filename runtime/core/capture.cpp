#include "runtime/core/capture.hpp"

#include <algorithm>
#include <unordered_set>

namespace apod::runtime {
namespace {

void merge(std::vector<GraphNode*>& frontier, const std::vector<GraphNode*>& more) {
    for (GraphNode* node : more)
        if (std::find(frontier.begin(), frontier.end(), node) == frontier.end()) frontier.push_back(node);
}

// Whether all that was captured is behind the origin's last work: forked streams have been joined.
bool joined(const Capture& capture) {
    std::unordered_set<const GraphNode*> reached;
    std::vector<const GraphNode*> open(capture.origin->frontier.begin(), capture.origin->frontier.end());
    while (!open.empty()) {
        const GraphNode* node = open.back();
        open.pop_back();
        if (reached.insert(node).second) open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
    }
    const auto& nodes = capture.graph->nodes();
    return std::all_of(nodes.begin() + static_cast<std::ptrdiff_t>(capture.nodes_before), nodes.end(),
                       [&](const std::unique_ptr<GraphNode>& node) { return reached.contains(node.get()); });
}

Error invalidate(Capture& capture, Error why) {
    capture.invalid = true;
    return why;
}

NodeWork as_node(const Work& work) {
    return std::visit([](const auto& item) { return NodeWork(item); }, work);
}

} // namespace

CaptureMode& thread_capture_mode() {
    thread_local CaptureMode mode = CaptureMode::global;
    return mode;
}

Error Captures::begin(Stream& stream, CaptureMode mode) {
    auto graph = std::make_unique<Graph>();
    Graph& made = *graph;
    const Error error = begin(stream, mode, made, {});
    if (error == Error::success) stream.capture->own = std::move(graph);
    return error;
}

Error Captures::begin(Stream& stream, CaptureMode mode, Graph& graph, std::vector<GraphNode*> frontier) {
    if (mode < CaptureMode::global || mode > CaptureMode::relaxed) return Error::invalid_value;
    if (stream.kind == StreamKind::legacy) return Error::stream_capture_unsupported;
    if (stream.capture != nullptr) return Error::illegal_state;
    auto capture = std::make_unique<Capture>();
    capture->id = next_id_++;
    capture->mode = mode;
    capture->graph = &graph;
    capture->nodes_before = graph.nodes().size();
    capture->origin = &stream;
    capture->thread = std::this_thread::get_id();
    capture->streams = {&stream};
    stream.capture = capture.get();
    stream.frontier = std::move(frontier);
    captures_.emplace(capture->id, std::move(capture));
    return Error::success;
}

Error Captures::end(Stream& stream, std::unique_ptr<Graph>& made, Graph*& graph) {
    graph = nullptr;
    Capture* capture = stream.capture;
    if (capture == nullptr) return Error::illegal_state;
    if (capture->origin != &stream) return invalidate(*capture, Error::stream_capture_unmatched);
    if (capture->mode != CaptureMode::relaxed && capture->thread != std::this_thread::get_id()) return Error::stream_capture_wrong_thread;
    Error error = Error::success;
    if (capture->invalid) {
        error = Error::stream_capture_invalidated;
    } else if (!joined(*capture)) {
        error = Error::stream_capture_unjoined;
    } else {
        graph = capture->graph;
        made = std::move(capture->own);
    }
    for (Stream* member : capture->streams) {
        member->capture = nullptr;
        member->frontier.clear();
    }
    captures_.erase(capture->id);
    return error;
}

Capture* Captures::active(const Event& event) {
    const auto found = captures_.find(event.capture);
    return found != captures_.end() ? found->second.get() : nullptr;
}

GraphNode* Captures::add(Stream& stream, NodeWork work) {
    GraphNode* node = stream.capture->graph->add(std::move(work), stream.frontier);
    stream.frontier = {node};
    return node;
}

// Work of the legacy stream would have to wait for the captured work of every stream that does not ignore it.
Capture* Captures::that_waits_for(const Stream& legacy) const {
    for (const auto& [id, capture] : captures_)
        for (const Stream* member : capture->streams)
            if (member->kind != StreamKind::non_blocking && member->device == legacy.device) return capture.get();
    return nullptr;
}

std::optional<Error> Captures::take_wait(Stream& stream, const WaitWork& work) {
    Capture* other = active(*work.event);
    if (stream.capture == nullptr) {
        if (other == nullptr) return std::nullopt;
        if (stream.kind == StreamKind::legacy) return invalidate(*other, Error::stream_capture_implicit);
        stream.capture = other;
        stream.frontier = work.event->frontier;
        other->streams.push_back(&stream);
        return Error::success;
    }
    if (other == nullptr) return invalidate(*stream.capture, Error::stream_capture_isolation);
    if (other != stream.capture) {
        other->invalid = true;
        return invalidate(*stream.capture, Error::stream_capture_merge);
    }
    merge(stream.frontier, work.event->frontier);
    return Error::success;
}

std::optional<Error> Captures::take(Stream& stream, const Work& work) {
    Capture* capture = stream.capture;
    if (capture != nullptr && capture->invalid) return Error::stream_capture_invalidated;
    const auto* wait = std::get_if<WaitWork>(&work);
    if (wait != nullptr && !wait->external) return take_wait(stream, *wait);
    if (capture == nullptr) {
        if (const auto* record = std::get_if<RecordWork>(&work)) record->event->capture = 0;
        Capture* behind = stream.kind == StreamKind::legacy ? that_waits_for(stream) : nullptr;
        return behind == nullptr ? std::nullopt : std::optional(invalidate(*behind, Error::stream_capture_implicit));
    }
    const auto* record = std::get_if<RecordWork>(&work);
    if (record != nullptr && !record->external) {
        record->event->capture = capture->id;
        record->event->frontier = stream.frontier;
        return Error::success;
    }
    add(stream, as_node(work));
    return Error::success;
}

std::optional<Error> Captures::take(Stream& stream, const Graph& child) {
    if (stream.capture == nullptr) return std::nullopt;
    if (stream.capture->invalid) return Error::stream_capture_invalidated;
    add(stream, ChildWork{std::shared_ptr<Graph>(child.clone())});
    return Error::success;
}

Error Captures::wait_for(const Stream& stream) {
    return stream.capture == nullptr ? Error::success : invalidate(*stream.capture, Error::stream_capture_unsupported);
}

Error Captures::wait_for(const Event& event) {
    Capture* capture = active(event);
    return capture == nullptr ? Error::success : invalidate(*capture, Error::captured_event);
}

Error Captures::wait_for_device(int device) {
    Error error = Error::success;
    for (const auto& [id, capture] : captures_)
        if (capture->origin->device == device) error = invalidate(*capture, Error::stream_capture_unsupported);
    return error;
}

Error Captures::blocking_call(const Stream& legacy) {
    if (legacy.capture != nullptr) return wait_for(legacy); // the thread's own default stream
    Capture* behind = legacy.kind == StreamKind::legacy ? that_waits_for(legacy) : nullptr;
    return behind != nullptr ? invalidate(*behind, Error::stream_capture_implicit) : unsafe_call();
}

Error Captures::unsafe_call() {
    const CaptureMode own = thread_capture_mode();
    if (own == CaptureMode::relaxed) return Error::success;
    Error error = Error::success;
    for (const auto& [id, capture] : captures_) {
        const bool here = capture->thread == std::this_thread::get_id();
        const bool forbids =
            here ? capture->mode != CaptureMode::relaxed : own == CaptureMode::global && capture->mode == CaptureMode::global;
        if (forbids) error = invalidate(*capture, Error::stream_capture_unsupported);
    }
    return error;
}

CaptureStatus Captures::status(const Stream& stream) const {
    if (stream.capture == nullptr) return CaptureStatus::none;
    return stream.capture->invalid ? CaptureStatus::invalidated : CaptureStatus::active;
}

void Captures::forget(Stream& stream) {
    Capture* capture = stream.capture;
    if (capture == nullptr) return;
    std::erase(capture->streams, &stream);
    if (capture->origin != &stream) return; // what it captured may have been joined; otherwise the end will tell
    for (Stream* member : capture->streams) {
        member->capture = nullptr;
        member->frontier.clear();
    }
    captures_.erase(capture->id);
}

} // namespace apod::runtime
