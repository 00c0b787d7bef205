// How long work takes on the device: several times in a graph, so that what launching costs the host is not in it.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

namespace apod::spmv {

class GraphTimer {
public:
    GraphTimer() = default;
    GraphTimer(const GraphTimer&) = delete;
    GraphTimer& operator=(const GraphTimer&) = delete;
    ~GraphTimer() {
        for (cudaEvent_t event : {start_, stop_}) {
            if (event != nullptr) cudaEventDestroy(event);
        }
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }

    // What `stream` has to do is done before what is timed. The timer has a stream of its own: the default stream cannot be captured.
    cudaError_t make(cudaStream_t stream) {
        cudaError_t error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
        if (error == cudaSuccess) error = cudaEventCreate(&start_);
        if (error == cudaSuccess) error = cudaEventCreate(&stop_);
        return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    }

    // Milliseconds of one `work(stream)`, the least of three graphs; a graph takes some 0.2 ms, and has it at most so many times.
    template<class Work> cudaError_t time(const Work& work, float& ms, int most) const {
        cudaError_t error = work(stream_); // what happens the first time is not meant
        float once = 0;
        if (error == cudaSuccess) error = elapsed([&] { return work(stream_); }, once);
        if (error != cudaSuccess) return error;
        const int count = once > 0 ? static_cast<int>(std::clamp(0.2F / once, 1.0F, static_cast<float>(std::max(most, 1)))) : 1;
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t many = nullptr;
        error = capture(work, count, graph);
        if (error == cudaSuccess) error = cudaGraphInstantiateWithFlags(&many, graph, 0);
        for (int i = 0; i < std::clamp(most, 1, 3) && error == cudaSuccess; ++i) {
            float all = 0;
            error = elapsed([&] { return cudaGraphLaunch(many, stream_); }, all);
            if (i == 0 || all / static_cast<float>(count) < ms) ms = all / static_cast<float>(count);
        }
        if (many != nullptr) cudaGraphExecDestroy(many);
        if (graph != nullptr) cudaGraphDestroy(graph);
        return error;
    }

private:
    template<class Work> cudaError_t elapsed(const Work& work, float& ms) const {
        cudaError_t error = cudaEventRecord(start_, stream_);
        if (error == cudaSuccess) error = work();
        if (error == cudaSuccess) error = cudaEventRecord(stop_, stream_);
        if (error == cudaSuccess) error = cudaEventSynchronize(stop_);
        return error == cudaSuccess ? cudaEventElapsedTime(&ms, start_, stop_) : error;
    }
    template<class Work> cudaError_t capture(const Work& work, int count, cudaGraph_t& graph) const {
        cudaError_t error = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal);
        if (error != cudaSuccess) return error;
        for (int i = 0; i < count && error == cudaSuccess; ++i) error = work(stream_);
        const cudaError_t ended = cudaStreamEndCapture(stream_, &graph); // also after an error: the stream is of no use otherwise
        return error == cudaSuccess ? ended : error;
    }

    cudaStream_t stream_ = nullptr;
    cudaEvent_t start_ = nullptr;
    cudaEvent_t stop_ = nullptr;
};

} // namespace apod::spmv
