// What a launch takes between two events, for the calibrations of this folder.
#pragma once

#include <algorithm>
#include <vector>

// Microseconds, the median of `times` launches after `warm_up` others. What the events themselves add is in it.
template<typename Launch> float event_microseconds(Launch launch, int times = 9, int warm_up = 0) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<float> all;
    for (int i = 0; i < warm_up + times; ++i) {
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        if (i >= warm_up) all.push_back(ms * 1000);
    }
    std::sort(all.begin(), all.end());
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return all[all.size() / 2];
}
